"""What a few trials tell of the spread that a larger plan will meet, and how little: the two variances with their bounds.

A pilot of ten cases knows the variance of a difference to about a factor of four, so no plan is given without its range.
Keeps out how many cases follow from a variance (power.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairtrial.stats.bootstrap import Resampling, expanded_tail
from fairtrial.stats.clusters import Clusters, cluster_numbers, kept_clusters, variance_of_mean
from fairtrial.stats.paired import Counts, rate_differences, tried_on_both

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DRAWN = Resampling(resamples=2_000)


def variance_bounds(base: Counts, new: Counts, repeats: Sequence[int], how: Resampling = DRAWN) -> dict[int, tuple[float, float]]:
    """By number of repeats the bounds on the variance of one case's difference, two-sided, by drawing the pilot's cases again.

    Sides as in `power.observed_spread`, which gives the figure between the bounds; empty where that gives none.
    """
    import numpy as np

    pairs = [(a, b) for a, b in zip(base, new, strict=True) if min(a[1], b[1]) >= 2]
    if len(pairs) < 2:
        return {}
    table = np.array([[*a, *b] for a, b in pairs], dtype=np.float64).T
    picked = np.random.default_rng(how.seed).integers(0, len(pairs), (how.resamples, len(pairs)))
    between, within = _parts(table, picked)
    tail = expanded_tail(how.confidence, len(pairs))
    return {k: _ends(between + within / k, tail) for k in repeats}


def _parts(table: NDArray[np.float64], picked: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(between, within) of every draw, by the same moments as `power.observed_spread`."""
    import numpy as np

    base_passed, base_tried, new_passed, new_tried = table
    chances = [passed * (tried - passed) / (tried * (tried - 1)) for passed, tried in ((base_passed, base_tried), (new_passed, new_tried))]
    by_chance = (chances[0] / base_tried + chances[1] / new_tried)[picked].mean(axis=1)
    total = (new_passed / new_tried - base_passed / base_tried)[picked].var(axis=1, ddof=1)
    return np.maximum(0.0, total - by_chance), (chances[0] + chances[1])[picked].mean(axis=1)


def _ends(drawn: NDArray[np.float64], tail: float) -> tuple[float, float]:
    import numpy as np

    ordered = np.sort(drawn)
    last = len(ordered) - 1
    return float(ordered[math.floor(tail * last)]), float(ordered[math.ceil((1.0 - tail) * last)])


def variance_of_singles(base: Counts, new: Counts) -> float | None:
    """The variance of one case's difference where no side of it was tried more than once: repeats cannot be told from cases.

    None below two pairs, and where all differ by the same, since no spread seen is not no spread.
    """
    differences = rate_differences(base, new)
    if len(differences) < 2 or min(differences) == max(differences):
        return None
    variance = variance_of_mean(differences, list(range(len(differences))))
    return None if variance is None else variance * len(differences)


def single_bounds(base: Counts, new: Counts, how: Resampling = DRAWN) -> dict[int, tuple[float, float]]:
    """The bounds on `variance_of_singles`, under 1 trial, as `variance_bounds` gives them; empty below two pairs."""
    import numpy as np

    differences = np.array(rate_differences(base, new))
    n = len(differences)
    if n < 2:
        return {}
    picked = np.random.default_rng(how.seed).integers(0, n, (how.resamples, n))
    return {1: _ends(differences[picked].var(axis=1, ddof=1), expanded_tail(how.confidence, n))}


def cluster_factor(base: Counts, new: Counts, clusters: Clusters) -> float:
    """How many times as large the variance of the mean difference is because cases of a cluster move together; at least 1."""
    differences = rate_differences(base, new)
    numbers = cluster_numbers(len(differences), kept_clusters(clusters, tried_on_both(base, new), len(base)))
    together, apart = variance_of_mean(differences, numbers), variance_of_mean(differences, list(range(len(differences))))
    return max(1.0, together / apart) if together and apart else 1.0
