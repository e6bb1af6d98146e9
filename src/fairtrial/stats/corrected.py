"""What a judge's pass rate is worth once it is known how the judge errs: Rogan and Gladen's correction, with the exam's own uncertainty.

A judge that passes much of what is wrong shows a high rate for everybody. Its sensitivity (of what is right, the share it passes) and
specificity (of what is wrong, the share it fails) come from an exam on items that people labelled, and are no more certain than that
exam was large. Kept out: the mean that leans on labels of the very trials (predicted.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairtrial.stats.clusters import Clusters
from fairtrial.stats.distributions import bisect
from fairtrial.stats.estimate import Estimate, checked_confidence
from fairtrial.stats.interval import clustered_rate, pooled_share

if TYPE_CHECKING:
    from collections.abc import Callable

METHOD = "Rogan-Gladen, bounds by test inversion from those of its three parts"


class Corrected(Estimate, frozen=True, kw_only=True):
    """A corrected rate, 0 to 1. `n` counts the judged trials.

    `raw` is what the judge said, `unclipped` the formula's result where that lies outside 0 to 1 (None else), `sensitivity` and
    `specificity` what went into it. `reason` says why a value or a bound is not there.
    """

    raw: Estimate
    sensitivity: Estimate
    specificity: Estimate
    unclipped: float | None = None


def corrected_rate(
    passes_by_case: Sequence[tuple[int, int]],
    exam: Sequence[tuple[bool, bool]],
    confidence: float = 0.95,
    clusters: Clusters = None,
    exam_clusters: Clusters = None,
) -> Corrected:
    """The corrected mean over cases of one arm.

    `passes_by_case` holds (passed by the judge, tried) a case, `clusters` ids of cases that belong together. `exam` holds (right by
    people, passed by the judge) an item of this arm's exam, `exam_clusters` the case of each. Error rates differ between arms: correct
    each with an exam on its own answers.
    """
    level = checked_confidence(confidence)
    sensitivity = pooled_share([(int(said and right), int(right)) for right, said in exam], level, exam_clusters)
    specificity = pooled_share([(int(not said and not right), int(not right)) for right, said in exam], level, exam_clusters)
    return rogan_gladen(clustered_rate(passes_by_case, level, clusters, few="widen"), sensitivity, specificity)


def rogan_gladen(raw: Estimate, sensitivity: Estimate, specificity: Estimate) -> Corrected:
    """(q + sp - 1) ÷ (se + sp - 1), from three estimates whose bounds have one confidence.

    Bounds: all true rates p for which q - p·se - (1-p)(1-sp) may be 0, the distances of its three parts to their own bounds put
    together as roots of squares (Fieller's inversion with the recovery of variances of Zou and Donner 2008). That carries the
    uncertainty of the exam, needs no division, and ends at 0 to 1 where the exam cannot tell the judge from a coin. The parts count
    as independent. No value where se + sp <= 1: such a judge says no more than a coin, and its rate is no evidence.
    """
    parts = raw, sensitivity, specificity
    made: Callable[..., Corrected] = lambda **what: Corrected(  # noqa: E731 - one form for every way out
        n=raw.n, method=METHOD, raw=raw, sensitivity=sensitivity, specificity=specificity, **what
    )
    for name, part in zip(("the judge's own rate", "its sensitivity", "its specificity"), parts, strict=True):
        if part.value is None or part.low is None or part.high is None:
            return made(value=None, low=None, high=None, reason=f"{name} is not known: {part.reason}")
    q, se, fpr = raw.value or 0.0, sensitivity.value or 0.0, 1.0 - (specificity.value or 0.0)
    if se - fpr <= 0.0:
        told = f"sensitivity {se:.3g} and specificity {1.0 - fpr:.3g} add up to 1 or less: this judge tells no more than a coin"
        return made(value=None, low=None, high=None, reason=told)
    exact = (q - fpr) / (se - fpr)
    value = min(1.0, max(0.0, exact))
    unclipped = None if value == exact else exact
    low, high = _inverted(parts, value)
    if low is None or high is None:
        told = "the judge's rate lies outside what its error rates allow at any true rate: the exam is not of this arm"
        return made(value=None, low=None, high=None, reason=told, unclipped=exact)
    return made(value=value, low=low, high=high, unclipped=unclipped)


def difference(base: Estimate, new: Estimate) -> Estimate:
    """New less base, each with its own bounds, put together as roots of squares (Zou and Donner 2008). Both count as independent, which
    on the same cases is wide rather than narrow. None where one side has no value."""
    method = f"difference of corrected rates, by variance estimates recovery ({new.method})"
    n = min(base.n, new.n)
    for name, side in (("base", base), ("new", new)):
        if side.value is None or side.low is None or side.high is None:
            return Estimate(value=None, low=None, high=None, n=n, method=method, reason=f"{name}: {side.reason}")
    b, b_low, b_high = base.value or 0.0, base.low or 0.0, base.high or 0.0
    v, v_low, v_high = new.value or 0.0, new.low or 0.0, new.high or 0.0
    low, high = v - b - math.hypot(v - v_low, b_high - b), v - b + math.hypot(v_high - v, b - b_low)
    return Estimate(value=v - b, low=max(-1.0, low), high=min(1.0, high), n=n, method=method)


def _inverted(parts: tuple[Estimate, Estimate, Estimate], value: float) -> tuple[float | None, float | None]:
    """The least and the greatest true rate that the three parts allow; None, None where they allow none at all."""
    (q, q_low, q_high), (se, se_low, se_high), (sp, sp_low, sp_high) = (
        (part.value or 0.0, part.low or 0.0, part.high or 0.0) for part in parts
    )

    def beyond(true: float) -> float:
        """How far the judge's rate lies above what `true` would give, less how far that may be by chance; below 0: not at all."""
        gap = q - true * se - (1.0 - true) * (1.0 - sp)
        if gap >= 0.0:  # the rate may be lower, what it is compared with higher
            return gap - math.hypot(q - q_low, true * (se_high - se), (1.0 - true) * (sp - sp_low))
        return -gap - math.hypot(q_high - q, true * (se - se_low), (1.0 - true) * (sp_high - sp))

    if beyond(value) > 0.0:  # only where the formula's result was cut off at 0 or 1
        return None, None
    low = 0.0 if beyond(0.0) <= 0.0 else bisect(lambda true: beyond(true) > 0.0, 0.0, value)
    high = 1.0 if beyond(1.0) <= 0.0 else bisect(lambda true: beyond(true) <= 0.0, value, 1.0)
    return min(low, value), max(high, value)
