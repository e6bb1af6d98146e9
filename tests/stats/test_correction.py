"""Holm's correction against statsmodels."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from fairtrial.stats.correction import holm


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30))
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    with patch("gc.collect"):  # statsmodels collects on every call, which in a large test process takes most of a minute
        theirs = list(multipletests(p_values, method="holm")[1])
    assert holm(p_values) == pytest.approx(theirs, rel=1e-12, abs=1e-15)


def test_a_test_that_could_not_be_made_stays_out_and_costs_nothing() -> None:
    assert holm([0.01, None, 0.04]) == [pytest.approx(0.02), None, pytest.approx(0.04)]
    assert holm([None]) == [None]
    assert holm([]) == []


@pytest.mark.parametrize("wrong", [-0.1, 1.5, float("nan")])
def test_what_is_no_p_value_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="within 0 to 1"):
        holm([0.5, wrong])
