"""The verdict of a trial as a small number, which a column can hold hundreds of thousands of times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.trial import FATES
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from fairtrial.records.grade import CardGlance
    from fairtrial.records.trial import HeadGlance

NOT_RUN, PASS, FAIL, UNKNOWN = range(4)
NAMES = ("NOT_RUN", "PASS", "FAIL", "UNKNOWN")


def code_of(verdict: Verdict) -> int:
    """PASS, FAIL or UNKNOWN."""
    return PASS if verdict is Verdict.PASS else FAIL if verdict is Verdict.FAIL else UNKNOWN


def verdict_of(head: HeadGlance, card: CardGlance | None) -> int:
    """PASS, FAIL or UNKNOWN of a run trial.

    The graders' word where there is one, but an ending that no check can decide keeps its own verdict from passing; then
    the verdict an imported trial came with; else UNKNOWN, for nothing was shown.
    """
    fate = FATES[head.ending].verdict
    if card is None:
        verdict = fate if fate is not None else head.imported
        return UNKNOWN if verdict is None else code_of(verdict)
    if card.verdict is Verdict.PASS and fate is not None:
        return code_of(fate)
    return code_of(card.verdict)
