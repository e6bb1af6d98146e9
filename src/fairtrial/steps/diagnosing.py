"""From the store to a diagnosis: one pass over all results, then a closer look at a few trials of each bunch that failed alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.errors import unknown_name
from fairtrial.steps import looks
from fairtrial.steps.reading import split_reference, stored_case
from fairtrial.steps.withdrawn import Today
from fairtrial.study.diagnosis import read_diagnosis
from fairtrial.study.factsigns import singled_out
from fairtrial.study.factwalk import trace_facts
from fairtrial.study.failed import Failed
from fairtrial.study.heldout import HELD_OUT
from fairtrial.study.signals import signals
from fairtrial.study.table import Table
from fairtrial.study.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.diagnosis import Diagnosis, Signal
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.run import Run
    from fairtrial.records.trial import TrialHead, TrialKey
    from fairtrial.store.sql import Store
    from fairtrial.study.factsigns import Wanted


def diagnose_run(store: Store, reference: str, *, held_out: bool = True) -> Diagnosis:
    """What went wrong in a run, or with RUN:SETUP in one setup of it. Raises InputError for a setup that is not there.

    The failures of held-out cases are shown as well, which is a look at them and is written down; without `held_out` they are left out.
    """
    name, setup = split_reference(reference)
    run = store.run(name)
    table = Table(run, details=False)
    if setup is not None and setup not in table.lanes:
        raise unknown_name("no such setup in this run", setup, table.lanes, mend="name one of these")
    kept_back = {case.id for case in run.manifest.cases if case.labels.split == HELD_OUT}
    failed = Failed(setup, without=() if held_out else kept_back)
    table.fill(_seen(store, run, failed))
    opened = [case for case in dict.fromkeys(bunch.case for bunch in failed.bunches.values()) if case in kept_back]
    for case in opened:
        looks.note(store, run, case, "diagnose", (setup or "", 0))
    found = read_diagnosis(table, failed, _Walker(store, run).walk)
    if opened:
        found.notes.append(f"held-out cases that this opened, which is written down (--open-only leaves them out): {listed(opened)}")
    return found


def _seen(store: Store, run: Run, failed: Failed) -> Iterator[tuple[TrialHead, Scorecard | None]]:
    for head, card in Today(store, run.id, run.manifest).rows(store.rows(run.id)):
        failed.add(head, card)
        yield head, card


class _Walker:
    """Reads single trials of a run; what belongs to a case is read once."""

    def __init__(self, store: Store, run: Run) -> None:
        self.store = store
        self.run = run
        self.seats = {seat.setup: seat for seat in run.manifest.seats}
        self.facts: dict[str, list[Wanted]] = {}

    def walk(self, key: TrialKey) -> tuple[list[Signal], int]:
        """The signs of a failed trial, and the number of its spans."""
        trial = self.store.trial(self.run.id, key)
        seat = self.seats.get(key.setup)
        walks = trace_facts(trial, self._facts(key.case), seat)
        found = signals(trial, self.store.scorecard(self.run.id, key), walks, seat.lead if seat else None)
        return found, len(trial.body.spans)

    def _facts(self, case: str) -> list[Wanted]:
        if case not in self.facts:
            stored = stored_case(self.store, self.run, case)
            self.facts[case] = singled_out(stored) if stored else []
        return self.facts[case]
