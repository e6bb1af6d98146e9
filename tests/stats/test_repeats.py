"""Repeated attempts: counted, against listing every choice of k trials; never the independence formula."""

import json
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.repeats import (
    Shape,
    Streaks,
    all_trials,
    first_try,
    longest_streak,
    pass_at_k,
    pass_hat_k,
    shape,
    stability,
    suite_pass_at,
    suite_pass_hat,
)

tables = st.lists(st.integers(1, 8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=12)


def every_choice(n: int, c: int, k: int) -> list[Sequence[bool]]:
    return list(combinations([True] * c + [False] * (n - c), k))


@pytest.mark.parametrize("n", range(1, 9))
def test_both_figures_agree_with_listing_every_choice(n: int) -> None:
    for c in range(n + 1):
        for k in range(1, n + 1):
            choices = every_choice(n, c, k)
            assert pass_at_k(n, c, k) == pytest.approx(sum(any(choice) for choice in choices) / len(choices), abs=1e-12)
            assert pass_hat_k(n, c, k) == pytest.approx(sum(all(choice) for choice in choices) / len(choices), abs=1e-12)


@given(tables)
def test_suite_figures_are_means_of_the_cases_for_every_k_that_all_have(table: list[tuple[int, int]]) -> None:
    fewest = min(n for _, n in table)
    at, hat = suite_pass_at(table), suite_pass_hat(table)
    assert list(at) == list(hat) == list(range(1, fewest + 1))
    for k in at:
        singles = [pass_at_k(n, c, k) for c, n in table], [pass_hat_k(n, c, k) for c, n in table]
        for mean, values in zip((at[k], hat[k]), singles, strict=True):
            assert mean == pytest.approx(sum(value or 0.0 for value in values) / len(table), abs=1e-12)


@given(tables)
def test_more_tries_never_lower_any_of_k_nor_raise_all_of_k(table: list[tuple[int, int]]) -> None:
    at, hat = list(suite_pass_at(table).values()), list(suite_pass_hat(table).values())
    assert at[0] == pytest.approx(hat[0])
    assert all(later >= earlier - 1e-12 for earlier, later in pairwise(at))
    assert all(later <= earlier + 1e-12 for earlier, later in pairwise(hat))
    assert all(0.0 <= figure <= 1.0 for figure in at + hat)


def test_handed_rows_have_the_stated_figures_and_not_those_of_the_plug_in(shared: Path) -> None:
    folder = shared / "known-faults" / "inputs"
    rows = json.loads((folder / "M01_pass_at_k_table.json").read_text("utf-8"))["rows"]
    expected = json.loads((folder / "EXPECTED_NUMBERS.json").read_text("utf-8"))["M01"]
    for row, right in zip(rows, expected, strict=True):
        for figure, name in ((pass_at_k(**row), "pass@k"), (pass_hat_k(**row), "pass^k")):
            assert (figure is None) == (right[name] is None)
            assert figure is None or figure == pytest.approx(right[name], abs=1e-12)


def test_handed_cases_have_the_stated_suite_figures(shared: Path) -> None:
    folder = shared / "known-faults" / "inputs"
    rows = [json.loads(line) for line in (folder / "M02_pass_hat_k_rows.jsonl").read_text("utf-8").split("\n") if line]
    expected = json.loads((folder / "EXPECTED_NUMBERS.json").read_text("utf-8"))["M02"]
    table = [(sum(row["passed"] for row in rows if row["case"] == name), 4) for name in ("t1", "t2", "t3")]
    for figures, name in ((suite_pass_hat(table), "suite_pass^k"), (suite_pass_at(table), "suite_pass@k")):
        assert {str(k): figure for k, figure in figures.items()} == pytest.approx(expected[name], abs=1e-6)


def test_more_tries_than_were_made_cannot_be_counted() -> None:
    assert pass_at_k(3, 3, 8) is None
    assert pass_hat_k(3, 3, 8) is None
    assert pass_at_k(0, 0, 1) is None


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_counts_that_cannot_be_are_refused(n: int, c: int, k: int) -> None:
    for figure in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match="passed"):
            figure(n, c, k)


def test_cases_without_a_trial_take_no_part() -> None:
    assert suite_pass_hat([(2, 2), (0, 0)]) == {1: 1.0, 2: 1.0}
    assert suite_pass_at([]) == {}
    assert suite_pass_at([(0, 0)]) == {}


def test_fewer_figures_can_be_asked_for() -> None:
    assert list(suite_pass_at([(3, 10)], up_to=3)) == [1, 2, 3]
    assert list(suite_pass_at([(1, 2)], up_to=3)) == [1, 2]


def test_a_hundred_thousand_trials_of_one_case_stay_exact() -> None:
    figures = suite_pass_hat([(99_999, 100_000)])
    assert len(figures) == 100_000
    assert figures[50_000] == pytest.approx(0.5, rel=1e-9)
    assert figures[100_000] == 0.0


def test_the_first_try_is_attempt_one_only() -> None:
    assert first_try([[True, False], [False, True], [True]]) == pytest.approx(2 / 3)
    assert first_try([[None, True], [True]]) == 1.0
    assert first_try([[], [None]]) is None


def test_all_trials_asks_for_every_one() -> None:
    assert all_trials([(3, 3), (2, 3), (0, 0)]) == 0.5
    assert all_trials([]) is None


def test_the_streak_follows_attempt_order() -> None:
    assert longest_streak([[True] * 5, [True, True, True, False, False]]) == Streaks(min=3, median=4.0, max=5, cases=2)
    assert longest_streak([[True, False, True, True], [False], [True, None, True]]) == Streaks(min=0, median=1.0, max=2, cases=3)
    assert longest_streak([[], [None]]) is None


@pytest.mark.parametrize(
    ("table", "figure"),
    [([(5, 5), (3, 5)], 0.6), ([(0, 4)], 1.0), ([(2, 4)], 0.0), ([(1, 2)], 0.0), ([(1, 1)], None), ([], None), ([(9, 10), (1, 1)], 0.8)],
)
def test_stability_is_the_second_articles_formula(table: list[tuple[int, int]], figure: float | None) -> None:
    assert stability(table) == (None if figure is None else pytest.approx(figure))


@given(tables)
def test_stability_agrees_with_the_formula_as_written(table: list[tuple[int, int]]) -> None:
    parts = [1 - 2 * abs(c / n - round(c / n)) for c, n in table if n >= 2]
    assert stability(table) == (pytest.approx(sum(parts) / len(parts), abs=1e-12) if parts else None)


def test_shape_tells_always_from_sometimes_from_never() -> None:
    assert shape([(5, 5), (3, 5), (0, 5), (1, 1), (0, 0)]) == Shape(always=2, sometimes=1, never=1)
