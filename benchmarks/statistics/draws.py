"""Suites drawn from a known truth: case rates from a curve, trials from the rates. Everything is seeded.

A mix is how much cases differ: case rates follow Beta(mean·s, (1−mean)·s), the wider the smaller s; with s = None all cases
have the mean itself. The truth is the mean over all cases that could have been asked, not over those that were.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = list[tuple[int, int]]

CASES = (20, 40, 60)
TRIALS = (3, 5, 10)
MEANS = (0.5, 0.8, 0.9)
NEAR_ONE = (0.95, 0.99)
MIXES = (2.0, 5.0, 20.0, None)


def case_rates(rng: np.random.Generator, cases: int, mean: float, mix: float | None) -> Floats:
    """One rate a case."""
    if mix is None:
        return np.full(cases, mean)
    return rng.beta(mean * mix, (1.0 - mean) * mix, cases)


def trials_of(rng: np.random.Generator, rates: Floats, trials: int) -> Counts:
    """(passed, tried) a case."""
    return [(passed, trials) for passed in rng.binomial(trials, rates).tolist()]


def suites(seed: int, tables: int, shape: tuple[int, int], truth: tuple[float, float | None]) -> Iterator[Counts]:
    """`tables` suites of shape (cases, trials), the truth being (mean, mix)."""
    rng = np.random.default_rng(seed)
    cases, trials = shape
    for _ in range(tables):
        yield trials_of(rng, case_rates(rng, cases, *truth), trials)


def named(mix: float | None) -> str:
    """How a mix is written in a table."""
    return "alike" if mix is None else f"s = {mix:g}"
