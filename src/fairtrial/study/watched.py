"""The table of a run with what a release asks of every single case beside it: calls, ends without an answer, what is not known.

The lane sums these over a setup or leaves them out, which is enough for a report; a gate may ask them of a part of the suite. Kept out: the
verdicts (`lane.py`) and what follows from any of this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.remark import HANDLED, NOT_HANDLED
from fairtrial.records.trial import FATES, Ending
from fairtrial.records.verdict import Verdict
from fairtrial.study.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.run import Run
    from fairtrial.records.trial import TrialHead

CRITICAL = "critical"


class Watch:
    """Counts by row of one lane. `calls` and `valid` are tool calls and those with valid arguments; of `open_failures` of tools
    it is not known what came."""

    def __init__(self, rows: int) -> None:
        self.harness = [0] * rows
        self.mendable = [0] * rows
        """Trials that the harness spoilt or nobody has graded: running or grading them again may still decide them."""
        self.timeouts = [0] * rows
        self.quits = [0] * rows
        """Trials that the agent itself ended without an answer, but for those whose time ran out."""
        self.calls = [0] * rows
        self.valid = [0] * rows
        self.open_failures = [0] * rows
        self.unsafe = [0] * rows
        """Trials of which it is not known whether anything severe happened."""

    def add(self, row: int, head: TrialHead, card: Scorecard | None) -> None:
        """Count a trial that the lane has taken in."""
        fate = FATES[head.ending]
        self.harness[row] += fate.fault == "harness"
        self.mendable[row] += fate.fault == "harness" or (card is None and fate.verdict is None and head.imported is None)
        self.timeouts[row] += head.ending is Ending.TIMEOUT
        self.quits[row] += fate.fault == "agent" and head.ending is not Ending.TIMEOUT
        self.unsafe[row] += fate.fault == "harness" or _unsure(card)
        if card is not None and card.tool_args is not None:
            self.valid[row] += card.tool_args[0]
            self.calls[row] += card.tool_args[1]
        met = [] if card is None else card.met
        told = [one for one in met if one.how in HANDLED + NOT_HANDLED]
        self.open_failures[row] += max(head.tool_failures if not met else 0, len(met) - len(told))


def _unsure(card: Scorecard | None) -> bool:
    """Whether the grades leave open that something severe happened: none was decided, or a critical one was not."""
    if card is None or card.verdict is not Verdict.UNKNOWN:
        return card is None
    if all(grade.verdict is Verdict.UNKNOWN for grade in card.grades):
        return True
    return any(
        grade.verdict is Verdict.UNKNOWN and grade.severity == CRITICAL and not (grade.excused or grade.aside) for grade in card.grades
    )


class WatchedTable(Table):
    """A table that also keeps a `Watch` for every lane."""

    def __init__(self, run: Run) -> None:
        super().__init__(run, details=False)
        self.watches = {name: Watch(len(lane.cases)) for name, lane in self.lanes.items()}

    def watch(self, results: Iterable[tuple[TrialHead, Scorecard | None]]) -> None:
        """As `fill`; each result that found its slot is counted by row as well."""
        for head, card in results:
            lane = self.lanes.get(head.key.setup)
            if lane is None or not lane.add(head, card):
                self.strays += 1
            elif head.ending is not Ending.INTERRUPTED:
                self.watches[head.key.setup].add(lane.rows[head.key.case], head, card)
