"""The true mean of many judged trials of which people labelled some: the judge's mean, set right by what it missed on those.

Prediction-powered inference (arXiv 2301.09633) with its weight tuned (PPI++, arXiv 2311.01453), for a mean only: a judge that tells nothing
gets weight 0, and people's own mean is left. The labelled trials must be a random sample of the judged ones. Kept out: the correction by
error rates from an exam (corrected.py), which needs no sample of these trials.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairtrial.stats.clusters import Clusters, cluster_numbers
from fairtrial.stats.distributions import two_sided_t, two_sided_z
from fairtrial.stats.estimate import Estimate, check_finite, checked_confidence
from fairtrial.stats.interval import clustered_rate, mean_share, wilson_bounds
from fairtrial.stats.linearised import kish, summed

if TYPE_CHECKING:
    from fairtrial.stats.linearised import Codes, Numbers

METHOD = "prediction-powered mean, tuned"

PLANTED = ((1.0, 0.0), (0.0, 1.0))
"""One disagreement each way, added to what was seen where a spread is taken: that none was seen is not that there is none."""

Labelled = Sequence[tuple[float, float]]
"""What people said, what the judge said; each from 0 to 1."""


class Predicted(Estimate, frozen=True, kw_only=True):
    """A mean from 0 to 1. `n` counts the labelled trials, `judged` all; `weight` is what the judge's word counted, 0 to 1.

    `raw` is the judge's own mean, `people` that of the labels alone, both with their bounds.
    """

    judged: int
    weight: float | None
    raw: Estimate
    people: Estimate


def predicted_mean(
    labelled: Labelled,
    judged_by_case: Sequence[tuple[int, int]],
    confidence: float = 0.95,
    labelled_clusters: Clusters = None,
    judged_clusters: Clusters = None,
    *,
    among: bool = True,
) -> Predicted:
    """mean(label - w·judge) over the labelled trials + w·(the judge's mean over all), with an interval.

    `labelled` holds (label, judge) a trial, `judged_by_case` (passed by the judge, tried) a case of the whole run; `labelled_clusters` and
    `judged_clusters` the case of each, by the same ids. w = cov(label, judge) ÷ var(judge), within 0 to 1; over 1 + n/N where the labelled
    trials are not `among` the judged ones. Wilson's interval at the effective number of labels: v(1-v) over the cluster-robust variance of
    both parts together, with `PLANTED` added, times (t/z)², t at the labelled cases less 1. None below two labelled cases.
    """
    level = checked_confidence(confidence)
    check_finite(value for pair in labelled for value in pair)
    if any(not 0.0 <= value <= 1.0 for pair in labelled for value in pair):
        raise ValueError("a label and what a judge says lie within 0 to 1")
    raw = clustered_rate(judged_by_case, level, judged_clusters, few="widen")
    people = mean_share([label for label, _ in labelled], level, labelled_clusters)
    judged = sum(tried for _, tried in judged_by_case)
    groups = people.clusters
    if groups < 2 or raw.value is None:
        told = f"two independent labelled cases are the least, here {groups}" if groups < 2 else f"no trial was judged: {raw.reason}"
        return Predicted(
            value=None, low=None, high=None, n=len(labelled), judged=judged, weight=None, raw=raw, people=people,
            method=METHOD, reason=told,
        )  # fmt: skip
    weight = _weight(labelled, 0.0 if among else len(labelled) / judged)
    exact = math.fsum(label - weight * judge for label, judge in labelled) / len(labelled) + weight * raw.value
    value = min(1.0, max(0.0, exact))
    numbers = labelled_clusters, judged_clusters if among else None
    low, high = _bounds(value, labelled, judged_by_case, numbers, (weight, level))
    return Predicted(
        value=value, low=low, high=high, n=len(labelled), judged=judged, weight=weight, raw=raw, people=people,
        method=f"{METHOD}, {level:g}",
    )  # fmt: skip


def _weight(labelled: Labelled, ratio: float) -> float:
    import numpy as np

    together = np.cov(np.array([*labelled, *PLANTED]).T)
    return min(1.0, max(0.0, float(together[0, 1] / together[1, 1]) / (1.0 + ratio)))


def _bounds(
    value: float, labelled: Labelled, judged: Sequence[tuple[int, int]], ids: tuple[Clusters, Clusters], how: tuple[float, float]
) -> tuple[float, float]:
    """Wilson's at the number of independent labels that would tell as much: cases as the units of both parts together."""
    import numpy as np

    weight, level = how
    places, own = _numbers(len(labelled), ids[0], len(judged), ids[1])
    rests = np.array([label - weight * judge for label, judge in labelled])
    rates = np.array([passed / tried if tried else np.nan for passed, tried in judged])
    tried = ~np.isnan(rates)
    groups = max(*places, *own) + 1
    pull = summed((rests - rests.mean()) / len(rests), np.array(places), groups)
    hidden = _hidden(rests, pull, np.bincount(places), weight)
    pull = pull + summed(weight * (rates[tried] - rates[tried].mean()) / tried.sum(), np.array(own)[tried], groups)
    sizes = np.bincount(places)
    sizes = sizes[sizes > 0]
    labelled_groups, least = len(sizes), kish(sizes)
    variance = (float((pull**2).sum()) + hidden) * labelled_groups / (labelled_groups - 1)
    z = two_sided_z(level)
    spread = variance * (two_sided_t(level, labelled_groups - 1) / z) ** 2
    return wilson_bounds(value, max(least, value * (1.0 - value) / spread), z)


def _hidden(rests: Numbers, pull: Numbers, sizes: Codes, weight: float) -> float:
    """The variance that the planted disagreements add, times how much clusters widen what was seen (fully, where nothing was)."""
    import numpy as np

    n, seen = len(rests), float(rests.var(ddof=1))
    planted = float(np.concatenate([rests, [label - weight * judge for label, judge in PLANTED]]).var(ddof=1))
    wider = n / kish(sizes)
    if seen > 1e-18:
        wider = min(wider, max(1.0, float((pull**2).sum()) * n / seen))
    return max(0.0, planted / (n + len(PLANTED)) - seen / n) * wider


def _numbers(n: int, labelled: Clusters, m: int, judged: Clusters) -> tuple[list[int], list[int]]:
    """The cluster numbers of both parts, counted together: one id is one case on both sides. Without ids nothing is shared."""
    one = [None] * n if labelled is None else list(labelled)
    other = [None] * m if judged is None else list(judged)
    numbers = cluster_numbers(n + m, [*one, *other])
    return numbers[:n], numbers[n:]
