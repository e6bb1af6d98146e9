"""Values that belong together: numbering, and an error that does not shrink because one case was asked ten times."""

import json
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.clusters import cluster_numbers, cluster_sizes, fewest_independent, most_independent, standard_error, variance_of_mean


def test_missing_ids_stand_alone_and_never_merge() -> None:
    assert cluster_numbers(5, ["a", None, "a", None, "b"]) == [0, 1, 0, 2, 3]


def test_without_ids_each_value_stands_alone() -> None:
    assert cluster_numbers(3, None) == [0, 1, 2]


def test_too_few_ids_are_refused() -> None:
    with pytest.raises(ValueError, match="3 values but 2 ids"):
        cluster_numbers(3, ["a", "b"])


def test_the_fewest_independent_are_the_clusters_where_they_are_of_one_size() -> None:
    assert fewest_independent(cluster_sizes([0, 0, 1, 1, 2, 2])) == 3
    assert fewest_independent(cluster_sizes([0, 0, 0, 1])) == pytest.approx(16 / 10)


def test_the_most_independent_are_the_trials_where_each_case_has_as_many() -> None:
    assert most_independent([5, 5, 5]) == 15
    assert most_independent([1, 9]) == pytest.approx(4 / (1 + 1 / 9))  # p(1-p)/that is the variance of the mean of both


@given(st.lists(st.tuples(st.floats(-5, 5), st.integers(0, 6)), min_size=2, max_size=60))
def test_the_clustered_error_agrees_with_statsmodels(rows: list[tuple[float, int]]) -> None:
    values, names = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    variance = variance_of_mean(values.tolist(), cluster_numbers(len(rows), names.tolist()))
    groups = len(set(names.tolist()))
    if groups < 2:
        assert variance is None
        return
    assert variance is not None
    model = sm.OLS(values, np.ones(len(values)))
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": names, "use_correction": False})
    assert variance == pytest.approx(float(fit.cov_params()[0, 0]) * groups / (groups - 1), rel=1e-9, abs=1e-15)


def test_handed_clusters_give_the_stated_errors(shared: Path) -> None:
    folder = shared / "known-faults" / "inputs"
    rows = [json.loads(line) for line in (folder / "M12_clusters.jsonl").read_text("utf-8").split("\n") if line]
    expected = json.loads((folder / "EXPECTED_NUMBERS.json").read_text("utf-8"))["M12"]
    scores, names = [row["score"] for row in rows], [row["cluster"] for row in rows]
    alone = expected["if_missing_ids_are_singletons"]
    assert standard_error(scores, names).value == pytest.approx(alone["cluster_se_G_over_G_minus_1"], abs=1e-6)
    assert standard_error(scores, names, corrected=False).value == pytest.approx(alone["cluster_se_no_correction"], abs=1e-6)
    assert standard_error(scores, names).n == alone["clusters"]
    assert standard_error(scores).value == pytest.approx(alone["naive_se_n_minus_1"], abs=1e-6)
    known = [(score, name) for score, name in zip(scores, names, strict=True) if name is not None]
    refused = expected["if_rows_without_id_refused"]
    value = standard_error([score for score, _ in known], [name for _, name in known]).value
    assert value == pytest.approx(refused["cluster_se_G_over_G_minus_1"], abs=1e-6)


def test_a_small_rate_has_an_error_above_zero(shared: Path) -> None:
    folder = shared / "known-faults" / "inputs"
    given_ = json.loads((folder / "M10_small_rate.json").read_text("utf-8"))
    expected = json.loads((folder / "EXPECTED_NUMBERS.json").read_text("utf-8"))["M10"]
    scores = [1.0] * given_["passes"] + [0.0] * (given_["n"] - given_["passes"])
    assert standard_error(scores).value == pytest.approx(expected["stderr_n_minus_1"], abs=1e-6)
    assert standard_error(scores, corrected=False).value == pytest.approx(expected["stderr_n"], abs=1e-6)


@pytest.mark.parametrize("values", [[], [0.4], [1.0, 1.0, 1.0]])
def test_an_error_that_cannot_be_had_is_none_with_a_reason(values: list[float]) -> None:
    estimate = standard_error(values)
    assert estimate.value is None
    assert estimate.reason


def test_one_cluster_alone_has_no_error() -> None:
    assert standard_error([0.0, 1.0], ["a", "a"]).value is None


def test_what_is_not_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="number 1"):
        standard_error([1.0, float("nan")])
