"""Numbers as people read them: rounding never crosses 0, 100 % or a bar, and nothing missing reads as zero."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.report.numbers import against, duration, exact, figure, money, percent, points, probability, whole


def _read(text: str) -> tuple[str, Decimal]:
    """(sign of inequality or nothing, number) of a rendered figure."""
    sign = text[0] if text[0] in "<>" else ""
    return sign, Decimal(text[len(sign) :].rstrip("%").replace(",", "").replace("−", "-"))


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.5, "50.0%"),
        (1.0, "100.0%"),
        (0, "0.0%"),
        (0.9996, "99.96%"),
        (2999 / 3000, "99.97%"),
        (1 - 1e-9, "<100%"),
        (1e-9, ">0%"),
        (0.00004, "0.004%"),
        (0.6666666666666666, "66.7%"),
        (1.0000000000000002, "100.0%"),
        (None, "–"),
    ],
)
def test_percent_shows_what_was_decided(share: float | None, shown: str) -> None:
    assert percent(share) == shown


@given(st.integers(1, 10**7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_share_shows_100_percent_only_when_all_passed_and_0_only_when_none_did(counts: tuple[int, int]) -> None:
    part, all_of_them = counts
    sign, number = _read(percent(part / all_of_them))
    assert (not sign and number == 100) == (part == all_of_them)
    assert (not sign and number == 0) == (part == 0)


def test_a_rounded_mean_never_passes_the_bar_it_fails(shared: Path) -> None:
    given_gate = json.loads((shared / "known-faults/inputs/K04_rounded_gate.json").read_text())
    mean = Decimal(given_gate["scores_sum"]) / given_gate["count"]
    assert against(mean, given_gate["gate"]["min_score"]) == "3.498"
    assert against(mean, given_gate["gate"]["min_score"], digits=1) == "3.498"


@given(st.decimals(-1000, 1000, places=9), st.decimals(-1000, 1000, places=3), st.integers(0, 3))
def test_a_shown_value_stands_on_its_own_side_of_the_bar(value: Decimal, bar: Decimal, digits: int) -> None:
    sign, number = _read(against(value, bar, digits))
    if sign:
        assert number == bar and (value < bar if sign == "<" else value > bar)
    else:
        assert (number > bar) == (value > bar) and (number < bar) == (value < bar)


@given(st.floats(0, 1), st.floats(0, 1))
def test_percent_respects_a_bar_as_well(share: float, bar: float) -> None:
    sign, number = _read(percent(share, bar))
    difference = exact(share) - exact(bar)
    if abs(difference) > Decimal("1e-12") and not sign:
        assert (number > exact(bar) * 100) == (difference > 0)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.05, "+5.0"), (-0.02, "−2.0"), (0.0, "0.0"), (-0.0004, "−0.04"), (1e-17, "0.0"), (1e-9, ">0"), (None, "–")],
)
def test_points_keep_their_sign(value: float | None, shown: str) -> None:
    assert points(value) == shown


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        ("0.09", "$0.09"),
        ("0.1125", "$0.1125"),
        ("0.50315", "$0.50315"),
        ("0.03333333333333333333", "$0.033333"),
        ("1234.5", "$1,234.50"),
        ("12345678.999", "$12,345,679.00"),
        ("0.0000001234", "$0.0000001234"),
        ("-0.03", "−$0.03"),
        ("0", "$0.00"),
    ],
)
def test_money_is_never_nothing_for_something(amount: str, shown: str) -> None:
    assert money(Decimal(amount)) == shown


def test_unknown_cost_is_not_free() -> None:
    assert money(None) == "–"


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [(600, "600 ms"), (1075, "1,075 ms"), (0.2, "0.2 ms"), (0, "0 ms"), (12_340, "12.3 s"), (245_000, "4 min 05 s"), (None, "–")],
)
def test_times_are_shown_in_the_unit_that_reads_best(milliseconds: float | None, shown: str) -> None:
    assert duration(milliseconds) == shown


@pytest.mark.parametrize(
    ("p", "shown"),
    [(0.5078125, "= 0.508"), (1.0, "= 1"), (0.9999999, "< 1"), (0.00001, "< 0.0001"), (0.0021, "= 0.0021"), (None, "–")],
)
def test_p_values_are_1_only_where_they_are(p: float | None, shown: str) -> None:
    assert probability(p) == shown


def test_counts_and_other_figures() -> None:
    assert whole(20_000) == "20,000"
    assert whole(None) == "–"
    assert figure(0.6) == "0.6"
    assert figure(0.00001) == ">0"
    assert figure(2.0) == "2"
