"""What the labels of one item come to: the word of who settled it, else what people agree on, else nothing.

UNKNOWN is a label like the others: where people agree that it cannot be told, that is settled. A tie, and a difference that nobody
has settled, is None and never a PASS or a FAIL. Kept out: how far people agree over many items (`agreeing.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.grade import SEVERITIES
from fairtrial.records.label import HIGHEST, LOWEST, PEOPLE, SETTLES, Label, agreed, last_words
from fairtrial.records.review import OPEN, SETTLED, SPLIT
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """`label` is None unless `state` is settled. `score` is on 1-5: what the people whose word stands gave, else 5 for PASS and 1
    for FAIL; None for UNKNOWN. `people` have labelled it, `by` are the raters whose word stands."""

    state: str
    people: int
    label: Verdict | None = None
    score: float | None = None
    severity: str | None = None
    by: tuple[str, ...] = ()


def settle(labels: Sequence[Label]) -> Settled:
    """What the labels of one round of one item come to."""
    rated, settling = last_words(labels), last_words(labels, SETTLES)
    people = len(rated)
    if people < PEOPLE:
        return Settled(state=OPEN, people=people)
    if settling and len({label.label for label in rated}) > 1:  # whoever settles overrules nobody where all say the same
        return _standing(people, settling[-1:])
    most = agreed(rated)
    if most is None:
        return Settled(state=SPLIT, people=people)
    return _standing(people, [label for label in rated if label.label is most])


def _standing(people: int, labels: Sequence[Label]) -> Settled:
    scores = [score for label in labels if (score := score_of(label)) is not None]
    return Settled(
        state=SETTLED,
        people=people,
        label=labels[0].label,
        score=sum(scores) / len(scores) if scores else None,
        severity=worst([label.severity for label in labels if label.severity]),
        by=tuple(label.rater for label in labels),
    )


def score_of(label: Label) -> float | None:
    """The score that was given, else 5 for PASS and 1 for FAIL: 1 + 4 times the rate of passing."""
    if label.label is Verdict.UNKNOWN:
        return None
    return label.score if label.score is not None else HIGHEST if label.label is Verdict.PASS else LOWEST


def worst(found: Collection[str]) -> str | None:
    """The worst severity that was stated, None where none was; of names that are none of ours the first by its letters."""
    known = [one for one in found if one in SEVERITIES]
    return max(known, key=SEVERITIES.index) if known else min(found, default=None)


def is_done(labels: Sequence[Label]) -> bool:
    """Whether a round needs nobody any more."""
    return settle(labels).state == SETTLED
