"""The difference between two sides that were tried at the same cases, with an interval that respects the pairing.

Every figure here is new minus base. Whether a difference can be chance alone is for permutation.py; what the cases
are called, and which of them has no partner, is for the rooms above.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from fairtrial.stats.clusters import (
    Clusters,
    cluster_numbers,
    cluster_sizes,
    fewest_independent,
    kept_clusters,
    most_independent,
    variance_of_mean,
)
from fairtrial.stats.distributions import bisect, two_sided_t, two_sided_z
from fairtrial.stats.estimate import Estimate, check_finite, checked_confidence

Counts = Sequence[tuple[int, int]]

ENOUGH = 20
"""From this many independent pairs that differ from the commonest difference on, the t interval stands alone."""


class Difference(Estimate, frozen=True, kw_only=True):
    """A difference of two rates, -1 to 1. `pairs` were tried on both sides, `left_out` were not and say nothing.

    `apart` counts the independent pairs whose difference is not the commonest one: with 0, all pairs moved alike.
    """

    pairs: int
    apart: int
    left_out: int = 0


def rate_differences(base: Counts, new: Counts) -> list[float]:
    """New minus base for each case tried on both sides, both given as (passed, tried) in the same order of cases.

    Equal fractions give equal floats (0.8 - 0.6 and 0.6 - 0.4 too), because each is one division of whole numbers.
    """
    return [difference for difference, _ in _differences(base, new)]


def paired_rates(base: Counts, new: Counts, confidence: float = 0.95, clusters: Clusters = None) -> Difference:
    """The mean over cases of (rate of new - rate of base), with an interval that never has zero width.

    From `ENOUGH` pairs apart on: Student's t on the case differences (cluster-robust, G-1 degrees of freedom). With
    fewer, that interval is too narrow or has no width at all, so its ends are moved out to those of Tango's score
    interval (1998) where these lie further out. The score interval is taken at the effective number of pairs: the one
    at which single flips would show the variance seen, within [pairs, pairs × trials]; the number of pairs (Kish's
    count with clusters) where no variance is seen. With one trial a case it is Tango's interval itself.
    """
    level = checked_confidence(confidence)
    kept = _differences(base, new)
    ids = kept_clusters(clusters, tried_on_both(base, new), len(base))
    left_out = len(base) - len(kept)
    if not kept:
        method, none = f"paired difference, {level:g}", "no case was tried on both sides"
        return Difference(value=None, low=None, high=None, n=0, pairs=0, apart=0, left_out=left_out, method=method, reason=none)
    differences = [difference for difference, _ in kept]
    numbers = cluster_numbers(len(differences), ids)
    apart = _apart(differences, numbers)
    most = most_independent([tried for _, tried in kept])
    mean, low, high = _t_bounds(differences, numbers, level)
    method = f"t on case differences, {level:g}"
    if apart < ENOUGH:
        score_low, score_high = _score_bounds(differences, numbers, most, level)
        low, high = min(low, score_low), max(high, score_high)
        method = f"t on case differences, widened to Tango's score interval (few differences), {level:g}"
    return Difference(
        value=mean, low=max(-1.0, low), high=min(1.0, high), n=max(numbers) + 1, method=method,
        pairs=len(kept), apart=apart, left_out=left_out,
    )  # fmt: skip


def mean_difference(differences: Sequence[float], confidence: float = 0.95, clusters: Clusters = None) -> Estimate:
    """The mean of paired differences without a natural limit (cost, time, tokens), with Student's t interval.

    Unit: that of the differences. No bounds below two independent pairs or where all agree, since nothing then says
    how far the next pair may lie.
    """
    level = checked_confidence(confidence)
    method = f"t on paired differences, {level:g}"
    check_finite(differences)
    if not differences:
        return Estimate(value=None, low=None, high=None, n=0, method=method, reason="there is no pair")
    numbers = cluster_numbers(len(differences), clusters)
    groups = max(numbers) + 1
    mean, low, high = _t_bounds(differences, numbers, level)
    if low < high:
        return Estimate(value=mean, low=low, high=high, n=groups, method=method)
    reason = f"all {groups} independent pairs differ by the same, so their spread is not known"
    if groups < 2:
        reason = f"an interval needs two independent pairs, here {groups}"
    return Estimate(value=mean, low=None, high=None, n=groups, method=method, reason=reason)


def tango(fixed: int, broken: int, n: int, confidence: float = 0.95) -> Estimate:
    """Tango's score interval (1998) for (fixed - broken) / n over n pairs of single trials, by bisection."""
    level = checked_confidence(confidence)
    method = f"Tango's score interval, {level:g}"
    if min(fixed, broken) < 0 or fixed + broken > n:
        raise ValueError(f"fixed and broken are parts of n, not {fixed!r} and {broken!r} of {n!r}")
    if n == 0:
        return Estimate(value=None, low=None, high=None, n=0, method=method, reason="there is no pair")
    low, high = _tango_bounds(fixed, broken, n, two_sided_z(level))
    return Estimate(value=(fixed - broken) / n, low=low, high=high, n=n, method=method)


def widened_for_few(
    differences: Sequence[float],
    bounds: tuple[float | None, float | None],
    repeats: float = 1.0,
    confidence: float = 0.95,
    clusters: Clusters = None,
) -> tuple[float | None, float | None, bool]:
    """(low, high, whether they were moved) of one difference a case, each from -1 to 1, that is no difference of two counts.

    As in `paired_rates`: with fewer than `ENOUGH` pairs apart the ends lie at least as far out as Tango's, also where there
    were none (None) for want of a spread. `repeats` is the number of single differences that each one is the mean of.
    """
    level = checked_confidence(confidence)
    numbers = cluster_numbers(len(differences), clusters)
    if not differences or _apart(differences, numbers) >= ENOUGH:
        return (*bounds, False)
    low, high = _score_bounds(differences, numbers, len(differences) * repeats, level)
    ends = low if bounds[0] is None else min(low, bounds[0]), high if bounds[1] is None else max(high, bounds[1])
    return (*ends, ends != bounds)


def tried_on_both(base: Counts, new: Counts) -> list[int]:
    """The places, from 0, of the cases with a trial on both sides."""
    return [place for place, ((_, a), (_, b)) in enumerate(zip(base, new, strict=True)) if a and b]


def _differences(base: Counts, new: Counts) -> list[tuple[float, int]]:
    """(difference, fewer trials of the two sides) for each case tried on both."""
    kept = []
    for (base_passed, base_tried), (new_passed, new_tried) in zip(base, new, strict=True):
        if not (0 <= base_passed <= base_tried and 0 <= new_passed <= new_tried):
            raise ValueError(f"passed lies between 0 and tried: {base_passed} of {base_tried}, {new_passed} of {new_tried}")
        if base_tried and new_tried:
            difference = (new_passed * base_tried - base_passed * new_tried) / (base_tried * new_tried)
            kept.append((difference, min(base_tried, new_tried)))
    return kept


def _apart(differences: Sequence[float], numbers: Sequence[int]) -> int:
    grouped: dict[int, list[float]] = {}
    for difference, number in zip(differences, numbers, strict=True):
        grouped.setdefault(number, []).append(difference)
    means = Counter(math.fsum(group) / len(group) for group in grouped.values())
    return means.total() - max(means.values())


def _t_bounds(differences: Sequence[float], numbers: Sequence[int], level: float) -> tuple[float, float, float]:
    """(mean, low, high); low = high = mean where no spread can be seen."""
    mean = math.fsum(differences) / len(differences)
    mean = max(min(differences), min(max(differences), mean))
    variance = variance_of_mean(differences, numbers)
    if not variance or min(differences) == max(differences):
        return mean, mean, mean
    reach = two_sided_t(level, max(numbers)) * math.sqrt(variance)
    return mean, mean - reach, mean + reach


def _score_bounds(differences: Sequence[float], numbers: Sequence[int], most: float, level: float) -> tuple[float, float]:
    n = len(differences)
    up = math.fsum(d for d in differences if d > 0) / n
    down = -math.fsum(d for d in differences if d < 0) / n
    size = fewest_independent(cluster_sizes(numbers))
    variance = variance_of_mean(differences, numbers)
    if variance and min(differences) < max(differences):
        size = max(size, min(most, (up + down - (up - down) ** 2) / variance))
    return _tango_bounds(up * size, down * size, size, two_sided_z(level))


def _tango_bounds(fixed: float, broken: float, n: float, z: float) -> tuple[float, float]:
    seen = (fixed - broken) / n
    low = bisect(lambda true: _tango_score(fixed, broken, n, true) > z, -1.0, seen)
    high = bisect(lambda true: _tango_score(fixed, broken, n, true) >= -z, seen, 1.0)
    return min(low, seen), max(high, seen)


def _tango_score(fixed: float, broken: float, n: float, true: float) -> float:
    """How many standard errors the difference seen lies above a true one, the variance being fitted under that one."""
    middle = -fixed - broken + (2.0 * n - fixed + broken) * true
    last = -broken * true * (1.0 - true)
    share = (math.sqrt(max(0.0, middle * middle - 8.0 * n * last)) - middle) / (4.0 * n)
    variance = n * (2.0 * share + true * (1.0 - true))
    gap = fixed - broken - n * true
    if variance <= 0.0:
        return math.copysign(math.inf, gap) if gap else 0.0
    return gap / math.sqrt(variance)
