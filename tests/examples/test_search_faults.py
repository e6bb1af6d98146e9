"""The search agent whose tools fail: four figures of three agents, reckoned once more by the article's own formulas."""

from collections.abc import Callable
from statistics import mean
from typing import Any

import pytest

from tests.examples.conftest import Example

TROUBLED = 7
"""Cases of which each has a trial that meets a failure; the eighth plans none."""


@pytest.fixture(scope="module")
def search(copied: Callable[[str], Example]) -> Example:
    return copied("search-faults")


@pytest.fixture(scope="module")
def report(search: Example) -> Any:
    return search.ask("run", "suite.yaml")


def verdicts(report: Any, setup: str) -> dict[str, list[str]]:
    return {case["id"]: case["verdicts"] for case in report["cases"] if case["setup"] == setup}


@pytest.mark.parametrize(("setup", "passed"), [("regardless", 9), ("honest", 17), ("recovers", 32)])
def test_completion_and_stability_follow_from_the_verdicts(report: Any, setup: str, passed: int) -> None:
    seen = report["setups"][setup]
    shares = [trials.count("PASS") / len(trials) for trials in verdicts(report, setup).values()]
    assert (seen["pass"], seen["planned"], seen["unknown"]) == (passed, 32, 0)
    assert seen["success_rate"]["value"] == pytest.approx(mean(shares))
    assert seen["stability"] == pytest.approx(mean(1.0 - 2 * abs(share - round(share)) for share in shares))


@pytest.mark.parametrize(("setup", "handled"), [("regardless", 1), ("honest", TROUBLED), ("recovers", TROUBLED)])
def test_the_recovery_rate_is_the_mean_over_cases_that_met_a_failure(report: Any, setup: str, handled: int) -> None:
    """The one that goes on regardless gets round a page that times out: the other page says the same."""
    assert report["setups"][setup]["recovery_rate"] == pytest.approx(handled / TROUBLED)


def test_step_efficiency_is_required_tools_by_steps_in_passed_trials(report: Any) -> None:
    """Four calls where three tools are needed; a call more for each failure got round, a second search, or a third page."""
    seen = {setup: report["setups"][setup]["step_efficiency"] for setup in ("regardless", "honest", "recovers")}
    assert seen["regardless"] == pytest.approx(3 / 4)
    stopped_in_time = [1 / 2] * 4 + [2 / 4] * 4  # timeout-for-good needs the search alone, database-down no register
    assert seen["honest"] == pytest.approx(mean([3 / 4] * 9 + stopped_in_time))
    got_round = [3 / 5] * 16 + [1 / 4] * 4 + [2 / 6] * 4  # one call more; three tries at a page; three at the register
    by_chance = [3 / 4] + [3 / 5] * 3  # of four trials with the shaky register one meets no failure
    assert seen["recovers"] == pytest.approx(mean([3 / 4] * 4 + got_round + by_chance))


def test_each_agent_fails_where_its_way_with_trouble_is_wrong(report: Any) -> None:
    always_right = {setup: {case for case, seen in verdicts(report, setup).items() if set(seen) == {"PASS"}} for setup in report["setups"]}
    assert always_right["regardless"] == {"no-trouble", "api-timeout"}
    assert always_right["honest"] == {"no-trouble", "conflicting-sources", "database-down", "timeout-for-good"}
    assert len(always_right["recovers"]) == 8


def test_going_on_with_bad_data_is_found_by_name(search: Example, report: Any) -> None:
    trial = search.ask("show", f"{report['run']}:regardless", "conflicting-sources", "1")
    grade = next(grade for grade in trial["grades"] if grade["card"] == "recovery")
    assert grade["verdict"] == "FAIL"
    assert "went on with bad data" in grade["why"]


def test_stopping_where_a_second_try_would_do_is_premature(search: Example, report: Any) -> None:
    trial = search.ask("show", f"{report['run']}:honest", "database-error", "1")
    assert "premature_stop" in {grade.get("kind") for grade in trial["grades"] if grade["verdict"] == "FAIL"}


def test_the_suite_finds_nothing_wrong_with_itself(search: Example) -> None:
    assert search.tell("check", "suite.yaml").code == 0
