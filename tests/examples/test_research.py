"""The research agents: each planted fault is found, by the check that is named for it and by no other; the careful one passes."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.examples.conftest import Example

OPENED, SAYS_SO = "every source was opened", "every source says what it is cited for"
FAULTS = {
    "made-up-source": {OPENED, SAYS_SO},
    "not-what-it-says": {SAYS_SO},
    "forbidden-source": {"every source is an allowed one"},
    "old-source": {"no source is out of date"},
    "redated-source": {"no source is out of date"},
    "half-the-answer": {"the key facts are covered"},
    "bare-opinion": {"an opinion is marked as one"},
    "loose-end": {"every statement leads to a source"},
    "invented-figure": {"no figure that nobody returned"},
}


@pytest.fixture(scope="module")
def research(copied: Callable[[str], Example]) -> Example:
    return copied("research")


@pytest.fixture(scope="module")
def report(research: Example) -> Any:
    return research.ask("run", "suite.yaml")


def test_the_suite_finds_nothing_wrong_with_itself(research: Example) -> None:
    assert research.ask("check", "suite.yaml")["findings"] == []


@pytest.mark.parametrize("setup", FAULTS)
def test_each_fault_is_found_by_its_name(report: Any, setup: str) -> None:
    cases = [case for case in report["cases"] if case["setup"] == setup]
    assert [case["verdicts"] for case in cases] == [["FAIL"]] * 2
    for case in cases:
        assert {failed["check"] for failed in case["failed"]} == FAULTS[setup]
        kind = "context_loss" if setup == "half-the-answer" else "hallucination"
        assert {failed["kind"] for failed in case["failed"]} == {kind}


def test_the_careful_agent_passes_in_both_languages(report: Any) -> None:
    assert report["setups"]["careful"]["pass"] == report["setups"]["careful"]["planned"] == 2


def test_a_source_that_was_given_another_date_is_told_from_one_that_is_old(report: Any) -> None:
    lied = next(case for case in report["cases"] if case["setup"] == "redated-source")
    assert "the page says" in str(lied["failed"][0])
