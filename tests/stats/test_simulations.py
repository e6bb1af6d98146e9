"""Some cells of every table that docs/statistics.md quotes, counted again with the scripts that made them.

Fewer suites are drawn than in the scripts, so the limits leave three standard errors. Seeds are fixed: a red test means a change.
"""

import pytest

from benchmarks.statistics import differences, few_cases, plans, power, rates, ratios
from benchmarks.statistics.plans import Truth
from fairtrial.stats.caution import lowest_coverage
from fairtrial.stats.power import cases_needed, cases_not_worse

TABLES = 1_200


@pytest.mark.parametrize(
    ("shape", "truth"), [((20, 5), (0.9, 2.0)), ((20, 10), (0.9, 5.0)), ((60, 10), (0.5, 20.0)), ((40, 3), (0.8, None))]
)
def test_the_interval_on_a_rate_covers_what_it_states(shape: tuple[int, int], truth: tuple[float, float | None]) -> None:
    assert 0.925 <= rates.measure(shape, truth, TABLES).covers <= 0.985


@pytest.mark.parametrize(("shape", "truth"), [((20, 10), (0.95, 2.0)), ((60, 10), (0.99, 2.0)), ((40, 10), (0.99, None))])
def test_near_one_it_still_covers_and_few_failures_are_marked(shape: tuple[int, int], truth: tuple[float, float | None]) -> None:
    found = rates.measure(shape, truth, TABLES)
    assert found.covers >= 0.92
    assert found.marked >= 0.2


def test_nothing_is_marked_where_enough_cases_fail() -> None:
    assert rates.measure((40, 5), (0.8, 2.0), 300).marked == 0.0


@pytest.mark.parametrize("change", differences.CHANGES)
@pytest.mark.parametrize(("shape", "truth"), [((20, 3), (0.9, 2.0)), ((40, 10), (0.8, 5.0)), ((60, 5), (0.5, None))])
def test_the_interval_on_a_difference_covers_what_it_states(change: str, shape: tuple[int, int], truth: tuple[float, float | None]) -> None:
    assert differences.measure(shape, truth, change, TABLES).covers >= 0.925


def test_a_ten_point_drop_is_found_by_fifty_cases_of_five_trials() -> None:
    assert power.measure((50, 5), 0.1, 400).worse >= 0.77
    assert power.measure((50, 5), 0.1, 400, evenly=False).worse >= 0.72
    assert power.measure((50, 5), 0.0, 400).worse <= 0.045


@pytest.mark.parametrize("trials", [1, 5])
@pytest.mark.parametrize("truth", [Truth(0.8, 2.0, 0.1, 0.15), Truth(0.5, None, 0.1, 0.0)])
def test_a_planned_suite_finds_its_difference_as_often_as_promised(truth: Truth, trials: int) -> None:
    spread, drop = plans.known(truth)
    assert abs(plans.reached((cases_needed(spread, trials, drop), trials), truth, 500) - 0.8) <= 0.06


def test_a_suite_planned_for_a_margin_rules_it_out_as_often_as_promised() -> None:
    truth = Truth(0.8, 2.0, 0.0, 0.0)
    spread, _ = plans.known(truth)
    assert abs(plans.ruled_out((cases_not_worse(spread, 5, 0.1), 5), truth, 0.1, 500) - 0.8) <= 0.07


def test_plans_from_a_small_pilot_keep_the_promise_on_average() -> None:
    found, _ = plans.from_pilots(5, Truth(0.8, 2.0, 0.1, 0.0), 200)
    assert 0.7 <= found <= 0.92


@pytest.mark.parametrize("setting", [(10, 5, 0.95, 0.8, 0.0), (20, 5, 0.8, 0.3, 0.0), (30, 5, 0.8, 0.8, 0.6)])
def test_the_bounds_on_cost_per_success_hold_even_for_few_cases(setting: tuple[int, int, float, float, float]) -> None:
    found = ratios.cost(setting, 300)
    assert found.both >= 0.93
    assert min(found.upper, found.lower) >= 0.93


def test_the_bounds_on_a_share_of_calls_hold_even_for_few_cases() -> None:
    found = ratios.calls((20, 0.95, 2.0), 300)
    assert found.both >= 0.93
    assert min(found.upper, found.lower) >= 0.93


def test_the_upper_bound_on_a_95th_percentile_holds_and_is_not_given_for_too_few_cases() -> None:
    assert ratios.percentile((60, 5), 300).upper >= 0.93
    assert ratios.percentile((20, 5), 50).none == 1.0


@pytest.mark.parametrize(("cases", "trials", "truth"), [(2, 20, (0.5, 1.0)), (5, 20, (0.9, 2.0)), (9, 20, (0.9, 1.0))])
def test_the_caution_below_ten_cases_states_what_is_measured(cases: int, trials: int, truth: tuple[float, float]) -> None:
    stated = lowest_coverage(cases, trials)
    assert stated is not None
    assert abs(100 * few_cases.covers((cases, trials), truth, "literal", TABLES)[0] - (stated + 0.5)) < 4.0
