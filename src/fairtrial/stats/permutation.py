"""Could chance alone have done it? Exact paired tests that assume no curve: sign flips and McNemar.

If the two sides are alike, each pair could as well have been swapped. How large the difference is, is for paired.py.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairtrial.stats.clusters import Clusters, cluster_numbers, kept_clusters
from fairtrial.stats.distributions import binomial_at_most
from fairtrial.stats.estimate import PValue, check_finite
from fairtrial.stats.paired import Counts, rate_differences, tried_on_both

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 100_000
_EXACT_WORK = 20_000_000  # steps of the exact sum; about 20 ms
_EXACT_PAIRS = 20  # 2^20 sign patterns fit in 8 MB
_DRAWN_SIGNS = 40_000_000  # signs drawn at most; about a third of a second
_DRAWN_COUNTS = 20_000_000  # binomial counts drawn at most; as long
_FEWEST_DRAWS = 10_000


def mcnemar(fixed: int, broken: int) -> PValue:
    """McNemar's exact test: of the pairs that flipped, could half have gone each way?

    p = 2·P(Bin(fixed + broken, 1/2) <= the smaller), at most 1. No flip at all is no evidence: p = 1.
    """
    if min(fixed, broken) < 0:
        raise ValueError(f"counts are 0 or more, not {fixed!r} and {broken!r}")
    flipped = fixed + broken
    return PValue(p_value=_two_sided_coin(min(fixed, broken), flipped), n=flipped, method="exact McNemar, two-sided")


def sign_flip_rates(base: Counts, new: Counts, clusters: Clusters = None, seed: int = 0) -> PValue:
    """The sign-flip test on case rates: (passed, tried) of both sides in the same order of cases.

    Exact by counting on whole numbers (rates over a shared denominator), so that equal sums are equal. Where that
    takes too long, seeded draws with p = (1 + as large) / (1 + draws). Clusters flip as one. Cases not tried on both
    sides say nothing.
    """
    both = tried_on_both(base, new)
    ids = kept_clusters(clusters, both, len(base))
    scale = math.lcm(*(base[index][1] * new[index][1] for index in both))
    if scale > sys.maxsize:
        return sign_flip(rate_differences(base, new), ids, seed)
    whole = [_over(base[index], new[index], scale) for index in both]
    units = _summed(whole, cluster_numbers(len(whole), ids))
    shared = math.gcd(*units) or 1
    return _flip_whole([unit // shared for unit in units], seed)


def sign_flip(differences: Sequence[float], clusters: Clusters = None, seed: int = 0) -> PValue:
    """The sign-flip test on any paired differences (cost, time): is their sum far from 0?

    All sign patterns up to 20 independent pairs that differ, else seeded draws with p = (1 + as large) / (1 + draws).
    """
    import numpy as np

    check_finite(differences)
    units = [math.fsum(part) for part in _grouped(differences, cluster_numbers(len(differences), clusters))]
    n = len(units)
    if not n:
        return PValue(p_value=None, n=0, method="sign flips", reason="there is no pair")
    sizes = np.array([abs(unit) for unit in units if unit])
    seen = abs(math.fsum(units))
    floor = seen - 1e-9 * float(sizes.sum())  # sums that differ by rounding alone are equal
    if len(sizes) <= _EXACT_PAIRS:
        sums = np.zeros(1)
        for size in sizes:
            sums = np.concatenate([sums - size, sums + size])
        return PValue(p_value=float(np.mean(np.abs(sums) >= floor)), n=n, method="sign flips, exact, two-sided")
    draws = max(2_000, min(RESAMPLES, _DRAWN_SIGNS // len(sizes)))
    hits = _drawn_at_least(sizes, floor, draws, np.random.default_rng(seed))
    return PValue(p_value=(1 + hits) / (1 + draws), n=n, method=f"sign flips, {draws} draws, two-sided")


def _over(base: tuple[int, int], new: tuple[int, int], scale: int) -> int:
    return (new[0] * base[1] - base[0] * new[1]) * (scale // (base[1] * new[1]))


def _summed(whole: Sequence[int], numbers: Sequence[int]) -> list[int]:
    sums = [0] * (max(numbers) + 1 if numbers else 0)
    for value, number in zip(whole, numbers, strict=True):
        sums[number] += value
    return sums


def _grouped(values: Sequence[float], numbers: Sequence[int]) -> list[list[float]]:
    groups: list[list[float]] = [[] for _ in range(max(numbers) + 1 if numbers else 0)]
    for value, number in zip(values, numbers, strict=True):
        groups[number].append(value)
    return groups


def _flip_whole(units: Sequence[int], seed: int) -> PValue:
    n = len(units)
    if not n:
        return PValue(p_value=None, n=0, method="sign flips", reason="no case was tried on both sides")
    sizes = Counter(abs(unit) for unit in units if unit)
    seen, total = abs(sum(units)), sum(size * times for size, times in sizes.items())
    exact = "sign flips, exact, two-sided"
    if len(sizes) <= 1:  # one size of step: the sum is a coin count, as in McNemar
        flips = sizes.total()
        smaller = (flips - seen // next(iter(sizes))) // 2 if sizes else 0
        return PValue(p_value=_two_sided_coin(smaller, flips), n=n, method=exact)
    if sizes.total() * total <= _EXACT_WORK:
        return PValue(p_value=_counted_at_least(sizes, seen, total), n=n, method=exact)
    draws = max(_FEWEST_DRAWS, min(RESAMPLES, _DRAWN_COUNTS // len(sizes)))
    hits = _coins_at_least(sizes, seen, draws, seed)
    return PValue(p_value=(1 + hits) / (1 + draws), n=n, method=f"sign flips, {draws} draws, two-sided")


def _two_sided_coin(smaller: int, flips: int) -> float:
    return min(1.0, max(sys.float_info.min, 2.0 * binomial_at_most(smaller, flips, 0.5)))


def _counted_at_least(sizes: Counter[int], seen: int, total: int) -> float:
    """P(|sum of randomly signed steps| >= seen), from the whole distribution of the sum of the positive ones."""
    import numpy as np

    chance = np.zeros(total + 1)
    chance[0] = 1.0
    reach = 0
    for size, times in sizes.items():
        for _ in range(times):
            reach += size
            chance[size : reach + 1] += chance[: reach - size + 1].copy()
            chance[: reach + 1] *= 0.5
    sums = 2 * np.arange(total + 1) - total
    return min(1.0, max(sys.float_info.min, float(chance[np.abs(sums) >= seen].sum())))


def _coins_at_least(sizes: Counter[int], seen: int, draws: int, seed: int) -> int:
    """How many of so many random signings reach `seen`; steps of one size are drawn as one binomial count."""
    import numpy as np

    rng = np.random.default_rng(seed)
    sums = np.zeros(draws)
    for size, times in sorted(sizes.items()):
        sums += float(size) * (2.0 * rng.binomial(times, 0.5, draws) - times)
    tolerance = 1e-9 * sum(size * times for size, times in sizes.items())
    return int(np.count_nonzero(np.abs(sums) >= seen - min(tolerance, 0.5)))


def _drawn_at_least(sizes: NDArray[np.float64], floor: float, draws: int, rng: np.random.Generator) -> int:
    import numpy as np

    hits = 0
    block = max(1, 2_000_000 // len(sizes))  # 16 MB of signs at a time
    for start in range(0, draws, block):
        signs = rng.integers(0, 2, (min(block, draws - start), len(sizes)), dtype=np.int8)
        sums = (2.0 * signs - 1.0) @ sizes
        hits += int(np.count_nonzero(np.abs(sums) >= floor))
    return hits
