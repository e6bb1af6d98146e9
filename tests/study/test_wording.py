"""A shown figure stays on the side of what it was decided on."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.study.wording import chance, count, dollars, listed, percent, points


@pytest.mark.parametrize(
    ("share", "shown"), [(0.0, "0 %"), (1.0, "100 %"), (0.42105, "42.1 %"), (0.9999, "99.99 %"), (0.00001, "0.001 %"), (0.5, "50 %")]
)
def test_a_share_is_shown_as_short_as_is_true(share: float, shown: str) -> None:
    assert percent(share) == shown


@given(st.floats(0, 1))
def test_no_share_is_rounded_to_all_or_nothing(share: float) -> None:
    shown = float(percent(share).split()[0])
    assert (shown == 100.0) == (share == 1.0)
    assert (shown == 0.0) == (share == 0.0)


@given(st.floats(-1, 1))
def test_no_difference_changes_its_sign(difference: float) -> None:
    shown = float(points(difference))
    assert (shown > 0) == (difference > 0)
    assert (shown < 0) == (difference < 0)


@pytest.mark.parametrize(("difference", "shown"), [(0.05, "+5"), (-0.0004, "-0.04"), (0.0, "0"), (1 / 3, "+33.3")])
def test_points_carry_their_sign(difference: float, shown: str) -> None:
    assert points(difference) == shown


@given(st.floats(0.0001, 1))
def test_a_p_value_stays_on_its_side_of_the_level(p_value: float) -> None:
    assert (float(chance(p_value).split()[-1]) < 0.05) == (p_value < 0.05)


@pytest.mark.parametrize(
    ("p_value", "shown"), [(0.5078125, "p = 0.508"), (1.0, "p = 1"), (0.00001, "p < 0.0001"), (0.04996, "p = 0.04996"), (0.05, "p = 0.05")]
)
def test_p_values_are_short(p_value: float, shown: str) -> None:
    assert chance(p_value) == shown


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        ("0.09", "0.09 USD"),
        ("0.000012345", "0.00001234 USD"),
        ("12345.678", "12345.68 USD"),
        ("0", "0 USD"),
        ("-0.5", "-0.5 USD"),
        ("100", "100 USD"),
    ],
)
def test_money_keeps_what_matters(amount: str, shown: str) -> None:
    assert dollars(Decimal(amount)) == shown


def test_lists_and_counts_read_as_words() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert listed([str(n) for n in range(12)], 3) == "0, 1, 2 and 9 more"
    assert (count(1, "case"), count(2, "case"), count(0, "case")) == ("1 case", "2 cases", "0 cases")
