"""What earlier runs of a suite say of this one: attempts at the same version, and what any of them had that is gone.

For that a run remembers what its suite stated (`stated`). Kept out: what counts as lost (`release/losses.py`), and what a gate makes of
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.policy import read_policy
from fairtrial.records.decision import Attempt
from fairtrial.records.errors import FairtrialError
from fairtrial.records.moment import moment
from fairtrial.records.policy import Policy
from fairtrial.records.setup import UNIT
from fairtrial.release.ground import Past
from fairtrial.release.losses import Held, changed_roles, lost_around, lost_cases, lost_checks, lost_gates, lost_regressions
from fairtrial.steps import looks
from fairtrial.steps.withdrawn import Today
from fairtrial.study.identity import same_stated, same_version
from fairtrial.study.table import Table
from fairtrial.study.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.run import Run
    from fairtrial.records.suite import Suite
    from fairtrial.release.ground import Side
    from fairtrial.store.sql import Store

MOST_RUNS = 200
"""Earlier runs of a suite that are looked at, newest first."""
AROUND = ("checks", "handoffs", "trials", "ceilings", "canaries")
"""What a suite states beside its cases, as far as it can be counted."""
MOST_COUNTED = 10
"""Earlier attempts whose trials are counted; older ones are listed without."""


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


def past_of(store: Store, candidate: Side, baseline: Side | None, policy: Policy) -> Past:
    """Earlier runs of the same suite: attempts at the same version, and what any of them had that is gone."""
    now = store.run(candidate.table.run)
    if now.manifest.origin != "run" and not now.manifest.suite:
        return Past()
    earlier = list(earlier_runs(store, now))
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


def earlier_runs(store: Store, now: Run) -> Iterator[Run]:
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
        table.fill(Today(store, run.id, run.manifest).rows(store.glances(run.id)))
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
