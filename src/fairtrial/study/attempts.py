"""Several attempts at a case, counted, beside the line of independence: at 0.8 a trial, 0.992 for any of three and 0.512 for all.

Where cases differ, all of k pass more often than that line says, and any of k less often: some cases always pass, others hardly
ever. Kept out: the estimators (stats/repeats.py) and the line itself (stats/independence.py).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairtrial.records.chance import Attempts
from fairtrial.stats.independence import all_of, any_of
from fairtrial.stats.paired import mean_difference
from fairtrial.stats.repeats import pass_at_k, pass_hat_k
from fairtrial.study.wording import percent, points

if TYPE_CHECKING:
    from fairtrial.stats.estimate import Estimate
    from fairtrial.study.lane import Lane

SHOWN_K = 3
"""The k of the article's line; less where a case was tried less often."""


def read_attempts(lane: Lane) -> Attempts | None:
    """Three attempts (or as many as every case was tried), counted and by the line; None where no case was tried twice."""
    rows = [row for row in range(len(lane.cases)) if lane.run(row)]
    counts = lane.passes(rows)
    k = min([SHOWN_K, *(run for _, run in counts)])
    if not counts or k < 2:
        return None
    rates = [passed / run for passed, run in counts]
    every = [_known(pass_hat_k(run, passed, k)) for passed, run in counts]
    some = [_known(pass_at_k(run, passed, k)) for passed, run in counts]
    rate, counted = _mean(rates), _mean(every)
    ends = _beyond(rates, every, (k, lane.clusters(rows)))
    found = Attempts(
        k=k,
        rate=rate,
        pass_at=_mean(some),
        pass_hat=counted,
        line_at=any_of(rate, k),
        line_hat=all_of(rate, k),
        beyond=counted - all_of(rate, k),
        beyond_low=ends.low,
        beyond_high=ends.high,
        method=f"{ends.method}, to first order",
        says="",
        reason=ends.reason,
    )
    found.says = _says(found)
    return found


def _known(share: float | None) -> float:
    if share is None:
        raise ValueError("k is no more than every case was tried")
    return share


def _mean(shares: list[float]) -> float:
    return min(1.0, math.fsum(shares) / len(shares))


def _beyond(rates: list[float], every: list[float], how: tuple[int, list[str | None] | None]) -> Estimate:
    """Counted − line of all of k: to first order a mean over cases of h − k·r^(k-1)·p, h all of k, p the rate of a case, r the mean."""
    k, clusters = how
    slope = k * _mean(rates) ** (k - 1)
    shift = (k - 1) * all_of(_mean(rates), k)
    return mean_difference([all_k - slope * single + shift for all_k, single in zip(every, rates, strict=True)], clusters=clusters)


def _says(found: Attempts) -> str:
    """What was counted, the line, and why they differ where that can be told."""
    line = f"all of {found.k} attempts pass in {percent(found.pass_hat)} as counted; independent attempts at {percent(found.rate)}"
    told = f"{line} would in {percent(found.line_hat)}"
    if found.beyond_low is None or found.beyond_high is None:
        return told
    ends = f"{points(found.beyond)} points, 95 % interval {points(found.beyond_low)} to {points(found.beyond_high)}"
    if found.beyond_low > 0:
        return f"{told}; cases differ, for some pass nearly always and others hardly ever ({ends})"
    if found.beyond_high < 0:
        return f"{told}; attempts at one case are less alike than chance makes them ({ends})"
    return f"{told}; that cases differ cannot be told here ({ends})"
