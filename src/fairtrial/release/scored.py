"""The gate on the score of conversations: every case at the bar or above it, by the judge that the gate names.

A judge's name is never answered with the score of code where the run has judges. A judge that has not passed its exam, where the
suite asks for one, keeps its gate open. A trial that code failed has the lowest score. Kept out: how scores come
about (`study/scores.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fairtrial.release.counted import nothing, result
from fairtrial.release.words import beside, count, exact, listed
from fairtrial.study.scores import judge_of, reach, score_of, unfit

if TYPE_CHECKING:
    from typing import Any

    from fairtrial.records.decision import GateResult
    from fairtrial.records.policy import Gate
    from fairtrial.release.ground import Ground
    from fairtrial.study.lane import Lane


class Whose(NamedTuple):
    """Whose score a gate reads: that of a judge, or of code (None). `why` is why it can read none."""

    judge: str | None
    why: str = ""


def judge_score(gate: Gate, ground: Ground) -> GateResult:
    """Every case at the bar or above it; a trial without a score may have any."""
    needed = f"{beside(gate.limit, [], 1)} or more in every case"
    part = ground.estimated(gate)
    rows = [row for row in part.rows if gate.part or part.lane.cases[row].labels.tier == "e2e"]
    if not rows:
        return nothing(gate, ground, needed, "" if gate.part else "the run has no case of the whole path")
    whose = _whose(gate, ground, part.lane)
    if why := unfit(part.lane, whose.judge):
        return result(gate, "open", "no score that counts", needed, why=why, cases=len(rows))
    found = None if whose.why else score_of(part.lane, rows, whose.judge)
    if found is None or not found.n:
        why = whose.why or _none_scored(part.lane, whose.judge)
        return result(gate, "open", "no score", needed, why=why, cases=len(rows))
    ends = {part.lane.cases[row].id: span for row, span in reach(part.lane, rows, whose.judge).items()}
    planned = sum(part.planned(row) for row in rows)
    lowest = None if found.min is None else beside(found.min, [gate.limit], 2)
    by = "code" if whose.judge is None else f"the judge {whose.judge}"
    seen = f"the lowest case has {lowest} by {by}, over {found.n:,} of {count(planned, 'planned trial')} of {count(len(rows), 'case')}"
    if found.failed_by_code:
        seen += f"; {count(found.failed_by_code, 'trial')} failed by code before it was asked, with the lowest score"
    figures: dict[str, Any] = {"value": found.min, "n": found.n, "cases": len(rows)}
    below = [case for case, (_, most) in ends.items() if exact(most) < gate.limit]
    if below:
        return result(gate, "fails", seen, needed, why=f"below the bar: {listed(below)}", **figures)
    short = [case for case, (least, _) in ends.items() if exact(least) < gate.limit]
    if short or any(part.planned(row) > part.lane.run(row) for row in rows):
        return result(gate, "open", seen, needed, why=f"{planned - found.n:,} planned trials have no score", **figures)
    return result(gate, "holds", seen, needed, why=_examined(part.lane, whose.judge), **figures)


def _examined(lane: Lane, judge: str | None) -> str:
    """What a reader must know of a judge whose score counts though the suite states no bar for it."""
    told = lane.calibration
    return told.why if judge is not None and told is not None and told.errors is None else ""


def _whose(gate: Gate, ground: Ground, lane: Lane) -> Whose:
    stated = ground.candidate.table.manifest.settings.get("judges") or {}
    if not gate.target:
        return Whose(judge_of(lane))
    if gate.target in lane.opinions.judges:
        return Whose(gate.target)
    by_rubric = [name for name, one in stated.items() if one.get("rubric") == gate.target]
    if len(by_rubric) == 1 and by_rubric[0] in lane.opinions.judges:
        return Whose(by_rubric[0])
    if stated or lane.opinions.judges:
        return Whose(None, f"no judge {gate.target!r} has read a trial of this run")
    return Whose(None)


def _none_scored(lane: Lane, judge: str | None) -> str:
    if judge is None:
        return "no trial has a score: no case labels its checks with dimensions, and no judge has read them"
    one = lane.opinions.judges[judge]
    return f"no trial has a score by {judge}: {one.unknown:,} without a verdict, {one.not_asked:,} that it was not asked about"
