"""Sign flips and McNemar against scipy, statsmodels and plain listing of every sign."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as oracle

from fairtrial.stats import permutation
from fairtrial.stats.paired import rate_differences
from fairtrial.stats.permutation import mcnemar, sign_flip, sign_flip_rates

side = st.integers(1, 5).flatmap(lambda k: st.tuples(st.integers(0, k), st.just(k)))
tables = st.lists(st.tuples(side, side), min_size=1, max_size=9)


def every_sign(differences: list[float]) -> float:
    seen = abs(sum(differences))
    sums = [abs(sum(signs)) for signs in itertools.product(*((d, -d) for d in differences))]
    return sum(total >= seen - 1e-9 for total in sums) / len(sums)


@given(fixed=st.integers(0, 60), broken=st.integers(0, 60))
def test_mcnemar_agrees_with_statsmodels(fixed: int, broken: int) -> None:
    right = min(1.0, oracle([[0, fixed], [broken, 0]], exact=True).pvalue) if fixed + broken else 1.0
    assert mcnemar(fixed, broken).p_value == pytest.approx(right, rel=1e-9)


@pytest.mark.parametrize(("fixed", "broken", "p"), [(6, 3, 0.5078), (6, 6, 1.0), (13, 8, 0.38331), (0, 0, 1.0)])
def test_mcnemar_gives_the_known_values(fixed: int, broken: int, p: float) -> None:
    assert mcnemar(fixed, broken).p_value == pytest.approx(p, abs=5e-5)


def test_handed_flips_have_the_stated_p_by_either_test(shared: Path) -> None:
    folder = shared / "known-faults" / "inputs"
    sides = json.loads((folder / "M15_paired_flips.json").read_text("utf-8"))
    expected = json.loads((folder / "EXPECTED_NUMBERS.json").read_text("utf-8"))["M15"]
    pairs = list(zip(sides["baseline"], sides["candidate"], strict=True))
    fixed, broken = pairs.count((0, 1)), pairs.count((1, 0))
    assert (fixed, broken) == (expected["fixed"], expected["broken"])
    assert mcnemar(fixed, broken).p_value == pytest.approx(expected["exact_mcnemar_two_sided_p"], abs=1e-5)
    flips = sign_flip_rates([(base, 1) for base, _ in pairs], [(new, 1) for _, new in pairs])
    assert flips.p_value == pytest.approx(expected["exact_mcnemar_two_sided_p"], abs=1e-5)


def test_many_flips_do_not_overflow() -> None:
    assert mcnemar(10_000, 10_100).p_value == pytest.approx(stats.binomtest(10_000, 20_100).pvalue, rel=1e-8)
    assert 0.0 < (mcnemar(0, 5_000).p_value or 0.0) < 1e-300


@given(tables)
def test_flips_of_rates_agree_with_listing_every_sign(table: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    base, new = [row[0] for row in table], [row[1] for row in table]
    right = every_sign(rate_differences(base, new))
    assert sign_flip_rates(base, new).p_value == pytest.approx(right, abs=1e-12)
    assert sign_flip(rate_differences(base, new)).p_value == pytest.approx(right, abs=1e-12)


def test_flips_agree_with_scipy_on_costs() -> None:
    costs = np.random.default_rng(3).normal(0.3, 1.0, 12)
    right = stats.permutation_test((costs,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
    assert sign_flip(costs.tolist()).p_value == pytest.approx(right, abs=1e-9)


def test_drawn_flips_come_near_the_exact_value(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(11)
    base = [(int(passed), 4) for passed in rng.binomial(4, 0.5, 80)]
    new = [(int(passed), 4) for passed in rng.binomial(4, 0.57, 80)]
    exact = sign_flip_rates(base, new)
    assert "exact" in exact.method
    monkeypatch.setattr(permutation, "_EXACT_WORK", 0)
    drawn = sign_flip_rates(base, new)
    assert "draws" in drawn.method
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.006)
    assert sign_flip(rate_differences(base, new)).p_value == pytest.approx(exact.p_value, abs=0.006)
    assert drawn == sign_flip_rates(base, new)
    assert drawn != sign_flip_rates(base, new, seed=1)


def test_drawn_flips_are_never_zero() -> None:
    p_value = sign_flip([1.0 + index / 7 for index in range(40)]).p_value
    assert p_value is not None
    assert 0.0 < p_value < 1e-4


def test_clusters_flip_as_one() -> None:
    base, new = [(0, 1)] * 12, [(1, 1)] * 12
    assert sign_flip_rates(base, new).p_value == pytest.approx(2 / 2**12)
    assert sign_flip_rates(base, new, clusters=[index // 4 for index in range(12)]).p_value == pytest.approx(2 / 2**3)
    assert sign_flip([1.0] * 4, clusters=["a", "a", None, None]).p_value == pytest.approx(2 / 2**3)


def test_no_difference_anywhere_is_no_evidence() -> None:
    assert sign_flip_rates([(1, 2)] * 5, [(2, 4)] * 5).p_value == 1.0
    assert sign_flip([0.0, 0.0]).p_value == 1.0


def test_without_a_pair_there_is_no_p_but_a_reason() -> None:
    for result in (sign_flip_rates([], []), sign_flip_rates([(0, 0)], [(1, 1)]), sign_flip([])):
        assert result.p_value is None
        assert result.reason
    with pytest.raises(ValueError, match="0 or more"):
        mcnemar(-1, 0)
