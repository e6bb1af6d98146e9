"""The grade that stands in where a trial has none that says why it did not pass. Kept out: what it is counted into (`lane.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.failure import KIND_BY_CARD, KIND_BY_ENDING
from fairtrial.records.grade import Grade
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from fairtrial.records.trial import TrialHead


def stand_in(head: TrialHead, *, failed: bool) -> Grade:
    """A failed or an undecided outcome, with what the ending says of it."""
    why = head.note or ("came with this verdict" if failed else "no grader has decided")
    kind = str(KIND_BY_ENDING.get(head.ending, KIND_BY_CARD["outcome"])) if failed else None
    verdict = Verdict.FAIL if failed else Verdict.UNKNOWN
    return Grade(check=f"ending: {head.ending.value}", card="outcome", verdict=verdict, kind=kind, why=why)
