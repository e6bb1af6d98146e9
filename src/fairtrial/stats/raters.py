"""How far several raters agree with each other: Fleiss' kappa and Krippendorff's alpha, with labels missing anywhere.

A rating is three numbers: its unit, its label, and the cluster of the unit. Units with one rating alone say nothing of agreement.
Kept out: which label is right (agreement.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from fairtrial.stats.estimate import checked_confidence
from fairtrial.stats.linearised import Figure, bounds_of, missing, summed

if TYPE_CHECKING:
    from fairtrial.stats.linearised import Codes, Numbers

Scale = Literal["nominal", "ordinal", "interval"]
"""What lies between two labels: nothing but that they differ, how many ratings lie between them, or their numbers."""


class _Units(NamedTuple):
    """The ratings of units with two ratings or more. `units` and `labels` by rating; `sizes` (ratings) and `groups` (cluster) by unit."""

    units: Codes
    labels: Codes
    sizes: Numbers
    groups: Codes


def fleiss_kappa(units: Codes, labels: Codes, clusters: Codes, confidence: float = 0.95) -> Figure:
    """Fleiss' kappa (1971); each unit weighs the same, however many ratings it has. `n` counts units of two ratings or more.

    With as many ratings of every unit it is the published figure. None where all ratings are one label.
    """
    import numpy as np

    level = checked_confidence(confidence)
    method = f"Fleiss' kappa, delta method on clusters, {level:g}"
    kept = _pairable(units, labels, clusters)
    if kept is None:
        return missing("no item has two ratings", 0, 0, method)
    apart = _disagreeing(kept) / (kept.sizes * (kept.sizes - 1.0))
    shares = np.bincount(kept.labels) / len(kept.labels)
    pull = (apart - apart.mean()) / len(apart)
    return _quotient(kept, (float(apart.mean()), pull), _nominal(kept, shares), (level, method))


def krippendorff_alpha(
    units: Codes, labels: Codes, clusters: Codes, confidence: float = 0.95, *, scale: Scale = "nominal", numbers: Numbers | None = None
) -> Figure:
    """Krippendorff's alpha (2011), 1 - seen ÷ expected disagreement over all pairs of ratings within a unit; ratings may be missing.

    `numbers` gives what each label is worth, by its code, for the scales `ordinal` (only its order counts) and `interval`. None where
    all ratings are one label: nothing could have differed.
    """
    import numpy as np

    level = checked_confidence(confidence)
    method = f"Krippendorff's alpha, {scale}, delta method on clusters, {level:g}"
    kept = _pairable(units, labels, clusters)
    if kept is None:
        return missing("no item has two ratings", 0, 0, method)
    total = float(len(kept.labels))
    if scale == "nominal":
        apart = _disagreeing(kept) / (kept.sizes - 1.0)
        shares = np.bincount(kept.labels) / total
        expected, pull = _nominal(kept, shares)
    else:
        worth = _worth(kept.labels, numbers, scale)
        worth -= worth.mean()  # so that large numbers close together keep their digits
        widest = float(np.ptp(worth)) ** 2 or 1.0
        squares, sums = summed(worth**2, kept.units), summed(worth, kept.units)
        apart = 2.0 * (kept.sizes * squares - sums**2) / (kept.sizes - 1.0) / widest
        spread = float(worth.var())
        expected, pull = 2.0 * spread / widest, summed(2.0 * (worth**2 - spread) / widest, kept.units) / total
    seen = float(apart.sum()) / total
    own = (apart - seen * kept.sizes) / total
    return _quotient(kept, (seen, own), (expected * total / (total - 1.0), pull), (level, method))


def _pairable(units: Codes, labels: Codes, clusters: Codes) -> _Units | None:
    import numpy as np

    if not len(units):
        return None
    several = np.bincount(units)[units] > 1
    if not several.any():
        return None
    _, first, numbers = np.unique(units[several], return_index=True, return_inverse=True)
    groups = np.unique(clusters[several][first], return_inverse=True)[1]
    return _Units(numbers, labels[several], np.bincount(numbers).astype(float), groups)


def _disagreeing(kept: _Units) -> Numbers:
    """By unit the ordered pairs of ratings that differ: m² less the sum of squares of how often each label was given."""
    import numpy as np

    width = int(kept.labels.max()) + 1
    cells, counts = np.unique(kept.units * width + kept.labels, return_counts=True)
    return kept.sizes**2 - summed(counts.astype(float) ** 2, cells // width, len(kept.sizes))


def _nominal(kept: _Units, shares: Numbers) -> tuple[float, Numbers]:
    """(1 - sum of squared shares, influence of each unit on it)."""
    same = float((shares**2).sum())
    if shares.max() == 1.0:
        return 0.0, kept.sizes * 0.0
    return 1.0 - same, summed(-2.0 * (shares[kept.labels] - same), kept.units) / len(kept.labels)


def _worth(labels: Codes, numbers: Numbers | None, scale: Scale) -> Numbers:
    """What each rating is worth: its number, or for the ordinal scale the middle rank of its number among all ratings."""
    import numpy as np

    given = labels.astype(float) if numbers is None else numbers[labels]
    if scale == "interval":
        return np.array(given, dtype=np.float64)
    _, places, counts = np.unique(given, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - counts / 2.0)[places], dtype=np.float64)


def _quotient(kept: _Units, seen: tuple[float, Numbers], expected: tuple[float, Numbers], how: tuple[float, str]) -> Figure:
    """1 - seen ÷ expected, both with the influence of each unit; bounds on the scale of the seen disagreement."""
    import numpy as np

    level, method = how
    n, groups = len(kept.sizes), int(kept.groups.max()) + 1
    if expected[0] <= 0.0:
        return missing("all ratings are one label, so they would agree by chance alone", n, groups, method)
    value = 1.0 - seen[0] / expected[0]
    pull = (seen[1] - seen[0] / expected[0] * expected[1]) * n
    low, high = bounds_of(min(1.0, seen[0]), summed(pull, kept.groups), np.bincount(kept.groups), level, floor=False)
    return Figure(
        value=value, low=max(-1.0, min(value, 1.0 - high / expected[0])), high=min(1.0, max(value, 1.0 - low / expected[0])),
        n=n, clusters=groups, method=method,
    )  # fmt: skip
