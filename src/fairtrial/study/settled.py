"""What the labels of one item come to: the word of who settled it, else what people agree on, else nothing.

UNKNOWN is a label like the others: where people agree that it cannot be told, that is settled. A tie, and a difference that nobody
has settled, is None and never a PASS or a FAIL. Kept out: how far people agree over many items (`agreeing.py`).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.label import HIGHEST, LOWEST, PEOPLE, RATES, SETTLES, Label
from fairtrial.records.review import OPEN, SETTLED, SPLIT
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """`label` is None unless `state` is settled. `score` is on 1-5: what the people whose word stands gave, else 5 for PASS and 1
    for FAIL; None for UNKNOWN. `people` have labelled it, `by` are the raters whose word stands."""

    state: str
    people: int
    label: Verdict | None = None
    score: float | None = None
    severity: str | None = None
    by: tuple[str, ...] = ()


def last_words(labels: Iterable[Label], role: str = RATES) -> list[Label]:
    """Each person's last label of a round, in the order in which people began."""
    found: dict[str, Label] = {}
    for label in labels:
        if label.role == role:
            found[label.person] = label
    return list(found.values())


def settle(labels: Sequence[Label]) -> Settled:
    """What the labels of one round of one item come to."""
    rated, settling = last_words(labels), last_words(labels, SETTLES)
    people = len(rated)
    if people < PEOPLE:
        return Settled(state=OPEN, people=people)
    if settling:
        return _standing(people, settling[-1:])
    counts = Counter(label.label for label in rated).most_common()
    first, most = counts[0]
    if most * 2 <= people:
        return Settled(state=SPLIT, people=people)
    return _standing(people, [label for label in rated if label.label is first])


def _standing(people: int, labels: Sequence[Label]) -> Settled:
    scores = [score for label in labels if (score := score_of(label)) is not None]
    return Settled(
        state=SETTLED,
        people=people,
        label=labels[0].label,
        score=sum(scores) / len(scores) if scores else None,
        severity=_worst([label.severity for label in labels]),
        by=tuple(label.rater for label in labels),
    )


def score_of(label: Label) -> float | None:
    """The score that was given, else 5 for PASS and 1 for FAIL: 1 + 4 times the rate of passing."""
    if label.label is Verdict.UNKNOWN:
        return None
    return label.score if label.score is not None else HIGHEST if label.label is Verdict.PASS else LOWEST


def _worst(found: Sequence[str | None]) -> str | None:
    order = ("minor", "major", "critical")
    return max((one for one in found if one in order), key=order.index, default=None)


def is_done(labels: Sequence[Label]) -> bool:
    """Whether a round needs nobody any more."""
    return settle(labels).state == SETTLED
