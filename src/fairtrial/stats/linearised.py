"""The interval of a figure whose every cluster is known to pull it so far up or down: a share, or what is one less a quotient of shares.

A figure such as kappa is no mean, but near what was seen it moves like one: its influence values, one an item, add up to
its error (the delta method). Their spread over clusters gives an effective number of items, and Wilson's interval at that
number keeps the bounds inside what is possible and never without width. Kept out: which figure it is (agreement.py, raters.py).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairtrial.stats.distributions import two_sided_t, two_sided_z
from fairtrial.stats.estimate import Estimate
from fairtrial.stats.interval import wilson_bounds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.intp]
    Numbers = NDArray[np.float64]
    Marks = NDArray[np.bool_]

MANY = 200
_NONE = 1e-24
"""A variance below this is none at all: what is left of it is rounding."""


class Figure(Estimate, frozen=True, kw_only=True):
    """`n` counts the items behind the figure, `clusters` the groups of them that stand apart."""

    clusters: int


def missing(reason: str, n: int, clusters: int, method: str) -> Figure:
    """A figure that cannot be had."""
    return Figure(value=None, low=None, high=None, n=n, clusters=clusters, method=method, reason=reason)


def share_of(good: Marks, every: Marks, clusters: Codes, level: float) -> Figure:
    """The share of `good` among `every`, both marks over all items, with the interval of `interval.pooled_share`.

    `clusters` numbers the group of each item. What lies outside `every` says nothing. None where nothing lies inside.
    """
    import numpy as np

    method = f"Wilson on the effective number, clustered, {level:g}"
    inside = np.flatnonzero(every)
    if not len(inside):
        return missing("no item counts", 0, 0, method)
    numbers = np.unique(clusters[inside], return_inverse=True)[1]
    hits = good[inside].astype(float)
    weights = np.bincount(numbers)
    value = float(hits.mean())
    low, high = bounds_of(value, summed(hits - value, numbers), weights, level)
    return Figure(value=value, low=low, high=high, n=len(inside), clusters=len(weights), method=method)


def bounds_of(value: float, sums: Numbers, weights: Codes, level: float, *, floor: bool = True) -> tuple[float, float]:
    """Wilson's bounds of a share `value` at its effective number of items.

    `sums` are the influence values of each cluster added up (their total is 0), `weights` the items in it. The effective
    number is value·(1 - value) ÷ variance, the variance being cluster-robust with G/(G-1) and widened by (t/z)², t with the degrees
    of freedom that the variance itself has. It is at most the number of items, and, with `floor`, at least Kish's number of clusters,
    which is also what is taken where no spread is seen.
    """
    n, least = int(weights.sum()), kish(weights)
    variance = robust_variance(sums, n)
    size = least
    if variance > _NONE:
        wider = _wider(level, freedom(sums))
        size = min(float(n), value * (1.0 - value) / (variance * wider**2))
        size = max(least, size) if floor else size
    return wilson_bounds(value, max(size, 1e-9), two_sided_z(level))


def summed(pulls: Numbers, numbers: Codes, groups: int = 0) -> Numbers:
    """The influence values of each cluster added up; `groups` where clusters beyond the last one count as well."""
    import numpy as np

    return np.asarray(np.bincount(numbers, weights=pulls, minlength=groups), dtype=np.float64)


def _wider(level: float, degrees: int) -> float:
    """Student's t over z. For many degrees of freedom by its expansion (Abramowitz and Stegun 26.7.5), whose error is below 1e-6 there."""
    z = two_sided_z(level)
    if degrees < MANY:
        return two_sided_t(level, degrees) / z
    return 1.0 + (z**2 + 1.0) / (4.0 * degrees) + (5.0 * z**4 + 16.0 * z**2 + 3.0) / (96.0 * degrees**2)


def robust_variance(sums: Numbers, n: float) -> float:
    """The variance of a mean over `n` items from the sums of influence of each cluster, × G/(G-1); 0 for one cluster."""
    groups = len(sums)
    return float((sums * sums).sum()) / (n * n) * groups / (groups - 1) if groups > 1 else 0.0


def kish(weights: Codes | Numbers) -> float:
    """The effective number of items when all of a cluster say the same (Kish 1965)."""
    total = float(weights.sum())
    return total * total / float((weights.astype(float) ** 2).sum())


def freedom(sums: Numbers) -> int:
    """The degrees of freedom of the variance that `sums` show: `clusters.degrees_of_freedom`, for sums that are there already."""
    groups = len(sums)
    square = float((sums**2).mean())
    fourth = float((sums**4).mean())
    if not square or not fourth:
        return 1
    excess = fourth / square**2 - (groups - 3) / (groups - 1)
    return max(1, min(groups - 1, math.floor(2.0 * groups / excess)))
