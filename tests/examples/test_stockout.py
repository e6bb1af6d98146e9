"""The shop team beside its baselines: the figures are known to the cent, and so is what follows from them."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tests.examples.conftest import Example


@pytest.fixture(scope="module")
def shop(copied: Callable[[str], Example]) -> Example:
    return copied("stockout")


@pytest.fixture(scope="module")
def report(shop: Example) -> Any:
    return shop.ask("run", "suite.yaml")


@pytest.mark.parametrize(
    ("setup", "passed", "mean", "latency", "per_success"),
    [("single", 1, "0.03", 600, "0.06"), ("single-retry", 2, "0.06", 1075, "0.06"), ("team", 2, "0.09", 1600, "0.09")],
)
def test_each_setup_has_its_known_figures(report: Any, setup: str, passed: int, mean: str, latency: int, per_success: str) -> None:
    seen = report["setups"][setup]
    assert (seen["planned"], seen["pass"], seen["fail"], seen["unknown"], seen["not_run"]) == (2, passed, 2 - passed, 0, 0)
    assert seen["success_rate"]["value"] == passed / 2
    assert Decimal(seen["cost_usd"]["mean"]) == Decimal(mean)
    assert Decimal(seen["cost_usd"]["per_success"]) == Decimal(per_success)
    assert seen["cost_usd"]["complete"] is True
    assert seen["latency_ms"]["mean"] == latency
    assert seen["latency_ms"]["stated"] is True


def test_the_match_is_fair(report: Any) -> None:
    assert report["fairness"]["fair"] is True
    assert report["fairness"]["differences"] == []


def test_the_single_analyst_takes_the_sales_of_an_empty_shelf_for_demand(report: Any) -> None:
    failed = [case for case in report["cases"] if "FAIL" in case["verdicts"]]
    assert [(case["id"], case["setup"]) for case in failed] == [("stockout-hidden-demand", "single")]
    checks = {entry["check"]: entry for entry in failed[0]["failed"]}
    assert "takes the sales of an empty shelf for demand" in checks
    assert all(entry["evidence"]["path"] and entry["why"] and entry["fix"] for entry in failed[0]["failed"])


def test_the_retry_tries_twice_in_both_cases(report: Any) -> None:
    assert report["setups"]["single-retry"]["retries"] == 2


def test_every_handoff_of_the_team_holds(report: Any) -> None:
    chain = {link["handoff"]: link["kept"] for link in report["setups"]["team"]["chain"]}
    assert chain == {"coo->ceo": 1.0, "cfo->ceo": 1.0, "cpo->ceo": 1.0}
    whole = report["setups"]["team"]["chain_whole"]
    assert (whole["joint"]["value"], whole["product"], whole["n"]) == (1.0, 1.0, 2)
    assert "chain_joint" in report["setups"]["single"]["reasons"]


def test_lift_says_that_the_team_does_not_beat_the_cheaper_retry(shop: Example, report: Any) -> None:
    lift = shop.ask("lift", "last")
    assert lift["verdict"] == "does_not_beat"
    assert "retry" in lift["says"]
    assert "several roles" in lift["says"] + lift["next"]
    assert (lift["advice"], lift["routing"]["state"]) == ("cannot_tell", "too_few")
    reached = {at["budget"]: {name: found["value"] for name, found in at["setups"].items()} for at in lift["curve"]["budgets"]}
    assert reached == {
        "0.03": {"single": 0.5, "single-retry": 0.0, "team": 0.0},
        "0.06": {"single": 0.5, "single-retry": 1.0, "team": 0.0},
        "0.09": {"single": 0.5, "single-retry": 1.0, "team": 1.0},
    }
    assert [(turn["budget"], turn["ahead"]) for turn in lift["curve"]["turns"]] == [("0.06", "single-retry"), ("0.09", "")]


def test_the_suite_finds_nothing_wrong_with_itself(shop: Example) -> None:
    for suite in ("suite.yaml", "teams.yaml"):
        told = shop.tell("check", suite)
        assert told.code == 0, told.out + told.err


def test_the_run_ends_by_saying_what_to_type_next(shop: Example) -> None:
    told = shop.tell("run", "suite.yaml")
    assert told.code == 0, told.err
    assert "fairtrial " in told.out.strip().splitlines()[-1]


def test_demo_runs_the_same_suite_anywhere(copied: Callable[[str], Example], report: Any) -> None:
    elsewhere = copied("outside-agent")
    demo = elsewhere.ask("demo")
    assert {name: seen["pass"] for name, seen in demo["setups"].items()} == {"single": 1, "single-retry": 2, "team": 2}
    assert demo["suite"]["version"] == report["suite"]["version"]


@pytest.mark.parametrize("level", ["shared", "fork", "process"])
def test_the_verdicts_are_the_same_in_every_isolation(copied: Callable[[str], Example], report: Any, level: str) -> None:
    other = copied("stockout").ask("run", "suite.yaml", "--isolate", level)
    assert [(case["id"], case["setup"], case["verdicts"]) for case in other["cases"]] == [
        (case["id"], case["setup"], case["verdicts"]) for case in report["cases"]
    ]
