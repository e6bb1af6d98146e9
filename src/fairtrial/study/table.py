"""The one table that every reading looks at: all planned trials of a run, by setup and case, filled or not.

It is laid out from the manifest before any result is read, so no figure can forget what was planned. Keeps out the store:
whoever reads trials hands them in, one at a time or as a mapping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.errors import InputError, unknown_name
from fairtrial.records.run import CaseInfo, Manifest, Planned, Run
from fairtrial.study.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fairtrial.records.grade import CardGlance, Scorecard
    from fairtrial.records.setup import Seat
    from fairtrial.records.trial import HeadGlance, TrialHead, TrialKey

    Result = tuple[TrialHead, Scorecard | None]


class Table:
    """The lanes of a run, one a setup, in planned order.

    `details` keeps failed and unknown grades for the report's list of cases; without it the list is left empty and the
    table stays small however many trials there are.

    `strays` counts results without a planned slot of their own (unplanned, or a second one for a taken slot): they are in
    no figure, and every report names their number.
    """

    def __init__(self, run: Run, *, details: bool = True) -> None:
        self.run = run.id
        self.status = run.status
        self.manifest = run.manifest
        self.details = details
        self.lanes = _lanes(run.manifest, details)
        self.strays = 0
        self.withdrawn: dict[str, str] = {}
        """By name the judges whose verdicts counted when they were given and are read as UNKNOWN today, and why."""

    @classmethod
    def of(cls, run: Run, results: Mapping[TrialKey, Result], *, details: bool = True) -> Table:
        """The table of a run and its results by key; planned keys without a result stay not run."""
        table = cls(run, details=details)
        table.fill(results.values())
        return table

    def fill(self, results: Iterable[tuple[HeadGlance, CardGlance | None]]) -> None:
        """Write results into their slots. They may come as a stream: none of them is kept whole. Of glances only the columns
        are filled (`lane.py`)."""
        lanes = self.lanes
        for head, card in results:
            lane = lanes.get(head.key.setup)
            if lane is None or not lane.add(head, card):
                self.strays += 1

    def note_repeats(self, heads: Iterable[TrialHead]) -> None:
        """Attempts that the harness made again. They are in no figure but those of the simulated users."""
        for head in heads:
            if (lane := self.lanes.get(head.key.setup)) is not None:
                lane.repeat(head)

    def lane(self, setup: str | None = None) -> Lane:
        """The lane of a setup, or the only one there is. Raises InputError where that does not name exactly one."""
        names = ", ".join(self.lanes)
        if setup is None and len(self.lanes) == 1:
            return next(iter(self.lanes.values()))
        if setup is None:
            mend = f"name one, as in {self.run}:{next(iter(self.lanes), 'SETUP')}"
            raise InputError("the run has several setups" if self.lanes else "the run has no setup", allowed=names, mend=mend)
        if setup not in self.lanes:
            raise unknown_name("no such setup in this run", setup, self.lanes, mend="name one of these")
        return self.lanes[setup]

    def seat(self, setup: str) -> Seat | None:
        """What a setup was really given, where the manifest knows it."""
        return next((seat for seat in self.manifest.seats if seat.setup == setup), None)


def _lanes(manifest: Manifest, details: bool) -> dict[str, Lane]:
    cases = {case.id: case for case in manifest.cases}
    plans: dict[str, dict[str, Planned]] = {}
    for plan in manifest.planned:
        held = plans.setdefault(plan.setup, {})
        held[plan.case] = max(plan, held.get(plan.case, plan), key=lambda one: one.attempts)
    return {
        setup: Lane(
            setup,
            [cases.get(case) or CaseInfo(id=case, hash="", brief_hash="") for case in held],
            [plan.attempts for plan in held.values()],
            after=[plan.after for plan in held.values()],
            details=details,
        )
        for setup, held in plans.items()
    }
