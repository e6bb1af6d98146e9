"""The bounds of what a success costs, as money: rounded outwards, for a bound must not promise more than it holds.

Kept out: the interval itself (`stats/price.py`) and the figure between the bounds (`costs.py`).
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING, NamedTuple

from fairtrial.stats.bootstrap import Resampling
from fairtrial.stats.price import cost_per_success

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.study.lane import Lane

OF_ALL = 10_000
OF_A_SLICE = 1_000
"""Draws for the interval; a table of slices has many."""

_DIGITS = 4
_SETTLED = Context(prec=12)
"""Digits that a sum of doubles can be trusted to."""
_DOWN, _UP = Context(prec=_DIGITS, rounding=ROUND_FLOOR), Context(prec=_DIGITS, rounding=ROUND_CEILING)


class PriceBounds(NamedTuple):
    """The ends of the 95 % interval over cases, and why one is missing."""

    low: Decimal | None
    high: Decimal | None
    reason: str


def price_bounds(lane: Lane, rows: Sequence[int], per_success: Decimal | None, draws: int = OF_ALL) -> PriceBounds:
    """Around a cost per success that is known; none around one that is not."""
    if per_success is None:
        return PriceBounds(None, None, "")
    spent = [float(lane.usd[row]) for row in rows]
    found = cost_per_success(spent, lane.passes(rows), lane.clusters(rows), Resampling(resamples=draws))
    low = None if found.low is None else min(per_success, _DOWN.plus(_SETTLED.create_decimal_from_float(found.low)))
    high = None if found.high is None else max(per_success, _UP.plus(_SETTLED.create_decimal_from_float(found.high)))
    return PriceBounds(low, high, found.reason or "")
