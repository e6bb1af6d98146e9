"""Intervals by drawing the cases again: for means without a limit, for ratios, for any figure of a table.

Cases (or clusters of them) are drawn, never single trials. Everything is seeded: the same numbers give the same bounds.
Keeps out shares and their differences, which have better intervals at small n (interval.py, paired.py), and what a success costs
(price.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from fairtrial.stats.clusters import Clusters, cluster_numbers
from fairtrial.stats.distributions import two_sided_t
from fairtrial.stats.estimate import Estimate, check_finite, checked_confidence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_DRAWN = 20_000_000  # units drawn in all; about a quarter of a second
_BLOCK = 1_000_000  # units drawn at a time: 8 MB
_FEWEST = 1_000


class Resampling(msgspec.Struct, frozen=True, kw_only=True):
    """How to draw: two-sided confidence, seed, and the number of resamples wished (fewer for very many cases)."""

    confidence: float = 0.95
    seed: int = 0
    resamples: int = 10_000


STANDARD = Resampling()


def mean_by_bootstrap(values: Sequence[float], clusters: Clusters = None, how: Resampling = STANDARD) -> Estimate:
    """The mean of one value a case, in the unit of the values."""
    return ratio_of_sums(values, [1.0] * len(values), clusters, how)


def ratio_of_sums(top: Sequence[float], bottom: Sequence[float], clusters: Clusters = None, how: Resampling = STANDARD) -> Estimate:
    """sum(top) / sum(bottom) over cases, both parts of a case drawn together: cost of new ÷ of base.

    `bottom` holds values of 0 or more. Undefined (None) where it sums to 0. Resamples in which it does count as
    infinite: where they reach into the upper tail, the upper bound is None, with the reason.
    """
    check_finite(top)
    check_finite(bottom)
    if any(part < 0 for part in bottom) or len(top) != len(bottom):
        raise ValueError("the bottom of a ratio is 0 or more, one value for each of the top")
    confidence = checked_confidence(how.confidence)
    numbers = cluster_numbers(len(top), clusters)
    groups = max(numbers) + 1 if numbers else 0
    method = f"bootstrap over cases, expanded percentile, {confidence:g}"
    total = math.fsum(bottom)
    if total <= 0:
        reason = "there is no case" if not top else "the sum below the line is 0"
        return Estimate(value=None, low=None, high=None, n=groups, method=method, reason=reason)
    value = math.fsum(top) / total
    if groups < 2:
        reason = f"an interval needs two independent cases, here {groups}"
        return Estimate(value=value, low=None, high=None, n=groups, method=method, reason=reason)
    return _bounded(value, _drawn_ratios(_by_cluster(top, numbers), _by_cluster(bottom, numbers), how), groups, how)


def cluster_bootstrap(
    statistic: Callable[[NDArray[np.intp]], float | None], n: int, clusters: Clusters = None, how: Resampling = STANDARD
) -> Estimate:
    """Any figure of n units: `statistic` gets the indices of the units drawn (whole clusters, repeats included).

    It returns None where the figure is undefined for those; such draws count as infinite. One call a resample, so ask
    for fewer resamples where a call is slow.
    """
    import numpy as np

    confidence = checked_confidence(how.confidence)
    numbers = cluster_numbers(n, clusters)
    groups = max(numbers) + 1 if numbers else 0
    method = f"bootstrap over cases, expanded percentile, {confidence:g}"
    value = statistic(np.arange(n)) if n else None
    if value is None or groups < 2:
        reason = "the figure is undefined here" if n else "there is no case"
        if value is not None:
            reason = f"an interval needs two independent cases, here {groups}"
        return Estimate(value=value, low=None, high=None, n=groups, method=method, reason=reason)
    order = np.argsort(numbers, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(numbers))[:-1])
    rng = np.random.default_rng(how.seed)
    drawn = np.empty(how.resamples)
    for index in range(how.resamples):
        picked = rng.integers(0, groups, groups)
        figure = statistic(picked if clusters is None else np.concatenate([members[group] for group in picked]))
        drawn[index] = math.inf if figure is None else figure
    return _bounded(float(value), drawn, groups, how)


def _by_cluster(values: Sequence[float], numbers: Sequence[int]) -> NDArray[np.float64]:
    import numpy as np

    return np.asarray(np.bincount(numbers, weights=np.asarray(values, dtype=float)), dtype=np.float64)


def _drawn_ratios(top: NDArray[np.float64], bottom: NDArray[np.float64], how: Resampling) -> NDArray[np.float64]:
    import numpy as np

    groups = len(top)
    resamples = max(min(_FEWEST, how.resamples), min(how.resamples, _MOST_DRAWN // groups))
    rng = np.random.default_rng(how.seed)
    block = max(1, _BLOCK // groups)
    parts = []
    for start in range(0, resamples, block):
        picked = rng.integers(0, groups, (min(block, resamples - start), groups))
        below = bottom[picked].sum(axis=1)
        ratios = np.full(len(below), math.inf)
        np.divide(top[picked].sum(axis=1), below, out=ratios, where=below > 0)
        parts.append(ratios)
    return np.concatenate(parts)


def _bounded(value: float, drawn: NDArray[np.float64], groups: int, how: Resampling) -> Estimate:
    """The percentile interval, expanded as Student's t is against the normal (Hesterberg 2015, arXiv 1411.5279)."""
    import numpy as np

    method = f"bootstrap over cases, {len(drawn)} resamples, expanded percentile, {how.confidence:g}"
    tail = expanded_tail(how.confidence, groups)
    ordered = np.sort(drawn)
    last = len(ordered) - 1
    low = min(value, float(ordered[math.floor(tail * last)]))
    high = max(value, float(ordered[math.ceil((1.0 - tail) * last)]))
    if low == high:
        reason = f"all {groups} independent cases give the same, so their spread is not known"
        return Estimate(value=value, low=None, high=None, n=groups, method=method, reason=reason)
    if math.isinf(high):
        share = float(np.mean(np.isinf(ordered)))
        reason = f"no upper bound: the figure is undefined in {share:.1%} of the resamples"
        return Estimate(value=value, low=low, high=None, n=groups, method=method, reason=reason)
    return Estimate(value=value, low=low, high=high, n=groups, method=method)


def expanded_tail(confidence: float, groups: int) -> float:
    """The share of resamples beyond each end of the interval: below (1 - confidence)/2, the more so the fewer the groups."""
    from statistics import NormalDist

    reach = math.sqrt(groups / (groups - 1)) * two_sided_t(confidence, groups - 1)
    return NormalDist().cdf(-reach)
