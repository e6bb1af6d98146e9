"""What the answers of a judge come to: a mean score, and the verdict at the rubric's bar.

Kept out: the rules of that verdict, which are those of every bar (`records/votes.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records import votes
from fairtrial.records.opinion import Answer, Opinion
from fairtrial.records.votes import decide, exact, mean, scores_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.rubric import Rubric


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """How a judge is asked. `spread` is the limit of its disagreement with itself: how far repeats may lie apart as a share of
    the scale, and what share of them may stand against the rest. `quorum`: how many of several models must vote for a verdict
    (None: more than half). `room`: characters that are shown at most."""

    repeats: int = 1
    quorum: int | None = None
    spread: Decimal = Decimal("0.25")
    timeout_s: float = 60.0
    room: int = 200_000

    def needed(self, models: int) -> int:
        """The quorum among so many models."""
        return self.quorum if self.quorum is not None else models // 2 + 1


def conclude(opinion: Opinion, rubric: Rubric, terms: Terms, answers: Sequence[Answer]) -> Opinion:
    """The opinion with all that follows from its answers, which are those of each model in turn."""
    quorum = terms.needed(len({answer.model for answer in answers}))
    found = decide(answers, votes.Terms(rubric.scale, rubric.passes, terms.spread, quorum))
    usable = [answer for answer in answers if not answer.problem]
    scores = scores_of(answers)
    return msgspec.structs.replace(
        opinion,
        verdict=found.verdict,
        why=found.why,
        score=float(mean(scores)) if scores else None,
        by_dimension={name: float(mean([exact(one.marks[name]) for one in usable])) for name in rubric.dimensions} if usable else {},
        spread=float(max(scores) - min(scores)) if scores else None,
        limit=terms.spread,
        quorum=quorum,
        answers=tuple(answers),
    )
