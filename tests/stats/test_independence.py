"""The textbook lines, and how far from the counted figures they lie where cases differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.independence import all_of, any_of, chain
from fairtrial.stats.repeats import suite_pass_at, suite_pass_hat


def test_three_hand_offs_of_ninety_five_per_cent_make_about_eighty_six() -> None:
    assert chain([0.95] * 3) == pytest.approx(0.857375)
    assert chain([0.95, None, 0.95]) is None
    assert chain([]) is None


def test_three_attempts_at_eight_in_ten() -> None:
    assert any_of(0.8, 3) == pytest.approx(0.992)
    assert all_of(0.8, 3) == pytest.approx(0.512)
    assert any_of(0.8, 1) == all_of(0.8, 1) == pytest.approx(0.8)


@given(rate=st.floats(0, 1), k=st.integers(1, 30))
def test_any_fails_when_all_fail(rate: float, k: int) -> None:
    assert any_of(rate, k) == pytest.approx(1.0 - all_of(1.0 - rate, k), abs=1e-12)
    assert all_of(rate, k) <= rate + 1e-12


def test_where_cases_are_alike_the_count_comes_near_the_line_and_where_they_differ_it_does_not() -> None:
    rng = np.random.default_rng(2)
    alike = [(int(c), 10) for c in rng.binomial(10, 0.8, 4_000)]
    differ = [(int(c), 10) for c in rng.binomial(10, rng.beta(1.6, 0.4, 4_000))]
    assert suite_pass_hat(alike)[3] == pytest.approx(all_of(0.8, 3), abs=0.01)
    assert suite_pass_at(alike)[3] == pytest.approx(any_of(0.8, 3), abs=0.01)
    assert suite_pass_hat(differ)[3] > all_of(0.8, 3) + 0.08
    assert suite_pass_at(differ)[3] < any_of(0.8, 3) - 0.04


def test_what_is_no_share_and_no_number_of_attempts_is_refused() -> None:
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="within 0 to 1"):
            any_of(wrong, 2)
    with pytest.raises(ValueError, match="1 or more"):
        all_of(0.5, 0)
