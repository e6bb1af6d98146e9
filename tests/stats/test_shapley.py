"""Shares of a team's success: against putting the team together in every order, and by the axioms that define them."""

import math
from collections.abc import Mapping
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.shapley import Coalition, coalitions, shapley, shapley_intervals

NAMES = ["coo", "cmo", "cfo", "cpo", "ceo", "cto"]
worths = st.integers(1, 5).flatmap(lambda r: st.lists(st.floats(-5, 5), min_size=2**r, max_size=2**r))


def game(values: list[float]) -> tuple[dict[Coalition, float], list[str]]:
    members = NAMES[: int(math.log2(len(values)))]
    return dict(zip(coalitions(members), values, strict=True)), members


def by_every_order(worth: Mapping[Coalition, float], members: list[str]) -> dict[str, float]:
    """The definition itself: what a member adds to those before it, over all orders."""
    added = dict.fromkeys(members, 0.0)
    orders = list(permutations(members))
    for order in orders:
        for place, name in enumerate(order):
            before = frozenset(order[:place])
            added[name] += worth[before | {name}] - worth[before]
    return {name: total / len(orders) for name, total in added.items()}


@given(worths)
def test_it_is_the_mean_over_every_order(values: list[float]) -> None:
    worth, members = game(values)
    assert shapley(worth, members) == pytest.approx(by_every_order(worth, members), abs=1e-9)


def test_six_members_agree_with_all_720_orders() -> None:
    worth = dict(zip(coalitions(NAMES), np.random.default_rng(4).uniform(0, 1, 64).tolist(), strict=True))
    assert shapley(worth, NAMES) == pytest.approx(by_every_order(worth, NAMES), abs=1e-12)


@given(worths)
def test_the_shares_add_up_to_what_the_team_makes(values: list[float]) -> None:
    worth, members = game(values)
    assert sum(shapley(worth, members).values()) == pytest.approx(worth[frozenset(members)] - worth[frozenset()], abs=1e-9)


def test_who_adds_nothing_has_nothing_and_twins_have_the_same() -> None:
    worth = {each: 0.6 * ("coo" in each) + 0.3 * bool({"cmo", "cfo"} & each) for each in coalitions(NAMES[:4])}
    shares = shapley(worth, NAMES[:4])
    assert shares == pytest.approx({"coo": 0.6, "cmo": 0.15, "cfo": 0.15, "cpo": 0.0})


def test_a_worth_that_was_not_measured_is_no_nought() -> None:
    worth = dict.fromkeys(coalitions(["a", "b"]), 0.5)
    del worth[frozenset({"b"})]
    with pytest.raises(ValueError, match=r"1 of 4 coalitions have no worth, among them \['b'\]"):
        shapley(worth, ["a", "b"])


@pytest.mark.parametrize("members", [[], ["a", "a"], [*NAMES, "cso"]])
def test_no_more_than_six_different_members(members: list[str]) -> None:
    with pytest.raises(ValueError, match="1 to 6 different members"):
        coalitions(members)


def team(cases: int, seed: int = 0) -> dict[Coalition, list[float]]:
    """Shares of five trials: `coo` is worth half, `cmo` and `cfo` are twins (each alone is enough), `cpo` is of no use."""
    rng = np.random.default_rng(seed)
    chance = {each: 0.2 + 0.5 * ("coo" in each) + 0.2 * bool({"cmo", "cfo"} & each) for each in coalitions(NAMES[:4])}
    return {each: (rng.binomial(5, rate, cases) / 5).tolist() for each, rate in chance.items()}


def test_a_team_with_planted_worth_is_read_with_its_interval() -> None:
    found = shapley_intervals(team(40), NAMES[:4])
    means = {each: float(np.mean(row)) for each, row in team(40).items()}
    assert {name: share.value for name, share in found.items()} == pytest.approx(shapley(means, NAMES[:4]), abs=1e-12)
    for name, truth in {"coo": 0.5, "cmo": 0.1, "cfo": 0.1, "cpo": 0.0}.items():
        share = found[name]
        assert share.low is not None
        assert share.high is not None
        assert share.low <= truth <= share.high
        assert share.n == 40
    assert (found["coo"].low or 0.0) > 0.3
    assert (found["cpo"].low or 0.0) < 0.0 < (found["cpo"].high or 0.0)


def test_the_interval_holds_the_truth_as_often_as_stated() -> None:
    held = 0
    for seed in range(300):
        share = shapley_intervals(team(30, seed), NAMES[:4])["cmo"]
        assert share.low is not None
        assert share.high is not None
        held += share.low <= 0.1 <= share.high
    assert 0.92 <= held / 300 <= 0.985


def test_a_member_that_never_changed_anything_is_not_known_to_be_worth_nothing() -> None:
    worths = {each: [1.0 * ("coo" in each)] * 30 for each in coalitions(["coo", "cpo"])}
    useless = shapley_intervals(worths, ["coo", "cpo"])["cpo"]
    assert useless.value == 0.0
    assert useless.low == pytest.approx(-useless.high if useless.high else None)
    assert useless.high == pytest.approx(1.959964**2 / (30 + 1.959964**2))
    assert "Tango" in useless.method
    assert useless.reason is None


def test_clusters_count_as_one() -> None:
    ids = [case // 4 for case in range(40)]
    assert shapley_intervals(team(40), NAMES[:4], ids)["coo"].n == 10


def test_worths_that_do_not_fit_together_are_refused() -> None:
    worths: dict[Coalition, list[float]] = {frozenset(): [0.0, 0.0], frozenset({"a"}): [1.0]}
    with pytest.raises(ValueError, match="lengths differ"):
        shapley_intervals(worths, ["a"])
    with pytest.raises(ValueError, match="0 to 1"):
        shapley_intervals({frozenset(): [0.0], frozenset({"a"}): [1.5]}, ["a"])


def test_without_a_case_there_is_a_reason_and_no_figure() -> None:
    nothing = shapley_intervals({frozenset(): [], frozenset({"a"}): []}, ["a"])["a"]
    assert (nothing.value, nothing.low, nothing.high) == (None, None, None)
    assert nothing.reason == "there is no case"
