"""The bets: what they promise holds by counting and by simulation, and what they say is one with the interval."""

import itertools
import math
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.statistics import anytime as simulation
from fairtrial.stats.anytime import Bet, Race, least_decided, mean_bounds

Rates = Callable[[random.Random], tuple[float, float]]

rates = st.fractions(0, 1, max_denominator=5).map(float)
values = st.tuples(rates, rates).map(lambda pair: pair[0] - pair[1])


@pytest.mark.parametrize(
    ("points", "chances"), [((-1.0, 1.0), (0.5, 0.5)), ((-1.0, 0.25), (0.2, 0.8)), ((-0.5, 0.0, 1.0), (0.4, 0.4, 0.2))]
)
def test_the_capital_is_one_in_the_mean_where_the_true_mean_is_the_bar(points: tuple[float, ...], chances: tuple[float, ...]) -> None:
    assert math.fsum(p * x for p, x in zip(chances, points, strict=True)) == pytest.approx(0.0)
    expected = 0.0
    for path in itertools.product(range(len(points)), repeat=6):
        bet = Bet()
        for place in path:
            bet.add(points[place])
        expected += math.prod(chances[place] for place in path) * math.exp(bet.log_capital)
    assert expected == pytest.approx(1.0)


def test_against_a_bar_above_the_true_mean_the_bettor_loses() -> None:
    """Values of -1 and 1 with mean -0.2, bet on against a bar of 0: the capital shrinks in the mean."""
    bet_up, bet_down = Bet(), Bet()
    bet_up.add(1.0)
    bet_down.add(-1.0)
    assert 0.4 * math.exp(bet_up.log_capital) + 0.6 * math.exp(bet_down.log_capital) < 1.0


@given(st.lists(values, min_size=1, max_size=30), st.sampled_from([None, 0.1, 0.5]))
def test_a_decision_and_the_interval_at_its_look_say_the_same(differences: list[float], margin: float | None) -> None:
    race = Race(0.95, margin)
    for look in range(1, len(differences) + 1):
        said = race.add(differences[look - 1], differences[look - 1])
        low, high = mean_bounds(differences[:look], differences[:look])
        mean = math.fsum(differences[:look]) / look
        assert -1.0 <= low <= mean + 1e-12
        assert mean - 1e-12 <= high <= 1.0
        assert (said == "better") == (low > 0.0)
        assert (said == "worse") == (high < 0.0)
        if margin is not None and said is None:
            assert low <= -margin
        if said is not None:
            return


@given(st.lists(values, min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_the_interval_does_not_depend_on_the_order(differences: list[float], chance: random.Random) -> None:
    mixed = chance.sample(differences, len(differences))
    assert mean_bounds(mixed, mixed) == pytest.approx(mean_bounds(differences, differences), abs=1e-9)


@given(st.lists(st.tuples(values, st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=40))
def test_what_is_undecided_never_brings_a_decision_forward(told: list[tuple[float, float, float]]) -> None:
    sure, unsure = Race(margin=0.1), Race(margin=0.1)
    for value, down, up in told:
        plain = sure.add(value, value)
        wide = unsure.add(max(-1.0, value - down), min(1.0, value + up))
        assert wide in (None, plain)
        if plain:
            return


def test_without_a_value_nothing_is_known() -> None:
    assert mean_bounds([], []) == (-1.0, 1.0)
    assert mean_bounds([-1.0] * 30, [-1.0] * 30)[0] == -1.0


@pytest.mark.parametrize("bounds", [(0.2, 0.1), (-1.1, 0.0), (0.0, 1.1), (math.nan, 0.0)])
def test_what_is_no_difference_of_rates_is_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="low <= high"):
        Race().add(*bounds)


def _even(chance: random.Random) -> tuple[float, float]:
    """Each side's case is drawn apart, so that cases differ strongly between the sides, and not in the mean."""
    return chance.betavariate(1.6, 0.4), chance.betavariate(1.6, 0.4)


def _uneven(chance: random.Random) -> tuple[float, float]:
    """The base is a coin at every case; new always passes one half of the cases and never the other."""
    return 0.5, float(chance.random() < 0.5)


def _decided(differ: Rates, seed: int, *, cases: int, trials: int) -> str | None:
    chance = random.Random(seed)
    race = Race()
    for _ in range(cases):
        base, new = differ(chance)
        passed = [sum(chance.random() < rate for _ in range(trials)) for rate in (base, new)]
        difference = (passed[1] - passed[0]) / trials
        if said := race.add(difference, difference):
            return said
    return None


@pytest.mark.parametrize("differ", [_even, _uneven])
def test_looked_at_after_every_case_it_raises_a_false_alarm_in_at_most_one_of_twenty_runs(differ: Rates) -> None:
    """120 cases of 5 trials; `benchmarks/statistics/anytime.py` has 2,000 runs of more settings."""
    alarms = sum(_decided(differ, seed, cases=120, trials=5) is not None for seed in range(300))
    assert alarms <= 15


def test_betting_on_single_repeats_as_if_they_were_cases_would_raise_false_alarms() -> None:
    """Why the case is the unit: with the very same trials, one at a time, most runs are an alarm."""
    alarms = 0
    for seed in range(200):
        chance, race = random.Random(seed), Race()
        for _ in range(40):
            base, new = _uneven(chance)
            said = [race.add(x, x) for _ in range(10) for x in [(chance.random() < new) - (chance.random() < base)]]
            if any(said):
                alarms += 1
                break
    assert alarms > 100


def test_a_true_difference_is_found() -> None:
    found = [_decided(lambda chance: (rate := chance.betavariate(1.6, 0.4), 0.6 * rate), seed, cases=60, trials=3) for seed in range(40)]
    assert set(found) == {"worse"}


def test_the_least_difference_that_is_decided_is_the_first_that_a_race_of_equal_values_decides() -> None:
    least = least_decided(50)
    assert least is not None
    above, below = Race(), Race()
    assert [above.add(least + 1e-9, least + 1e-9) for _ in range(50)][-1] == "better"
    assert [below.add(least - 1e-9, least - 1e-9) for _ in range(50)][-1] is None
    assert (least_decided(6), least_decided(0)) == (None, None)
    assert least_decided(7) is not None


def test_the_simulation_bets_as_the_rule_does() -> None:
    rng = np.random.default_rng(5)
    x = simulation.values((rng.beta(1.6, 0.4, (20, 60)), rng.beta(1.0, 1.0, (20, 60))), 3, rng)
    ever, ended = simulation.decided(x)
    for row in range(20):
        race = Race()
        looks = next((look for look, value in enumerate(x[row], 1) if race.add(float(value), float(value))), None)
        assert (looks is not None, looks or 60) == (bool(ever[row]), ended[row])
