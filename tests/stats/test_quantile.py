"""Percentiles: one method, against numpy, in order, and with bounds that hold for any curve."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairtrial.stats.quantile import quantile, quantile_interval, summary

values = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=60)


@given(values=values, q=st.floats(0.0, 1.0))
def test_it_agrees_with_numpys_linear_method(values: list[float], q: float) -> None:
    assert quantile(values, q) == pytest.approx(float(np.quantile(values, q)), rel=1e-9, abs=1e-6)


@given(values)
def test_the_order_is_never_inverted(values: list[float]) -> None:
    figures = summary(values)
    assert None not in (figures.p50, figures.p95, figures.p99, figures.max, figures.mean)
    assert min(values) <= (figures.p50 or 0) <= (figures.p95 or 0) <= (figures.p99 or 0) <= (figures.max or 0) == max(values)
    assert min(values) <= (figures.mean or 0) <= max(values)


def test_handed_latencies_have_the_stated_figures(shared: Path) -> None:
    folder = shared / "known-faults" / "inputs"
    times = json.loads((folder / "M16_latency_ms.json").read_text("utf-8"))["ok"]
    expected = json.loads((folder / "EXPECTED_NUMBERS.json").read_text("utf-8"))["M16"]
    figures = summary(times)
    assert (figures.n, figures.max) == (expected["n_ok"], expected["max"])
    assert figures.p50 == pytest.approx(expected["p50_linear"])
    assert figures.p95 == pytest.approx(expected["p95_linear"])


def test_one_value_is_every_percentile() -> None:
    figures = summary([7])
    assert (figures.mean, figures.p50, figures.p95, figures.p99, figures.max) == (7, 7, 7, 7, 7)


def test_no_value_is_no_percentile_with_a_reason() -> None:
    figures = summary([])
    assert (figures.n, figures.mean, figures.p50, figures.max) == (0, None, None, None)
    assert figures.reason
    assert quantile([], 0.5) is None
    assert quantile_interval([], 0.5).reason


def test_what_has_no_order_is_refused() -> None:
    for wrong in (math.nan, math.inf):
        with pytest.raises(ValueError, match="finite"):
            summary([1.0, wrong])
    with pytest.raises(ValueError, match="quantile"):
        quantile([1.0], 95)


def test_an_upper_bound_on_p95_needs_fifty_nine_values() -> None:
    few = quantile_interval(list(range(58)), 0.95, confidence=0.90)
    enough = quantile_interval(list(range(59)), 0.95, confidence=0.90)
    assert few.high is None
    assert few.reason
    assert enough.high == 58
    assert enough.low is not None


def test_each_bound_is_the_first_value_that_is_far_enough_out() -> None:
    values = list(range(1, 101))
    estimate = quantile_interval(values, 0.5)
    rank = next(r for r in range(1, 101) if stats.binom.cdf(r - 1, 100, 0.5) >= 0.975)
    assert (estimate.low, estimate.value, estimate.high) == (101 - rank, 50.5, rank)


def test_repeats_that_are_alike_count_by_their_cases() -> None:
    times = sorted(np.random.default_rng(3).exponential(1.0, 400).tolist())
    all_apart, by_case = quantile_interval(times, 0.5), quantile_interval(times, 0.5, effective_n=80)
    assert by_case.n == 80
    assert (by_case.high or 0) - (by_case.low or 0) > 1.5 * ((all_apart.high or 0) - (all_apart.low or 0))
    assert quantile_interval(times, 0.95, effective_n=10).high is None


@pytest.mark.parametrize(("q", "n"), [(0.5, 30), (0.95, 120), (0.2, 60)])
def test_the_bounds_hold_for_a_skewed_curve_as_often_as_stated(q: float, n: int) -> None:
    rng = np.random.default_rng(17)
    truth = -math.log(1.0 - q)
    held = 0
    for _ in range(1_500):
        estimate = quantile_interval(rng.exponential(1.0, n).tolist(), q, 0.90)
        assert estimate.low is not None
        assert estimate.high is not None
        held += estimate.low <= truth <= estimate.high
    assert 0.885 <= held / 1_500 <= 0.96
