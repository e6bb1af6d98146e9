"""Plans: known table values, statsmodels, and a simulation that finds what the plan promised."""

import math

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower, zt_ind_solve_power

from fairtrial.stats.interval import upper_bound_zero
from fairtrial.stats.power import (
    Aim,
    Spread,
    cases_for_none,
    cases_needed,
    cases_not_worse,
    detectable_difference,
    mcnemar_pairs,
    observed_spread,
    one_side_spread,
    smallest_found,
    smallest_margin,
)


@pytest.mark.parametrize(("discordance", "difference", "pairs"), [(0.2, 0.10, 155), (0.2, 0.05, 626), (0.1, 0.05, 312)])
def test_mcnemar_pairs_have_the_known_values(discordance: float, difference: float, pairs: int) -> None:
    assert mcnemar_pairs(discordance, difference) == pairs
    assert mcnemar_pairs(discordance, -difference) == pairs


def test_a_net_change_cannot_exceed_the_flips() -> None:
    with pytest.raises(ValueError, match="discordance"):
        mcnemar_pairs(0.1, 0.2)
    with pytest.raises(ValueError, match="discordance"):
        mcnemar_pairs(0.1, 0.0)


@pytest.mark.parametrize("pairs", [10, 40, 300])
@pytest.mark.parametrize("trials", [1, 5])
def test_the_detectable_difference_is_the_one_that_a_plan_asks_these_pairs_for(pairs: int, trials: int) -> None:
    differences = np.random.default_rng(pairs).choice([-0.4, -0.2, 0.0, 0.0, 0.2, 0.4], pairs).tolist()
    found = detectable_difference(differences, trials)
    assert found.value is not None
    spread = Spread(between=float(np.var(differences, ddof=1)), within=0.0)
    assert found.value > 1 or cases_needed(spread, trials, found.value + 1e-9) == pairs
    assert found.value == pytest.approx(smallest_found(spread, pairs, trials))


def test_with_many_pairs_the_detectable_difference_is_that_of_the_normal_curve() -> None:
    differences = [0.0, 0.2, -0.2, 0.4, 0.0, 0.2, -0.4, 0.0, 0.6, 0.2] * 500
    found = detectable_difference(differences)
    sd = float(np.std(differences, ddof=1))
    effect = zt_ind_solve_power(nobs1=len(differences), ratio=0, alpha=0.05, power=0.8)
    assert found.value == pytest.approx(effect * sd, rel=2e-3)


def test_two_pairs_find_nothing() -> None:
    found = detectable_difference([0.0, 0.4])
    assert (found.value, found.reason) == (None, "2 pairs are too few to find any difference")


def test_more_cases_detect_less_and_more_power_needs_more() -> None:
    few, many = detectable_difference([0.0, 0.4] * 5), detectable_difference([0.0, 0.4] * 50)
    strict = detectable_difference([0.0, 0.4] * 5, aim=Aim(power=0.95))
    assert (many.value or 1.0) < (few.value or 0.0) < (strict.value or 0.0)


@pytest.mark.parametrize("differences", [[], [0.2], [0.0, 0.0, 0.0]])
def test_without_a_spread_nothing_is_known_to_be_detectable(differences: list[float]) -> None:
    found = detectable_difference(differences)
    assert found.value is None
    assert found.reason


def test_a_plan_needs_the_formula_of_mcnemar_and_half_a_step() -> None:
    spread = Spread(between=0.02, within=0.3)
    cases = cases_needed(spread, trials=5, difference=0.05)
    root = 1.959964 * math.sqrt(0.08 + 0.05**2) + 0.841621 * math.sqrt(0.08)
    assert cases == math.ceil((root / 0.05) ** 2 + 1 / (5 * 0.05))
    assert cases_needed(spread, trials=10, difference=0.05) < cases
    assert cases_needed(spread, trials=5, difference=-0.05) == cases
    singles = Spread(between=0.2 - 0.1**2, within=0.0)  # a fifth of the cases flip, with a net change of a tenth
    assert cases_needed(singles, trials=1, difference=0.1) == mcnemar_pairs(0.2, 0.1) + 10


def test_a_plan_for_no_difference_or_no_trial_is_refused() -> None:
    spread = Spread(between=0.0, within=0.1)
    with pytest.raises(ValueError, match="not 0"):
        cases_needed(spread, trials=1, difference=0.0)
    with pytest.raises(ValueError, match="1 or more"):
        cases_needed(spread, trials=0, difference=0.1)
    with pytest.raises(ValueError, match="power"):
        cases_needed(spread, trials=1, difference=0.1, aim=Aim(power=1.0))


def test_the_parts_of_the_spread_are_found_again() -> None:
    rng = np.random.default_rng(12)
    n, k = 4_000, 4
    start = rng.uniform(0.2, 0.6, n)
    change = rng.normal(0.1, 0.1, n).clip(-0.2, 0.4)
    base = [(int(passed), k) for passed in rng.binomial(k, start)]
    new = [(int(passed), k) for passed in rng.binomial(k, start + change)]
    spread = observed_spread(base, new)
    assert spread is not None
    assert spread.between == pytest.approx(float(change.var()), abs=0.006)
    moved = start + change
    assert spread.within == pytest.approx(float((start * (1 - start) + moved * (1 - moved)).mean()), rel=0.03)


def test_single_trials_cannot_split_the_spread() -> None:
    assert observed_spread([(1, 1)] * 9, [(0, 1)] * 9) is None
    assert observed_spread([(1, 2)], [(0, 2)]) is None


@pytest.mark.parametrize("sd", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("margin", [0.05, 0.1, 0.25])
def test_cases_for_a_margin_agree_with_statsmodels_t_test(sd: float, margin: float) -> None:
    right = TTestPower().solve_power(effect_size=margin / sd, alpha=0.05, power=0.8, alternative="larger")
    if right >= 5:
        assert abs(cases_not_worse(Spread(between=sd**2, within=0.0), 1, margin) - 1 / margin - right) <= 1.2


@pytest.mark.parametrize("cases", [12, 50, 300])
@pytest.mark.parametrize("trials", [1, 5])
def test_what_a_suite_finds_is_what_would_be_planned_for_it(cases: int, trials: int) -> None:
    spread = Spread(between=0.02, within=0.2)
    found, margin = smallest_found(spread, cases, trials), smallest_margin(spread, cases, trials)
    assert found is not None
    assert margin is not None
    assert cases_needed(spread, trials, found + 1e-9) == cases
    assert cases_not_worse(spread, trials, margin + 1e-9) == cases
    assert margin < found


def test_too_few_cases_find_nothing() -> None:
    assert smallest_found(Spread(between=0.0, within=0.1), 1, 5) is None
    assert smallest_margin(Spread(between=0.0, within=0.1), 1, 5) is None


@pytest.mark.parametrize(("bound", "cases"), [(0.03, 99), (0.01, 299), (0.1, 29), (0.5, 5)])
def test_so_many_clean_cases_bound_a_rate_and_one_fewer_does_not(bound: float, cases: int) -> None:
    assert cases_for_none(bound) == cases
    enough, less = upper_bound_zero(cases), upper_bound_zero(cases - 1)
    assert enough is not None
    assert less is not None
    assert enough <= bound < less


def test_one_side_stands_for_both() -> None:
    alone = one_side_spread([(3, 5), (4, 5), (1, 1)], between=0.01)
    assert alone is not None
    assert (alone.between, alone.within) == pytest.approx((0.01, 2 * (3 * 2 / 20 + 4 * 1 / 20) / 2))
    assert one_side_spread([(3, 5), (1, 1)], between=0.01) is None


def test_bounds_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        cases_not_worse(Spread(between=0.0, within=0.1), 1, 0.0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        cases_for_none(1.0)
