"""The shift of altered runs beyond the noise of controls: by hand, and by simulation where it must not cry wolf."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.shift import Sides, case_shift, mean_shift, shift_test

MOVED: Sides = ([0] * 5, [1] * 5)
STILL: Sides = ([0] * 5, [0] * 5)


def test_the_shift_is_what_altered_runs_add_to_the_noise() -> None:
    found = case_shift(([0, 0, 1], [0, 1, 1]))
    # Controls 0-0 agree, 0-1 and 0-1 differ. Altered against controls of another place: 0/01 -> 0, 1; 1/01 -> 1, 0; 1/00 -> 1, 1.
    assert found.noise == pytest.approx(2 / 3)
    assert found.moved == pytest.approx(4 / 6)
    assert found.value == pytest.approx(0.0)


def test_runs_of_one_seed_are_never_laid_against_each_other() -> None:
    assert case_shift(([0], [1])).value is None
    assert case_shift(([0, None], [None, 1])).value is None


def test_what_came_to_nothing_is_left_out() -> None:
    assert case_shift(([0, None, 0], [1, 1, None])).value == 1.0


@given(st.lists(st.integers(0, 3), min_size=2, max_size=6))
def test_an_agent_that_rests_on_its_seed_alone_never_shifts(runs: list[int]) -> None:
    assert case_shift((runs, runs)).value == pytest.approx(0.0)
    found = shift_test([(runs, runs)])
    assert found.p_value is not None and found.p_value > 0.1


def test_one_case_whose_five_runs_all_move_is_no_chance() -> None:
    assert shift_test([MOVED]).p_value == pytest.approx(2 / 252)
    assert shift_test([STILL]).p_value == 1.0


def test_all_relabellings_of_two_cases_are_drawn_as_often_as_they_are_many() -> None:
    sides: Sides = ([0, 0, 0], [1, 1, 1])
    found = shift_test([sides, sides])
    assert found.p_value == pytest.approx((2 / 20) ** 2, abs=0.003)


def test_the_interval_of_full_and_of_no_shift_has_a_width() -> None:
    full, none = mean_shift([MOVED] * 4), mean_shift([STILL] * 4)
    assert (full.value, full.high) == (1.0, 1.0) and full.low is not None and 0.0 <= full.low < 0.7
    assert (none.value, none.low) == (0.0, 0.0) and none.high is not None and 0.3 < none.high < 0.6
    assert full.n == none.n == 4


def test_without_two_runs_of_each_kind_nothing_is_claimed() -> None:
    assert mean_shift([([0], [1])]).value is None
    assert shift_test([([0], [1])]).p_value is None
    assert mean_shift([]).reason and shift_test([]).reason


@pytest.mark.parametrize(("cases", "runs", "values"), [(1, 5, 2), (4, 3, 2), (6, 5, 3), (10, 4, 8)])
def test_noise_alone_is_seldom_taken_for_a_shift(cases: int, runs: int, values: int) -> None:
    """Every case has a noise of its own. 400 tables: at 5 % the count stays below 5 % + 2.6 standard errors."""
    rng = random.Random(cases * 100 + runs)
    alarms = 0
    for table in range(400):
        sides = [_noisy(rng, runs, values) for _ in range(cases)]
        p_value = shift_test(sides, seed=table, draws=199).p_value
        alarms += p_value is not None and p_value <= 0.05
    assert alarms / 400 <= 0.05 + 2.6 * (0.05 * 0.95 / 400) ** 0.5


def _noisy(rng: random.Random, runs: int, values: int) -> Sides:
    weights = [rng.random() ** 3 for _ in range(values)]
    return rng.choices(range(values), weights, k=runs), rng.choices(range(values), weights, k=runs)


def test_an_interval_covers_the_true_shift_of_noisy_cases() -> None:
    """Controls say 0 four times in five; altered runs do so half of the time: the true shift is .5 - .32 = .18 in every case."""
    rng = random.Random(7)
    covered = 0
    for _ in range(300):
        sides = [([int(rng.random() < 0.2) for _ in range(5)], [int(rng.random() < 0.5) for _ in range(5)]) for _ in range(12)]
        found = mean_shift(sides)
        assert found.low is not None and found.high is not None
        covered += found.low <= 0.18 <= found.high
    assert covered / 300 >= 0.92
