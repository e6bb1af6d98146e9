"""The two return desks: the same state, told apart by judges; the reference rules, and a place is no reason."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.examples.conftest import Example


@pytest.fixture(scope="module")
def desk(copied: Callable[[str], Example]) -> Example:
    return copied("judged")


@pytest.fixture(scope="module")
def report(desk: Example) -> Any:
    return desk.ask("run", "suite.yaml")


def opinions(desk: Example, setup: str, case: str) -> dict[str, Any]:
    return {one["judge"]: one for one in desk.ask("show", f"last:{setup}", case, "1")["opinions"]}


def test_the_steady_desk_passes_and_the_hasty_one_does_not(report: Any) -> None:
    found = {(case["setup"], case["id"]): case["verdicts"][0] for case in report["cases"]}
    assert {verdict for (setup, _), verdict in found.items() if setup == "steady"} == {"PASS"}
    assert {verdict for (setup, _), verdict in found.items() if setup == "hasty"} == {"FAIL"}


def test_a_return_before_the_parcel_has_come_is_judged_rightly_with_the_reference_and_wrongly_without(
    copied: Callable[[str], Example], desk: Example, report: Any
) -> None:
    said = opinions(desk, "steady", "on-its-way")["quality"]
    assert (said["verdict"], said["score"], said["by_dimension"]["correctness"]) == ("PASS", 4.85, 5.0)
    bare = copied("judged")
    case = bare.folder / "cases" / "on-its-way.yaml"
    lines = case.read_text(encoding="utf-8").splitlines(keepends=True)
    case.write_text("".join(line for line in lines if not line.startswith("reference:")), encoding="utf-8")
    bare.ask("run", "suite.yaml", "--setup", "steady", "--case", "on-its-way")
    said = opinions(bare, "steady", "on-its-way")["quality"]
    assert (said["verdict"], said["by_dimension"]["correctness"]) == ("FAIL", 1.0)
    assert "how can it be returned" in said["answers"][0]["reason"]


def test_the_verdict_in_the_answer_is_not_believed_and_a_trial_that_failed_by_code_costs_no_call(desk: Example, report: Any) -> None:
    said = opinions(desk, "hasty", "delivered")["quality"]
    assert (said["score"], said["by_dimension"]["groundedness"]) == (3.45, 1.0)
    assert opinions(desk, "hasty", "not-looked-up") == {}


def test_side_by_side_in_both_orders(desk: Example, report: Any) -> None:
    found = desk.ask("judge", "pairs", "last:hasty", "last:steady", "--judge", "quality")
    assert (found["new_wins"], found["base_wins"], found["ties"], found["unknown"], found["bias"]["value"]) == (3, 0, 1, 0, 0.0)
    assert found["verdict"] == "cannot_tell", "three cases are too few"
    again = desk.ask("judge", "pairs", "last:steady", "last:hasty", "--judge", "quality")
    assert (again["new_wins"], again["base_wins"], again["asking"]["calls"]) == (0, 3, 0)
    placed = desk.ask("judge", "pairs", "last:hasty", "last:steady", "--judge", "placed")
    assert (placed["ties"], placed["bias"]["value"], placed["bias"]["first"]) == (4, 1.0, 4)


def test_the_page_is_there_in_both_languages_and_ends_with_what_to_type(desk: Example, report: Any) -> None:
    for language, words in (("en", "double looks the place decided"), ("zh", "由位置决定")):
        told = desk.tell("judge", "pairs", "last:hasty", "last:steady", "--judge", "placed", "--lang", language)
        assert told.code == 0
        assert words in told.out.replace("\n", "")
        assert "fairtrial compare " in told.out.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("last:hasty", "last:steady"), "the suite has several judges"),
        (("last:hasty", "last:steady", "--judge", "qualty"), "did you mean 'quality'"),
        (("last", "last:steady", "--judge", "quality"), "the run has several setups"),
        (("last:hasti", "last:steady", "--judge", "quality"), "did you mean 'hasty'"),
    ],
)
def test_what_is_not_there_is_told(desk: Example, report: Any, arguments: tuple[str, ...], words: str) -> None:
    told = desk.tell("judge", "pairs", *arguments)
    assert told.code == 2
    assert words in told.err


def test_a_judge_that_has_not_passed_its_exam_finds_nothing_better(copied: Callable[[str], Example]) -> None:
    example = copied("judged")
    suite = example.folder / "suite.yaml"
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.replace("rubric: dialogue, repeats: 2", 'rubric: dialogue, repeats: 2, bar: {kappa: "0.6"}'), encoding="utf-8")
    example.ask("run", "suite.yaml")
    found = example.ask("judge", "pairs", "last:hasty", "last:steady", "--judge", "quality")
    assert (found["verdict"], found["new_wins"]) == ("cannot_tell", 3)
    assert "its exam does not let it say more" in found["says"]
    assert any("fairtrial judge exam" in note for note in found["notes"])
