"""What a success costs, with bounds that hold where a few cases are dear: the interval of a ratio whose parts are skewed.

A bootstrap draws only what was seen, and few cases have seldom seen their dearest; so its upper end is too low. Three
intervals stand beside each other here, and each end is the one that lies further out. Keeps out what a cost is made of.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from fairtrial.stats.bootstrap import STANDARD, Resampling, ratio_of_sums
from fairtrial.stats.clusters import Clusters, cluster_numbers, degrees_of_freedom
from fairtrial.stats.distributions import two_sided_t, two_sided_z
from fairtrial.stats.estimate import Estimate
from fairtrial.stats.interval import clustered_rate

_MOST = 700.0
"""Beyond exp of this there is no float."""


def cost_per_success(
    costs: Sequence[float], counts: Sequence[tuple[int, int]], clusters: Clusters = None, how: Resampling = STANDARD
) -> Estimate:
    """Total cost ÷ total successes; `costs` are summed over the trials of each case, `counts` are its (passed, tried).

    Unit: that of the costs, which are 0 or more and complete: a case whose cost is unknown makes the figure unknown. Undefined
    without a success, and only a lower bound is left then. Each end is the furthest of three: cases drawn again
    (`bootstrap.ratio_of_sums`), the t interval on the logarithm of the ratio corrected for skewness (`skewed_bounds`), and the
    mean cost over the bounds of the success rate, for failures that were not seen would cost as well.
    """
    passed = [good for good, _ in counts]
    found = ratio_of_sums(costs, passed, clusters, how)
    rate = clustered_rate(counts, how.confidence, clusters, "widen")
    tried = sum(tried for _, tried in counts)
    mean = math.fsum(costs) / tried if tried else 0.0
    least = mean / rate.high if rate.high else None
    if found.value is None and tried:
        none = "no trial succeeded, so there is no cost per success"
        return msgspec.structs.replace(found, low=least if found.n > 1 else None, reason=none)
    if found.value is None:
        return found
    if found.n < 2 or found.value <= 0.0:
        return found
    open_above = found.low is not None and found.high is None
    ends = (found.low, found.high), (least, mean / rate.low if rate.low else None), skewed_bounds(costs, passed, clusters, how.confidence)
    lows, highs = [low for low, _ in ends if low is not None], [high for _, high in ends if high is not None]
    reason = found.reason if open_above else None
    high = None if open_above else max(found.value, *highs)
    return msgspec.structs.replace(
        found, low=min(found.value, *lows), high=high, reason=reason, method=f"{found.method}, widened for skewed costs and few failures"
    )


def skewed_bounds(
    top: Sequence[float], bottom: Sequence[float], clusters: Clusters = None, confidence: float = 0.95
) -> tuple[float | None, float | None]:
    """The ends for sum(top) / sum(bottom), both above 0, by Student's t on its logarithm, corrected for skewness.

    By linear approximation the logarithm is the mean of eᵢ = topᵢ/mean(top) - bottomᵢ/mean(bottom) over clusters. Its t has the
    degrees of freedom that the variance of the eᵢ has, and its tail is moved out by γ(1 + 2z²)/(6√n) (Johnson 1978; Hall 1992).
    The skewness γ is taken as twice (that seen plus its standard error √(6/n)): what few cases show of a long tail is too little.
    How much too little was found by simulation (docs/statistics.md). None where the spread is not known, or beyond any float.
    """
    numbers = cluster_numbers(len(top), clusters)
    sums = [_by_cluster(part, numbers) for part in (top, bottom)]
    n = len(sums[0])
    means = [math.fsum(part) / n for part in sums]
    parts = [one / means[0] - two / means[1] for one, two in zip(*sums, strict=True)]
    square = math.fsum(part**2 for part in parts) / n
    if n < 2 or math.sqrt(square) < 1e-9:
        return None, None
    seen = math.fsum(part**3 for part in parts) / n / square**1.5 * math.sqrt(n * (n - 1)) / (n - 2) if n > 2 else 0.0
    z, t = two_sided_z(confidence), two_sided_t(confidence, degrees_of_freedom(parts, range(n)))
    down, up = (
        (t + 2.0 * max(0.0, skew + math.sqrt(6.0 / n)) * (1.0 + 2.0 * z * z) / (6.0 * math.sqrt(n))) * math.sqrt(square / (n - 1))
        for skew in (-seen, seen)
    )
    ratio = means[0] / means[1]
    return (None if down > _MOST else ratio * math.exp(-down)), (None if up > _MOST else ratio * math.exp(up))


def _by_cluster(values: Sequence[float], numbers: Sequence[int]) -> list[float]:
    sums = [0.0] * (max(numbers) + 1)
    for value, number in zip(values, numbers, strict=True):
        sums[number] += value
    return sums
