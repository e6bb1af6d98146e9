"""The score of conversations, 1 to 5: a judge's where one read the trials, else that of code, and how far it could still turn.

A trial that code failed was not put before the judge, and has the lowest score: left out, it would flatter whoever fails more. A
judge whose verdicts do not count has no scores, and code does not step in for it.

Which judge: the one that is named; else the only one that marks from 1 to 5, or of several the only one with the dimensions of the
rubric `dialogue`. A judge's scores are never mixed with those of code, and another scale is laid over 1 to 5. Kept out: the marks
by code (`marks.py`), and what a score is held against.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.grade import DIMENSIONS
from fairtrial.records.report import Score
from fairtrial.study.marks import HIGHEST, LOWEST, weighted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.study.lane import Lane
    from fairtrial.study.opinions import OfJudge

CODE = "code"


def judge_of(lane: Lane) -> str | None:
    """The judge whose scores count for a setup where none is named; None: code scores."""
    there = {name: one for name, one in lane.opinions.judges.items() if one.identities and one.scale == (LOWEST, HIGHEST)}
    if len(there) > 1:
        there = {name: one for name, one in there.items() if set(one.dimensions) == set(DIMENSIONS)}
    return next(iter(there)) if len(there) == 1 else None


def known(lane: Lane, row: int, judge: str | None) -> list[float]:
    """The scores of a case's trials, as far as they have one."""
    if judge is None:
        return [weighted(marks) for marks in lane.marks.get(row, ()) if marks is not None]
    one = lane.opinions.judges.get(judge)
    if one is None or one.unfit:
        return []
    return [*(laid_over(score, one.scale) for score in one.scores.get(row, ())), *[LOWEST] * one.failed_before.get(row, 0)]


def unfit(lane: Lane, judge: str | None) -> str:
    """Why the scores of a judge decide nothing; nothing where they count."""
    one = None if judge is None else lane.opinions.judges.get(judge)
    return f"{judge} decides nothing: {one.unfit}" if one is not None and one.unfit else ""


def laid_over(score: float, scale: tuple[float, float]) -> float:
    """A score as one from 1 to 5; rounded where binary fractions would put 3.0 below itself."""
    low, high = scale
    return round(LOWEST + (HIGHEST - LOWEST) * (score - low) / (high - low), 9)


def reach(lane: Lane, rows: Sequence[int], judge: str | None) -> dict[int, tuple[float, float]]:
    """By row the lowest and the highest mean score over its planned trials; a trial without a score may have any."""
    found: dict[int, tuple[float, float]] = {}
    for row in rows:
        planned, scores = lane.slots(row), known(lane, row, judge)
        total, others = sum(scores), planned - len(scores)
        found[row] = (total + LOWEST * others) / planned, (total + HIGHEST * others) / planned
    return found


def score_of(lane: Lane, rows: Sequence[int], judge: str | None) -> Score | None:
    """None where no judge read these and no case of them labels its checks with dimensions."""
    if judge is None and not any(row in lane.marks for row in rows):
        return None
    by_row = {row: known(lane, row, judge) for row in rows}
    means = [sum(scores) / len(scores) for scores in by_row.values() if scores]
    n = sum(map(len, by_row.values()))
    return Score(
        mean=sum(means) / len(means) if means else None,
        min=min(means, default=None),
        max=max(means, default=None),
        n=n,
        unknown=sum(lane.run(row) for row in rows) - n,
        by_dimension=_by_dimension(lane, rows, judge),
        source=CODE if judge is None else "judge",
        judge=judge,
        failed_by_code=_failed_by_code(lane, rows, judge),
    )


def _failed_by_code(lane: Lane, rows: Sequence[int], judge: str | None) -> int:
    one = None if judge is None else lane.opinions.judges.get(judge)
    return 0 if one is None or one.unfit else sum(one.failed_before.get(row, 0) for row in rows)


def _by_dimension(lane: Lane, rows: Sequence[int], judge: str | None) -> dict[str, float]:
    """Over the trials of these cases; a judge's marks are known over all cases of a setup only."""
    if judge is not None:
        one: OfJudge = lane.opinions.judges[judge]
        whole = set(rows) >= set(one.scores)
        return {name: laid_over(sum(marks) / len(marks), one.scale) for name, marks in one.dimensions.items()} if whole else {}
    every = [marks for row in rows for marks in lane.marks.get(row, ()) if marks is not None]
    return {name: sum(marks[place] for marks in every) / len(every) for place, name in enumerate(DIMENSIONS)} if every else {}
