"""Paired differences: score bounds against a likelihood fitted by scipy, t against scipy, and never without width."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from fairtrial.stats.paired import ENOUGH, _score_bounds, _tango_score, mean_difference, paired_rates, rate_differences, tango

Table = list[tuple[tuple[int, int], tuple[int, int]]]
side = st.integers(0, 6).flatmap(lambda k: st.tuples(st.integers(0, k), st.just(k)))
tables = st.lists(st.tuples(side, side), max_size=40)


def fitted_score(fixed: int, broken: int, n: int, true: float) -> float:
    """The same score with the share of broken pairs fitted by maximising the likelihood, not by the closed form."""
    lowest, highest = max(0.0, -true), (1.0 - true) / 2.0

    def loss(share: float) -> float:
        parts = (fixed, share + true), (broken, share), (n - fixed - broken, 1.0 - 2.0 * share - true)
        return -sum(count * math.log(max(chance, 1e-300)) for count, chance in parts if count)

    found = optimize.minimize_scalar(loss, bounds=(lowest, highest), method="bounded", options={"xatol": 1e-12})
    variance = n * (2.0 * float(found.x) + true * (1.0 - true))
    return (fixed - broken - n * true) / math.sqrt(variance)


@pytest.mark.parametrize(("fixed", "broken", "n"), [(13, 8, 100), (3, 1, 20), (6, 3, 50), (1, 0, 12), (0, 5, 30), (9, 9, 40)])
def test_at_tangos_bounds_the_fitted_score_is_the_normal_quantile(fixed: int, broken: int, n: int) -> None:
    estimate = tango(fixed, broken, n)
    assert estimate.low is not None
    assert estimate.high is not None
    assert fitted_score(fixed, broken, n, estimate.low) == pytest.approx(1.959964, abs=2e-4)
    assert fitted_score(fixed, broken, n, estimate.high) == pytest.approx(-1.959964, abs=2e-4)


@pytest.mark.parametrize("n", [1, 2, 10, 50, 1000])
def test_no_flip_at_all_leaves_z_squared_over_n_plus_z_squared(n: int) -> None:
    z2 = stats.norm.ppf(0.975) ** 2
    estimate = tango(0, 0, n)
    assert (estimate.low, estimate.value, estimate.high) == pytest.approx((-z2 / (n + z2), 0.0, z2 / (n + z2)), abs=1e-9)


def test_all_fixed_reaches_one_and_no_further() -> None:
    estimate = tango(50, 0, 50)
    assert estimate.high == 1.0
    assert estimate.low == pytest.approx(1 - 2 * 0.0713476, abs=1e-6)


def test_impossible_flips_are_refused_and_no_pairs_have_a_reason() -> None:
    with pytest.raises(ValueError, match="parts of n"):
        tango(2, 2, 3)
    assert tango(0, 0, 0).reason


def test_handed_flips_are_no_clear_difference(shared: Path) -> None:
    folder = shared / "known-faults" / "inputs"
    sides = json.loads((folder / "M15_paired_flips.json").read_text("utf-8"))
    expected = json.loads((folder / "EXPECTED_NUMBERS.json").read_text("utf-8"))["M15"]
    base, new = ([(passed, 1) for passed in sides[name]] for name in ("baseline", "candidate"))
    difference = paired_rates(base, new)
    assert difference.value == pytest.approx(expected["delta"])
    assert (difference.low, difference.high) == pytest.approx(expected["normal_ci95_of_delta"], abs=2e-3)
    assert difference.low is not None
    assert difference.high is not None
    assert difference.low < 0 < difference.high


def test_with_many_differences_it_is_students_t() -> None:
    rng = np.random.default_rng(5)
    base = [(int(passed), 5) for passed in rng.binomial(5, 0.5, 60)]
    new = [(int(passed), 5) for passed in rng.binomial(5, 0.6, 60)]
    difference = paired_rates(base, new)
    low, high = stats.ttest_1samp(rate_differences(base, new), 0.0).confidence_interval(0.95)
    assert difference.apart >= ENOUGH
    assert (difference.low, difference.high) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize(("fixed", "broken", "n"), [(0, 0, 30), (1, 0, 200), (4, 2, 50), (50, 0, 50)])
def test_with_few_flips_of_single_trials_it_holds_tangos_interval(fixed: int, broken: int, n: int) -> None:
    base = [(0, 1)] * fixed + [(1, 1)] * (n - fixed)
    new = [(1, 1)] * fixed + [(0, 1)] * broken + [(1, 1)] * (n - fixed - broken)
    difference, score = paired_rates(base, new), tango(fixed, broken, n)
    assert None not in (difference.low, difference.high, score.low, score.high)
    assert (difference.low or 0.0) <= (score.low or 0.0) + 1e-9
    assert (difference.high or 0.0) >= (score.high or 0.0) - 1e-9


@pytest.mark.parametrize(("worst", "capped"), [(4, True), (1, False)])
def test_with_few_flips_and_repeats_the_score_is_taken_at_the_effective_number_of_pairs(worst: int, capped: bool) -> None:
    base, new = [(5, 5)] * 30, [(worst, 5), (4, 5), (4, 5)] + [(5, 5)] * 27
    differences = np.array(rate_differences(base, new))
    mean = float(differences.mean())
    seen = (abs(mean) - mean**2) / (float(differences.var(ddof=1)) / 30)
    assert (seen > 150) is capped
    size = min(150.0, seen)
    difference = paired_rates(base, new)
    assert difference.low is not None
    assert difference.high is not None
    # The bound is where the score at that size lies one normal quantile from what was seen.
    assert _tango_score(0.0, -mean * size, size, difference.low) == pytest.approx(1.959964, abs=1e-4)
    assert _tango_score(0.0, -mean * size, size, difference.high) == pytest.approx(-1.959964, abs=1e-4)


def test_the_number_of_trials_bounds_how_much_the_pairs_can_tell() -> None:
    base, new = [(1, 2)] * 30, [(2, 2)] * 15 + [(1, 2)] * 15
    low, high = _score_bounds([0.5] * 15 + [0.0] * 15, list(range(30)), 30.0, 0.95)
    capped = tango(7, 0, 28)
    assert (low, high) == pytest.approx((capped.low, capped.high), abs=0.02)
    assert paired_rates(base, new).apart == 15


@given(tables)
def test_a_difference_never_has_zero_width_nor_leaves_its_interval(table: Table) -> None:
    base, new = [row[0] for row in table], [row[1] for row in table]
    difference = paired_rates(base, new)
    pairs = [(a, b) for a, b in table if a[1] and b[1]]
    assert (difference.pairs, difference.left_out) == (len(pairs), len(table) - len(pairs))
    if not pairs:
        assert difference.value is None
        assert difference.reason
        return
    assert difference.value is not None
    assert difference.value == pytest.approx(sum(b[0] / b[1] - a[0] / a[1] for a, b in pairs) / len(pairs), abs=1e-12)
    assert difference.low is not None
    assert difference.high is not None
    assert -1.0 <= difference.low <= difference.value <= difference.high <= 1.0
    assert difference.high - difference.low > 1e-3


@given(tables)
def test_swapping_the_sides_only_turns_the_sign(table: Table) -> None:
    base, new = [row[0] for row in table], [row[1] for row in table]
    there, back = paired_rates(base, new), paired_rates(new, base)
    if there.value is not None:
        assert None not in (there.low, there.high, back.value, back.low, back.high)
        assert there.value == pytest.approx(-(back.value or 0.0), abs=1e-12)
        assert there.low == pytest.approx(-(back.high or 0.0), abs=1e-9)
        assert there.high == pytest.approx(-(back.low or 0.0), abs=1e-9)


def test_equal_steps_are_equal_whatever_rates_they_join() -> None:
    low, high = rate_differences([(3, 5), (2, 5)], [(4, 5), (3, 5)])
    assert low == high == 0.2


def test_clusters_widen_the_interval_and_count_as_one() -> None:
    base = [(2, 5)] * 60
    new = [(4 if (index // 3) % 2 else 1, 5) for index in range(60)]
    together = paired_rates(base, new, clusters=[index // 3 for index in range(60)])
    apart = paired_rates(base, new)
    assert (together.n, apart.n) == (20, 60)
    assert (together.high or 0.0) - (together.low or 0.0) > (apart.high or 0.0) - (apart.low or 0.0)


def test_a_side_with_other_cases_is_refused() -> None:
    with pytest.raises(ValueError, match="argument 2"):
        paired_rates([(1, 1)], [])
    with pytest.raises(ValueError, match="2 of 1"):
        paired_rates([(2, 1)], [(0, 1)])


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50))
def test_a_mean_difference_without_limits_is_students_t(differences: list[float]) -> None:
    estimate = mean_difference(differences)
    assert estimate.value == pytest.approx(float(np.mean(differences)), abs=1e-6)
    if estimate.low is None:
        assert estimate.reason
        assert np.ptp(differences) <= 1e-9 * max(1.0, float(np.max(np.abs(differences))))
    elif np.ptp(differences) > 1e-6:
        low, high = stats.ttest_1samp(differences, 0.0).confidence_interval(0.95)
        assert (estimate.low, estimate.high) == pytest.approx((low, high), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("differences", "value"), [([], None), ([0.5], 0.5), ([0.3, 0.3, 0.3], 0.3)])
def test_a_mean_difference_without_a_spread_has_no_bounds_but_a_reason(differences: list[float], value: float | None) -> None:
    estimate = mean_difference(differences)
    assert (estimate.value, estimate.low, estimate.high) == (value, None, None)
    assert estimate.reason
