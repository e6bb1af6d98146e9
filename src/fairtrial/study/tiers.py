"""The three tiers of a run, each held to its pass standard: the table of the third article.

Functions and single roles pass at every trial or the standard fails; the whole path has a weighted score of 3.0 or more in
every case, and nothing severe. What is not known leaves a standard open. The same standards stand as gates in the policy
`three-tiers`. Kept out: what a release makes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.records.report import TierReport
from fairtrial.records.setup import UNIT
from fairtrial.study.scores import judge_of, reach, score_of, unfit
from fairtrial.study.wording import count, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.run import CaseInfo
    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table

TIERS = ("unit", "agent", "e2e")
BAR = 3.0
STANDARDS = {
    "unit": "every trial passes",
    "agent": "every trial passes",
    "e2e": f"a weighted score of {BAR} or more in every case, and nothing severe",
}


def read_tiers(table: Table) -> list[TierReport]:
    """Every tier that the run has cases of, by setup; a setup that was not tried at any of them is there too."""
    by_id = {case.id: case for case in table.manifest.cases}
    found = []
    for tier in TIERS:
        for setup in dict.fromkeys([*table.lanes, *table.manifest.unseated]):
            lane = table.lanes.get(setup)
            rows = [] if lane is None else rows_of(lane, tier)
            left_out = [case for case in table.manifest.unseated.get(setup, ()) if case in by_id] if tier == "agent" else []
            if rows or left_out:
                found.append(_tier(tier, setup, (lane, rows), len(left_out)))
    return found


def rows_of(lane: Lane, tier: str) -> list[int]:
    """The rows of a lane whose cases are of a tier."""
    return [row for row, case in enumerate(lane.cases) if case.labels.tier == tier]


def compete(lanes: dict[str, Lane]) -> dict[str, list[int]]:
    """By setup the rows that a match of setups may count: whole-path cases, and those that every setup was tried at.

    A setup of which none is left (`unit`) takes no part.
    """
    full = {name: lane for name, lane in lanes.items() if name != UNIT}
    common = set.intersection(*(set(lane.rows) for lane in full.values())) if full else set()
    kept = {
        name: [row for row, case in enumerate(lane.cases) if case.labels.tier == "e2e" or case.id in common] for name, lane in lanes.items()
    }
    return {name: rows for name, rows in kept.items() if rows}


def _tier(tier: str, setup: str, where: tuple[Lane | None, Sequence[int]], left_out: int) -> TierReport:
    lane, rows = where
    told = TierReport(
        tier=tier, setup=setup, cases=len(rows), planned=0, passed=0, fail=0, unknown=0, not_run=0,
        not_applicable=left_out, severe=0, standard=STANDARDS[tier], state="open", why="no case was tried",
    )  # fmt: skip
    if lane is None or not rows:
        return told
    told.planned, told.passed, told.fail, told.unknown, told.not_run, told.severe = lane.sums(rows)
    if tier == "e2e":
        told.score = score_of(lane, rows, judge_of(lane))
        told.state, told.why = _whole_path(lane, rows, told)
    else:
        told.state, told.why = _every_trial(told)
    told.groups = dict(_groups(lane, rows)) if tier == "e2e" else {}
    return told


def _every_trial(told: TierReport) -> tuple[str, str]:
    if told.fail:
        return "fails", f"{count(told.fail, 'trial')} failed"
    undecided = told.unknown + told.not_run
    return ("open", f"{count(undecided, 'trial')} undecided or not run") if undecided else ("holds", "")


def _whole_path(lane: Lane, rows: Sequence[int], told: TierReport) -> tuple[str, str]:
    """Fails where a case is below the bar however its open trials were scored; holds where all are above it all the same."""
    if told.severe:
        return "fails", f"severe failures: {told.severe}"
    if why := unfit(lane, judge_of(lane)):
        return "open", why
    found = reach(lane, rows, judge_of(lane))
    below = [lane.cases[row].id for row, (_, most) in found.items() if most < BAR]
    if below:
        return "fails", f"below {BAR}: {listed(below)}"
    if all(least >= BAR for least, _ in found.values()) and not told.not_run:
        return "holds", ""
    scored = told.score.n if told.score else 0
    if not scored:
        return "open", "no trial has a score: no case labels its checks with dimensions, and no judge has read them"
    return "open", f"{scored} of {count(told.planned, 'trial')} have a score"


def _groups(lane: Lane, rows: Sequence[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """By tag, as far as cases have any."""
    tags: dict[str, list[int]] = {}
    for row in rows:
        case: CaseInfo = lane.cases[row]
        for tag in dict.fromkeys(case.labels.tags):
            tags.setdefault(tag, []).append(row)
    for tag, own in sorted(tags.items()):
        sums = lane.sums(own)
        yield tag, {"cases": len(own), "planned": sums.planned, "pass": sums.passed, "score": score_of(lane, own, judge_of(lane))}
