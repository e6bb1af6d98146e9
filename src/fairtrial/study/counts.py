"""The sums over the run trials of one setup. What they mean is said in the stages; here they are only added up.

Kept out: the slots of single trials (`lane.py`).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.remark import HANDLED, NOT_HANDLED
from fairtrial.records.trial import FATES, Ending
from fairtrial.records.verdict import Verdict
from fairtrial.study.codes import FAIL, PASS, UNKNOWN, code_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.trial import TrialHead

_HARNESS_ENDINGS = frozenset(ending for ending, fate in FATES.items() if fate.fault == "harness")


class Counts(msgspec.Struct):
    """Sums over the run trials of one setup. Each of `cards` and `subtasks` counts by name [-, PASS, FAIL, UNKNOWN]."""

    errors: int = 0
    declined: int = 0
    handed_over: int = 0
    over_budget: Counter[int] = msgspec.field(default_factory=Counter)
    """By row."""
    ungraded: int = 0
    grader_faults: int = 0
    not_applicable: int = 0
    steps: int = 0
    retries: int = 0
    endings: Counter[str] = msgspec.field(default_factory=Counter)
    failure_kinds: Counter[str] = msgspec.field(default_factory=Counter)
    cards: dict[str, list[int]] = {}
    subtasks: dict[str, list[int]] = {}
    handoffs: dict[str, dict[int, list[int]]] = {}
    """By hand-off and row of the case [-, held, lost, UNKNOWN]."""
    chains: dict[int, list[int]] = {}
    """By row the trials by the verdict over all their hand-offs together."""
    tool_args: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Calls with valid arguments, and all calls."""
    efficiency: float = 0.0
    """Sum of required ÷ used steps over the `efficiency_of` passed trials that have both."""
    efficiency_of: int = 0
    met: Counter[int] = msgspec.field(default_factory=Counter)
    """Failures of tools that were met and of which it is known what came of them, by row; of these `recovered` were handled."""
    recovered: Counter[int] = msgspec.field(default_factory=Counter)
    met_undecided: int = 0
    """Trials that met a failure of which nobody knows what came of it."""
    came_of_it: Counter[str] = msgspec.field(default_factory=Counter)
    """Failures of tools by what came of them (`records/remark.py`)."""
    unfired: int = 0
    """Planned faults that never came."""
    remarks: dict[str, list[int]] = {}
    """Process findings by name: trials that have one, and findings."""

    def add_ending(self, row: int, head: TrialHead) -> None:
        """How a trial of a case ended."""
        self.endings[str(head.ending)] += 1
        self.errors += head.ending in _HARNESS_ENDINGS
        if head.decline is not None or head.ending is Ending.DECLINED:
            self.declined += 1
            self.handed_over += head.decline is not None and head.decline.to is not None
        if head.over_budget or head.ending is Ending.OVER_BUDGET:
            self.over_budget[row] += 1
        self.steps += head.spend.steps
        self.retries += head.spend.retries

    def add_card(self, row: int, head: TrialHead, card: Scorecard, *, passed: bool) -> None:
        """What a trial's scorecard says beside its verdict and its grades."""
        for table, verdicts in ((self.cards, card.cards), (self.subtasks, card.subtasks)):
            for name, verdict in verdicts.items():
                table.setdefault(name, [0, 0, 0, 0])[code_of(verdict)] += 1
        self.not_applicable += card.not_applicable
        if card.handoffs:
            self._add_handoffs(row, card.handoffs)
        if card.tool_args is not None:
            self.tool_args[0] += card.tool_args[0]
            self.tool_args[1] += card.tool_args[1]
        safe = not card.severe and card.cards.get("safety") is not Verdict.FAIL
        if card.required_tools is not None and passed and safe and head.spend.steps > 0:
            self.efficiency += min(card.required_tools / head.spend.steps, 1.0)
            self.efficiency_of += 1
        if card.met or head.tool_failures:
            self._add_recovery(row, card)
        self.unfired += card.unfired
        for remark in card.remarks:
            self.remarks.setdefault(remark.name, [0, 0])[1] += 1
        for name in {remark.name for remark in card.remarks}:
            self.remarks[name][0] += 1

    def _add_handoffs(self, row: int, handoffs: Mapping[str, Verdict]) -> None:
        codes = [code_of(verdict) for verdict in handoffs.values()]
        for name, code in zip(handoffs, codes, strict=True):
            self.handoffs.setdefault(name, {}).setdefault(row, [0, 0, 0, 0])[code] += 1
        whole = FAIL if FAIL in codes else UNKNOWN if UNKNOWN in codes else PASS
        self.chains.setdefault(row, [0, 0, 0, 0])[whole] += 1

    def _add_recovery(self, row: int, card: Scorecard) -> None:
        told = [met.how for met in card.met if met.how in HANDLED + NOT_HANDLED]
        self.met_undecided += len(told) < len(card.met) or not card.met
        self.came_of_it.update(met.how for met in card.met)
        if told:
            self.met[row] += len(told)
            self.recovered[row] += sum(how in HANDLED for how in told)
