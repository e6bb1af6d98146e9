"""From a finished trial to a stored, graded one: redacted at the door, graded as it is stored, written in batches.

Graders see exactly what the store keeps, so grading again later can come to nothing else. Trials never call a grader; this sink
does, on the other side of the wall. A trial that waits for a judge is stored at once and graded when the judge was heard: a kill
loses nothing that was run, and what is not graded is asked for again when the run is resumed.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.errors import StoreError
from fairtrial.records.trial import FATES, Ending, Trial
from fairtrial.records.verdict import Verdict
from fairtrial.steps.judging import HELD, Judging
from fairtrial.store.codec import read_body

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.graders.pending import Pending
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.trial import TrialHead, TrialKey
    from fairtrial.steps.grading import Bench
    from fairtrial.steps.options import Progress
    from fairtrial.steps.starts import Starts
    from fairtrial.store.door import Door
    from fairtrial.store.sql import Store

BATCH = 500
BATCH_BYTES = 4 << 20
HELD_S = 0.5
"""A finished trial is durable after this long at the latest."""
PULSE_S = 0.2
AHEAD = 64
"""How many trials may wait for a judge while somebody watches what they come to: whoever stops by that must not run far ahead."""


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
        self._judging = Judging()
        self._judged: list[tuple[TrialKey, Scorecard]] = []
        self._later: list[TrialKey] = []
        """Stored trials that are to be graded once fewer wait for their judges."""

    def accept(self, head: TrialHead, body: bytes) -> None:
        """Grade and keep; written at once when a batch is full or has waited long enough."""
        head, body, trial = self._admit(head, body)
        pending = self._bench.begin(trial)
        card = None if pending.waiting else self._bench.card(pending)
        if not self._batch:
            self._oldest = time.monotonic()
        self._batch.append((head, body, card))
        self._bytes += len(body)
        self.done += 1
        if card is None:
            self._wait(head, pending)
        else:
            self._count(head, card)
        if len(self._batch) >= BATCH or self._bytes > BATCH_BYTES or time.monotonic() - self._oldest > HELD_S:
            self.flush()

    def _wait(self, head: TrialHead, pending: Pending) -> None:
        if self._judging.waiting >= HELD:
            self._later.append(head.key)
            return
        self._judging.put(head, pending)
        while self.watch is not None and self._judging.waiting > AHEAD:
            self._collect(PULSE_S)

    def _count(self, head: TrialHead, card: Scorecard) -> None:
        self.failed += card.verdict is Verdict.FAIL
        self.unknown += card.verdict is Verdict.UNKNOWN
        if self.watch is not None:
            self.watch(head, card)

    def _collect(self, wait_s: float = 0.0) -> None:
        """Write down what the judges have said."""
        for head, pending in self._judging.done(wait_s):
            self._judge(head, pending)

    def _judge(self, head: TrialHead, pending: Pending) -> None:
        card = self._bench.card(pending)
        self._judged.append((head.key, card))
        self._count(head, card)

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
        self._collect()
        self._catch_up()
        self.flush()

    def flush(self) -> None:
        """Make everything accepted and judged so far durable."""
        self._collect()
        if self._tries:
            self._store.write_tries(self._run, self._tries)
            self._tries = []
        if self._batch:
            self._store.write_batch(self._run, self._batch)
            self._batch = []
            self._bytes = 0
        if self._judged:
            self._store.write_grades(self._run, self._bench.version, self._judged)
            self._judged = []
        self._store.answers.flush()
        if self._progress is not None:
            counts = self.done, self.total, self.failed, self.unknown
            waiting = self._judging.waiting + len(self._later)
            self._progress(*counts, waiting) if waiting else self._progress(*counts)

    def again(self, keys: list[TrialKey]) -> None:
        """Grade stored trials that have no grades yet, or whose judge could not be heard."""
        self._later += keys

    def _catch_up(self) -> None:
        """Begin with stored trials that wait, as far as there is room."""
        if not self._later or self._judging.waiting > HELD // 2:
            return
        self.flush()
        now, self._later = self._later[:HELD], self._later[HELD:]
        for key in now:
            trial = self._store.trial(self._run, key)
            pending = self._bench.begin(trial)
            if pending.waiting:
                self._judging.put(trial.head, pending)
            else:
                self._judge(trial.head, pending)

    def finish(self, stop: Callable[[], bool]) -> bool:
        """Wait until every judge was heard, or somebody stops that: then what was not judged says so, and False is returned."""
        while (self._judging.waiting or self._later) and not stop():
            self._collect(PULSE_S)
            self._catch_up()
            self.flush()
        left = self._judging.stop()
        for head, pending in left:
            self._judge(head, pending)
        whole = not left and not self._later
        self.flush()
        self._judging.close()
        return whole


def unjudged(head: TrialHead, card: Scorecard | None) -> bool:
    """Whether a stored trial is to be graded again when its run is resumed: it has no grades, or a judge could not be heard."""
    if card is None:
        return head.imported is None and FATES[head.ending].verdict is None
    return any(grade.fault and grade.source == "judge" for grade in card.grades)
