"""The score of a conversation from code: the weighted marks, 1 to 5, of the checks that cases label with a `dimension`.

A mark is 1 + 4 x the share of the dimension's decided checks that passed, and the score is 0.5 correctness + 0.35
groundedness + 0.15 card usage, as the third article weighs a judge's marks. It is as good as the checks are: it tells
whether what was asked for is there, never how well it is put. Kept out: a model's opinion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.grade import DIMENSIONS
from fairtrial.records.trial import FATES
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.trial import Ending

LOWEST, HIGHEST = 1.0, 5.0

Marks = tuple[float, ...]
"""One mark for each of DIMENSIONS, in their order."""


def marks_of(ending: Ending, card: Scorecard) -> Marks | None:
    """The marks of a trial; None where a dimension has no decided check, or one that is UNKNOWN and not excused.

    A trial that ended by the agent's own fault without an answer has the lowest marks.
    """
    fate = FATES[ending].verdict
    if fate is Verdict.FAIL:
        return (LOWEST,) * len(DIMENSIONS)
    passed, decided = dict.fromkeys(DIMENSIONS, 0), dict.fromkeys(DIMENSIONS, 0)
    for grade in card.grades:
        if grade.dimension not in DIMENSIONS or (grade.verdict is Verdict.UNKNOWN and grade.excused):
            continue
        if grade.verdict is Verdict.UNKNOWN:
            return None
        decided[grade.dimension] += 1
        passed[grade.dimension] += grade.verdict is Verdict.PASS
    if fate is not None or not all(decided.values()):
        return None
    return tuple(LOWEST + (HIGHEST - LOWEST) * passed[name] / decided[name] for name in DIMENSIONS)


def weighted(marks: Marks) -> float:
    """The score of a trial; rounded where binary fractions would put 3.0 below itself."""
    return round(sum(weight * mark for weight, mark in zip(DIMENSIONS.values(), marks, strict=True)), 9)
