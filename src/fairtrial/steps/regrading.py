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
from fairtrial.steps.beside import beside
from fairtrial.steps.calibrating import calibrate
from fairtrial.steps.canaries import plant
from fairtrial.steps.grading import Bench
from fairtrial.steps.judging import HELD, Judging
from fairtrial.steps.known import keep_secret
from fairtrial.steps.sink import BATCH, PULSE_S
from fairtrial.steps.using import shown_in
from fairtrial.steps.withdrawn import Today
from fairtrial.study.table import Table

if TYPE_CHECKING:
    from fairtrial.graders.pending import Pending
    from fairtrial.records.case import Case
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.run import Run
    from fairtrial.records.trial import TrialHead
    from fairtrial.steps.options import Progress
    from fairtrial.store.sql import Store


def regrade(store: Store, name: str, suite_path: str | None, progress: Progress | None) -> tuple[Table, list[str]]:
    """Grade every stored trial of a run. Returns the run's table under the new grades, and what a reader must know."""
    run = store.run(name)
    suite, cases, notes = _ground(store, run, suite_path)
    keep_secret(store, suite, cases)
    seats = run.manifest.seats or tuple(Seat(setup=setup) for setup in {plan.setup for plan in run.manifest.planned})
    asked = {info.id: info.hash for info in run.manifest.cases}
    moved = [case for case in cases if case.hash != asked.get(case.id)]
    bench = Bench(suite, cases, seats, moved, run.manifest.origin, beside=beside(suite, run.manifest, store, cases))
    bench.show_uses(shown_in(store, run, (*suite.checks, *(check for case in cases for check in (*case.key.must, *case.key.limits)))))
    if suite.path:
        store.canaries.add(run.id, plant(suite, cases, bench))
    again = _Again(store, run, bench, progress)
    known = {case.id for case in cases}
    for head, body in store.bodies(run.id):
        if head.key.case in known:
            again.grade(Trial(head=head, body=body, base=store.starts.base(run.id, body)))
        else:
            again.keep(head)
    again.finish()
    calibrate(store, again.table)
    if again.kept:
        notes.append(f"{again.kept} trials came without a case to grade them by and keep the grades they have")
    return again.table, notes


class _Again:
    """New grades on their way: written in batches, counted into the run's table as they are made."""

    def __init__(self, store: Store, run: Run, bench: Bench, progress: Progress | None) -> None:
        self._store, self._run, self._bench, self._progress = store, run, bench, progress
        self.table = Table(run)
        self.table.note_repeats(store.tries(run.id))
        self.kept = 0
        self._total = sum(plan.attempts for plan in run.manifest.planned)
        self._counts = {verdict: 0 for verdict in Verdict}
        self._batch: list[tuple[TrialHead, Scorecard]] = []
        self._judging = Judging()
        self._today = Today(store, run.id, run.manifest)
        self.table.withdrawn = self._today.withdrawn

    def grade(self, trial: Trial) -> None:
        pending = self._bench.begin(trial)
        if not pending.waiting:
            self._done(trial.head, pending)
            return
        self._judging.put(trial.head, pending)
        while self._judging.waiting >= HELD:
            self._collect()

    def _collect(self) -> None:
        for head, pending in self._judging.done(PULSE_S):
            self._done(head, pending)

    def _done(self, head: TrialHead, pending: Pending) -> None:
        card = self._bench.card(pending)
        self._counts[card.verdict] += 1
        self._batch.append((head, card))
        if len(self._batch) >= BATCH:
            self.flush()

    def finish(self) -> None:
        """Wait for the judges that are still to be heard, and write what is left."""
        while self._judging.waiting:
            self._collect()
            self._tell()
        self._judging.close()
        self.flush()

    def keep(self, head: TrialHead) -> None:
        """A trial without a case keeps the grades it has."""
        self.kept += 1
        self.table.fill(self._today.rows([(head, self._store.scorecard(self._run.id, head.key))]))

    def flush(self) -> None:
        self._store.write_grades(self._run.id, self._bench.version, [(head.key, card) for head, card in self._batch])
        self.table.fill(self._batch)
        self._batch = []
        self._store.answers.flush()
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            done = sum(self._counts.values()) + self.kept
            counts = done, self._total, self._counts[Verdict.FAIL], self._counts[Verdict.UNKNOWN]
            self._progress(*counts, self._judging.waiting) if self._judging.waiting else self._progress(*counts)


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
