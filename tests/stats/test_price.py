"""What a success costs: open where successes may be missing, never zero wide, and sure of its upper end where cases are dear."""

import math

import numpy as np
import pytest
from scipy import stats

from fairtrial.stats.bootstrap import Resampling, ratio_of_sums
from fairtrial.stats.interval import clustered_rate, pooled_share
from fairtrial.stats.price import cost_per_success, skewed_bounds

QUICK = Resampling(confidence=0.9, resamples=300)


def test_without_a_success_there_is_no_cost_per_success_but_it_is_dear() -> None:
    estimate = cost_per_success([0.1, 0.2], [(0, 1), (0, 1)])
    assert (estimate.value, estimate.high) == (None, None)
    assert estimate.low == pytest.approx(0.15 / (clustered_rate([(0, 1), (0, 1)]).high or 1))
    assert estimate.reason == "no trial succeeded, so there is no cost per success"
    assert cost_per_success([], []).reason == "there is no case"


def test_where_resamples_have_no_success_the_upper_end_is_open() -> None:
    estimate = cost_per_success([0.1, 0.2, 0.3], [(1, 1), (0, 1), (0, 1)])
    assert estimate.value == pytest.approx(0.6)
    assert estimate.low is not None
    assert estimate.high is None
    assert estimate.reason is not None
    assert "no upper bound" in estimate.reason


def test_cases_that_all_cost_the_same_and_pass_are_still_not_sure_to_pass() -> None:
    estimate = cost_per_success([0.09, 0.09], [(1, 1), (1, 1)])
    assert estimate.value == estimate.low == pytest.approx(0.09)
    assert estimate.high == pytest.approx(0.09 / (clustered_rate([(1, 1), (1, 1)]).low or 1))
    assert estimate.reason is None


def test_one_case_has_a_cost_but_no_bounds_and_nothing_spent_has_none_either() -> None:
    alone = cost_per_success([3.0], [(2, 2)])
    assert (alone.value, alone.low, alone.high) == (1.5, None, None)
    free = cost_per_success([0.0, 0.0], [(1, 1), (1, 1)])
    assert (free.value, free.low, free.high) == (0.0, None, None)
    assert alone.reason
    assert free.reason


def test_no_end_lies_within_that_of_the_cases_drawn_again() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        costs, passed = rng.lognormal(0, 0.7, 15).tolist(), rng.binomial(3, 0.8, 15).tolist()
        plain = ratio_of_sums(costs, passed, how=QUICK)
        wide = cost_per_success(costs, [(good, 3) for good in passed], how=QUICK)
        assert wide.value == plain.value
        assert (wide.low or 0) <= (plain.low or 0) < (plain.high or 0) <= (wide.high or 0)


def test_without_skewness_the_bounds_are_students_t_moved_out_by_its_standard_error() -> None:
    top, n = [9.0, 11.0] * 8, 16
    low, high = skewed_bounds(top, [1.0] * n)
    z, se = 1.959964, np.std(np.array(top) / 10, ddof=1) / math.sqrt(n)
    more = 2 * math.sqrt(6 / n) * (1 + 2 * z * z) / (6 * math.sqrt(n))
    reach = (stats.t.ppf(0.975, n - 1) + more) * se
    assert (low, high) == pytest.approx((10 * math.exp(-reach), 10 * math.exp(reach)), rel=1e-6)


def test_a_long_tail_moves_the_end_on_its_own_side_alone() -> None:
    low, high = skewed_bounds([1.0] * 18 + [5.0, 9.0], [1.0] * 20)
    value = 32 / 20
    assert math.log((high or 0) / value) > 1.5 * math.log(value / (low or 1))


def test_the_members_of_a_cluster_count_once() -> None:
    costs, counts = [1.0, 2.0, 4.0, 1.5, 3.0, 2.5], [(1, 2), (2, 2), (1, 2), (2, 2), (2, 2), (1, 2)]
    alone = cost_per_success(costs, counts, how=QUICK)
    doubled = cost_per_success(costs * 2, counts * 2, [*"abcdef"] * 2, QUICK)
    assert doubled.n == 6
    assert (doubled.low, doubled.high) == pytest.approx((alone.low, alone.high), rel=1e-9)


@pytest.mark.parametrize(("cases", "trials", "rate", "spread"), [(10, 5, 0.95, 0.8), (20, 3, 0.8, 0.5), (40, 3, 0.9, 0.8)])
def test_with_the_truth_at_the_bar_a_gate_holds_in_one_run_of_twenty_at_most(cases: int, trials: int, rate: float, spread: float) -> None:
    rng, suites = np.random.default_rng(cases), 500
    holds = 0
    for _ in range(suites):
        dear = rng.lognormal(-(spread**2) / 2, spread, cases)
        passed = rng.binomial(trials, rng.beta(5 * rate, 5 * (1 - rate), cases)).tolist()
        found = cost_per_success((dear * trials).tolist(), [(good, trials) for good in passed], how=QUICK)
        holds += found.high is not None and found.high < 1 / rate
    assert holds / suites < 0.05 + 2 * math.sqrt(0.05 * 0.95 / suites)


def test_a_pooled_share_is_wilsons_where_each_case_has_one_thing() -> None:
    pooled, rate = pooled_share([(1, 1)] * 9 + [(0, 1)] * 3, 0.9), clustered_rate([(1, 1)] * 9 + [(0, 1)] * 3, 0.9)
    assert (pooled.value, pooled.low, pooled.high) == pytest.approx((rate.value, rate.low, rate.high))


def test_a_pooled_share_of_equal_cases_is_the_widened_rate() -> None:
    counts = [(5, 5)] * 8 + [(4, 5), (3, 5), (1, 5)]
    pooled, rate = pooled_share(counts, 0.9), clustered_rate(counts, 0.9, None, "widen")
    assert (pooled.value, pooled.low, pooled.high) == pytest.approx((rate.value, rate.low, rate.high))


def test_a_pooled_share_that_saw_no_failure_counts_each_case_once_by_weight() -> None:
    pooled = pooled_share([(10, 10), (2, 2), (0, 0), (4, 4)])
    assert pooled.effective_n == pytest.approx(16**2 / (100 + 4 + 16))
    assert (pooled.value, pooled.n, pooled.cases, pooled.left_out) == (1.0, 16, 3, 1)
    assert pooled.low is not None
    assert pooled.low < 0.6
    assert pooled_share([(0, 0)]).reason == "nothing was counted"


def test_a_pooled_share_holds_its_bar_in_one_run_of_twenty_at_most() -> None:
    rng, suites, holds = np.random.default_rng(5), 500, 0
    for _ in range(suites):
        calls = rng.poisson(6, 20) + 1
        valid = rng.binomial(calls, rng.beta(1.9, 0.1, 20))
        low = pooled_share(list(zip(valid.tolist(), calls.tolist(), strict=True)), 0.9).low
        holds += low is not None and low >= 0.95
    assert holds / suites < 0.07
