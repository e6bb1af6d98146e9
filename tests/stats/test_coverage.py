"""Do the intervals hold the truth as often as they say? Tables are drawn from a known truth and the hits counted.

The truth is the mean over all cases that could have been asked, not over those that were. The settings are those of
docs/statistics.md: few repeats, rates near 1, and the few cases that the caution speaks of. Seeds are fixed, so a red run means a change.
"""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from fairtrial.stats.caution import FEW, lowest_coverage
from fairtrial.stats.interval import Few, clustered_rate, wilson
from fairtrial.stats.paired import paired_rates

SIMULATIONS = 2_500
Rates = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Rates]


def spread(a: float, b: float) -> Draw:
    """Case rates that follow a beta curve with mean a / (a + b)."""
    return lambda rng, n: rng.beta(a, b, n)


def alike(rate: float) -> Draw:
    """Cases that all have one rate."""
    return lambda rng, n: np.full(n, rate)


def held_share(cases: int, trials: int, draw: Draw, truth: float, few: Few = "literal") -> float:
    """The share of tables whose interval holds the truth."""
    rng = np.random.default_rng(cases * 1000 + trials)
    held = 0
    for _ in range(SIMULATIONS):
        rate = clustered_rate([(c, trials) for c in rng.binomial(trials, draw(rng, cases)).tolist()], few=few)
        assert rate.low is not None
        assert rate.high is not None
        held += rate.low <= truth <= rate.high
    return held / SIMULATIONS


@pytest.mark.parametrize(
    ("cases", "trials", "draw", "truth"),
    [
        (40, 5, spread(1.6, 0.4), 0.8),
        (40, 20, spread(1.6, 0.4), 0.8),
        (20, 5, spread(19, 1), 0.95),
        (20, 3, spread(0.95, 0.05), 0.95),
        (50, 4, spread(0.5, 0.5), 0.5),
        (60, 3, alike(0.8), 0.8),
        (100, 3, spread(1.6, 0.4), 0.8),
        (30, 10, spread(9.8, 0.2), 0.98),
    ],
)
def test_the_rate_interval_holds_the_truth(cases: int, trials: int, draw: Draw, truth: float) -> None:
    assert 0.90 <= held_share(cases, trials, draw, truth) <= 0.985


@pytest.mark.parametrize(
    ("cases", "trials", "draw", "truth"),
    [(10, 5, spread(1.6, 0.4), 0.8), (5, 20, spread(1.6, 0.4), 0.8), (5, 10, spread(2, 2), 0.5), (3, 20, spread(2, 2), 0.5)],
)
def test_the_widened_interval_holds_the_truth_with_few_cases(cases: int, trials: int, draw: Draw, truth: float) -> None:
    assert held_share(cases, trials, draw, truth, "widen") >= 0.92


LOWEST = [
    (2, 4, 0.5, 1), (2, 20, 0.5, 1), (2, 100, 0.5, 1), (3, 5, 0.5, 1), (3, 20, 0.8, 2), (3, 100, 0.9, 2),
    (4, 4, 0.5, 0.5), (4, 20, 0.8, 1), (4, 100, 0.9, 1), (5, 5, 0.8, 1), (5, 20, 0.9, 2), (5, 100, 0.9, 1),
    (6, 5, 0.7, 1), (6, 20, 0.9, 1), (6, 100, 0.95, 2), (7, 5, 0.8, 1), (7, 15, 0.9, 1), (7, 100, 0.95, 1),
    (8, 4, 0.7, 1), (8, 20, 0.9, 1), (8, 100, 0.95, 1), (9, 4, 0.8, 1), (9, 20, 0.9, 1), (9, 100, 0.95, 1),
]  # fmt: skip
"""Where the lowest coverage was found: cases, trials, and the mean and the sum of both parameters of the beta curve."""


@pytest.mark.parametrize(("cases", "trials", "mean", "size"), LOWEST)
def test_the_caution_states_the_coverage_that_is_measured(cases: int, trials: int, mean: float, size: float) -> None:
    stated = lowest_coverage(cases, trials)
    assert stated is not None
    assert cases < FEW
    held = held_share(cases, trials, spread(mean * size, (1 - mean) * size), mean)
    assert abs(100 * held - (stated + 0.5)) < 3.0  # stated in whole per cent; the error of this count is 1 % at most


def test_near_one_many_trials_of_twenty_different_cases_hold_it_less() -> None:
    assert 0.89 < held_share(20, 20, spread(0.95, 0.05), 0.95) < 0.94


def test_pooling_the_trials_would_not_hold_it() -> None:
    """The fault that all this is against: twenty repeats of a case taken for twenty cases."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(SIMULATIONS):
        pooled = wilson(int(rng.binomial(20, rng.beta(1.6, 0.4, 40)).sum()), 800)
        assert pooled.low is not None
        assert pooled.high is not None
        held += pooled.low <= 0.8 <= pooled.high
    assert held / SIMULATIONS < 0.65


def test_unequal_numbers_of_trials_hold_the_truth() -> None:
    rng = np.random.default_rng(2)
    tried = [1, 2, 3, 5, 10] * 8
    held = 0
    for _ in range(SIMULATIONS):
        passed = rng.binomial(tried, rng.beta(1.6, 0.4, 40)).tolist()
        rate = clustered_rate(list(zip(passed, tried, strict=True)))
        assert rate.low is not None
        assert rate.high is not None
        held += rate.low <= 0.8 <= rate.high
    assert 0.92 <= held / SIMULATIONS <= 0.975


def test_clusters_of_like_cases_hold_the_truth_only_when_told() -> None:
    rng = np.random.default_rng(3)
    names = [index // 4 for index in range(80)]
    held = {"told": 0, "untold": 0}
    for _ in range(SIMULATIONS):
        rates = np.repeat(rng.beta(1.6, 0.4, 20), 4)
        table = [(c, 3) for c in rng.binomial(3, rates).tolist()]
        for name, rate in (("told", clustered_rate(table, clusters=names)), ("untold", clustered_rate(table))):
            assert rate.low is not None
            assert rate.high is not None
            held[name] += rate.low <= 0.8 <= rate.high
    assert 0.92 <= held["told"] / SIMULATIONS <= 0.975
    assert held["untold"] / SIMULATIONS < 0.80


def nearer_to_one(a: float, b: float, gain: float) -> tuple[Draw, float, float]:
    """Base rates of a beta curve; the other side closes a share `gain` of the gap to 1. The last is the true difference."""
    return spread(a, b), gain, gain * b / (a + b)


@pytest.mark.parametrize(
    ("cases", "trials", "setting", "most"),
    [
        (10, 3, nearer_to_one(1.6, 0.4, 0.3), 0.985),
        (20, 10, nearer_to_one(1.9, 0.1, 0.5), 0.985),  # sparse and one-sided: t alone holds 83 %
        (50, 3, nearer_to_one(1.9, 0.1, 0.5), 0.985),
        (50, 5, nearer_to_one(2.0, 2.0, 0.0), 0.985),
        (100, 3, nearer_to_one(1.6, 0.4, 0.3), 0.985),
        (20, 1, nearer_to_one(1.9, 0.1, 0.5), 1.0),  # one flip in forty cases: the score interval holds nearly always
    ],
)
def test_the_paired_interval_holds_the_truth(cases: int, trials: int, setting: tuple[Draw, float, float], most: float) -> None:
    draw, gain, truth = setting
    rng = np.random.default_rng(cases * 1000 + trials)
    held = 0
    for _ in range(SIMULATIONS):
        rates = draw(rng, cases)
        base, new = rng.binomial(trials, rates).tolist(), rng.binomial(trials, rates + (1.0 - rates) * gain).tolist()
        difference = paired_rates([(c, trials) for c in base], [(c, trials) for c in new])
        assert difference.low is not None
        assert difference.high is not None
        held += difference.low <= truth <= difference.high
    assert 0.90 <= held / SIMULATIONS <= most
