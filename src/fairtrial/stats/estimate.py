"""What a sum gives back: a figure with its bounds, the number of independent things behind it, and how it was had.

Every room above reads these three records and nothing else from here. They keep out any word of cases, trials or
verdicts, and any rounding: how many digits to show is for the one who shows them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A figure and its interval.

    `value`, `low` and `high` share one unit, that of the data. What cannot be had is None, and `reason` then says why;
    it is never 0, NaN or infinite. `n` counts what the interval takes as independent. Where all three are there,
    low <= value <= high, and low < high (but for bounds that are themselves two tied values, as of a percentile).
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    reason: str | None = None


class Rate(Estimate, frozen=True, kw_only=True):
    """A share between 0 and 1 over cases that were tried several times; `n` counts the trials.

    `cases` is how many had a trial, `left_out` how many had none and so say nothing, `clusters` how many groups of
    cases stand apart from each other. `effective_n` is the number of independent trials that would tell as much, and
    `design_effect` how many real trials make up one of those. `caution` says that the interval covers less
    than it states, and how little was measured; it is empty where nothing is known against the interval.
    """

    cases: int
    clusters: int
    left_out: int = 0
    effective_n: float | None = None
    design_effect: float | None = None
    caution: str = ""


class PValue(msgspec.Struct, frozen=True, kw_only=True):
    """How often chance alone gives a difference at least as large: two-sided, 0 < p <= 1, None with a `reason`."""

    p_value: float | None
    n: int
    method: str
    reason: str | None = None


def checked_confidence(confidence: float) -> float:
    """The confidence as a float strictly between 0 and 1; anything else raises ValueError."""
    level = float(confidence)
    if not 0.0 < level < 1.0:
        raise ValueError(f"confidence is a number between 0 and 1, both excluded, not {confidence!r}")
    return level


def check_finite(values: Iterable[float]) -> None:
    """Raises ValueError at the first NaN or infinity: what is missing is counted apart and never averaged in."""
    for place, value in enumerate(values):
        if not math.isfinite(value):
            raise ValueError(f"only finite numbers can be summed; number {place} (from 0) is {value!r}")


def two_sided(confidence: float) -> float:
    """The level whose two-sided interval has the one-sided bound at `confidence` as each of its ends: 0.95 gives 0.90.

    A gate that asks for one bound at 0.95 calls `wilson(..., confidence=two_sided(0.95))` and reads `low` or `high`.
    """
    level = 2.0 * checked_confidence(confidence) - 1.0
    if level <= 0.0:
        raise ValueError(f"a one-sided bound needs a confidence above 0.5, not {confidence!r}")
    return level
