"""How sure a rate is: bounds on a share of successes, with and without repeats of one case.

No interval here has zero width, leaves 0 to 1, or hides a 0 in the denominator. Keeps out differences between two
rates (paired.py) and figures that are no shares (bootstrap.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from fairtrial.stats.caution import FEW, few_cases, few_failures
from fairtrial.stats.clusters import (
    Clusters,
    cluster_numbers,
    cluster_sizes,
    degrees_of_freedom,
    fewest_independent,
    kept_clusters,
    most_independent,
    variance_of_mean,
)
from fairtrial.stats.distributions import beta_quantile, two_sided_t, two_sided_z
from fairtrial.stats.estimate import Estimate, Rate, checked_confidence

WIDENED = ", widened by Student's t"

Few = Literal["literal", "widen"]
"""What is done below `FEW` independent cases: the formula to the letter, with a caution, or the widened one as from there on."""


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


def clustered_rate(
    passes_by_case: Sequence[tuple[int, int]], confidence: float = 0.95, clusters: Clusters = None, few: Few = "literal"
) -> Rate:
    """The mean over cases of passed ÷ tried, with Wilson's interval on the effective number of trials.

    `passes_by_case` holds (passed, tried) a case; `clusters` ids of cases that belong together. Each case weighs the
    same, however often it was tried. With n cases, k trials each and rate p:

        deff = V / [p(1-p)/(nk)], clipped to [1, k];  deff = k when all case rates are equal
        interval = Wilson(p, nk / deff)

    Below `FEW` independent cases V is sum of (case rate - p)² / n², as the public contract has it; that covers less than
    it states, and `caution` says so. From there on, and with `few="widen"` everywhere (for who decides on a bound), V is
    that with G/(G-1) of G clusters, times (t/z)²: Student's t with the degrees of freedom that V itself has by the
    kurtosis of the case rates (`clusters.degrees_of_freedom`), since a few cases that fail now and then say little about a spread.

    With unequal k, nk becomes n² / sum(1/k), the count at which independent trials give that mean the same variance.
    With clusters the variance is the cluster-robust one and the effective size may fall to Kish's count of clusters.
    With one trial a case this is Wilson's interval itself. Why so: docs/decisions/009-interval-from-ten-cases.md.
    """
    level = checked_confidence(confidence)
    kept = _cases_that_were_tried(passes_by_case)
    left_out = len(passes_by_case) - len(kept)
    method = "Wilson on the effective sample size"
    if not kept:
        none, named = "no case has a trial", f"{method}, {level:g}"
        return Rate(value=None, low=None, high=None, n=0, cases=0, clusters=0, left_out=left_out, method=named, reason=none)
    ids = kept_clusters(clusters, kept, len(passes_by_case))
    counts = [passes_by_case[index] for index in kept]
    numbers = cluster_numbers(len(counts), ids)
    most = most_independent([tried for _, tried in counts])
    rate = _rate([passed / tried for passed, tried in counts], numbers, most, level, few, method)
    return replace(rate, n=sum(tried for _, tried in counts), left_out=left_out)


def mean_share(
    shares: Sequence[float], confidence: float = 0.95, clusters: Clusters = None, repeats: float = 1.0, few: Few = "widen"
) -> Rate:
    """The mean of one share a case (each within 0 to 1), with an interval like that of `clustered_rate`, widened for few.

    For figures that are counted within a case first: pass^k, stability, recovered ÷ met. `repeats` is the number of
    trials behind each share and bounds how much more than one a case may tell; 1 is the careful choice.
    """
    level = checked_confidence(confidence)
    method = "Wilson on the effective sample size of case means"
    wrong = [share for share in shares if not 0.0 <= share <= 1.0]
    if wrong or repeats < 1.0:
        raise ValueError(f"shares lie within 0 to 1 and repeats at 1 or more, not {wrong[:3]!r} and {repeats!r}")
    if not shares:
        named = f"{method}, {level:g}"
        return Rate(value=None, low=None, high=None, n=0, cases=0, clusters=0, method=named, reason="no case has a share")
    n = len(shares)
    return _rate(shares, cluster_numbers(n, clusters), n * repeats, level, few, method)


def pooled_share(counts: Sequence[tuple[int, int]], confidence: float = 0.95, clusters: Clusters = None) -> Rate:
    """Good ÷ all over the things of all cases together (tool calls of a case, say): a case with more of them weighs more.

    `counts` holds (good, all) a case. Wilson's interval on the effective number of things, p(1-p) over the variance of the ratio
    (by linear approximation, of clusters, G/(G-1), times (t/z)² as in `clustered_rate`), within [Kish's number of clusters, all].
    """
    level = checked_confidence(confidence)
    method = f"Wilson on the effective number, clustered by case{WIDENED}, {level:g}"
    kept = _cases_that_were_tried(counts)
    if not kept:
        return Rate(value=None, low=None, high=None, n=0, cases=0, clusters=0, method=method, reason="nothing was counted")
    numbers = cluster_numbers(len(kept), kept_clusters(clusters, kept, len(counts)))
    good, every = [counts[place][0] for place in kept], [counts[place][1] for place in kept]
    total, groups = sum(every), max(numbers) + 1
    value = sum(good) / total
    weights = [0] * groups
    for part, number in zip(every, numbers, strict=True):
        weights[number] += part
    size = least = fewest_independent(weights)
    rests = [one - value * part for one, part in zip(good, every, strict=True)]
    variance = (variance_of_mean(rests, numbers) or 0.0) * (len(rests) / total) ** 2
    if variance > 1e-18:
        wider = two_sided_t(level, degrees_of_freedom(rests, numbers)) / two_sided_z(level)
        size = max(least, min(total, value * (1.0 - value) / (variance * wider**2)))
    low, high = wilson_bounds(value, size, two_sided_z(level))
    return Rate(
        value=value, low=low, high=high, n=total, cases=len(kept), clusters=groups, left_out=len(counts) - len(kept), effective_n=size,
        method=method, design_effect=total / size,
    )  # fmt: skip


def _rate(rates: Sequence[float], numbers: Sequence[int], most: float, level: float, few: Few, method: str) -> Rate:
    """The rate over one case or more, `n` counting cases; `most` is the effective number of draws if all were independent."""
    sizes = cluster_sizes(numbers)
    groups = len(sizes)
    least = min(most, fewest_independent(sizes))
    careful = few == "widen" or groups >= FEW
    value, size = _effective_size(rates, numbers, (least, most), level if careful else None)
    low, high = wilson_bounds(value, size, two_sided_z(level))
    # At the floor each case counts as one trial, and no interval here is wider: nothing to warn of.
    narrowed = size > least * (1.0 + 1e-9)
    caution = "" if few == "widen" else few_cases(groups, most / least) or few_failures(_unlike(rates, numbers), groups)
    return Rate(
        value=value, low=low, high=high, n=len(rates), cases=len(rates), clusters=groups, effective_n=size,
        method=f"{method}{WIDENED if careful and most > least else ''}, {level:g}",
        design_effect=most / size, caution=caution if narrowed else "",
    )  # fmt: skip


def _effective_size(
    rates: Sequence[float], numbers: Sequence[int], within: tuple[float, float], level: float | None
) -> tuple[float, float]:
    """(mean, effective number of draws); the number lies `within` the two bounds. Widened for the level, or to the letter."""
    least, most = within
    if all(rate == rates[0] for rate in rates):
        return rates[0], least  # no spread seen: the variance is unknown, so the careful end
    mean = min(1.0, math.fsum(rates) / len(rates))
    variance = variance_of_mean(rates, numbers, corrected=level is not None)
    if not variance:
        return mean, least
    if level is not None:
        variance *= (two_sided_t(level, degrees_of_freedom(rates, numbers)) / two_sided_z(level)) ** 2
    return mean, max(least, min(most, mean * (1.0 - mean) / variance))


def _unlike(rates: Sequence[float], numbers: Sequence[int]) -> int:
    """How many clusters did not go as the commonest end (all passed, or none): what is known of the spread comes from these."""
    ends = []
    for end in (0.0, 1.0):
        ends.append(len({number for rate, number in zip(rates, numbers, strict=True) if rate != end}))
    return min(ends)


def _cases_that_were_tried(passes_by_case: Sequence[tuple[int, int]]) -> list[int]:
    for passed, tried in passes_by_case:
        _check_count(passed, tried)
    return [index for index, (_, tried) in enumerate(passes_by_case) if tried]


def _check_count(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"a count lies between 0 and its total: {successes!r} of {n!r}")
