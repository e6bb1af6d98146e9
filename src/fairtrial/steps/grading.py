"""The graders of a suite, compiled once for each case and setup, with what they need beside its files.

Kept out: who hands them trials (`sink.py`, `regrading.py`), and asking judges (`judging.py`).
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from fairtrial.graders.assess import Assessor, grader_version
from fairtrial.graders.contract import Contract, load_graders
from fairtrial.graders.resting import rests_on
from fairtrial.records.errors import FairtrialError, InputErrors
from fairtrial.steps.beside import NOTHING, Beside
from fairtrial.steps.cage import caged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fairtrial.graders.pending import Pending
    from fairtrial.records.case import Case
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.setup import Seat
    from fairtrial.records.suite import Suite
    from fairtrial.records.trial import Trial

KEPT = 4096
"""Compiled graders held at once, by case and setup."""


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
        beside: Beside = NOTHING,
    ) -> None:
        self._cases = {case.id: case for case in cases}
        graders = {name: caged(grader) for name, grader in load_graders(suite.graders, suite.folder).items()}
        self.judges = beside.judges
        whole = Contract(
            handoffs=suite.handoffs, checks=suite.checks, graders=graders, origin=origin, confine=beside.confine, judges=beside.judges
        )  # fmt: skip
        if beside.cover is not None:
            whole = dataclasses.replace(whole, cover=beside.cover)
        self._contracts = {seat.setup: dataclasses.replace(whole, seat=seat) for seat in seats}
        self._assessors: dict[tuple[str, str], Assessor] = {}
        self.version = grader_version(moved, next(iter(self._contracts.values()), None))

    @property
    def contract(self) -> Contract:
        """What its trials are graded by, whatever their seat."""
        return next(iter(self._contracts.values()), Contract())

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
        """All grades of one trial. Waits for judges, where one is to be asked."""
        pending = self.begin(trial)
        for question, ask, matter in pending.wanted():
            pending.hear(question, ask.opinion(matter))
        return self.card(pending)

    def begin(self, trial: Trial) -> Pending:
        """The grades that code comes to, and what waits for a judge."""
        key = trial.head.key
        return self._assessor(key.case, key.setup).begin(trial)

    def card(self, pending: Pending) -> Scorecard:
        """All grades of one trial. Of a judge that was not heard it says so."""
        card = pending.card()
        card.grader = self.version
        card.judged = rests_on(card)
        return card
