"""Grading a stored run again: nothing is run, the older grades stay beside the new ones.

The suite as it is now says what is checked, for every case whose task and world are still those that were run; a case
that asks something else today keeps the checks it was run with, and the run says so.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fairtrial.cases.load import case_from_raw
from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import InputError
from fairtrial.records.setup import Seat
from fairtrial.records.suite import Suite
from fairtrial.records.trial import Trial
from fairtrial.records.verdict import Verdict
from fairtrial.steps.grading import BATCH, Bench

if TYPE_CHECKING:
    from fairtrial.records.case import Case
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.run import Run
    from fairtrial.records.trial import TrialKey
    from fairtrial.steps.options import Progress
    from fairtrial.store.sql import Store


def regrade(store: Store, name: str, suite_path: str | None, progress: Progress | None) -> tuple[str, list[str]]:
    """Grade every stored trial of a run. Returns the run's id and what a reader must know."""
    run = store.run(name)
    suite, cases, notes = _ground(store, run, suite_path)
    seats = run.manifest.seats or tuple(Seat(setup=setup) for setup in {plan.setup for plan in run.manifest.planned})
    bench = Bench(suite, cases, seats)
    total = len(store.keys_done(run.id))
    done = failed = unknown = 0
    batch: list[tuple[TrialKey, Scorecard]] = []
    known = {case.id for case in cases}
    for head, body in store.bodies(run.id):
        if head.key.case not in known:
            continue
        card = bench.grade(Trial(head=head, body=body))
        batch.append((head.key, card))
        done += 1
        failed += card.verdict is Verdict.FAIL
        unknown += card.verdict is Verdict.UNKNOWN
        if len(batch) >= BATCH:
            store.write_grades(run.id, bench.version, batch)
            batch = []
            if progress is not None:
                progress(done, total, failed, unknown)
    store.write_grades(run.id, bench.version, batch)
    if done < total:
        notes.append(f"{total - done} trials came without a case to grade them by and keep the grades they have")
    return run.id, notes


def _ground(store: Store, run: Run, suite_path: str | None) -> tuple[Suite, list[Case], list[str]]:
    stored = {name: case_from_raw(raw, name) for name, raw in store.case_raw(run.id).items() if raw and "task" in raw}
    path = suite_path or run.manifest.suite_path
    if not path or not os.path.exists(path):
        if suite_path:
            raise InputError("no suite there", place=suite_path)
        if not stored:
            raise InputError("this run came without cases to grade it by", value=run.id, mend="name a suite with --suite")
        bare = Suite(name=run.manifest.suite, folder=".", path="", cases=tuple(stored.values()))
        return bare, list(stored.values()), ["the suite is not where it was; graded by the cases kept with the run"]
    suite = load_suite(path)
    asked = {case.id: case.brief_hash for case in run.manifest.cases}
    today = {case.id: case for case in suite.cases if case.id in asked}
    same = {name: case for name, case in today.items() if case.brief_hash == asked[name]}
    kept = [name for name in asked if name not in same and name in stored]
    notes = [f"graded by the checks they were run with, since they ask something else today: {', '.join(kept)}"] if kept else []
    return suite, [*same.values(), *(stored[name] for name in kept)], notes
