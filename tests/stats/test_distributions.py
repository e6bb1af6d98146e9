"""The curves against scipy, from tiny to a million, where series lose digits first."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairtrial.stats.distributions import beta_below, beta_quantile, binomial_at_most, normal_quantile, two_sided_t, two_sided_z

sizes = st.floats(0.05, 2_000.0)


@given(x=st.floats(0.0, 1.0), a=sizes, b=sizes)
def test_the_incomplete_beta_agrees_with_scipy(x: float, a: float, b: float) -> None:
    assert beta_below(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-9, abs=1e-13)


@pytest.mark.parametrize(("a", "b", "x"), [(1e6, 0.5, 0.999998), (5e5, 5e5, 0.5001), (2, 1e6, 1e-6), (200_000, 1, 0.99999)])
def test_the_incomplete_beta_holds_for_a_million_trials(a: float, b: float, x: float) -> None:
    assert beta_below(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-8)


@given(p=st.floats(0.001, 0.999), a=st.floats(0.5, 300.0), b=st.floats(0.5, 300.0))
def test_the_beta_quantile_undoes_the_beta_area(p: float, a: float, b: float) -> None:
    assert beta_quantile(p, a, b) == pytest.approx(stats.beta.ppf(p, a, b), rel=1e-8)


@pytest.mark.parametrize("freedom", [1, 2, 3.5, 9, 99, 10_000, 1_000_000])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_student_t_agrees_with_scipy(freedom: float, confidence: float) -> None:
    assert two_sided_t(confidence, freedom) == pytest.approx(stats.t.ppf(0.5 + confidence / 2, freedom), rel=1e-8)


def test_the_normal_quantile_agrees_with_scipy() -> None:
    assert two_sided_z(0.95) == pytest.approx(stats.norm.ppf(0.975), rel=1e-12)
    assert normal_quantile(0.8) == pytest.approx(stats.norm.ppf(0.8), rel=1e-12)


@given(n=st.integers(0, 500), share=st.floats(0.0, 1.0), p=st.floats(0.001, 0.999))
def test_the_binomial_tail_agrees_with_scipy(n: int, share: float, p: float) -> None:
    successes = math.floor(share * n)
    assert binomial_at_most(successes, n, p) == pytest.approx(stats.binom.cdf(successes, n, p), rel=1e-8, abs=1e-13)


def test_nothing_lies_below_no_success_and_everything_at_all() -> None:
    assert binomial_at_most(-1, 10, 0.5) == 0.0
    assert binomial_at_most(10, 10, 0.5) == 1.0


def test_a_curve_without_a_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        beta_below(0.5, 0.0, 1.0)
    with pytest.raises(ValueError, match="above 0"):
        two_sided_t(0.95, 0)
