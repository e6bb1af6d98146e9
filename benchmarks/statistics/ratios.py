"""How often the bounds on cost per success and on a 95th percentile hold the truth.

Run as `python -m benchmarks.statistics.ratios [TABLES]`; a line is `TABLES` drawn suites, 1,000 unless said. A trial costs what a gamma
curve says, and one that fails costs half as much again; times are exponential, each case with a mean of its own. `upper` is the one-sided
bound at 0.95 that a gate reads (an end of the two-sided interval at 0.90), over the suites that have one.
"""

from __future__ import annotations

import math
import sys
from typing import NamedTuple

import numpy as np

from benchmarks.statistics.draws import case_rates
from fairtrial.stats.bootstrap import Resampling, cost_per_success
from fairtrial.stats.estimate import Estimate
from fairtrial.stats.quantile import quantile_interval

TABLES = 1_000
SHAPES = ((5, 5), (10, 5), (20, 1), (20, 5), (50, 5), (100, 3))
MEANS = (0.5, 0.8, 0.95)
DRAWN = 1_000
FULL = 1.0
MORE_WHERE_FAILED = 0.5


class Held(NamedTuple):
    """Shares of the suites: both ends held the truth, the one-sided upper bound did, and there was no upper bound."""

    both: float
    upper: float
    none: float


def cost(shape: tuple[int, int], mean: float, tables: int, seed: int = 9) -> Held:
    """Cost per success over suites of (cases, trials); the truth is (mean cost of a trial) ÷ mean."""
    rng = np.random.default_rng(seed)
    truth = (FULL + MORE_WHERE_FAILED * (1.0 - mean)) / mean
    both, upper = [], []
    for _ in range(tables):
        passed = rng.binomial(shape[1], case_rates(rng, shape[0], mean, 2.0))
        costs = rng.gamma(4.0, FULL / 4.0, (shape[0], shape[1])).sum(axis=1) + MORE_WHERE_FAILED * (shape[1] - passed)
        given = costs.tolist(), passed.tolist()
        both.append(cost_per_success(*given, how=Resampling(resamples=DRAWN)))
        upper.append(cost_per_success(*given, how=Resampling(resamples=DRAWN, confidence=0.9)))
    return _held(both, upper, truth)


def percentile(shape: tuple[int, int], tables: int, seed: int = 10) -> Held:
    """The 95th percentile of exponential times with case means from a gamma curve; n = cases in the bounds, as in a report."""
    rng = np.random.default_rng(seed)
    truth = float(np.quantile(rng.exponential(rng.gamma(4.0, 0.25, 2_000_000)), 0.95))
    both, upper = [], []
    for _ in range(tables):
        means = np.repeat(rng.gamma(4.0, 0.25, shape[0]), shape[1])
        times = rng.exponential(means).tolist()
        both.append(quantile_interval(times, 0.95, 0.95, effective_n=shape[0]))
        upper.append(quantile_interval(times, 0.95, 0.90, effective_n=shape[0]))
    return _held(both, upper, truth)


def _held(both: list[Estimate], upper: list[Estimate], truth: float) -> Held:
    """Open ends hold whatever the truth is; how many there are stands beside it."""
    ends = [(one.low if one.low is not None else -math.inf, one.high if one.high is not None else math.inf) for one in both]
    bounds = [one.high for one in upper]
    closed = [bound for bound in bounds if bound is not None]
    return Held(
        both=sum(low <= truth <= high for low, high in ends) / len(ends),
        upper=sum(truth <= bound for bound in closed) / len(closed) if closed else math.nan,
        none=1.0 - len(closed) / len(bounds),
    )


def main() -> int:
    """Print both tables."""
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    print(
        "| cost per success: cases × trials | success | 95 % interval holds | upper bound holds | no upper bound |\n|---|---|---|---|---|"
    )
    for shape in SHAPES:
        for mean in MEANS:
            found = cost(shape, mean, tables)
            print(f"| {shape[0]} × {shape[1]} | {mean:g} | {found.both:.1%} | {found.upper:.1%} | {found.none:.1%} |", flush=True)
    print("\n| p95: cases × trials | 95 % interval holds | upper bound holds | no upper bound |\n|---|---|---|---|")
    for shape in ((20, 5), (59, 1), (60, 5), (100, 3), (200, 1)):
        found = percentile(shape, tables)
        upper = "–" if math.isnan(found.upper) else f"{found.upper:.1%}"
        print(f"| {shape[0]} × {shape[1]} | {found.both:.1%} | {upper} | {found.none:.1%} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
