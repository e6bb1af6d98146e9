"""How sure a rate is: bounds on a share of successes, with and without repeats of one case.

No interval here has zero width, leaves 0 to 1, or hides a 0 in the denominator. Keeps out differences between two
rates (paired.py) and figures that are no shares (bootstrap.py).
"""

from __future__ import annotations

import math
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
from fairtrial.stats.distributions import beta_quantile, two_sided_t, two_sided_z
from fairtrial.stats.estimate import Estimate, Rate, checked_confidence

FEW = 10
"""Below this many clusters the effective size is reduced further, because its own estimate is a guess by then."""


def wilson(successes: int, n: int, confidence: float = 0.95) -> Estimate:
    """Wilson's score interval (1927) for `successes` of `n` independent draws, two-sided; n = 0 has none."""
    level = checked_confidence(confidence)
    method = f"Wilson, {level:g}"
    _check_count(successes, n)
    if n == 0:
        return Estimate(value=None, low=None, high=None, n=0, method=method, reason="nothing was counted")
    value = successes / n
    low, high = wilson_bounds(value, n, two_sided_z(level))
    return Estimate(value=value, low=low, high=high, n=n, method=method)


def wilson_bounds(share: float, n: float, z: float) -> tuple[float, float]:
    """The two ends of Wilson's interval for a share over n > 0 draws; n may be a fraction, as an effective size is."""
    centre = share + z * z / (2.0 * n)
    reach = z * math.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n))
    scale = 1.0 + z * z / n
    # Exactly 0 and 1 at the ends: rounding must neither pass them nor leave the share outside its own interval.
    low = max(0.0, min(share, (centre - reach) / scale))
    high = min(1.0, max(share, (centre + reach) / scale))
    return low, high


def clopper_pearson(successes: int, n: int, confidence: float = 0.95) -> Estimate:
    """The exact two-sided interval of Clopper and Pearson (1934): never covers less than `confidence`, often more."""
    level = checked_confidence(confidence)
    method = f"Clopper-Pearson exact, {level:g}"
    _check_count(successes, n)
    if n == 0:
        return Estimate(value=None, low=None, high=None, n=0, method=method, reason="nothing was counted")
    one_tail = 0.5 + level / 2.0
    high = _exact_upper(successes, n, one_tail)
    low = 1.0 - _exact_upper(n - successes, n, one_tail)
    return Estimate(value=successes / n, low=low, high=high, n=n, method=method)


def rate_upper_bound(events: int, n: int, confidence: float = 0.95) -> Estimate:
    """The exact one-sided upper bound on the rate of something that was seen in `events` of `n` independent cases.

    Meant for what must not happen: 0 of 100 is not "never" but "at most 3.0 %". `n` counts cases, never trials.
    """
    level = checked_confidence(confidence)
    method = f"exact one-sided upper bound, {level:g}"
    _check_count(events, n)
    if n == 0:
        return Estimate(value=None, low=None, high=None, n=0, method=method, reason="no case was looked at")
    return Estimate(value=events / n, low=0.0, high=_exact_upper(events, n, level), n=n, method=method)


def upper_bound_zero(n: int, confidence: float = 0.95) -> float | None:
    """What 0 events in n independent cases still allow: 1 - (1 - confidence)^(1/n), about 3/n at 0.95; None for n = 0."""
    _check_count(0, n)
    return _exact_upper(0, n, checked_confidence(confidence)) if n else None


def _exact_upper(events: int, n: int, confidence: float) -> float:
    if events == n:
        return 1.0
    if events == 0:
        return -math.expm1(math.log1p(-confidence) / n)
    return beta_quantile(confidence, events + 1.0, float(n - events))


def clustered_rate(passes_by_case: Sequence[tuple[int, int]], confidence: float = 0.95, clusters: Clusters = None) -> Rate:
    """The mean over cases of passed ÷ tried, with Wilson's interval on the effective number of trials.

    `passes_by_case` holds (passed, tried) a case; `clusters` ids of cases that belong together. Each case weighs the
    same, however often it was tried. With n cases, k trials each and rate p:

        deff = Var(mean of case rates) / [p(1-p)/(nk)], clipped to [1, k];  deff = k when all case rates are equal
        interval = Wilson(p, nk / deff)

    With unequal k, nk becomes n² / sum(1/k), the count at which independent trials give that mean the same variance.
    With clusters the variance is the cluster-robust one and the effective size may fall to Kish's count of clusters.
    Below `FEW` clusters the effective size is taken (z/t)² times, t with G-1 degrees of freedom (Korn and Graubard
    1998), never below that floor. With one trial a case this is Wilson's interval itself.
    """
    level = checked_confidence(confidence)
    kept = _cases_that_were_tried(passes_by_case)
    left_out = len(passes_by_case) - len(kept)
    method = f"Wilson on the effective sample size, {level:g}"
    if not kept:
        none = "no case has a trial"
        return Rate(value=None, low=None, high=None, n=0, cases=0, clusters=0, left_out=left_out, method=method, reason=none)
    ids = kept_clusters(clusters, kept, len(passes_by_case))
    counts = [passes_by_case[index] for index in kept]
    rates = [passed / tried for passed, tried in counts]
    most = most_independent([tried for _, tried in counts])
    value, size, groups = _effective_size(rates, cluster_numbers(len(rates), ids), most, level)
    low, high = wilson_bounds(value, size, two_sided_z(level))
    trials = sum(tried for _, tried in counts)
    return Rate(
        value=value, low=low, high=high, n=trials, method=method, cases=len(counts), clusters=groups,
        left_out=left_out, effective_n=size, design_effect=most / size,
    )  # fmt: skip


def mean_share(shares: Sequence[float], confidence: float = 0.95, clusters: Clusters = None, repeats: float = 1.0) -> Rate:
    """The mean of one share a case (each within 0 to 1), with the same interval as `clustered_rate`.

    For figures that are counted within a case first: pass^k, stability, recovered ÷ met. `repeats` is the number of
    trials behind each share and bounds how much more than one a case may tell; 1 is the careful choice.
    """
    level = checked_confidence(confidence)
    method = f"Wilson on the effective sample size of case means, {level:g}"
    wrong = [share for share in shares if not 0.0 <= share <= 1.0]
    if wrong or repeats < 1.0:
        raise ValueError(f"shares lie within 0 to 1 and repeats at 1 or more, not {wrong[:3]!r} and {repeats!r}")
    if not shares:
        return Rate(value=None, low=None, high=None, n=0, cases=0, clusters=0, method=method, reason="no case has a share")
    n = len(shares)
    value, size, groups = _effective_size(shares, cluster_numbers(n, clusters), n * repeats, level)
    low, high = wilson_bounds(value, size, two_sided_z(level))
    return Rate(
        value=value, low=low, high=high, n=n, method=method, cases=n, clusters=groups,
        effective_n=size, design_effect=n * repeats / size,
    )  # fmt: skip


def _effective_size(rates: Sequence[float], numbers: Sequence[int], most: float, level: float) -> tuple[float, float, int]:
    """(mean, effective number of draws, clusters); `most` is that number if all draws were independent."""
    sizes = cluster_sizes(numbers)
    groups = len(sizes)
    least = min(most, fewest_independent(sizes))
    if all(rate == rates[0] for rate in rates):
        return rates[0], least, groups  # no spread seen: the variance is unknown, so the careful end
    mean = min(1.0, math.fsum(rates) / len(rates))
    variance = variance_of_mean(rates, numbers)
    if variance is None:
        return mean, least, groups
    size = mean * (1.0 - mean) / variance if variance > 0.0 else least
    size = max(least, min(most, size))
    if groups < FEW:
        size = max(least, size * (two_sided_z(level) / two_sided_t(level, groups - 1)) ** 2)
    return mean, size, groups


def _cases_that_were_tried(passes_by_case: Sequence[tuple[int, int]]) -> list[int]:
    for passed, tried in passes_by_case:
        _check_count(passed, tried)
    return [index for index, (_, tried) in enumerate(passes_by_case) if tried]


def _check_count(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"a count lies between 0 and its total: {successes!r} of {n!r}")
