"""One run from suite to report: prepare, drive, store, read.

The manifest is written before the first trial. What an interruption has finished is kept, and the run can be resumed. Kept out: the
pool that trials run in (`workshop.py`), how an interruption is heard (`interrupts.py`).
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import FairtrialError, InputError
from fairtrial.records.run import Manifest, Run
from fairtrial.records.until import SETTING, rule_of
from fairtrial.steps import deciding, judges, prepare, seating
from fairtrial.steps.beside import beside
from fairtrial.steps.canaries import plant
from fairtrial.steps.fingerprint import fingerprint
from fairtrial.steps.grading import Bench
from fairtrial.steps.history import ordinary
from fairtrial.steps.interrupts import Interrupts
from fairtrial.steps.known import known_secrets
from fairtrial.steps.looks import reported
from fairtrial.steps.options import RunOptions, RunOutcome
from fairtrial.steps.past import stated
from fairtrial.steps.reading import exit_code, open_store, read_table
from fairtrial.steps.sink import Sink, unjudged
from fairtrial.steps.starts import Starts
from fairtrial.steps.walls import enforced, level_of
from fairtrial.steps.workshop import Workshop
from fairtrial.store.door import Door
from fairtrial.store.location import file_of
from fairtrial.store.redact import Redactor
from fairtrial.store.sql import Store
from fairtrial.study.opinions import most
from fairtrial.study.report import read_run
from fairtrial.study.table import Table
from fairtrial.study.until import stopped
from fairtrial.trials.drive import Drive
from fairtrial.trials.plan import case_by_case, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.setup import Seat
    from fairtrial.records.suite import Suite
    from fairtrial.records.tamper import Replay
    from fairtrial.records.trial import TrialKey
    from fairtrial.steps.options import Progress


def run_suite(path: str, options: RunOptions, progress: Progress | None = None) -> RunOutcome:
    """Run a suite as asked. Raises FairtrialError before any trial is spent where the input or the match is not fit."""
    suite = load_suite(path)
    rule = deciding.rule_for(suite, options)
    sides = options.setups if rule is None else (rule.base, rule.new)
    chosen = prepare.chosen_cases(suite, options)
    cases, setups = seating.tried(chosen, seating.chosen_setups(suite, sides), sides)
    level = level_of(options.isolate)
    prepare.refuse_shared_environments(level, setups)
    prepare.refuse_walled_models(level, cases)
    redactor = Redactor(known_secrets(suite, cases))
    with open_store(suite.folder, options.store, redactor=redactor) as store:
        if options.last_failed:
            cases = _last_failed(store, suite, cases)
        spec = prepare.stage_spec(suite, setups, cases, file_of(store.url))
        with Workshop(spec, level, options.jobs) as workshop:
            seats = workshop.open()
            casting = seating.cast(suite, cases, seats, options.trials, all_setups=not sides)
            settings = _settings(options, suite, enforced(level, suite)) | prepare.selection(options, suite, cases)
            if rule is not None:
                left = [] if options.setups else deciding.left_out(suite, chosen, sides)
                casting = deciding.narrowed(casting, rule, settings["seed"], left)
                settings[SETTING] = msgspec.to_builtins(rule)
            differences = prepare.fair_or_carried(seats, casting, allow=options.allow_unfair)
            bench = Bench(suite, cases, seats, beside=beside(suite, level, store))
            bench.compile()
            if bench.judges:
                settings["judges"] = judges.told(suite, bench.judges)
            manifest = prepare.make_manifest(suite, casting, seats, settings | {"differences": differences, "grader": bench.version})
            if rule is not None:
                manifest = msgspec.structs.replace(manifest, baseline=rule.base, candidate=rule.new)
            run = new_run_id()
            if options.dry_run:
                return _planned_only(run, manifest, judges.most_calls(suite, bench.judges, cases, casting.planned) if bench.judges else 0)
            planted = plant(suite, casting.cases, bench) if suite.policy else None
            store.create_run(run, manifest, {case.id: case.raw for case in casting.cases})
            if planted is not None:
                store.canaries.add(run, planted)
            work = Work(run, manifest, store, Door(redactor), bench, cases, options.fail_fast)
            return work.finish(work.drive(workshop, progress))


def resume_run(name: str, path: str | None, options: RunOptions, progress: Progress | None = None) -> RunOutcome:
    """Run what is missing of an interrupted run, with the suite as it was. Raises InputError where the suite has changed."""
    with open_store(path or ".", options.store) as store:
        stored = store.run(name)
        manifest = stored.manifest
        if (decided := _decided(store, stored, options)) is not None:
            return decided
        if manifest.purpose == "use":
            mend = f"fairtrial use SUITE --setup TEAM --fact ID --resume {stored.id}"
            raise InputError("this run alters facts on their way, which a plain run would not", value=stored.id, mend=mend)
        suite = load_suite(path or manifest.suite_path)
        if suite.version != manifest.suite_version:
            raise InputError(
                f"the suite has changed since run {stored.id} began, so what is missing would be another experiment",
                place=suite.path,
                mend="start a new run, or bring the suite back to what it was",
            )
        wanted = {case.id for case in manifest.cases}
        cases = [case for case in suite.cases if case.id in wanted]
        setups = seating.setups_of(suite, manifest.seats)
        redactor = Redactor(known_secrets(suite, cases))
        store.redactor = redactor
        store.claim(stored.id)
        level = _same_walls(manifest, suite, options.isolate)
        spec = prepare.stage_spec(suite, setups, cases, file_of(store.url))
        with Workshop(spec, level, options.jobs) as workshop:
            try:
                seats = workshop.open()
                _same_seats(manifest, seats)
            except FairtrialError:
                store.release(stored.id)
                raise
            store.set_aside(stored.id, list(store.keys_done(stored.id) - store.keys_done(stored.id, faulted=False)))
            bench = Bench(suite, cases, seats, beside=beside(suite, level, store))
            work = Work(stored.id, manifest, store, Door(redactor), bench, cases, options.fail_fast)
            return work.finish(work.drive(workshop, progress))


def _decided(store: Store, stored: Run, options: RunOptions) -> RunOutcome | None:
    """The run as it stands where its rule has decided it: nothing is left to run. None where there is work, or no rule."""
    rule = rule_of(stored.manifest.settings)
    deciding.asked_again(rule, options)
    if rule is None:
        return None
    report = reported(store, read_table(store, stored.id))
    if report.until_decided is None or not report.until_decided.stopped:
        return None
    if stored.status != "complete":  # it was killed between its last trial and its end
        store.claim(stored.id)
        store.finish_run(stored.id, "complete")
        report.status = "complete"
    report.notes = [*report.notes, "the run was decided by its rule, so nothing was run now"]
    return RunOutcome(report=report, status="complete", exit_code=exit_code(report))


def _same_seats(manifest: Manifest, seats: Sequence[Seat]) -> None:
    changed = [seat.setup for seat in seats if seat not in manifest.seats]
    if changed:
        raise InputError(
            f"what was given to {', '.join(changed)} has changed since the run began (tools, rights, roles or budget)",
            mend="start a new run",
        )


def _same_walls(manifest: Manifest, suite: Suite, asked: str | None) -> str:
    """The isolation that the run began with: its report says what held for every trial."""
    began = manifest.settings.get("isolate")
    level = level_of(asked or began)
    walls = manifest.settings.get("isolation")
    if walls and walls != enforced(level, suite):
        what = "the isolation is another than the run began with, so its report would not be true of every trial"
        raise InputError(what, value=level, mend=f"leave it as it was (--isolate {began}), or start a new run")
    return level


@dataclass
class Work:
    """A run under way: its parts, and the two steps left to do."""

    run: str
    manifest: Manifest
    store: Store
    door: Door
    bench: Bench
    cases: Sequence[Case]
    fail_fast: bool = False
    replays: Mapping[tuple[str, str], Replay] = field(default_factory=dict)
    """By setup and case, where its trials are run again from a hand-off on."""
    stopped: Interrupts = field(default_factory=Interrupts)

    def drive(self, workshop: Workshop, progress: Progress | None) -> str:
        """Run all that is planned and not done yet; the run's status."""
        done = self.store.keys_done(self.run)
        total = sum(plan.attempts for plan in self.manifest.planned)
        starts = Starts(self.run, self.store, workshop.starts)
        sink = Sink(starts, (self.store, self.door, self.bench), progress, (len(done), total))
        stop = (lambda: self.stopped.asked or sink.failed > 0) if self.fail_fast else (lambda: self.stopped.asked)
        make = prepare.order_maker(self.cases, self.manifest.seats, self.manifest.seed, self.replays)
        awaited = self._unjudged()
        keys = self._keys(sink, done, awaited)
        sink.again(sorted(awaited))
        status = "incomplete"
        try:
            with self.stopped:
                whole = Drive(workshop.pool, sink, make, stop).run(keys)
                whole = sink.finish(stop) and whole
            status = "complete" if whole else "interrupted" if self.stopped.asked else "incomplete"
        finally:
            sink.flush()
            self.store.finish_run(self.run, status)
        return status

    def _unjudged(self) -> set[TrialKey]:
        """Stored trials whose judges have not been heard: the run was ended before, or the model could not be reached."""
        return {head.key for head, card in self.store.rows(self.run) if unjudged(head, card)} if self.bench.judges else set()

    def _keys(self, sink: Sink, done: set[TrialKey], awaited: set[TrialKey]) -> Iterator[TrialKey]:
        """What is left to run; with a rule, only for as long as it has not decided."""
        rule = rule_of(self.manifest.settings)
        if rule is None:
            return in_order(self.manifest.planned, self.manifest.seed, done)
        watch = deciding.Watch(rule, self.manifest.planned)
        for head, card in self.store.rows(self.run):
            if head.key not in awaited:
                watch.see(head, card)
        sink.watch = watch.see
        return watch.until(case_by_case(self.manifest.planned, done))

    def finish(self, status: str) -> RunOutcome:
        """Read the run as it is stored."""
        report = reported(self.store, read_table(self.store, self.run))
        return RunOutcome(report=report, status=status, exit_code=130 if status == "interrupted" else exit_code(report))


def new_run_id(purpose: str = "") -> str:
    """Sorts by time of start, in UTC; unique across machines by its tail. What it is for where it is no plain run stands in it."""
    return "-".join(part for part in (time.strftime("%Y%m%d-%H%M%S", time.gmtime()), purpose, secrets.token_hex(3)) if part)


def _settings(options: RunOptions, suite: Suite, walls: dict[str, Any]) -> dict[str, Any]:
    asked = {"jobs": options.jobs, "isolate": walls["level"], "isolation": walls, "allow_unfair": options.allow_unfair}
    asked |= fingerprint(suite, suite.setups)
    return asked | stated(suite) | {"seed": suite.seed if options.seed is None else options.seed}


def _planned_only(run: str, manifest: Manifest, calls: int) -> RunOutcome:
    report = read_run(Table(Run(id=run, started_ns=0, ended_ns=None, status="planned", manifest=manifest)))
    report.judging = most(calls) if calls else None
    return RunOutcome(report=report, status="planned", exit_code=0)


def _last_failed(store: Store, suite: Suite, cases: list[Case]) -> list[Case]:
    """The cases that did not pass every trial in the suite's newest run."""
    last = next((run.id for run in ordinary(store, suite.name)), None)
    if last is None:
        raise InputError("--lf needs an earlier run of this suite", mend="run it once without --lf")
    table = read_table(store, last)
    enough = stopped(table)  # what a rule made needless has not failed
    open_cases = {
        case.id
        for lane in table.lanes.values()
        for row, case in enumerate(lane.cases)
        if lane.passed[row] < (lane.run(row) if enough else lane.slots(row))
    }
    found = [case for case in cases if case.id in open_cases]
    if not found:
        raise InputError(f"every case passed in run {last}; nothing failed", mend="leave --lf out")
    return found
