"""Twelve teams: what the scorecards say of each, where the lost fact went, and what mending one line moves."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.examples.conftest import Example

CASES = ("stockout-hidden-demand", "ordinary-week", "promo-week", "scarce-cash")
HIDDEN, ORDINARY, PROMO, SCARCE = CASES

FAILS: dict[str, dict[str, set[str]]] = {
    "sound": {},
    "asks-review": {},
    "lossy": {HIDDEN: {"outcome", "coordination"}},
    "only-declared": {HIDDEN: {"outcome", "coordination"}},
    "uplift-twice": {PROMO: {"coordination"}},
    "open-conflict": {SCARCE: {"coordination"}},
    "unanimous": {case: {"decision"} for case in CASES},
    "taken-shelf": {case: {"decision"} for case in CASES},
    "no-such-shelf": {case: {"decision"} for case in CASES},
    "future-stock": {case: {"decision"} for case in CASES},
    "orders-unasked": {case: {"decision"} for case in CASES},
    "always-asks": {case: {"outcome"} for case in (ORDINARY, PROMO, SCARCE)},
}
"""Setup -> case -> the scorecards that fail. What is not listed passes."""


@pytest.fixture(scope="module")
def shop(copied: Callable[[str], Example]) -> Example:
    return copied("stockout")


@pytest.fixture(scope="module")
def report(shop: Example) -> Any:
    return shop.ask("run", "teams.yaml")


def of(report: Any, setup: str, case: str) -> Any:
    return next(entry for entry in report["cases"] if (entry["setup"], entry["id"]) == (setup, case))


@pytest.mark.parametrize("setup", FAILS)
def test_each_team_fails_where_it_goes_wrong_and_nowhere_else(report: Any, setup: str) -> None:
    seen = {case: of(report, setup, case) for case in CASES}
    cards = {case: {entry["card"] for entry in found["failed"]} for case, found in seen.items() if found["verdicts"] == ["FAIL"]}
    assert cards == FAILS[setup]
    assert all(found["verdicts"] == ["PASS"] for case, found in seen.items() if case not in cards)


def test_all_teams_are_a_fair_match(report: Any) -> None:
    assert report["fairness"]["fair"] is True


def test_asking_for_review_passes_with_the_question_left_unknown(report: Any) -> None:
    found = of(report, "asks-review", HIDDEN)
    assert found["verdicts"] == ["PASS"]
    assert [entry["excused"] for entry in found["unknown"]] == [True]
    assert "demand" in found["unknown"][0]["check"]
    assert report["setups"]["asks-review"]["declined"] == 1


def test_declining_where_the_answer_can_be_known_fails(report: Any) -> None:
    assert "premature_stop" in {entry["kind"] for entry in of(report, "always-asks", ORDINARY)["failed"]}


def test_a_declared_use_does_not_count_against_the_answer(report: Any) -> None:
    found = {entry["check"]: entry for entry in of(report, "only-declared", HIDDEN)["failed"]}
    assert "fact_unused" in {entry["kind"] for entry in found.values()}
    assert not [check for check in found if "received" in check]


@pytest.mark.parametrize(
    ("setup", "case", "kind"),
    [
        ("lossy", HIDDEN, "handoff_loss"),
        ("uplift-twice", PROMO, "double_adjustment"),
        ("open-conflict", SCARCE, "open_conflict"),
        ("orders-unasked", ORDINARY, "unsafe_act"),
    ],
)
def test_each_failure_has_its_kind_evidence_and_mend(report: Any, setup: str, case: str, kind: str) -> None:
    found = [entry for entry in of(report, setup, case)["failed"] if entry["kind"] == kind]
    assert found
    assert all(entry["fix"] and (entry["evidence"].get("span") or entry["evidence"].get("path")) for entry in found)


def test_agreement_does_not_pay_120_out_of_100(report: Any) -> None:
    (found,) = (entry for entry in of(report, "unanimous", ORDINARY)["failed"] if "cash" in entry["check"])
    assert found["evidence"]["seen"] == {"output.spend": 120, "facts.cash": 100}


def test_an_order_nobody_asked_for_is_severe(report: Any) -> None:
    assert report["setups"]["orders-unasked"]["severe"] >= 4
    assert report["setups"]["sound"]["severe"] == 0


def test_replay_points_at_the_handoff_that_dropped_the_fact(shop: Example, report: Any) -> None:
    walk = shop.ask("replay", "last:lossy", HIDDEN, "1")
    (fact,) = (fact for fact in walk["facts"] if fact["fact"] == "stockout_days")
    assert fact["dropped_by"] == "coo"
    assert fact["last_present"]["role"] == "coo"
    assert fact["first_absent"]["name"] == "coo->ceo"
    assert "read_stock" in {seen["name"] for seen in fact["sightings"]}


def test_mending_the_lossy_handoff_moves_that_case_and_nothing_else(copied: Callable[[str], Example]) -> None:
    shop = copied("stockout")
    shop.ask("run", "teams.yaml")
    source = (shop.folder / "teams.py").read_text(encoding="utf-8")
    old, new = 'HANDED_ON = ("sales", "stock", "arriving")', 'HANDED_ON = ("sales", "stock", "arriving", "stockout_days")'
    assert source.count(old) == 1
    (shop.folder / "teams.py").write_text(source.replace(old, new), encoding="utf-8")
    told = shop.tell("retest", "last:lossy", HIDDEN)
    assert told.code == 0, told.out + told.err
    after = shop.ask("show", "last")
    assert of(after, "lossy", HIDDEN)["verdicts"] == ["PASS"]
