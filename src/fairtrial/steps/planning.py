"""Which stored trials a plan may rest on: the newest run of the suite with both sides, or what was named. Nothing is run.

Kept out: the plan itself (`study/planning.py`).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import InputError
from fairtrial.steps.history import ordinary
from fairtrial.steps.reading import open_store, read_table, split_reference
from fairtrial.store.location import file_of, find_store
from fairtrial.study.planning import Sides, Stands, Wanted, read_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.plan import Plan
    from fairtrial.records.run import Manifest
    from fairtrial.records.suite import Suite
    from fairtrial.store.sql import Store
    from fairtrial.study.table import Table


def plan_suite(suite: str | None, runs: Sequence[str], wanted: Wanted, place: tuple[str, str | None]) -> Plan:
    """A plan for a suite's file (or, without one, for the cases of the `runs` named), from these or the newest fit run.

    `place` is where to look for the store, and the one that was named. Raises InputError where there is nothing to plan for.
    """
    if len(runs) > 2:
        raise InputError("a pilot has two sides", value=", ".join(runs), mend="name one run, or the run of each side")
    if suite is None and not runs:
        raise InputError("nothing to plan for", mend="name a suite, or a run: fairtrial plan --run RUN:SETUP")
    loaded = None if suite is None else load_suite(suite)
    if not runs and _no_store(place):
        return read_plan(_stands(loaded, None), wanted)
    with open_store(*place, create=False) as store:
        sides = _named(store, runs) if runs else _newest(store, loaded)
        return read_plan(_stands(loaded, sides), wanted, sides)


def _no_store(place: tuple[str, str | None]) -> bool:
    """Whether nothing was ever stored here; a store that was named must be there."""
    return place[1] is None and not os.path.exists(file_of(find_store(place[0])))


def _named(store: Store, runs: Sequence[str]) -> Sides:
    """RUN: its baseline and candidate. RUN:SETUP: that setup beside the baseline. Two: the base and the new side."""
    (first, setup), *second = (split_reference(run) for run in runs)
    table = read_table(store, first, details=False)
    if second:
        other = read_table(store, second[0][0], details=False)
        return Sides(base=(table, table.lane(setup).setup), new=(other, other.lane(second[0][1]).setup))
    base, new = _pair_of(table.manifest, list(table.lanes))
    return Sides(base=(table, base), new=(table, new if setup is None else table.lane(setup).setup))


def _pair_of(manifest: Manifest, setups: Sequence[str]) -> tuple[str, str]:
    """Baseline and candidate as the manifest names them, else the first setup and the last."""
    if not setups:
        raise InputError("the run has no setup, so it tells nothing of a spread", mend="name another run")
    base, new = manifest.baseline, manifest.candidate
    return base if base in setups and base else setups[0], new if new in setups and new else setups[-1]


def _newest(store: Store, suite: Suite | None) -> Sides | None:
    """The newest run with both sides at half of the cases or more; else the newest two, or the one, that there are."""
    if suite is None:
        return None
    alone: list[Table] = []
    for run in ordinary(store, suite.name):
        manifest = run.manifest
        setups = list(dict.fromkeys(plan.setup for plan in manifest.planned))
        if 2 * len({plan.case for plan in manifest.planned}) < len(suite.cases):
            continue  # a case run alone after a mend is no pilot
        if not store.keys_done(run.id):
            continue
        base, new = _pair_of(manifest, setups)
        if base != new:
            table = read_table(store, run.id, details=False)
            return Sides(base=(table, base), new=(table, new))
        if len(alone) < 2:
            alone.append(read_table(store, run.id, details=False))
    if not alone:
        return None
    newer, older = alone[0], alone[-1]
    return Sides(base=(older, next(iter(older.lanes))), new=(newer, next(iter(newer.lanes))))


def _stands(suite: Suite | None, sides: Sides | None) -> Stands:
    if suite is None:
        if sides is None:
            raise InputError("nothing to plan for", mend="name a suite, or a run: fairtrial plan --run RUN:SETUP")
        return _of_run(sides)
    left_out: set[str] = set()
    for table, setup in (sides.base, sides.new) if sides is not None else ():
        left_out |= set(table.manifest.unseated.get(setup, ()))
    cases = [case for case in suite.cases if case.id not in left_out]
    return Stands(suite=suite.name, cases=len(cases), independent=len(cases), trials=suite.trials)


def _of_run(sides: Sides) -> Stands:
    """The cases of the base in place of a suite's, with the trials that most of them had."""
    table, setup = sides.base
    lane = table.lane(setup)
    names = {row if case.cluster is None else case.cluster for row, case in enumerate(lane.cases)}
    planned = sorted(map(lane.slots, range(len(lane.cases))))
    trials = planned[len(planned) // 2] if planned else 1
    return Stands(suite=table.manifest.suite, cases=len(lane.cases), independent=len(names), trials=max(1, trials))
