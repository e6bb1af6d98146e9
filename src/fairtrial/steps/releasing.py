"""From the store to a release decision: the policy, the candidate and its baseline.

Kept out: earlier runs and what was lost since (`past.py`), the gates (`release/`), and what a command ends with.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from fairtrial.cases.policy import read_policy
from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import FairtrialError, InputError, unknown_name
from fairtrial.records.policy import Policy
from fairtrial.records.setup import UNIT
from fairtrial.release.decide import decide
from fairtrial.release.ground import Side
from fairtrial.steps import standings
from fairtrial.steps.beside import beside
from fairtrial.steps.calibrating import calibrate
from fairtrial.steps.canaries import plant
from fairtrial.steps.grading import Bench
from fairtrial.steps.past import earlier_runs, past_of
from fairtrial.steps.reading import split_reference
from fairtrial.steps.truths import scored
from fairtrial.steps.withdrawn import Today
from fairtrial.study.watched import WatchedTable

if TYPE_CHECKING:
    from fairtrial.records.canary import CanaryReport
    from fairtrial.records.decision import Decision
    from fairtrial.records.run import Manifest
    from fairtrial.store.sql import Store


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
    held = next((one for one in earlier_runs(store, now) if one.manifest.settings.get("policy")), None)
    return f"held to no policy, though run {held.id} was held to {held.manifest.settings['policy']}" if held else ""


def _table(store: Store, name: str) -> WatchedTable:
    run = store.run(name)
    table, today = WatchedTable(run), Today(store, run.id, run.manifest)
    table.watch(today.rows(store.rows(run.id)))
    table.withdrawn = today.withdrawn
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
