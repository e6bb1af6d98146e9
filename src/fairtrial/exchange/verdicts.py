"""Verdicts that come with a file, as grades and a scorecard of ours. Kept out: any file's own words for them."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from fairtrial.records.failure import FIX_BY_CARD, FIX_BY_KIND, KIND_BY_CARD, FailureKind
from fairtrial.records.grade import Evidence, Grade, Scorecard
from fairtrial.records.trial import FATES
from fairtrial.records.verdict import Verdict, all_of

if TYPE_CHECKING:
    from fairtrial.records.trial import TrialHead

_NEAR = 1e-6
"""A reward is a product of factors; one that is 1 but for rounding is 1."""


def rewarded(reward: float | None) -> Verdict | None:
    """PASS for a reward of 1, FAIL for less, None for none. Raises ValueError for what is no reward (below 0, above 1, no number)."""
    if reward is None:
        return None
    if not isfinite(reward) or not -_NEAR <= reward <= 1 + _NEAR:
        raise ValueError(f"the reward {reward:g} is not between 0 and 1")
    return Verdict.PASS if reward >= 1 - _NEAR else Verdict.FAIL


def graded(check: str, verdict: Verdict, *, card: str = "outcome", kind: str | None = None, **more: Any) -> Grade:
    """A grade from a file. `more` are fields of Grade; `expected` and `seen` become its evidence."""
    evidence = {name: more.pop(name) for name in ("expected", "seen", "path") if name in more}
    failed = verdict is Verdict.FAIL
    more.setdefault("source", "import")
    return Grade(
        check=check,
        card=card,
        verdict=verdict,
        kind=str(kind or KIND_BY_CARD[card]) if failed else None,
        fix=(FIX_BY_KIND[FailureKind(kind)] if kind else FIX_BY_CARD[card]) if failed else "",
        evidence=Evidence(**evidence) if evidence else None,
        **more,
    )


def card_of(head: TrialHead, grades: list[Grade], grader: str) -> Scorecard:
    """The scorecard: the ending's own verdict where it has one, else the verdict that was imported; cards from the grades."""
    cards = {card: all_of(grade.verdict for grade in grades if grade.card == card) for card in dict.fromkeys(g.card for g in grades)}
    verdict = FATES[head.ending].verdict or head.imported or Verdict.UNKNOWN
    return Scorecard(verdict=verdict, cards=cards, grades=grades, grader=grader)
