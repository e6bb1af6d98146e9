"""Rates corrected for how a judge errs: the formula, its limits, and that the intervals hold the truth as often as they say."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.statistics import corrected as simulated
from fairtrial.stats.corrected import corrected_rate, difference, rogan_gladen
from fairtrial.stats.estimate import Estimate
from fairtrial.stats.interval import wilson

counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def known(value: float) -> Estimate:
    """A figure that is known for sure."""
    return Estimate(value=value, low=value, high=value, n=10**9, method="known")


def test_the_example_of_a_lenient_judge() -> None:
    found = rogan_gladen(wilson(840, 1000), wilson(97, 100), wilson(47, 100))
    assert found.value == pytest.approx(0.705, abs=5e-4)
    assert found.low is not None and found.high is not None
    assert found.low < 0.62 and found.high > 0.80, "the exam's own uncertainty is most of it"


def test_with_error_rates_known_for_sure_it_is_the_raw_interval_stretched() -> None:
    raw = wilson(600, 1000)
    found = rogan_gladen(raw, known(0.9), known(0.8))
    assert raw.low is not None and raw.high is not None
    assert (found.low, found.high) == pytest.approx(((raw.low - 0.2) / 0.7, (raw.high - 0.2) / 0.7))


def test_a_judge_like_a_coin_tells_nothing() -> None:
    found = rogan_gladen(wilson(50, 100), wilson(30, 60), wilson(20, 40))
    assert found.value is None and found.low is None
    assert "no more than a coin" in (found.reason or "")


@pytest.mark.parametrize("exam", [[], [(True, True)] * 9, [(False, False)] * 9])
def test_an_exam_without_one_of_the_two_kinds_gives_no_value(exam: list[tuple[bool, bool]]) -> None:
    found = corrected_rate([(1, 2)] * 10, exam)
    assert found.value is None
    assert "is not known" in (found.reason or "")


def test_what_the_formula_puts_beyond_the_limits_is_cut_and_said() -> None:
    found = rogan_gladen(wilson(97, 100), wilson(45, 50), wilson(40, 50))
    assert found.value == 1.0 and found.unclipped == pytest.approx(0.77 / 0.7)
    assert found.high == 1.0 and found.low is not None and 0.8 < found.low < 1.0


def test_a_rate_that_no_true_rate_can_give_has_no_interval() -> None:
    found = rogan_gladen(wilson(10, 1000), wilson(900, 1000), wilson(700, 1000))
    assert found.value is None and found.unclipped is not None and found.unclipped < 0
    assert "not of this arm" in (found.reason or "")


@given(counts, counts, counts)
def test_bounds_lie_around_the_value_within_the_limits(raw: tuple[int, int], right: tuple[int, int], wrong: tuple[int, int]) -> None:
    found = rogan_gladen(wilson(*raw), wilson(*right), wilson(*wrong))
    if found.value is None:
        assert found.reason
    else:
        assert found.low is not None and found.high is not None
        assert 0.0 <= found.low <= found.value <= found.high <= 1.0
        assert found.low < found.high


def test_labels_of_one_case_count_as_one_where_they_go_alike() -> None:
    exam = [(True, True)] * 30 + [(False, False)] * 20 + [(False, True)] * 10
    alone = corrected_rate([(3, 5)] * 40, exam)
    together = corrected_rate([(3, 5)] * 40, exam, exam_clusters=[place // 5 for place in range(60)])
    assert alone.value == together.value
    assert alone.low is not None and together.low is not None
    assert together.low < alone.low


def test_a_difference_keeps_the_uncertainty_of_both_sides() -> None:
    base, new = wilson(60, 100), wilson(75, 100)
    found = difference(base, new)
    assert found.value == pytest.approx(0.15)
    assert base.high is not None and new.low is not None
    assert found.low == pytest.approx(0.15 - math.hypot(0.75 - new.low, base.high - 0.6))
    assert difference(wilson(0, 0), new).reason == "base: nothing was counted"


def test_two_arms_that_a_judge_sets_too_far_apart_come_together() -> None:
    raw, value, held = simulated.apart(200, 200)
    assert raw > 0.16
    assert abs(value - 0.09) < 0.02
    assert held >= 0.91


@pytest.mark.parametrize("run", [simulated.SHAPES[0], simulated.SHAPES[2], simulated.SHAPES[5]])
@pytest.mark.parametrize("judge", simulated.JUDGES[:2])
def test_both_corrections_hold_the_truth(run: simulated.Run, judge: simulated.Judge) -> None:
    (rate, _, _), (mean, _, _) = simulated.covers(run, judge, 150)
    assert rate >= 0.9 and mean >= 0.9
