"""Values that belong together: repeats of one case, variants of one incident, documents of one user.

A value without a cluster id is a cluster of its own. Merging all of those into one would move the error most where
least is known, and leaving them out would count them in n without listening to them. Keeps out what the ids mean.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

from fairtrial.stats.estimate import Estimate, check_finite

Clusters = Sequence[Hashable | None] | None
"""One id a value, None for a value that stands alone; None in place of the sequence: all stand alone."""


def cluster_numbers(n: int, clusters: Clusters) -> list[int]:
    """For each of n values the number of its cluster, from 0 in order of first appearance."""
    if clusters is None:
        return list(range(n))
    if len(clusters) != n:
        raise ValueError(f"one cluster id a value: {n} values but {len(clusters)} ids")
    seen: dict[Hashable, int] = {}
    numbers: list[int] = []
    count = 0
    for name in clusters:
        number = count if name is None else seen.setdefault(name, count)
        count += number == count
        numbers.append(number)
    return numbers


def kept_clusters(clusters: Clusters, kept: Sequence[int], n: int) -> Clusters:
    """The ids of the values at the places `kept` of n; the number of ids must be n."""
    if clusters is None:
        return None
    if len(clusters) != n:
        raise ValueError(f"one cluster id a case: {n} cases but {len(clusters)} ids")
    return [clusters[place] for place in kept]


def cluster_sizes(numbers: Sequence[int]) -> list[int]:
    """How many values each cluster holds, in the order of the cluster numbers."""
    sizes = [0] * (max(numbers) + 1 if numbers else 0)
    for number in numbers:
        sizes[number] += 1
    return sizes


def fewest_independent(sizes: Sequence[int]) -> float:
    """The effective number of values when all of a cluster say the same: (sum of sizes)² / sum of squares (Kish 1965)."""
    return sum(sizes) ** 2 / sum(size * size for size in sizes)


def most_independent(tried: Sequence[int]) -> float:
    """The effective number of trials when none depends on another, each case weighing the same: n² / sum(1/k).

    With k trials in each of n cases that is nk.
    """
    return len(tried) ** 2 / math.fsum(cases / trials for trials, cases in Counter(tried).items())


def variance_of_mean(values: Sequence[float], numbers: Sequence[int], *, corrected: bool = True) -> float | None:
    """The variance of the mean of `values`, clusters taken as the independent units; None below two clusters.

    (sum over clusters of (sum of deviations)²) / n² × G/(G-1), as in Miller, "Adding Error Bars to Evals"
    (arXiv 2411.00640); with single values it is s²/n. `corrected=False` leaves out the G/(G-1).
    """
    n = len(values)
    groups = max(numbers) + 1 if n else 0
    if groups < 2:
        return None
    variance = math.fsum(part * part for part in _sums_of_deviations(values, numbers)) / (n * n)
    return variance * groups / (groups - 1) if corrected else variance


def _sums_of_deviations(values: Sequence[float], numbers: Sequence[int]) -> list[float]:
    """For each cluster the sum of what its values lie above the mean of all."""
    mean = math.fsum(values) / len(values)
    sums = [0.0] * (max(numbers) + 1)
    for value, number in zip(values, numbers, strict=True):
        sums[number] += value - mean
    return sums


def degrees_of_freedom(values: Sequence[float], numbers: Sequence[int]) -> int:
    """How much the variance that `variance_of_mean` finds is itself worth, in degrees of freedom: 1 to G-1 of G >= 2 clusters.

    2G / (kurtosis - (G-3)/(G-1)), rounded down, from the sampling variance of a variance (Satterthwaite 1946): G-1 where
    the values lie like a normal curve, far fewer where nearly all are alike and a few lie far off.
    """
    sums = _sums_of_deviations(values, numbers)
    groups = len(sums)
    square = math.fsum(part**2 for part in sums) / groups
    fourth = math.fsum(part**4 for part in sums) / groups
    if not square or not fourth:
        return 1
    excess = fourth / square**2 - (groups - 3) / (groups - 1)
    return max(1, min(groups - 1, math.floor(2.0 * groups / excess)))


def standard_error(values: Sequence[float], clusters: Clusters = None, *, corrected: bool = True) -> Estimate:
    """The standard error of the mean as `value`, in the unit of the values; `n` counts the clusters.

    None below two clusters, and None where all clusters agree: no spread seen is not the same as no error.
    """
    check_finite(values)
    numbers = cluster_numbers(len(values), clusters)
    groups = max(numbers) + 1 if numbers else 0
    method = f"cluster-robust standard error{', G/(G-1) corrected' if corrected else ''}"
    variance = variance_of_mean(values, numbers, corrected=corrected)
    if variance is None:
        reason = f"a standard error needs two independent values, here {groups}"
    elif variance <= 0.0:
        reason = f"all {groups} independent values agree, so their spread is not known"
    else:
        reason = "a standard error has no interval of its own"
    value = math.sqrt(variance) if variance else None
    return Estimate(value=value, low=None, high=None, n=groups, method=method, reason=reason)
