"""`use`: a fact altered at the hand-off, the downstream part run again, and what came of it.

The altered trials and their controls are ordinary trials of one run, whose manifest says what was planned, so that the run can
be read again by itself. Kept out: what may be replayed (`upstream.py`), what a decision is (`decisions.py`), and the reading
(`study/use.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.suite import load_suite
from fairtrial.graders.ground import flat
from fairtrial.records.change import Changed
from fairtrial.records.errors import InputError, unknown_name
from fairtrial.records.run import Planned
from fairtrial.records.tamper import WAYS
from fairtrial.records.trial import TrialKey
from fairtrial.records.use import UsePlan
from fairtrial.steps import prepare, running, seating
from fairtrial.steps.beside import beside
from fairtrial.steps.decisions import Words, classes, decision
from fairtrial.steps.fingerprint import fingerprint, made_of
from fairtrial.steps.grading import Bench
from fairtrial.steps.known import known_secrets
from fairtrial.steps.looks import note
from fairtrial.steps.options import RunOptions
from fairtrial.steps.reading import open_store, stored_case
from fairtrial.steps.upstream import arrived_altered
from fairtrial.steps.useplan import UseOptions, consumer, make_plan, replays
from fairtrial.steps.walls import enforced, level_of
from fairtrial.steps.workshop import Workshop
from fairtrial.store.door import Door
from fairtrial.store.location import file_of
from fairtrial.store.redact import Redactor
from fairtrial.study.heldout import HELD_OUT
from fairtrial.study.use import Seen, read_use

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.run import Run
    from fairtrial.records.setup import Seat
    from fairtrial.records.suite import Suite
    from fairtrial.records.trial import Trial
    from fairtrial.records.use import UseReport
    from fairtrial.steps.options import Progress
    from fairtrial.store.sql import Store

TRIALS = 5
"""Altered runs of a case, and controls: of one case alone, so many which all move are no chance, and so many which all stay no miss."""


def use(path: str, options: UseOptions, progress: Progress | None = None) -> UseReport:
    """Run what is asked and read it. Raises FairtrialError before any trial is spent where it cannot be done."""
    suite = load_suite(path)
    _checked(suite, options)
    cases, notes = _cases(suite, options)
    with open_store(suite.folder, options.store, redactor=Redactor(known_secrets(suite, cases))) as store:
        if options.resume is not None:
            return _told(store, _resumed(store, suite, options, progress))
        seat = _seat(suite, cases, options, store)
        consumer(seat, options)
        recorded = _recorded(store, suite, cases, (seat, options.run)) or _record(path, store.url, cases, options, progress)
        plan = make_plan(store, suite, cases, store.run(recorded), options)
        plan = msgspec.structs.replace(plan, notes=(*plan.notes, *notes))
        if not plan.ways:
            _look(store, store.run(recorded), plan)
            return read_use(None, plan, {}, suite.name, None)
        return _told(store, _run(store, (suite, cases), plan, options, progress))


def _cases(suite: Suite, options: UseOptions) -> tuple[list[Case], list[str]]:
    """The cases that have hand-offs, and what must be known of the others: held-out ones are opened only where that is asked for.
    Altered runs that are gone on with take the cases that they were planned with."""
    chosen = [case for case in prepare.chosen_cases(suite, RunOptions(cases=options.cases)) if case.labels.tier == "e2e"]
    if not chosen:
        raise InputError("no case of tier e2e is left, and only these have hand-offs", value=", ".join(options.cases) or None)
    if options.held_out or options.resume is not None:
        return chosen, []
    taken = [case for case in chosen if case.labels.split != HELD_OUT]
    if not taken:
        mend = "--held-out opens them, and the look is written down"
        raise InputError("these cases are held out", value=", ".join(case.id for case in chosen[:8]), mend=mend)
    left = len(chosen) - len(taken)
    return taken, [f"held-out cases left out: {left}; --held-out opens them, and the look is written down"] if left else []


def _told(store: Store, name: str) -> UseReport:
    """The reading, for somebody to look at."""
    run = store.run(name)
    _look(store, run, plan_of(run))
    return read_stored(store, name)


def _look(store: Store, run: Run, plan: UsePlan) -> None:
    """Writes down the look at each held-out case of which anything is told."""
    for case in dict.fromkeys([*plan.attempts, *(left.case for left in plan.left_out)]):
        note(store, run, case, "use")


def _seat(suite: Suite, cases: Sequence[Case], options: UseOptions, store: Store) -> Seat:
    """The setup as it is given today, so that nothing is run or replayed that could not be altered."""
    own = {options.setup: suite.setups[options.setup]}
    with Workshop(prepare.stage_spec(suite, own, cases, file_of(store.url)), level_of(options.isolate), 1) as workshop:
        return next(seat for seat in workshop.open() if seat.setup == options.setup)


def _record(path: str, url: str, cases: Sequence[Case], options: UseOptions, progress: Progress | None) -> str:
    """Run the setup as it is, where no trial of it is there to be replayed; the run's id."""
    asked = RunOptions(setups=(options.setup,), cases=tuple(case.id for case in cases), jobs=options.jobs, isolate=options.isolate)
    ran = running.run_suite(path, msgspec.structs.replace(asked, store=url), progress)
    if ran.status == "interrupted":
        raise KeyboardInterrupt
    return ran.report.run


def shown_in(store: Store, run: Run, checks: Iterable[Check]) -> dict[str, dict[tuple[str, str, str], str]]:
    """What altering facts on the hand-offs of this run's trials has shown: by setup, for (case, fact, role); the newest counts.

    Looked up only where a check asks for proof by intervention.
    """
    found: dict[str, dict[tuple[str, str, str], str]] = {}
    if not any(check.expect.get("proof") == "intervention" for check in flat(checks)):
        return found
    for line in store.runs(suite=run.manifest.suite):
        told = store.run(line.run).manifest.settings.get("use")
        if line.status == "complete" and told is not None and told.get("recorded") == run.id:
            report = read_stored(store, line.run)
            shown = found.setdefault(report.setup, {})
            for proof in report.proofs:
                shown.setdefault((proof.case, proof.fact, proof.to), proof.shown)
    return found


def read_stored(store: Store, name: str) -> UseReport:
    """The reading of a stored run of altered trials."""
    run = store.run(name)
    plan = plan_of(run)
    evidence: dict[str, dict[str, Seen]] = {}
    spent: Decimal | None = Decimal(0)
    known: dict[str, list[Any]] = {}
    done = store.keys_done(run.id)
    for planned in run.manifest.planned:
        case = stored_case(store, run, planned.case)
        if case is None:
            raise InputError("the run does not hold its cases, so its decisions cannot be read", value=run.id)
        keys = [TrialKey(planned.case, planned.setup, attempt) for attempt in planned.numbers()]
        trials = [store.trial(run.id, key) if key in done else None for key in keys]
        decided = classes(_decisions(plan, planned, trials), known.setdefault(case.id, []))
        counts = _words(run, plan, case, trials) if planned.setup == plan.control else ({}, {})
        ran = sum(trial is not None for trial in trials)
        evidence.setdefault(planned.setup, {})[case.id] = Seen(decisions=tuple(decided), ran=ran, declared=counts[0], found=counts[1])
        for trial in trials:
            usd = None if trial is None or not trial.head.spend.usd_complete else trial.head.spend.usd
            spent = None if spent is None or usd is None else spent + usd
    return read_use(run, plan, evidence, run.manifest.suite, spent)


def _decisions(plan: UsePlan, planned: Planned, trials: Sequence[Trial | None]) -> list[Any]:
    """What each trial decided; nothing where the parcel that was to be altered never came in it."""
    fact = next((fact for fact, _, setup in plan.ways if setup == planned.setup), None)
    comes = fact is not None and (fact, planned.case) in plan.by_parcel
    decides = plan.looked_at[planned.case]
    there = [None if trial is None or (comes and not arrived_altered(trial)) else trial for trial in trials]
    return [None if trial is None else decision(trial, decides, plan.replayed) for trial in there]


def _words(run: Run, plan: UsePlan, case: Case, trials: Sequence[Trial | None]) -> tuple[dict[str, int], dict[str, int]]:
    """By fact, in how many controls it was declared used, and in how many it shows."""
    seat = next(seat for seat in run.manifest.seats if seat.setup == plan.control)
    facts = dict.fromkeys(fact for fact, _, _ in plan.ways)
    words, there = Words(case, seat, plan.to, facts), [trial for trial in trials if trial is not None]
    declared = {fact: sum(words.declared(trial, fact) for trial in there) for fact in facts}
    return declared, {fact: sum(words.found(trial, fact) for trial in there) for fact in facts}


def _checked(suite: Suite, options: UseOptions) -> None:
    if options.setup not in suite.setups:
        raise unknown_name("no such setup", options.setup, suite.setups, place=suite.path)
    for way in options.ways:
        if way not in WAYS:
            raise InputError("a fact cannot be altered so", value=way, allowed=", ".join(WAYS))
    if options.value is not msgspec.UNSET and len(options.facts) > 1:
        raise InputError("one value cannot stand for several facts", mend="name one --fact with --value")


def _recorded(store: Store, suite: Suite, cases: Sequence[Case], wanted: tuple[Seat, str | None]) -> str | None:
    """The run whose trials are replayed: the one named, else the newest of this suite and setup as they are that tried these cases."""
    seat, named = wanted
    if named is not None:
        run = store.run(named)
        if not _as_today(run, suite, seat):
            what = f"this run did not try the setup {seat.setup!r} as it is in the suite today, so it cannot be replayed"
            raise InputError(what, value=run.id, mend="leave --run out")
        return run.id
    for line in store.runs(suite=suite.name):
        run = store.run(line.run)
        tried = {plan.case for plan in run.manifest.planned if plan.setup == seat.setup}
        if line.status == "complete" and {case.id for case in cases} <= tried and _as_today(run, suite, seat):
            return run.id
    return None


def _as_today(run: Run, suite: Suite, seat: Seat) -> bool:
    """Whether the run tried the setup as it is now, its code included; a run that does not tell of its code is no such run."""
    made = made_of(suite, {seat.setup: suite.setups[seat.setup]})
    told = run.manifest.settings.get("made_of") or {}
    same_code = told.get(seat.setup) == made.get(seat.setup)
    return run.manifest.suite_version == suite.version and seat in run.manifest.seats and same_code


def _run(store: Store, asked: tuple[Suite, Sequence[Case]], plan: UsePlan, options: UseOptions, progress: Progress | None) -> str:
    """Run the controls and the altered trials as one run; its id."""
    told = replays(store, plan)
    suite, cases = _altered(asked[0], plan), [case for case in asked[1] if case.id in plan.attempts]
    attempts = options.trials or max(suite.trials, TRIALS)
    planned = [Planned(case.id, setup, attempts) for case in cases for setup in suite.setups if (setup, case.id) in told]
    level = level_of(options.isolate)
    prepare.refuse_shared_environments(level, suite.setups)
    spec = prepare.stage_spec(suite, suite.setups, cases, file_of(store.url))
    with Workshop(spec, level, options.jobs) as workshop:
        seats = workshop.open()
        bench = Bench(suite, cases, seats, beside=beside(suite, level, store))
        walls = enforced(level, suite)
        settings = {
            "jobs": options.jobs,
            "isolate": level,
            "isolation": walls,
            "seed": suite.seed,
            "use": msgspec.to_builtins(plan),
            "purpose": "use",
            **fingerprint(asked[0], {plan.setup: asked[0].setups[plan.setup]}),
        }
        settings |= {"differences": [], "grader": bench.version}
        manifest = prepare.make_manifest(suite, seating.Casting(cases=tuple(cases), planned=tuple(planned)), seats, settings)
        run = running.new_run_id("use")
        store.create_run(run, manifest, {case.id: case.raw for case in cases})
        running.Work(run, manifest, store, Door(store.redactor), bench, cases, replays=told).drive(workshop, progress)
    return run


def _resumed(store: Store, suite: Suite, options: UseOptions, progress: Progress | None) -> str:
    """Run what is missing of an interrupted run of altered trials; its id."""
    stored = store.run(str(options.resume))
    plan, manifest = plan_of(stored), stored.manifest
    made = made_of(suite, {plan.setup: suite.setups[plan.setup]}) if plan.setup in suite.setups else {}
    if manifest.suite_version != suite.version or manifest.settings.get("made_of") != made:
        raise InputError(
            "the suite or its code has changed since this run began", value=stored.id, mend="alter the facts anew, without --resume"
        )
    suite, wanted = _altered(suite, plan), {info.id for info in manifest.cases}
    cases = [case for case in suite.cases if case.id in wanted]
    level = level_of(options.isolate or manifest.settings.get("isolate"))
    spec = prepare.stage_spec(suite, suite.setups, cases, file_of(store.url))
    told = replays(store, plan)
    with Workshop(spec, level, options.jobs) as workshop:
        seats = workshop.open()
        store.claim(stored.id)
        store.set_aside(stored.id, list(store.keys_done(stored.id) - store.keys_done(stored.id, faulted=False)))
        bench = Bench(suite, cases, seats, beside=beside(suite, level, store))
        running.Work(stored.id, manifest, store, Door(store.redactor), bench, cases, replays=told).drive(workshop, progress)
    return stored.id


def _altered(suite: Suite, plan: UsePlan) -> Suite:
    """The suite with the setup under the names of its controls and of its altered trials, and no other."""
    own = msgspec.structs.replace(suite.setups[plan.setup], change=Changed(of=plan.setup))
    setups = {name: own for name in (plan.control, *(setup for _, _, setup in plan.ways))}
    return msgspec.structs.replace(suite, setups=setups, baseline=plan.control, candidate=None)


def plan_of(run: Run) -> UsePlan:
    """What a run of altered trials was planned as. Raises InputError for any other run."""
    told = run.manifest.settings.get("use")
    if told is None:
        raise InputError("this run altered no fact", value=run.id, mend="fairtrial use SUITE --setup TEAM --fact ID makes one")
    return msgspec.convert(told, UsePlan)
