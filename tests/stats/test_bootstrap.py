"""Resampling: seeded, by case, honest where a ratio is undefined; against scipy and Fieller's interval."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from fairtrial.stats.bootstrap import Resampling, cluster_bootstrap, expanded_tail, mean_by_bootstrap, ratio_of_sums


def fieller(top: NDArray[np.float64], bottom: NDArray[np.float64]) -> tuple[float, float]:
    """Fieller's interval (1954) for a ratio of means of pairs, an independent way to the same bounds."""
    n, t = len(top), float(stats.t.ppf(0.975, len(top) - 1))
    (vt, c), (_, vb) = np.cov(top, bottom) / n
    mt, mb = top.mean(), bottom.mean()
    a, b, d = mb**2 - t**2 * vb, mt * mb - t**2 * c, mt**2 - t**2 * vt
    root = math.sqrt(b * b - a * d)
    return (b - root) / a, (b + root) / a


def test_the_same_seed_gives_the_same_bounds_and_another_gives_others() -> None:
    values = [0.1, 0.4, 0.2, 0.9, 0.5]
    assert mean_by_bootstrap(values) == mean_by_bootstrap(values)
    assert mean_by_bootstrap(values * 9) != mean_by_bootstrap(values * 9, how=Resampling(seed=1))


def test_the_mean_of_many_cases_agrees_with_scipys_bootstrap() -> None:
    values = np.random.default_rng(1).exponential(1.0, 300)
    right = stats.bootstrap((values,), np.mean, n_resamples=5_000, method="percentile", rng=np.random.default_rng(2)).confidence_interval
    estimate = mean_by_bootstrap(values.tolist())
    assert (estimate.low, estimate.high) == pytest.approx((right.low, right.high), abs=0.015)
    assert estimate.value == pytest.approx(values.mean())


def test_the_mean_of_few_cases_is_as_wide_as_students_t() -> None:
    values = np.random.default_rng(6).normal(10.0, 1.0, 12)
    estimate = mean_by_bootstrap(values.tolist())
    low, high = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=0.12)


def test_few_cases_are_read_further_out_in_the_tails() -> None:
    assert expanded_tail(0.95, 5) == pytest.approx(stats.norm.cdf(-math.sqrt(5 / 4) * stats.t.ppf(0.975, 4)), rel=1e-9)
    assert expanded_tail(0.95, 10_000) == pytest.approx(0.025, rel=1e-3)


def test_a_ratio_agrees_with_fieller() -> None:
    rng = np.random.default_rng(8)
    successes, costs = rng.binomial(5, 0.7, 80), rng.gamma(4.0, 0.05, 80)
    estimate = ratio_of_sums(costs.tolist(), successes.tolist())
    assert estimate.value == pytest.approx(costs.sum() / successes.sum())
    assert (estimate.low, estimate.high) == pytest.approx(fieller(costs, successes.astype(float)), rel=0.02)


def test_one_case_has_a_figure_but_no_interval() -> None:
    estimate = ratio_of_sums([3.0], [2.0])
    assert (estimate.value, estimate.low, estimate.high) == (1.5, None, None)
    assert estimate.reason


def test_clusters_are_drawn_whole() -> None:
    values = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0] * 5
    names = [index // 3 for index in range(30)]
    together, apart = mean_by_bootstrap(values, names), mean_by_bootstrap(values)
    assert (together.n, apart.n) == (10, 30)
    assert (together.high or 0) - (together.low or 0) > 1.3 * ((apart.high or 0) - (apart.low or 0))


def test_any_figure_can_be_resampled() -> None:
    values = np.random.default_rng(9).exponential(100.0, 200)
    how = Resampling(resamples=2_000)
    by_hand = cluster_bootstrap(lambda picked: float(values[picked].mean()), len(values), how=how)
    ready = mean_by_bootstrap(values.tolist())
    assert (by_hand.low, by_hand.high) == pytest.approx((ready.low, ready.high), rel=0.03)
    median = cluster_bootstrap(lambda picked: float(np.median(values[picked])), len(values), how=how)
    assert (median.low or 0) < float(np.median(values)) < (median.high or 0)


def test_a_figure_over_clusters_sees_all_members_of_each() -> None:
    seen: list[int] = []

    def remember(picked: NDArray[np.intp]) -> float:
        seen.append(len(picked))
        assert np.bincount(picked, minlength=6)[0] == np.bincount(picked, minlength=6)[2]
        return float(picked.mean())

    estimate = cluster_bootstrap(remember, 6, ["a", "b", "a", "b", None, None], Resampling(resamples=50))
    assert estimate.n == 4
    assert min(seen) >= 4
    assert max(seen) <= 8


def test_an_undefined_figure_is_none_with_a_reason() -> None:
    assert cluster_bootstrap(lambda picked: None, 5).reason == "the figure is undefined here"
    assert cluster_bootstrap(lambda picked: 1.0, 0).reason == "there is no case"
    assert cluster_bootstrap(lambda picked: 1.0, 1).value == 1.0


def test_a_ratio_needs_pairs_of_finite_parts() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        ratio_of_sums([1.0], [-1.0])
    with pytest.raises(ValueError, match="one value for each"):
        ratio_of_sums([1.0], [])
    with pytest.raises(ValueError, match="finite"):
        ratio_of_sums([math.nan], [1.0])


def test_very_many_cases_draw_fewer_resamples_and_say_so() -> None:
    estimate = mean_by_bootstrap([float(index % 7) for index in range(10_000)])
    assert "2000 resamples" in estimate.method
