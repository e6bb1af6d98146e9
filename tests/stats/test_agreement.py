"""Agreement, kappa and what is found of each label: against statsmodels and by hand, clustered, never certain of what few items show."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.stats.inter_rater import cohens_kappa, to_table

from benchmarks.statistics import agreement as simulated
from fairtrial.stats import agreement as sums
from fairtrial.stats.distributions import two_sided_t, two_sided_z
from fairtrial.stats.interval import pooled_share
from fairtrial.stats.linearised import MANY, _wider, bounds_of, robust_variance, summed

Codes = NDArray[np.intp]
codes = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 6)), min_size=1, max_size=60)


def columns(rows: list[tuple[int, int, int]]) -> tuple[Codes, Codes, Codes]:
    table = np.array(rows, dtype=np.intp).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]


def test_a_judge_that_always_passes_agrees_and_has_kappa_zero() -> None:
    truth, said, alone = np.array([1] * 9 + [0]), np.ones(10, dtype=np.intp), np.arange(10)
    assert sums.agreement(truth, said, alone).value == 0.9
    found = sums.cohen_kappa(truth, said, alone)
    assert found.value == 0.0
    assert found.low is not None and found.high is not None and found.low < 0.0 < found.high


def test_on_one_label_kappa_cannot_be_had() -> None:
    found = sums.cohen_kappa(np.ones(10, dtype=np.intp), np.ones(10, dtype=np.intp), np.arange(10))
    assert found.value is None and "one label" in (found.reason or "")
    apart = sums.cohen_kappa(np.zeros(10, dtype=np.intp), np.ones(10, dtype=np.intp), np.arange(10))
    assert apart.value == 0.0, "each side has one label, but not the same"


@given(codes)
def test_kappa_is_that_of_statsmodels(rows: list[tuple[int, int, int]]) -> None:
    truth, said, clusters = columns(rows)
    found = sums.cohen_kappa(truth, said, clusters)
    table, _ = to_table(np.column_stack([truth, said]), bins=np.arange(-0.5, 4.5))
    if found.value is not None:
        assert found.value == pytest.approx(float(cohens_kappa(table, return_results=False)), abs=1e-9)
        assert found.low is not None and found.high is not None
        assert -1.0 <= found.low <= found.value <= found.high <= 1.0 and found.low < found.high


def test_the_error_of_kappa_is_the_published_one() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 400)
    said = np.where(rng.random(400) < 0.7, truth, rng.integers(0, 3, 400))
    _, expected, pull = sums.kappa_pull(truth, said)
    error = np.sqrt(robust_variance(pull / expected, 400) * 399 / 400)
    table, _ = to_table(np.column_stack([truth, said]))
    assert error == pytest.approx(float(cohens_kappa(table).std_kappa), rel=1e-6)


@given(codes)
def test_a_share_has_the_interval_of_a_pooled_share(rows: list[tuple[int, int, int]]) -> None:
    truth, said, clusters = columns(rows)
    every = truth == 1
    found = sums.recall(every, said == 1, clusters)
    own = [(int(good), 1) for good in (said == 1)[every]]
    other = pooled_share(own, 0.95, clusters[every].tolist())
    assert found.n == other.n
    if found.value is not None:
        assert (found.value, found.low, found.high) == pytest.approx((other.value, other.low, other.high), abs=1e-9)


def test_items_of_one_case_that_go_alike_count_as_one() -> None:
    truth = np.repeat(np.arange(20) % 2, 10)
    said = np.repeat(np.where(np.arange(20) < 16, np.arange(20) % 2, 1 - np.arange(20) % 2), 10)
    clustered, alone = (sums.cohen_kappa(truth, said, groups) for groups in (np.repeat(np.arange(20), 10), np.arange(200)))
    assert clustered.value == alone.value
    assert clustered.low is not None and alone.low is not None and clustered.low < alone.low - 0.1


def test_full_agreement_on_few_items_is_no_certainty() -> None:
    truth = np.array([0, 1, 0, 1, 1])
    found = sums.cohen_kappa(truth, truth, np.arange(5))
    assert found.value == 1.0 and found.low is not None and found.low < 0.3


def test_f_one_comes_from_the_share_of_both_among_either() -> None:
    truth, said = np.array([True] * 6 + [False] * 4), np.array([True] * 4 + [False] * 2 + [True] * 1 + [False] * 3)
    assert sums.f_one(truth, said, np.arange(10)).value == pytest.approx(2 * 4 / (6 + 5))


def test_a_mean_over_labels_of_which_one_is_undefined_is_undefined() -> None:
    good, none = np.array([True, True]), np.array([False, False])
    parts = [sums.recall(good, good, np.arange(2)), sums.recall(none, good, np.arange(2))]
    found = sums.mean_of(parts, [np.zeros(2), np.zeros(2)], ("a", "b"))
    assert found.value is None and (found.reason or "").startswith("b: ")


def test_a_mean_of_one_part_has_the_bounds_of_that_part() -> None:
    truth, said = np.array([True] * 8 + [False] * 2), np.array([True] * 6 + [False] * 4)
    part = sums.recall(truth, said, np.arange(10))
    found = sums.mean_of([part], [sums.share_pull(truth & said, truth, np.arange(10), 10)])
    assert (found.low, found.value, found.high) == pytest.approx((part.low, part.value, part.high))


def test_parts_that_go_together_make_a_wider_mean_than_parts_that_do_not() -> None:
    truth, said = np.array([True] * 20), np.array([True] * 15 + [False] * 5)
    part = sums.recall(truth, said, np.arange(20))
    pull = sums.share_pull(truth & said, truth, np.arange(20), 20)
    same, apart = sums.mean_of([part, part], [pull, pull]), sums.mean_of([part, part], [pull, pull * 0.0])
    assert same.low == pytest.approx(part.low)
    assert same.low is not None and apart.low is not None and same.low < apart.low


@pytest.mark.parametrize("degrees", [MANY, 1000, 100_000])
def test_for_many_degrees_of_freedom_the_expansion_of_t_is_t(degrees: int) -> None:
    assert _wider(0.95, degrees) == pytest.approx(two_sided_t(0.95, degrees) / two_sided_z(0.95), abs=1e-6)


def test_bounds_of_one_cluster_are_those_of_one_item() -> None:
    low, high = bounds_of(0.5, summed(np.array([0.5, -0.5]), np.array([0, 0])), np.array([2]), 0.95)
    assert high - low > 0.8


@pytest.mark.parametrize("shape", [simulated.SHAPES[0], simulated.SHAPES[5], simulated.SHAPES[10], simulated.SHAPES[20]])
def test_the_intervals_hold_the_truth(shape: simulated.Shape) -> None:
    found = simulated.covers(shape, 250)
    assert all(held >= 0.905 for held, _ in found.values()), found
