"""The simulated users of one setup: how their dialogues ended, how often they broke their rules, what they took.

A dialogue that the harness held again, since its user broke a rule, counts in the fault rate as well: else a simulator that
fails every other time would look sound. Kept out: what a user cost (`costs.py`).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fairtrial.records.dialogue import Over
from fairtrial.records.report import Tokens, Users

if TYPE_CHECKING:
    from fairtrial.records.dialogue import Dialogue
    from fairtrial.records.trial import HeadGlance


class Talks:
    """Filled trial by trial."""

    def __init__(self) -> None:
        self._held = 0
        self._repeated = 0
        self._faults = 0
        self._rejected = 0
        self._turns: list[int] = []
        self._ends: Counter[str] = Counter()
        self._calls = 0
        self._tokens: list[int | None] = [None, None]
        self._counted = True
        self.asked = 0

    def add(self, head: HeadGlance) -> None:
        """A trial that stands."""
        if head.dialogue is not None:
            self._held += 1
            self._turns.append(head.dialogue.turns)
            self._ends[head.dialogue.ended] += 1
            self._count(head.dialogue)

    def repeat(self, head: HeadGlance) -> None:
        """An attempt that the harness made again."""
        if head.dialogue is not None:
            self._repeated += 1
            self._count(head.dialogue)

    def _count(self, held: Dialogue) -> None:
        self._faults += held.ended == Over.SIMULATOR_FAULT
        self._rejected += held.rejected
        self._calls += held.calls
        self.asked += held.calls > 0
        for place, used in enumerate((held.input_tokens, held.output_tokens)):
            if used is not None:
                self._tokens[place] = (self._tokens[place] or 0) + used
        self._counted = self._counted and (held.tokens_complete or not held.calls)

    def read(self) -> Users | None:
        """None where nobody was simulated."""
        if not self._held and not self._repeated:
            return None
        turns = self._turns
        return Users(
            dialogues=self._held,
            repeated=self._repeated,
            faults=self._faults,
            fault_rate=self._faults / (self._held + self._repeated),
            rejected=self._rejected,
            turns_mean=sum(turns) / len(turns) if turns else None,
            turns_max=max(turns, default=0),
            ends=dict(self._ends),
            calls=self._calls,
            tokens=Tokens(input=self._tokens[0], output=self._tokens[1], complete=self._counted),
        )
