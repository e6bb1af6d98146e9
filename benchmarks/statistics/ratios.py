"""How often the bounds on cost per success, on a share of tool calls and on a 95th percentile hold the truth.

Run as `python -m benchmarks.statistics.ratios [TABLES]`; a line is `TABLES` drawn suites, 1,000 unless said. A case has a price of its
own (log-normal; `spread` is the standard deviation of its logarithm), a trial that fails costs half as much again, and in the lines called
*hard is dear* cases that fail more also cost more; times are exponential, each case with a mean of its own. `upper` is the one-sided bound
at 0.95 that a gate reads (an end of the two-sided interval at 0.90), over the suites that have one.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.statistics.draws import Floats
from fairtrial.stats.bootstrap import Resampling
from fairtrial.stats.estimate import Estimate
from fairtrial.stats.interval import pooled_share
from fairtrial.stats.price import cost_per_success
from fairtrial.stats.quantile import quantile_interval

TABLES = 1_000
SETTINGS = (
    (5, 5, 0.8, 0.3, 0.0), (5, 5, 0.8, 0.8, 0.0), (10, 5, 0.8, 0.3, 0.0), (10, 5, 0.95, 0.8, 0.0), (10, 5, 0.99, 0.8, 0.0),
    (20, 1, 0.8, 0.5, 0.0), (20, 5, 0.5, 0.8, 0.0), (20, 5, 0.95, 0.3, 0.0), (20, 5, 0.99, 0.5, 0.0), (30, 3, 0.9, 0.5, 0.0),
    (30, 3, 0.9, 1.0, 0.0), (30, 5, 0.8, 0.8, 0.6), (60, 3, 0.9, 0.8, 0.0), (100, 5, 0.95, 0.3, 0.0), (100, 3, 0.8, 1.0, 0.6),
    (100, 5, 0.99, 0.8, 0.6),
)  # fmt: skip
"""Cases, trials, success, spread of the prices, and how far hard cases are the dear ones (a correlation)."""
CALLS = ((10, 0.95, 2.0), (20, 0.95, 2.0), (20, 0.95, 20.0), (50, 0.99, 2.0), (100, 0.99, 5.0), (30, 0.8, 5.0))
"""Cases, share of good calls, and s of the Beta curve of the cases' own shares; a case has one call and six more on average."""
DRAWN = 1_000
MORE_WHERE_FAILED = 0.5


class Held(NamedTuple):
    """Shares of the suites: both ends held the truth, the one-sided upper bound did, there was none; and the lower bound did."""

    both: float
    upper: float
    none: float
    lower: float


def cost(setting: tuple[int, int, float, float, float], tables: int, seed: int = 9) -> Held:
    """Cost per success over drawn suites; the truth is that of a million cases."""
    rng = np.random.default_rng(seed)
    cases, trials, *curve = setting
    prices, rates = _population(rng, 1_000_000, *curve)
    truth = float((prices * (1.0 + MORE_WHERE_FAILED * (1.0 - rates))).mean() / rates.mean())
    both, ends = [], []
    for _ in range(tables):
        prices, rates = _population(rng, cases, *curve)
        passed = rng.binomial(trials, rates)
        costs = (prices * (trials + MORE_WHERE_FAILED * (trials - passed))).tolist()
        counts = [(good, trials) for good in passed.tolist()]
        both.append(cost_per_success(costs, counts, how=Resampling(resamples=DRAWN)))
        ends.append(cost_per_success(costs, counts, how=Resampling(resamples=DRAWN, confidence=0.9)))
    return _held(both, ends, truth)


def _population(rng: np.random.Generator, cases: int, mean: float, spread: float, together: float) -> tuple[Floats, Floats]:
    """Prices with mean 1 and success rates from Beta(mean·2, (1 - mean)·2), tied by a normal copula."""
    low, high = np.sort(rng.beta(mean * 2.0, (1.0 - mean) * 2.0, cases))[::-1], rng.normal(size=cases)
    rates = np.empty(cases)
    rates[np.argsort(high)] = low
    prices = np.exp(spread * (together * high + math.sqrt(1.0 - together**2) * rng.normal(size=cases)) - spread**2 / 2.0)
    return prices, rates


def calls(setting: tuple[int, float, float], tables: int, seed: int = 11) -> Held:
    """The share of good calls, pooled over cases that have unequal numbers of them."""
    rng = np.random.default_rng(seed)
    cases, share, s = setting
    both, ends = [], []
    for _ in range(tables):
        every = rng.poisson(6, cases) + 1
        good = rng.binomial(every, rng.beta(share * s, (1.0 - share) * s, cases))
        counts = list(zip(good.tolist(), every.tolist(), strict=True))
        both.append(pooled_share(counts))
        ends.append(pooled_share(counts, 0.9))
    return _held(both, ends, share)


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


def _held(both: Sequence[Estimate], upper: Sequence[Estimate], truth: float) -> Held:
    """Open ends hold whatever the truth is; how many there are stands beside it."""
    ends = [(one.low if one.low is not None else -math.inf, one.high if one.high is not None else math.inf) for one in both]
    bounds, lower = [one.high for one in upper], [one.low for one in upper if one.low is not None]
    closed = [bound for bound in bounds if bound is not None]
    return Held(
        both=sum(low <= truth <= high for low, high in ends) / len(ends),
        upper=sum(truth <= bound for bound in closed) / len(closed) if closed else math.nan,
        none=1.0 - len(closed) / len(bounds),
        lower=sum(truth >= bound for bound in lower) / len(lower) if lower else math.nan,
    )


def main() -> int:
    """Print both tables."""
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    print("| cost per success: cases × trials | success | spread | 95 % interval | upper bound | lower bound | no upper bound |")
    print("|---|---|---|---|---|---|---|")
    for cases, trials, mean, spread, together in SETTINGS:
        found = cost((cases, trials, mean, spread, together), tables)
        told = f"{spread:g}, hard is dear" if together else f"{spread:g}"
        held = f"{found.both:.1%} | {found.upper:.1%} | {found.lower:.1%} | {found.none:.1%}"
        print(f"| {cases} × {trials} | {mean:g} | {told} | {held} |", flush=True)
    print("\n| share of good calls: cases | share | s | 95 % interval | lower bound | upper bound |\n|---|---|---|---|---|---|")
    for setting in CALLS:
        found = calls(setting, tables)
        print(f"| {setting[0]} | {setting[1]:g} | {setting[2]:g} | {found.both:.1%} | {found.lower:.1%} | {found.upper:.1%} |", flush=True)
    print("\n| p95: cases × trials | 95 % interval holds | upper bound holds | no upper bound |\n|---|---|---|---|")
    for shape in ((20, 5), (59, 1), (60, 5), (100, 3), (200, 1)):
        found = percentile(shape, tables)
        upper = "–" if math.isnan(found.upper) else f"{found.upper:.1%}"
        print(f"| {shape[0]} × {shape[1]} | {found.both:.1%} | {upper} | {found.none:.1%} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
