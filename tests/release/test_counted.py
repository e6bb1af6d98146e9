"""Counted gates: exact over what was planned, open where something unknown could turn them, never green over nothing."""

from decimal import Decimal
from typing import Any

import pytest

from fairtrial.records.budget import Budget
from fairtrial.records.grade import Grade, Scorecard
from fairtrial.records.setup import Seat
from fairtrial.records.trial import Ending, TrialHead
from fairtrial.records.verdict import Verdict
from tests.release.making import decided, gate, many
from tests.study.tables import info

REGRESSION = {"a": info("a", library="regression"), "b": info("b", tier="unit")}


@pytest.mark.parametrize(
    ("letters", "state"), [("PPP", "holds"), ("PPF", "fails"), ("PPU", "open"), ("PP-", "open"), ("PFU", "fails"), ("EEE", "open")]
)
def test_regression_holds_only_where_every_planned_trial_passed(letters: str, state: str) -> None:
    assert gate({"regression": "all"}, {"a": letters, "b": "PFP"}, infos=REGRESSION).state == state


def test_a_slice_takes_the_place_of_the_library() -> None:
    assert gate({"regression": {"tier": "unit"}}, {"a": "F", "b": "P"}, infos=REGRESSION).state == "holds"


@pytest.mark.parametrize("name", ["regression", "severe", "coverage", "over_budget", "latency_max_ms", "stability", "success_rate"])
def test_a_slice_that_matches_no_case_is_open_and_says_so(name: str) -> None:
    bars: dict[str, Any] = {"coverage": {"min": "0.9"}, "over_budget": {"max": 0}, "latency_max_ms": {"max": 1}}
    asked = {name: {"tag": "nobody"}, **bars.get(name, {} if name in ("regression", "severe") else {"min": "0.5"})}
    found = gate(asked, {"a": "PPP"})
    assert (found.state, found.why) == ("open", "no case of this run is of tag nobody")


def _severe(_: TrialHead, card: Scorecard) -> None:
    if card.verdict is Verdict.FAIL:
        card.severe = 1


@pytest.mark.parametrize(("cases", "state"), [(98, "open"), (99, "holds"), (100, "holds")])
def test_an_upper_bound_of_3_percent_needs_99_independent_cases(cases: int, state: str) -> None:
    found = gate({"severe": 0, "upper_bound": "0.03"}, many("PP", cases))
    assert found.state == state
    assert state == "holds" or "99 independent cases" in found.why


def test_trials_and_cases_of_one_cluster_count_once_for_the_upper_bound() -> None:
    cases = many("P", 120)
    infos = {case: info(case, cluster=f"user {place // 2}") for place, case in enumerate(cases)}
    assert gate({"severe": 0, "upper_bound": "0.03"}, cases, infos=infos).state == "open"
    assert gate({"severe": 0, "upper_bound": "0.03"}, many("P" * 20, 50)).state == "open"


def test_one_severe_failure_is_enough_to_block() -> None:
    found = decided([{"severe": 0}, {"coverage": "0.5"}], many("P" * 9 + "F", 100), change=_severe)
    assert (found.decision, found.exit_code) == ("block", 1)
    assert "c000" in found.gates[0].why


@pytest.mark.parametrize("letter", ["-", "E", "U"])
def test_a_trial_of_which_nothing_is_known_keeps_severe_open(letter: str) -> None:
    assert gate({"severe": 0}, {"a": "P" + letter, "b": "PP"}).state == "open"


@pytest.mark.parametrize(("severity", "state"), [("critical", "open"), ("major", "holds")])
def test_an_unknown_check_keeps_severe_open_only_where_it_is_critical(severity: str, state: str) -> None:
    def change(_: TrialHead, card: Scorecard) -> None:
        if card.verdict is Verdict.UNKNOWN:
            card.grades.append(Grade(check="no leak", card="safety", verdict=Verdict.PASS))
            card.grades[0].severity = severity

    assert gate({"severe": 0}, {"a": "PU"}, change=change).state == state


BUDGETED = {"seats": (Seat(setup="new", budget=Budget(steps=5)),)}


def _over(head: TrialHead, card: Scorecard) -> None:
    if card.verdict is Verdict.FAIL:
        head.ending, head.over_budget = Ending.OVER_BUDGET, "steps"


@pytest.mark.parametrize(
    ("most", "letters", "state"), [(0, "PPP", "holds"), (0, "PPF", "fails"), (1, "PPF", "holds"), (0, "PP-", "open"), (1, "PF-", "open")]
)
def test_over_budget_is_a_count(most: int, letters: str, state: str) -> None:
    assert gate({"over_budget": most}, {"a": letters}, change=_over, **BUDGETED).state == state


def test_without_a_budget_nothing_could_go_over_it_so_the_gate_is_open() -> None:
    found = gate({"over_budget": 0}, {"a": "PPP"})
    assert (found.state, "had no budget" in found.why) == ("open", True)


@pytest.mark.parametrize(
    ("bar", "letters", "state"),
    [
        ("0.98", "P" * 49 + "U", "holds"),
        ("0.9800000000000000000001", "P" * 49 + "U", "fails"),
        ("0.98", "P" * 48 + "UU", "fails"),
        ("0.98", "P" * 25 + "-" * 25, "open"),
        ("1", "F" * 50, "holds"),
        ("0.98", "P" * 25 + "E" * 25, "open"),
    ],
)
def test_coverage_is_compared_exactly(bar: str, letters: str, state: str) -> None:
    assert gate({"coverage": bar}, {"a": letters}).state == state


def _timed(head: TrialHead, card: Scorecard) -> None:
    head.wall_ms = 100.0 * head.key.attempt
    if card.verdict is Verdict.FAIL:
        head.ending = Ending.TIMEOUT


@pytest.mark.parametrize(
    ("bar", "letters", "state"),
    [(300, "PPP", "holds"), (299, "PPP", "fails"), (300, "PP-", "open"), (900, "PPF", "fails"), (900, "E", "open")],
)
def test_the_longest_answer_is_a_count_and_a_timeout_is_longer_than_any(bar: int, letters: str, state: str) -> None:
    assert gate({"latency_max_ms": bar}, {"a": letters}, change=_timed).state == state


def _marked(head: TrialHead, card: Scorecard) -> None:
    verdict = card.verdict
    card.grades = [
        Grade(check=name, card="outcome", verdict=verdict, dimension=name) for name in ("correctness", "groundedness", "card_usage")
    ]
    del head


@pytest.mark.parametrize(
    ("letters", "bar", "state"),
    [
        ("PP", "3.0", "holds"),
        ("PF", "3.0", "holds"),
        ("PF", "3.0000001", "fails"),
        ("FF", "1.5", "fails"),
        ("PU", "3.0", "holds"),
        ("PU", "3.5", "open"),
        ("P-", "3.0", "open"),
    ],
)
def test_the_coded_score_is_held_to_the_bar_in_every_case(letters: str, bar: str, state: str) -> None:
    assert gate({"judge_score": "dialogue", "min": bar}, {"a": letters, "b": "PP"}, change=_marked).state == state


def test_without_a_score_a_judges_gate_is_open_and_never_holds_silently() -> None:
    found = gate({"judge_score": "quality", "min": "3.0"}, {"a": "PP"})
    assert (found.state, "no trial has a score" in found.why) == ("open", True)
    assert gate({"human_score": "overall", "min": "3.0"}, {"a": "PP"}).state == "open"


def test_counts_are_exact_decimals() -> None:
    found = gate({"coverage": "0.5"}, {"a": "PPU"})
    assert isinstance(found.value, Decimal) and found.bar == Decimal("0.5")


def test_a_latency_of_trials_that_all_crashed_says_that_none_answered() -> None:
    def crash(head: TrialHead, _: Scorecard) -> None:
        head.ending = Ending.AGENT_ERROR

    found = gate({"latency_max_ms": "5000"}, {"a": "FFF"}, change=crash)
    assert found.state == "open"
    assert (found.seen, found.why) == (
        "no trial gave an answer; 3 trials ended without an answer",
        "without an answer there is no time",
    )


@pytest.mark.parametrize(("asked", "near"), [("refund", "topic:refund"), ("topic:refnud", "topic:refund")])
def test_a_slice_that_no_case_has_names_the_nearest(asked: str, near: str) -> None:
    infos = {"a": info("a", tags=("topic:refund", "easy"))}
    found = gate({"success_rate": {"tag": asked}, "min": "0.5"}, {"a": "P"}, infos=infos)
    assert (found.state, found.why) == ("open", f"no case of this run is of tag {asked}; the nearest is tag {near}")
