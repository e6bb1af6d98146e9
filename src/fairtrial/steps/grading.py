"""From a finished trial to a stored, graded one: redacted at the door, graded as it is stored, written in batches.

Graders see exactly what the store keeps, so grading again later can come to nothing else. Trials never call a grader;
this sink does, on the other side of the wall.
"""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING

import msgspec

from fairtrial.graders.assess import Assessor, grader_version
from fairtrial.graders.contract import Confine, Contract, load_graders
from fairtrial.records.errors import FairtrialError, InputErrors, StoreError
from fairtrial.records.trial import Ending, Trial
from fairtrial.records.verdict import Verdict
from fairtrial.steps.cage import caged
from fairtrial.store.codec import read_body
from fairtrial.store.door import Door

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.setup import Seat
    from fairtrial.records.suite import Suite
    from fairtrial.records.trial import TrialHead
    from fairtrial.steps.options import Progress
    from fairtrial.steps.starts import Starts
    from fairtrial.store.sql import Store

BATCH = 500
BATCH_BYTES = 4 << 20
KEPT = 4096
"""Compiled graders held at once, by case and setup."""
HELD_S = 0.5
"""A finished trial is durable after this long at the latest."""


class Bench:
    """The graders of a suite, compiled once for each case and setup.

    `version` leaves the cases out, since a run remembers each case's content apart: runs of different selections stay
    comparable. `moved` are cases whose checks are no longer those that the run remembers; they are part of the version.
    """

    def __init__(
        self,
        suite: Suite,
        cases: Iterable[Case],
        seats: Sequence[Seat],
        moved: Iterable[Case] = (),
        origin: str = "run",
        confine: Confine | None = None,
    ) -> None:
        self._cases = {case.id: case for case in cases}
        graders = {name: caged(grader) for name, grader in load_graders(suite.graders, suite.folder).items()}
        self._contracts = {
            seat.setup: Contract(handoffs=suite.handoffs, checks=suite.checks, seat=seat, graders=graders, origin=origin, confine=confine)
            for seat in seats
        }
        self._assessors: dict[tuple[str, str], Assessor] = {}
        self.version = grader_version(moved, next(iter(self._contracts.values()), None))

    def show_uses(self, shown: Mapping[str, Mapping[tuple[str, str, str], str]]) -> None:
        """What altering facts showed, by setup, for the checks that ask for proof by intervention."""
        for setup, found in shown.items():
            if setup in self._contracts:
                self._contracts[setup] = dataclasses.replace(self._contracts[setup], shown=found)
        self._assessors.clear()

    def compile(self) -> None:
        """Read every check before a trial is spent on it. Raises InputErrors with all that cannot be read."""
        errors: list[FairtrialError] = []
        for setup in list(self._contracts)[:1]:
            for case in self._cases:
                try:
                    self._assessor(case, setup)
                except InputErrors as several:
                    errors += several.errors
        if errors:
            raise InputErrors(errors)

    def _assessor(self, case: str, setup: str) -> Assessor:
        found = self._assessors.get((case, setup))
        if found is None:
            if len(self._assessors) > KEPT:
                self._assessors.clear()
            found = self._assessors[(case, setup)] = Assessor(self._cases[case], self._contracts[setup])
        return found

    def grade(self, trial: Trial) -> Scorecard:
        """All grades of one trial."""
        key = trial.head.key
        card = self._assessor(key.case, key.setup).assess(trial)
        card.grader = self.version
        return card


class Sink:
    """Takes finished trials, stores them with their grades, and counts for the progress line."""

    def __init__(self, starts: Starts, parts: tuple[Store, Door, Bench], progress: Progress | None, counts: tuple[int, int]) -> None:
        self._run, self._starts = starts.run, starts
        self._store, self._door, self._bench = parts
        self._progress = progress
        self.done, self.total = counts
        self.failed = 0
        self.unknown = 0
        self.watch: Callable[[TrialHead, Scorecard], None] | None = None
        """Shown every trial as it is graded."""
        self._batch: list[tuple[TrialHead, bytes, Scorecard | None]] = []
        self._bytes = 0
        self._tries: list[tuple[TrialHead, bytes]] = []
        self._oldest = 0.0

    def accept(self, head: TrialHead, body: bytes) -> None:
        """Grade and keep; written at once when a batch is full or has waited long enough."""
        head, body, trial = self._admit(head, body)
        card = self._bench.grade(trial)
        if not self._batch:
            self._oldest = time.monotonic()
        self._batch.append((head, body, card))
        self._bytes += len(body)
        self.done += 1
        self.failed += card.verdict is Verdict.FAIL
        self.unknown += card.verdict is Verdict.UNKNOWN
        if self.watch is not None:
            self.watch(head, card)
        if len(self._batch) >= BATCH or self._bytes > BATCH_BYTES or time.monotonic() - self._oldest > HELD_S:
            self.flush()

    def _admit(self, head: TrialHead, body: bytes) -> tuple[TrialHead, bytes, Trial]:
        """As the store keeps it. A trial's process can write anything; what is no trial's body costs that trial, not the run."""
        try:
            head, body = self._door.admit_encoded(head, self._starts.share(body))
            told = read_body(body)
            return head, body, Trial(head=head, body=told, base=self._starts.base(told))
        except (StoreError, ValueError, TypeError, KeyError) as error:
            note = f"what the trial's process wrote is no record of a trial: {error}"
            head, body = self._door.admit_encoded(msgspec.structs.replace(head, ending=Ending.HARNESS_ERROR, note=note), b"{}")
            return head, body, Trial(head=head, body=read_body(body))

    def tried(self, head: TrialHead, body: bytes) -> None:
        head, body, _ = self._admit(head, body)
        self._tries.append((head, body))

    def idle(self) -> None:
        self.flush()

    def flush(self) -> None:
        """Make everything accepted so far durable."""
        if self._tries:
            self._store.write_tries(self._run, self._tries)
            self._tries = []
        if self._batch:
            self._store.write_batch(self._run, self._batch)
            self._batch = []
            self._bytes = 0
        if self._progress is not None:
            self._progress(self.done, self.total, self.failed, self.unknown)
