"""What a pilot tells: bounds that hold the spread that was there, and no bound where nothing tells of one."""

import numpy as np
import pytest

from fairtrial.stats.bootstrap import Resampling
from fairtrial.stats.paired import Counts
from fairtrial.stats.pilot import cluster_factor, single_bounds, variance_bounds, variance_of_singles
from fairtrial.stats.power import observed_spread


def pilot(seed: int, cases: int, trials: int) -> tuple[Counts, Counts]:
    rng = np.random.default_rng(seed)
    rates = rng.beta(1.6, 0.4, cases)
    moved = np.clip(rates - 0.1 + rng.normal(0, 0.1, cases), 0, 1)
    sides = (rng.binomial(trials, side).tolist() for side in (rates, moved))
    base, new = ([(passed, trials) for passed in side] for side in sides)
    return base, new


def truth(repeats: int) -> float:
    """The variance of a case's difference, from one pilot so large that it knows."""
    spread = observed_spread(*pilot(0, 200_000, 5))
    assert spread is not None
    return spread.of_case(repeats)


def test_the_figure_lies_between_its_bounds_and_more_repeats_leave_less() -> None:
    base, new = pilot(1, 40, 5)
    spread = observed_spread(base, new)
    bounds = variance_bounds(base, new, [1, 2, 5, 10])
    assert spread is not None
    assert all(low <= spread.of_case(k) <= high for k, (low, high) in bounds.items())
    assert [high for _, high in bounds.values()] == sorted((high for _, high in bounds.values()), reverse=True)


def test_the_bounds_hold_the_spread_that_was_there_most_of_the_time() -> None:
    right = {k: truth(k) for k in (1, 5)}
    held = {k: 0 for k in right}
    for seed in range(300):
        for k, (low, high) in variance_bounds(*pilot(seed, 40, 5), list(right), Resampling(resamples=400)).items():
            held[k] += low <= right[k] <= high
    assert all(count / 300 >= 0.85 for count in held.values()), held  # nominal 95 %; a variance of 40 skewed values reaches less


def test_single_trials_give_no_bounds_but_the_variance_they_show() -> None:
    base, new = [(1, 1)] * 30 + [(0, 1)] * 10, [(0, 1)] * 8 + [(1, 1)] * 32
    assert variance_bounds(base, new, [1, 2]) == {}
    low, high = single_bounds(base, new)[1]
    assert low < (variance_of_singles(base, new) or 0.0) < high
    assert single_bounds(base[:1], new[:1]) == {}
    assert variance_of_singles(base, new) == pytest.approx(float(np.var([-1.0] * 8 + [0.0] * 22 + [1.0] * 10, ddof=1)))
    assert variance_of_singles([(1, 1)] * 9, [(1, 1)] * 9) is None
    assert variance_of_singles([(1, 1)], [(0, 1)]) is None


def test_cases_that_move_together_ask_for_more_of_them() -> None:
    base = [(2, 4)] * 40
    new = [(3, 4) if (place // 4) % 2 else (1, 4) for place in range(40)]
    assert cluster_factor(base, new, [place // 4 for place in range(40)]) == pytest.approx(4 * 10 / 9 / (40 / 39))
    assert cluster_factor(base, new, None) == 1.0
    assert cluster_factor(base, base, [place // 4 for place in range(40)]) == 1.0
