"""Percentiles of times and sizes, by one method everywhere: linear interpolation between neighbours.

The q-quantile of n sorted values is the value at place q·(n-1) counted from 0 (Hyndman and Fan's type 7, the default
of numpy). It never passes the maximum, and p50 <= p95 <= p99 <= max. What is a failure, a timeout or a cache hit is
sorted out before: this file counts what it is given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from fairtrial.stats.distributions import binomial_at_most
from fairtrial.stats.estimate import Estimate, check_finite, checked_confidence

METHOD = "linear interpolation"


class Quantiles(msgspec.Struct, frozen=True, kw_only=True):
    """The middle and the upper end of n values, in their unit. All None, with a reason, where n is 0."""

    n: int
    mean: float | None
    p50: float | None
    p95: float | None
    p99: float | None
    max: float | None
    method: str = METHOD
    reason: str | None = None


def summary(values: Sequence[float]) -> Quantiles:
    """Mean, p50, p95, p99 and maximum of finite values; others raise ValueError."""
    ordered = _sorted(values)
    if not ordered:
        return Quantiles(n=0, mean=None, p50=None, p95=None, p99=None, max=None, reason="there is no value")
    mean = max(ordered[0], min(ordered[-1], math.fsum(ordered) / len(ordered)))
    return Quantiles(
        n=len(ordered), mean=mean, p50=_at(ordered, 0.50), p95=_at(ordered, 0.95), p99=_at(ordered, 0.99), max=ordered[-1]
    )  # fmt: skip


def quantile(values: Sequence[float], q: float) -> float | None:
    """The q-quantile (0 <= q <= 1) of finite values, None of none."""
    if not 0.0 <= q <= 1.0:
        raise ValueError(f"a quantile lies within 0 to 1, not {q!r}")
    ordered = _sorted(values)
    return _at(ordered, q) if ordered else None


def quantile_interval(values: Sequence[float], q: float, confidence: float = 0.95, effective_n: float | None = None) -> Estimate:
    """The q-quantile with bounds from the order of the values alone, whatever their curve (David and Nagaraja 2003).

    Each end holds with (1 + confidence)/2; a one-sided bound at 0.95 is an end at confidence 0.90. `effective_n` is the
    number of independent values among them, where repeats of one case are alike: the number of cases is the careful
    choice. An end that so few values cannot give is None: p95 has an upper bound at 0.95 one-sided from 59 on.
    """
    level = checked_confidence(confidence)
    value = quantile(values, q)
    ordered = _sorted(values)
    n = len(ordered) if effective_n is None else max(1, min(len(ordered), math.floor(effective_n)))
    method = f"{METHOD}; bounds by order statistics, {level:g}"
    if value is None:
        return Estimate(value=None, low=None, high=None, n=0, method=method, reason="there is no value")
    one_sided = (1.0 + level) / 2.0
    upper, lower = _upper_rank(n, q, one_sided), _upper_rank(n, 1.0 - q, one_sided)
    high = None if upper is None else max(value, ordered[math.ceil(upper / n * len(ordered)) - 1])
    low = None if lower is None else min(value, ordered[len(ordered) - math.ceil(lower / n * len(ordered))])
    reason = None
    if low is None or high is None:
        reason = f"{n} independent values are too few for a bound at each end"
    return Estimate(value=value, low=low, high=high, n=n, method=method, reason=reason)


def _upper_rank(n: int, q: float, one_sided: float) -> int | None:
    """The least r with P(r-th smallest of n >= the true q-quantile) >= one_sided, from 1; None where there is none."""
    if binomial_at_most(n - 1, n, q) < one_sided:
        return None
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        if binomial_at_most(middle - 1, n, q) >= one_sided:
            high = middle
        else:
            low = middle
    return high


def _sorted(values: Sequence[float]) -> list[float]:
    check_finite(values)
    return sorted(float(value) for value in values)


def _at(ordered: Sequence[float], q: float) -> float:
    place = q * (len(ordered) - 1)
    below = math.floor(place)
    if below + 1 >= len(ordered):
        return ordered[-1]
    step = (place - below) * (ordered[below + 1] - ordered[below])
    return min(ordered[below + 1], ordered[below] + step)
