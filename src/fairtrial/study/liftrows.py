"""One row a setup of the lift table: what passed, at what price, how fast, and what must not happen; over all cases or a slice.

Kept out: which setup is the better one (lift.py), success within a budget (curve.py).
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.lift import LiftRow
from fairtrial.stats.bootstrap import Resampling
from fairtrial.stats.price import cost_per_success
from fairtrial.study.costs import Costs, read_costs
from fairtrial.study.tally import severe_upper, success_rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.study.lane import Lane

OF_ALL = 10_000
OF_A_SLICE = 1_000
"""Draws for the interval of the cost per success; a table of slices has many."""

_DIGITS = 4
_SETTLED = Context(prec=12)
"""Digits that a sum of doubles can be trusted to."""
_DOWN, _UP = Context(prec=_DIGITS, rounding=ROUND_FLOOR), Context(prec=_DIGITS, rounding=ROUND_CEILING)


class Looks(msgspec.Struct, frozen=True, kw_only=True):
    """How a row is read: the kind of setup, whether every setup states its own times, the draws for its interval."""

    kind: str
    stated: bool
    draws: int = OF_ALL


def read_row(lane: Lane, rows: Sequence[int], looks: Looks) -> tuple[LiftRow, dict[str, str]]:
    """The row of one setup, and why figures of it are missing. Where not every setup states its times, all are shown as
    measured, for only like stands beside like."""
    costs: Costs = read_costs(lane, rows)
    times = costs.latency_ms if looks.stated else costs.measured_ms
    sums = lane.sums(rows)
    low, high, reason = _price_bounds(lane, rows, costs, looks.draws)
    row = LiftRow(
        setup=lane.setup,
        kind=looks.kind,
        planned=sums.planned,
        passed=sums.passed,
        success_rate=success_rate(lane, rows),
        cost_mean=costs.cost_usd.mean,
        cost_per_success=costs.cost_usd.per_success,
        cost_complete=costs.cost_usd.complete,
        latency_stated=looks.stated,
        latency_mean_ms=times.mean,
        latency_p95_ms=times.p95,
        severe=sums.severe,
        unknown=sums.unknown,
        not_run=sums.not_run,
        cost_per_success_low=low,
        cost_per_success_high=high,
        latency_p50_ms=times.p50,
        severe_upper=severe_upper(lane, rows=rows),
        over_budget=sum(lane.counts.over_budget[row] for row in rows),
    )
    return row, costs.reasons | ({"cost_per_success.interval": reason} if reason else {})


def _price_bounds(lane: Lane, rows: Sequence[int], costs: Costs, draws: int) -> tuple[Decimal | None, Decimal | None, str]:
    """The bounds of the cost per success, rounded outwards, and why one is missing."""
    value = costs.cost_usd.per_success
    if value is None:
        return None, None, ""
    spent = [float(lane.usd[row]) for row in rows]
    found = cost_per_success(spent, [(lane.passed[row], lane.run(row)) for row in rows], lane.clusters(rows), Resampling(resamples=draws))
    low = None if found.low is None else min(value, _DOWN.plus(_SETTLED.create_decimal_from_float(found.low)))
    high = None if found.high is None else max(value, _UP.plus(_SETTLED.create_decimal_from_float(found.high)))
    return low, high, found.reason or ""
