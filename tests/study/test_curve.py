"""Success within a budget: counted by hand, never kind to what is not known, and the budget at which the order turns."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

import pytest

from fairtrial.records.grade import Scorecard
from fairtrial.records.lift import Curve
from fairtrial.records.trial import TrialHead
from fairtrial.study.curve import field_of, read_curve
from fairtrial.study.table import Table
from tests.study.tables import Change, spent, table

USD: Mapping[str, Mapping[str, Sequence[str | None]]] = {
    "solo": {"a": ("0.01", "0.03"), "b": ("0.02", None)},
    "team": {"a": ("0.05", "0.05"), "b": ("0.05", "0.06")},
}


Prices = Mapping[str, Mapping[str, Sequence[str | None]]]


def priced(prices: Prices) -> Change:
    def change(trial: TrialHead, graded: Scorecard) -> None:
        trial.spend = spent(prices[trial.key.setup][trial.key.case][trial.key.attempt - 1])

    return change


def curve_of(made: Table) -> Curve:
    return read_curve(field_of(made.lanes), ("solo", "team"))


def shares(curve: Curve, setup: str) -> dict[str, float | None]:
    return {str(at.budget): at.setups[setup].value for at in curve.budgets}


def test_each_budget_counts_what_passed_within_it() -> None:
    known = {**USD, "solo": {"a": ("0.01", "0.03"), "b": ("0.02", "0.02")}}
    found = curve_of(table({"solo": {"a": "PP", "b": "FP"}, "team": {"a": "PP", "b": "PF"}}, priced(known)))
    assert found.measure == "usd"
    assert shares(found, "solo") == {"0.01": 0.25, "0.02": 0.5, "0.03": 0.75, "0.05": 0.75, "0.06": 0.75}
    assert shares(found, "team") == {"0.01": 0.0, "0.02": 0.0, "0.03": 0.0, "0.05": 0.75, "0.06": 0.75}
    assert [at.difference.value for at in found.budgets if at.difference] == [-0.25, -0.5, -0.75, 0.0, 0.0]


def test_a_passed_trial_of_unknown_price_is_never_cheap() -> None:
    found = curve_of(table({"solo": {"a": "PP", "b": "PP"}, "team": {"a": "PP", "b": "PP"}}, priced(USD)))
    solo = [at.setups["solo"] for at in found.budgets]
    assert [reach.unknown for reach in solo] == [1] * len(solo)
    assert max(reach.value or 0.0 for reach in solo) == 0.75
    assert solo[-1].best == 1.0


def test_a_lower_bound_of_a_price_is_no_price() -> None:
    def partly(trial: TrialHead, graded: Scorecard) -> None:
        trial.spend = spent("0.01", complete=trial.key.attempt > 1)

    found = curve_of(table({"solo": {"a": "PPP"}, "team": {"a": "PPP"}}, partly))
    assert [(at.setups["solo"].passed, at.setups["solo"].unknown) for at in found.budgets] == [(2, 1)]


def test_undecided_and_unrun_trials_might_have_passed_within() -> None:
    prices = {name: {"a": ("0.01", "0.03", "0.02", "0.01")} for name in ("solo", "team")}
    found = curve_of(table({"solo": {"a": "PU-F"}, "team": {"a": "PPPP"}}, priced(prices)))
    assert [(str(at.budget), at.setups["solo"].passed, at.setups["solo"].unknown) for at in found.budgets] == [
        ("0.01", 1, 1),
        ("0.02", 1, 1),
        ("0.03", 1, 2),
    ]


def test_without_money_the_budget_is_told_in_tokens_or_in_steps() -> None:
    def tokens(trial: TrialHead, graded: Scorecard) -> None:
        trial.spend = spent(None, input_tokens=900, output_tokens=100 * trial.key.attempt, tokens_complete=True, steps=3)

    def steps(trial: TrialHead, graded: Scorecard) -> None:
        trial.spend = spent(None, steps=2 + trial.key.attempt)

    both = {"solo": {"a": "PP"}, "team": {"a": "PP"}}
    by_tokens, by_steps, blind = curve_of(table(both, tokens)), curve_of(table(both, steps)), curve_of(table(both))
    assert (by_tokens.measure, [int(at.budget) for at in by_tokens.budgets]) == ("tokens", [1000, 1100])
    assert (by_steps.measure, [int(at.budget) for at in by_steps.budgets]) == ("steps", [3, 4])
    assert by_steps.reason == "money and tokens not known for most trials that passed"
    assert (blind.measure, blind.budgets) == (None, [])
    assert blind.reason is not None
    assert blind.reason.startswith("no use is known")


def test_the_turn_is_the_exact_price_at_which_the_order_changes() -> None:
    prices = {"solo": {case: ("0.02",) for case in "abcd"}, "team": {case: (f"0.0{place}7",) for place, case in enumerate("abcd", 1)}}
    found = curve_of(table({"solo": {"a": "P", "b": "P", "c": "F", "d": "F"}, "team": dict.fromkeys("abcd", "P")}, priced(prices)))
    assert [(str(turn.budget), turn.ahead) for turn in found.turns] == [("0.017", "team"), ("0.02", "solo"), ("0.037", "team")]


def test_a_lead_that_ends_even_is_told_as_such() -> None:
    prices = {"solo": {"a": ("0.02",)}, "team": {"a": ("0.05",)}}
    found = curve_of(table({"solo": {"a": "P"}, "team": {"a": "P"}}, priced(prices)))
    assert [(str(turn.budget), turn.ahead) for turn in found.turns] == [("0.02", "solo"), ("0.05", "")]


def test_many_prices_give_a_handful_of_budgets_up_to_the_dearest() -> None:
    prices = {
        "solo": {"a": tuple(f"0.0{place:03}" for place in range(100, 200))},
        "team": {"a": tuple(f"0.0{place}" for place in range(300, 400))},
    }
    found = curve_of(table({"solo": {"a": "P" * 100}, "team": {"a": "P" * 100}}, priced(prices)))
    budgets = [at.budget for at in found.budgets]
    assert 3 <= len(budgets) <= 8
    assert budgets == sorted(budgets)
    assert budgets[-1] == Decimal("0.0399")
    assert shares(found, "team")[str(budgets[-1])] == shares(found, "solo")[str(budgets[-1])] == 1.0


def test_cases_that_one_setup_lacks_are_in_no_curve() -> None:
    prices = {"solo": {"a": ("0.01",), "b": ("0.01",)}, "team": {"a": ("0.02",)}}
    found = curve_of(table({"solo": {"a": "F", "b": "P"}, "team": {"a": "P"}}, priced(prices)))
    assert found.cases == 1
    assert found.budgets[-1].setups["solo"].passed == 0


def test_the_curve_never_falls_and_ends_at_what_passed(made_prices: list[str]) -> None:
    letters = "".join("PF"[place % 3 == 0] for place in range(len(made_prices)))
    prices = {name: {"a": tuple(made_prices)} for name in ("solo", "team")}
    found = curve_of(table({"solo": {"a": letters}, "team": {"a": letters}}, priced(prices)))
    reached = [at.setups["solo"].value or 0.0 for at in found.budgets]
    assert reached == sorted(reached)
    assert reached[-1] == letters.count("P") / len(letters)
    assert found.turns == []


@pytest.fixture(params=[3, 17, 200])
def made_prices(request: pytest.FixtureRequest) -> list[str]:
    return [f"0.{(place * 7919) % 997 + 1:04}" for place in range(request.param)]
