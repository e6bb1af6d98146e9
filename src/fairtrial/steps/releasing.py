"""From the store to a release decision: the candidate, its baseline, earlier runs of the same version, and what was lost since.

Kept out: the gates (`release/`), and what a command ends with.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.policy import read_policy
from fairtrial.cases.suite import load_suite
from fairtrial.records.decision import Attempt
from fairtrial.records.errors import FairtrialError, InputError, unknown_name
from fairtrial.records.moment import moment
from fairtrial.records.policy import Policy
from fairtrial.records.setup import UNIT
from fairtrial.release.decide import decide
from fairtrial.release.ground import Past, Side
from fairtrial.release.losses import Held, changed_roles, lost_around, lost_cases, lost_checks, lost_gates, lost_regressions
from fairtrial.steps import looks, standings
from fairtrial.steps.beside import beside
from fairtrial.steps.calibrating import calibrate
from fairtrial.steps.canaries import plant
from fairtrial.steps.grading import Bench
from fairtrial.steps.reading import split_reference
from fairtrial.steps.truths import scored
from fairtrial.study.identity import same_stated, same_version
from fairtrial.study.table import Table
from fairtrial.study.watched import WatchedTable
from fairtrial.study.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.canary import CanaryReport
    from fairtrial.records.decision import Decision
    from fairtrial.records.run import Manifest, Run
    from fairtrial.records.suite import Suite
    from fairtrial.store.sql import Store

MOST_RUNS = 200
"""Earlier runs of a suite that are looked at, newest first."""
AROUND = ("checks", "handoffs", "trials", "ceilings", "canaries")
"""What a suite states beside its cases, as far as it can be counted."""
MOST_COUNTED = 10
"""Earlier attempts whose trials are counted; older ones are listed without."""


def gate(store: Store, reference: str, named: str | None, base: str | None) -> Decision:
    """Whether a setup of a run may ship. Raises InputError where policy, candidate or baseline cannot be had."""
    name, setup = split_reference(reference)
    table = _table(store, name)
    policy = _policy(table.manifest, named)
    candidate = Side(table=table, setup=candidate_of(table.manifest, setup))
    baseline = _baseline(store, candidate, base)
    if policy.compares and baseline is None:
        mend = f"fairtrial gate {reference} --baseline RUN:SETUP, or name a `baseline` in the suite"
        raise InputError("the policy compares with a baseline, and this run has none", value=candidate.name, mend=mend)
    return _decided(store, policy, candidate, baseline)


def _decided(store: Store, policy: Policy, candidate: Side, baseline: Side | None) -> Decision:
    """With what people say of the two, where a gate asks for that."""
    past = past_of(store, candidate, baseline, policy)
    if any(gate.name == "human_score" for gate in policy.gates):
        candidate = msgspec.structs.replace(candidate, people=scored(store, candidate.table))
        baseline = None if baseline is None else msgspec.structs.replace(baseline, people=scored(store, baseline.table))
    found = decide(policy, candidate, baseline, past, canaries_of(store, candidate.table.run))
    found.notes += standings.notes(standings.of_run(store, candidate.table))
    return found


def gate_of_run(store: Store, run: str) -> Decision | None:
    """The decision on a run whose suite names a policy; None where it names none, or the candidate was not tried."""
    if not has_policy(store, run):
        return None
    manifest = store.run(run).manifest
    try:
        setup = candidate_of(manifest, None)
    except InputError:
        return None
    policy = _policy(manifest, None)
    candidate = Side(table=_table(store, run), setup=setup)
    baseline = _baseline(store, candidate, None)
    return _decided(store, policy, candidate, baseline)


def canaries_of(store: Store, name: str) -> CanaryReport | None:
    """What became of the canaries of a run. Where none were planted yet, they are put to its graders now, if these are still the
    same; None where they are not."""
    run = store.run(name)
    found = store.canaries.newest(run.id)
    path = run.manifest.suite_path
    if found is not None or run.manifest.origin != "run" or not os.path.exists(path):
        return found
    try:
        suite = load_suite(path)
        asked = {info.id for info in run.manifest.cases}
        cases = [case for case in suite.cases if case.id in asked]
        bench = Bench(suite, cases, run.manifest.seats, beside=beside(suite, run.manifest, store, cases))
        if suite.version != run.manifest.suite_version or bench.version != run.manifest.grader:
            return None
        found = plant(suite, cases, bench, ask=False)
    except FairtrialError:
        return None
    store.canaries.add(run.id, found)
    return found


def has_policy(store: Store, run: str) -> bool:
    """Whether a run's suite names a policy that its candidate is held to."""
    return bool(store.run(run).manifest.settings.get("policy"))


def ungated(store: Store, run: str) -> str:
    """Why a run came to no decision, where one was to be expected: its candidate was not tried, or the suite names no policy
    and an earlier run of it was held to one. Empty otherwise."""
    now = store.run(run)
    if own := now.manifest.settings.get("policy"):
        return f"not enough evidence to ship: the candidate {now.manifest.candidate} was not tried, so nothing was held to {own}"
    held = next((one for one in _earlier(store, now) if one.manifest.settings.get("policy")), None)
    return f"held to no policy, though run {held.id} was held to {held.manifest.settings['policy']}" if held else ""


def stated(suite: Suite) -> dict[str, Any]:
    """What a run remembers of a suite so that a later gate sees what was lost: the policy as it was, how much is stated.

    Raises InputErrors where the policy is not fit, before any trial is spent.
    """
    budgets = sum(case.raw.get("budget") not in (None, {}) for case in suite.cases)
    ceilings = sum(ceiling is not None for ceiling in msgspec.structs.astuple(suite.budget))
    trials = max((case.trials or suite.trials for case in suite.cases), default=suite.trials)
    around = {
        "checks": len(suite.checks),
        "handoffs": len(suite.handoffs),
        "trials": trials,
        "ceilings": ceilings,
        "canaries": len(suite.canaries),
    }
    holds = {"cases": len(suite.cases), "budgets": budgets, **around}
    if suite.policy is None:
        return {"holds": holds}
    policy = read_policy(suite.policy, suite.folder)
    placeless = msgspec.structs.replace(policy, gates=tuple(msgspec.structs.replace(gate, place="") for gate in policy.gates))
    return {"holds": holds, "policy": suite.policy, "gates": msgspec.to_builtins(placeless)}


def _table(store: Store, name: str) -> WatchedTable:
    run = store.run(name)
    table = WatchedTable(run)
    table.watch(store.rows(run.id))
    calibrate(store, table)
    return table


def _policy(manifest: Manifest, named: str | None) -> Policy:
    if named is not None:
        return read_policy(named)
    own = manifest.settings.get("policy")
    if not own:
        folder = os.path.dirname(manifest.suite_path)
        near = os.path.join(folder, "release.yaml")
        mend = f"--policy {near}" if folder and os.path.isfile(near) else "--policy FILE, or --policy three-tiers"
        raise InputError("the run's suite names no policy", mend=f"name one: {mend}")
    return read_policy(own, os.path.dirname(manifest.suite_path))


def candidate_of(manifest: Manifest, setup: str | None) -> str:
    """The setup that is judged: the one named, else the suite's candidate, else the last listed."""
    tried = [name for name in dict.fromkeys([*manifest.setups, *(plan.setup for plan in manifest.planned)])]
    tried = [name for name in tried if name in {plan.setup for plan in manifest.planned}]
    wanted = setup or manifest.candidate
    if wanted is None:
        tried = [name for name in tried if not _changed(manifest, name)] or tried
        others = [name for name in tried if name != UNIT] or tried
        if not others:
            raise InputError("the run has no setup", mend="run the suite first")
        return _shippable(manifest, others[-1])
    if wanted not in tried:
        what = "no such setup in this run" if setup else "the suite's candidate was not tried in this run"
        raise unknown_name(what, wanted, tried, mend="name one as RUN:SETUP")
    return _shippable(manifest, wanted)


def _changed(manifest: Manifest, setup: str) -> bool:
    """Whether a setup is a team that a question has changed (credit, use), and so no version that anybody could ship."""
    return any(seat.setup == setup and seat.change is not None for seat in manifest.seats)


def _shippable(manifest: Manifest, setup: str) -> str:
    if _changed(manifest, setup):
        mend = "run the suite, and gate that run"
        raise InputError(f"a team changed by `{manifest.purpose}` is no version to decide on", value=setup, mend=mend)
    return setup


def _baseline(store: Store, candidate: Side, named: str | None) -> Side | None:
    """The one named, else the suite's baseline in the same run. A run with one setup needs none named."""
    manifest = candidate.table.manifest
    if named is None:
        own = manifest.baseline
        known = own is not None and own in candidate.table.lanes and own != candidate.setup
        return Side(table=candidate.table, setup=own) if known and own is not None else None
    name, setup = split_reference(named)
    run = store.resolve(name)
    table = candidate.table if run == candidate.table.run else _table(store, run)
    others = [one for one in table.lanes if one != UNIT]
    if setup is None and len(others) > 1:
        same = [
            one
            for one in (candidate.setup, table.manifest.baseline)
            if one in others and (run, one) != (candidate.table.run, candidate.setup)
        ]
        setup = same[0] if same else None
    elif setup is None and others:
        setup = others[0]
    return Side(table=table, setup=_shippable(table.manifest, table.lane(setup).setup))


def past_of(store: Store, candidate: Side, baseline: Side | None, policy: Policy) -> Past:
    """Earlier runs of the same suite: attempts at the same version, and what any of them had that is gone."""
    now = store.run(candidate.table.run)
    if now.manifest.origin != "run" and not now.manifest.suite:
        return Past()
    earlier = list(_earlier(store, now))
    others = [run for run in earlier if baseline is None or run.id != baseline.table.run]
    alike = [run for run in others if _stated_alike(run, candidate)]
    attempts = [run for run in alike if same_version(run.manifest, candidate.table.manifest, candidate.setup)]
    recoded = [f"earlier runs of {candidate.setup} with other code, counted as other versions: {len(alike) - len(attempts)}"]
    recoded = recoded if len(alike) > len(attempts) else []
    told = [_attempt(store, run, candidate.setup, counted=place < MOST_COUNTED) for place, run in enumerate(attempts)]
    held = looks.held_out(store, candidate.table)
    opened = [one.case for one in held.opened] if held else []
    if now.manifest.origin != "run":
        return Past(attempts=told, notes=recoded, opened=opened)
    losses, notes = _losses(store, now, earlier, policy)
    return Past(attempts=told, losses=losses, notes=[*recoded, *notes], opened=opened)


def _earlier(store: Store, now: Run) -> Iterator[Run]:
    """Newest first; a suite is the same by its name or by its place, so that a new name hides nothing. A run that asked about
    parts of a team (credit, use) is no earlier attempt at the whole."""
    for line in store.runs(limit=MOST_RUNS):
        if line.run != now.id and line.started_ns <= now.started_ns:
            run = store.run(line.run)
            same = run.manifest.suite == now.manifest.suite or run.manifest.suite_path == now.manifest.suite_path != ""
            alike = run.manifest.origin == now.manifest.origin and run.manifest.ordinary == now.manifest.ordinary
            if same and alike:
                yield run


def _stated_alike(run: Run, candidate: Side) -> bool:
    return candidate.setup in {plan.setup for plan in run.manifest.planned} and same_stated(
        run.manifest, candidate.table.manifest, candidate.setup
    )


def _attempt(store: Store, run: Run, setup: str, *, counted: bool) -> Attempt:
    started = moment(run.started_ns) if run.started_ns else None
    found = Attempt(run=run.id, started=started, status=run.status, suite_version=run.manifest.suite_version)
    if counted:
        table = Table(run, details=False)
        table.fill(store.glances(run.id))
        lane = table.lanes[setup]
        found.planned, found.passed, found.fail = lane.planned, sum(lane.passed), sum(lane.failed)
        found.unknown, found.severe = sum(lane.unknown), sum(lane.severe.values())
    return found


def _losses(store: Store, now: Run, earlier: Sequence[Run], policy: Policy) -> tuple[list[str], list[str]]:
    """(what is asked less, what is otherwise changed), in words."""
    held, before = _held(now), [_held(run) for run in earlier]
    found = [*lost_cases(held, before), *lost_regressions(held, before), *lost_around(held, before), *lost_gates(policy, before)]
    found += _thinner(store, now, earlier, held)
    if partly := _partly(now, held):
        found = [("part of the suite", partly), *(loss for loss in found if not loss[0].startswith("case "))]
    return [f"{name} — {why}" for name, why in found], list(_changes(held, before, now, earlier))


def _partly(now: Run, held: Held) -> str:
    """What was left out of a run on purpose: cases, or trials of each; nothing where the whole suite was run."""
    holds = now.manifest.settings.get("holds") or {}
    cases, trials = holds.get("cases", 0), holds.get("trials", 0)
    if len(held.cases) < cases:
        return f"{len(held.cases)} of its {cases} cases were run"
    most = max((plan.attempts for plan in now.manifest.planned if plan.setup != UNIT), default=trials)
    return f"{most} of {trials} trials of a case were run" if most < trials else ""


def _changes(held: Held, before: Sequence[Held], now: Run, earlier: Sequence[Run]) -> Iterator[str]:
    """What is not less than before, and not the same either."""
    changed = sorted({case for run in before for case, digest in run.cases.items() if held.cases.get(case, digest) != digest})
    if changed:
        yield f"cases changed since an earlier run of this suite: {listed(changed)}"
    yield from changed_roles(held, before)
    around = [run.id for run, was in zip(earlier, before, strict=True) if was.cases == held.cases]
    around = [run.id for run in earlier if run.id in around and run.manifest.suite_version != now.manifest.suite_version]
    if around:
        yield f"the suite changed around its cases since run {around[0]}: world, checks, hand-offs or budget"


def _thinner(store: Store, now: Run, earlier: Sequence[Run], held: Held) -> Iterator[tuple[str, str]]:
    """Cases that ask less than they did; each earlier wording is looked at once."""
    seen = set(held.cases.items())
    told: set[str] = set()
    ours: dict[str, Any] | None = None
    for run in earlier:
        fresh = [case for case in run.manifest.cases if case.id in held.cases and (case.id, case.hash) not in seen]
        if not fresh:
            continue
        ours = store.case_raw(now.id) if ours is None else ours
        theirs = store.case_raw(run.id)
        for case in fresh:
            seen.add((case.id, case.hash))
            if case.id not in told:
                lost = list(lost_checks(case.id, ours.get(case.id) or {}, theirs.get(case.id) or {}, run.id))
                told |= {case.id} if lost else set()
                yield from lost


def _held(run: Run) -> Held:
    settings = run.manifest.settings
    states = {key: int(number) for key, number in (settings.get("holds") or {}).items() if key in AROUND}
    policy = None
    if settings.get("gates"):
        try:
            policy = msgspec.convert(settings["gates"], Policy, strict=False)
        except (msgspec.ValidationError, FairtrialError):
            policy = None
    cases = run.manifest.cases
    return Held(
        run=run.id,
        cases={case.id: case.hash for case in cases},
        regression=frozenset(case.id for case in cases if case.labels.library == "regression"),
        states=states,
        roles={name: tuple(entry.get("roles") or ()) for name, entry in run.manifest.setups.items()},
        policy=policy,
    )
