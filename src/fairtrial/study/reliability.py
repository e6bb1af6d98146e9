"""Several trials at one case: does it pass once, does it always pass, and how steady is it?

UNKNOWN is not a success here either, and a planned trial that was not run is no trial. Estimators are those of
`stats/repeats.py`; this file only lays the lanes out for them and says why a figure is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.report import Shape, Streak
from fairtrial.stats import repeats
from fairtrial.study.codes import NOT_RUN, PASS

if TYPE_CHECKING:
    from fairtrial.study.lane import Lane

MOST_K = 100
"""No k above this is reported: a case tried a hundred thousand times would give as many figures, and nobody reads them."""


class Reliability(msgspec.Struct, frozen=True, kw_only=True):
    """`pass_at` (any of k) and `pass_hat` (all of k) by k as text, from 1 to the fewest run trials of a case or `MOST_K`.

    The rest as in the report. `reasons` says why a figure is missing, and where the k had to end at `MOST_K`.
    """

    pass_at: dict[str, float]
    pass_hat: dict[str, float]
    first_try: float | None
    all_trials: float | None
    longest_streak: Streak | None
    stability: float | None
    shape: Shape
    reasons: dict[str, str]


def read_reliability(lane: Lane) -> Reliability:
    """Every figure about repeats of one setup."""
    counts = lane.passes()
    attempts = _attempts(lane)
    streak, shape = repeats.longest_streak(attempts), repeats.shape(counts)
    found = Reliability(
        pass_at=_by_text(repeats.suite_pass_at(counts, MOST_K)),
        pass_hat=_by_text(repeats.suite_pass_hat(counts, MOST_K)),
        first_try=repeats.first_try(attempts),
        all_trials=repeats.all_trials(counts),
        longest_streak=None if streak is None else Streak(min=streak.min, median=streak.median, max=streak.max),
        stability=repeats.stability(counts),
        shape=Shape(always=shape.always, sometimes=shape.sometimes, never=shape.never),
        reasons={},
    )
    found.reasons.update(_reasons(found, min((run for _, run in counts if run), default=0)))
    return found


def _attempts(lane: Lane) -> list[tuple[bool | None, ...]]:
    """Passed or not, by case in attempt order; None where not run. Cases that went alike share one tuple, for there may be many."""
    seen: dict[bytes, tuple[bool | None, ...]] = {}
    found = []
    for row in range(len(lane.cases)):
        codes = bytes(lane.attempts(row))
        if codes not in seen:
            seen[codes] = tuple(None if code == NOT_RUN else code == PASS for code in codes)
        found.append(seen[codes])
    return found


def _by_text(series: dict[int, float]) -> dict[str, float]:
    return {str(k): value for k, value in series.items()}


def _reasons(found: Reliability, fewest: int) -> dict[str, str]:
    """`fewest` is the smallest number of run trials of a case that has any."""
    reasons = {}
    if fewest > MOST_K:
        capped = f"given for k up to {MOST_K} only; each case that was tried has {fewest} run trials or more"
        reasons = dict.fromkeys(("pass_at", "pass_hat"), capped)
    if found.all_trials is None:
        none = "no trial has been run"
        reasons = dict.fromkeys(("all_trials", "longest_streak", "pass_at", "pass_hat"), none)
    if found.first_try is None:
        reasons["first_try"] = "no first attempt has been run"
    if found.stability is None:
        reasons["stability"] = "no case has two run trials or more"
    return reasons
