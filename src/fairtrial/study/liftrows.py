"""One row a setup of the lift table: what passed, at what price, how fast, and what must not happen; over all cases or a slice.

Kept out: which setup is the better one (lift.py), success within a budget (curve.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.lift import LiftRow
from fairtrial.study.corrected import read_corrected
from fairtrial.study.costs import Costs, read_costs
from fairtrial.study.prices import OF_ALL, price_bounds
from fairtrial.study.tally import severe_upper, success_rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.study.lane import Lane


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
    low, high, reason = price_bounds(lane, rows, costs.cost_usd.per_success, looks.draws)
    row = LiftRow(
        setup=lane.setup,
        kind=looks.kind,
        planned=sums.planned,
        passed=sums.passed,
        success_rate=success_rate(lane, rows),
        corrected=read_corrected(lane, rows),
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
