"""Bounds on a rate: against statsmodels, at the edges, and with repeats of one case."""

import json
import math
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from fairtrial.stats.clusters import degrees_of_freedom
from fairtrial.stats.distributions import two_sided_z
from fairtrial.stats.estimate import Rate, two_sided
from fairtrial.stats.interval import clopper_pearson, clustered_rate, mean_share, rate_upper_bound, upper_bound_zero, wilson, wilson_bounds

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.sampled_from([0.8, 0.9, 0.95, 0.99])
tables = st.lists(st.integers(0, 12).flatmap(lambda k: st.tuples(st.integers(0, k), st.just(k))), max_size=40)


@given(count=counts, level=levels)
def test_wilson_agrees_with_statsmodels(count: tuple[int, int], level: float) -> None:
    estimate = wilson(*count, confidence=level)
    assert (estimate.low, estimate.high) == pytest.approx(proportion_confint(*count, 1 - level, "wilson"), abs=1e-12)


@given(count=counts, level=levels)
def test_the_exact_interval_agrees_with_statsmodels(count: tuple[int, int], level: float) -> None:
    estimate = clopper_pearson(*count, confidence=level)
    low, high = proportion_confint(*count, 1 - level, "beta")
    assert estimate.low == pytest.approx(low, abs=1e-9)
    assert estimate.high == pytest.approx(high, abs=1e-9)


@given(count=counts)
def test_the_upper_bound_is_the_exact_one_of_one_side(count: tuple[int, int]) -> None:
    _, high = proportion_confint(*count, 0.10, "beta")
    assert rate_upper_bound(*count).high == pytest.approx(high, abs=1e-9)


@pytest.mark.parametrize(("n", "bound"), [(2, 0.776), (30, 0.0950), (100, 0.0295), (300, 0.00994), (1000, 0.00299)])
def test_no_event_seen_still_allows_about_three_in_n(n: int, bound: float) -> None:
    assert upper_bound_zero(n) == pytest.approx(bound, rel=5e-3)
    assert rate_upper_bound(0, n).high == upper_bound_zero(n)


def test_three_percent_needs_ninety_nine_clean_cases() -> None:
    before, after = upper_bound_zero(98), upper_bound_zero(99)
    assert before is not None
    assert after is not None
    assert after < 0.03 < before


def test_handed_edges_have_width_and_stay_within_zero_to_one(shared: Path) -> None:
    folder = shared / "known-faults" / "inputs"
    pairs = json.loads((folder / "M11_boundaries.json").read_text("utf-8"))["pairs"]
    expected = json.loads((folder / "EXPECTED_NUMBERS.json").read_text("utf-8"))["M11"]
    for passed, n in pairs:
        once_each = clustered_rate([(int(index < passed), 1) for index in range(n)])
        for estimate in (wilson(passed, n), once_each):
            if expected[f"{passed}/{n}"] is None:
                assert (estimate.value, estimate.low, estimate.high) == (None, None, None)
                assert estimate.reason
            else:
                assert (estimate.low, estimate.high) == pytest.approx(expected[f"{passed}/{n}"], abs=1e-6)


def test_a_small_rate_has_the_stated_interval(shared: Path) -> None:
    folder = shared / "known-faults" / "inputs"
    table = json.loads((folder / "M10_small_rate.json").read_text("utf-8"))
    expected = json.loads((folder / "EXPECTED_NUMBERS.json").read_text("utf-8"))["M10"]
    estimate = wilson(table["passes"], table["n"])
    assert (estimate.low, estimate.high) == pytest.approx(expected["wilson95"], abs=1e-6)


def test_none_and_all_reach_exactly_zero_and_one() -> None:
    assert all(wilson(0, n).low == 0.0 and wilson(n, n).high == 1.0 for n in range(1, 500))


@given(table=tables, level=levels)
def test_a_rate_never_has_zero_width_nor_leaves_its_interval(table: list[tuple[int, int]], level: float) -> None:
    rate = clustered_rate(table, level)
    tried = [(c, k) for c, k in table if k]
    assert rate.left_out == len(table) - len(tried)
    assert rate.cases == len(tried)
    if not tried:
        assert rate.value is None
        assert rate.reason
        return
    assert rate.value is not None
    assert rate.low is not None
    assert rate.high is not None
    assert rate.value == pytest.approx(sum(c / k for c, k in tried) / len(tried))
    assert 0.0 <= rate.low <= rate.value <= rate.high <= 1.0
    assert rate.high - rate.low > 1e-3


@given(table=tables)
def test_a_rate_is_never_surer_than_its_trials_nor_less_sure_than_its_cases(table: list[tuple[int, int]]) -> None:
    tried = [(c, k) for c, k in table if k]
    rate = clustered_rate(tried)
    if rate.value is None:
        return
    assert rate.effective_n is not None
    assert rate.low is not None
    assert len(tried) * 0.999999 <= rate.effective_n <= sum(k for _, k in tried) * 1.000001
    low, _ = wilson_bounds(rate.value, len(tried), two_sided_z(0.95))
    assert rate.low >= low - 1e-12


@given(st.lists(st.integers(0, 1), min_size=1, max_size=50))
def test_with_one_trial_a_case_it_is_wilsons_interval(passes: list[int]) -> None:
    rate, plain = clustered_rate([(passed, 1) for passed in passes]), wilson(sum(passes), len(passes))
    assert (rate.low, rate.high) == pytest.approx((plain.low, plain.high), abs=1e-12)


def freedom(rates: list[float]) -> float:
    """Satterthwaite's degrees of freedom of a variance, from scipy's kurtosis."""
    n = len(rates)
    return min(n - 1, math.floor(2 * n / (float(stats.kurtosis(rates, fisher=False)) - (n - 3) / (n - 1))))


def test_the_effective_size_follows_the_design_effect() -> None:
    table = [(5, 5), (3, 5), (4, 5), (5, 5), (0, 5), (4, 5), (5, 5), (3, 5), (4, 5), (5, 5), (1, 5), (5, 5)]
    few = table[:9]
    for counts, corrected in ((few, False), (table, True)):
        rates = [c / k for c, k in counts]
        n, p = len(rates), sum(rates) / len(rates)
        variance = float(np.var(rates)) / n
        if corrected:
            variance *= n / (n - 1) * (stats.t.ppf(0.975, freedom(rates)) / stats.norm.ppf(0.975)) ** 2
        deff = variance / (p * (1 - p) / (5 * n))
        rate = clustered_rate(counts)
        assert 1 < deff < 5
        assert rate.design_effect == pytest.approx(deff)
        assert rate.effective_n == pytest.approx(5 * n / deff)
        assert ("widened by Student's t" in rate.method) is corrected


@given(st.lists(st.integers(0, 5), min_size=10, max_size=60).filter(lambda passed: len(set(passed)) > 1))
def test_the_degrees_of_freedom_follow_the_kurtosis_seen(passed: list[int]) -> None:
    rates = [c / 5 for c in passed]
    assert abs(degrees_of_freedom(rates, range(len(rates))) - freedom(rates)) <= 1  # a whole number but for the last bits
    assert 1 <= degrees_of_freedom(rates, range(len(rates))) < len(rates)


def test_one_case_that_fails_among_many_says_little_of_the_spread() -> None:
    assert degrees_of_freedom([1.0] * 39 + [0.4], range(40)) <= 2
    assert degrees_of_freedom([0.0, 1.0] * 20, range(40)) == 39


def test_the_example_of_the_contract_has_its_interval() -> None:
    rate = clustered_rate([(5, 5), (3, 5)])
    assert (rate.value, rate.n, rate.cases, rate.method) == (0.8, 10, 2, "Wilson on the effective sample size, 0.95")
    assert rate.design_effect == pytest.approx(1.25)
    assert (rate.low, rate.high) == pytest.approx((0.454934, 0.950421), abs=1e-6)


def test_the_caution_says_how_little_few_cases_cover() -> None:
    caution = clustered_rate([(5, 5), (3, 5)]).caution
    assert caution.startswith("this interval covers less than it states: with 2 independent cases of up to 5 trials each")
    assert "as little as 82 %" in caution
    assert "as little as 68 %" in clustered_rate([(20, 20), (18, 20)]).caution
    assert "as little as 61 %" in clustered_rate([(3000, 4000), (3100, 4000)]).caution


def test_few_failures_are_marked_and_more_of_them_are_not() -> None:
    steady = [(5, 5)] * 36
    marked = clustered_rate([*steady, (2, 5), (4, 5), (4, 5), (3, 5)])
    assert marked.caution.startswith("few failures: all but 4 of 40 independent cases went alike in every trial")
    assert clustered_rate([*steady, *[(2, 5)] * 5]).caution == ""
    assert clustered_rate([(5 - c, 5) for c, _ in [*steady, *[(4, 5)] * 3]]).caution.startswith("few failures: all but 3 of 39")
    assert clustered_rate([(5, 5)] * 40).caution == ""  # at the floor already: each case counts once


@pytest.mark.parametrize(
    "table",
    [
        [],
        [(70, 100)],  # one case alone counts as one trial already
        [(5, 5), (5, 5), (5, 5)],  # and so do cases that went alike
        [(1, 1), (0, 1), (1, 1)],
        [(5, 5), (3, 5)] * 5,
    ],
)
def test_there_is_no_caution_where_the_interval_is_as_wide_as_its_cases_alone(table: list[tuple[int, int]]) -> None:
    assert clustered_rate(table).caution == ""


def test_few_clusters_of_many_cases_are_few() -> None:
    table = [(1, 1), (1, 1), (1, 1), (0, 1)] * 5 + [(0, 1), (1, 1), (0, 1), (1, 1)]
    assert "with 6 independent cases of up to 5 trials each" in clustered_rate(table, clusters=[index // 4 for index in range(24)]).caution
    assert clustered_rate(table).caution == ""


@given(table=tables, level=levels)
def test_widening_never_narrows_and_needs_no_caution(table: list[tuple[int, int]], level: float) -> None:
    wider, rate = clustered_rate(table, level, few="widen"), clustered_rate(table, level)
    assert wider.caution == ""
    assert wider.value == rate.value
    if rate.value is not None:
        assert width(wider) >= width(rate) - 1e-12
        assert width(wider) == pytest.approx(width(rate)) or "widened by Student's t" in wider.method


def test_equal_case_rates_count_each_case_once() -> None:
    rate = clustered_rate([(5, 5)] * 4)
    assert rate.design_effect == 5
    assert (rate.low, rate.high) == pytest.approx((wilson(4, 4).low, 1.0))
    assert clustered_rate([(3, 5)] * 12).design_effect == 5


def test_one_case_alone_counts_once_however_often_it_was_tried() -> None:
    assert clustered_rate([(70, 100)]).effective_n == 1


def test_widened_for_few_cases_it_is_wider_than_their_own_spread_says() -> None:
    table = [(5, 10), (6, 10), (8, 10)]
    rate = clustered_rate(table, few="widen")
    spread = sum((c / 10 - 19 / 30) ** 2 for c, _ in table) / 2 / 3
    unadjusted = 19 / 30 * 11 / 30 / spread  # three cases lie like a normal curve: two degrees of freedom
    assert rate.n == 30
    assert rate.effective_n == pytest.approx(unadjusted * (1.959964 / 4.302653) ** 2, rel=1e-5)  # z and t of two degrees
    assert clustered_rate([(9, 10), (1, 10), (4, 10)], few="widen").effective_n == 3  # and never less than the cases


def test_with_unequal_trials_each_case_weighs_the_same() -> None:
    rate = clustered_rate([(1, 1), (0, 9)])
    assert rate.value == 0.5
    assert rate.n == 10


def test_cases_of_one_cluster_count_as_less_than_cases_apart() -> None:
    table = [(5, 5), (5, 5), (5, 5), (0, 5), (1, 5), (0, 5)] * 4
    together = clustered_rate(table, clusters=[index // 3 for index in range(len(table))])
    apart = clustered_rate(table)
    assert together.clusters == 8
    assert width(together) > width(apart)
    assert clustered_rate(table, clusters=[None] * len(table)) == apart


def test_ids_of_cases_that_were_not_tried_fall_with_them() -> None:
    assert clustered_rate([(1, 2), (0, 0), (2, 2)], clusters=["a", "b", "a"]).clusters == 1


def test_a_share_a_case_has_the_same_interval() -> None:
    shares = [0.0, 0.2, 0.2, 1.0, 0.8, 0.4, 0.6, 1.0, 0.0, 0.2, 0.4]
    rate = mean_share(shares, repeats=5)
    table = [(round(share * 5), 5) for share in shares]
    twin, exact = clustered_rate(table, few="widen"), mean_share(shares, repeats=5, few="literal")
    assert (rate.low, rate.high) == pytest.approx((twin.low, twin.high))
    assert (exact.low, exact.high) == pytest.approx((clustered_rate(table).low, clustered_rate(table).high))
    assert width(mean_share(shares)) > width(rate)
    assert mean_share([]).reason
    with pytest.raises(ValueError, match="within 0 to 1"):
        mean_share([float("nan")])


@pytest.mark.parametrize("confidence", [0.0, 1.0, -1.0, 95.0, float("nan")])
def test_a_confidence_outside_zero_to_one_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        wilson(1, 2, confidence)


def test_more_successes_than_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="3 of 2"):
        clustered_rate([(3, 2)])
    with pytest.raises(ValueError, match="-1 of 2"):
        wilson(-1, 2)


def test_a_one_sided_bound_is_an_end_of_a_wider_tailed_interval() -> None:
    assert two_sided(0.95) == pytest.approx(0.90)
    with pytest.raises(ValueError, match="above"):
        two_sided(0.5)


def test_nothing_counted_has_a_reason_everywhere() -> None:
    for estimate in (wilson(0, 0), clopper_pearson(0, 0), rate_upper_bound(0, 0), clustered_rate([]), clustered_rate([(0, 0)])):
        assert (estimate.value, estimate.low, estimate.high) == (None, None, None)
        assert estimate.reason
    assert upper_bound_zero(0) is None


def test_twenty_thousand_cases_take_no_time_to_notice() -> None:
    table = [(index % 11, 10) for index in range(20_000)]
    started = time.process_time()
    clustered_rate(table)
    assert time.process_time() - started < 0.15  # about 15 ms; the margin is for a busy machine


def width(rate: Rate) -> float:
    assert rate.low is not None
    assert rate.high is not None
    return rate.high - rate.low
