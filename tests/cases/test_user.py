"""A case's simulated user: errors that stop a load, and findings of what can never come."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cases.lint import lint
from fairtrial.cases.load import load_cases
from fairtrial.cases.suite import load_suite
from fairtrial.records.case import Case
from fairtrial.records.errors import InputErrors


def load(folder: Path, user: dict[str, Any], **more: Any) -> Case:
    case = {"id": "one", "task": "t", "must": [{"output": "$", "equals": 1}], "must_not": [{"output": "$", "equals": 2}], "user": user}
    (folder / "cases.jsonl").write_text(json.dumps(case | more) + "\n", encoding="utf-8")
    (found,) = load_cases("cases.jsonl", folder)
    return found


def codes(folder: Path, user: dict[str, Any], **more: Any) -> list[str]:
    load(folder, user, **more)
    (folder / "suite.yaml").write_text("name: s\ncases: cases.jsonl\n", encoding="utf-8")
    asked = {"mute_user", "unreachable_line", "impossible_end", "told_secret", "visible_answer"}
    return [finding.code for finding in lint(load_suite(folder / "suite.yaml")) if finding.code in asked]


@pytest.mark.parametrize(
    ("user", "told"),
    [
        ({"script": ["a"], "model": "openai:m"}, "here are both"),
        ({"model": "gpt"}, "no such model"),
        ({"script": ["a"], "end": {"state": "total"}}, "one place of the state"),
        ({"script": ["a"], "end": {"output": "total", "equals": 1}}, "one place of the state"),
        ({"script": ["a"], "end": {"state": "a b[", "equals": 1}}, "not a path"),
        ({"script": [{"messsage": "a"}]}, "did you mean 'message'"),
        ({"script": ["a"], "style": "rude"}, "style"),
        ({"script": ["a"], "max_turns": 0}, "max_turns"),
    ],
)
def test_a_user_that_cannot_be_staged_is_an_error_with_its_place(user: dict[str, Any], told: str, tmp_path: Path) -> None:
    with pytest.raises(InputErrors) as raised:
        load(tmp_path, user)
    assert told in str(raised.value) and "cases.jsonl:1" in str(raised.value)


def test_secrets_of_the_case_are_what_its_user_must_keep_to_itself(tmp_path: Path) -> None:
    case = load(tmp_path, {"script": ["a"], "hidden": ["59.90"]}, secrets=["sk-test-1"])
    assert case.scene.user is not None and tuple(case.scene.user["hidden"]) == ("59.90", "sk-test-1")


def test_the_answers_are_not_in_what_the_stage_is_told(tmp_path: Path) -> None:
    case = load(tmp_path, {"script": ["a"]}, solution="the-solution", reference="the-reference", known_bad=["bad"])
    assert not any(word in str(case.scene) for word in ("the-solution", "the-reference", "bad"))


@pytest.mark.parametrize(
    ("user", "found"),
    [
        ({"persona": "in a hurry"}, ["mute_user"]),
        ({"style": "silent"}, []),
        ({"model": "openai:m"}, []),
        ({"script": ["a", {"message": "b", "when": {"card": "orders"}}]}, []),
        ({"script": [{"message": "b", "when": {"card": "orders"}}], "sees": ["reply"]}, ["unreachable_line"]),
        ({"script": [{"message": "b", "when": {"ui_card": "orders"}}], "sees": ["card"]}, []),
        ({"script": [{"message": "a", "repeat": True}, "b"]}, ["unreachable_line"]),
        ({"script": ["a", "b", "c"], "max_turns": 3}, ["unreachable_line"]),
        ({"script": ["a"], "end": {"state": "n", "min": 3, "max": 2}}, ["impossible_end"]),
        ({"script": ["a"], "end": {"state": "n", "in": []}}, ["impossible_end"]),
        ({"script": ["a"], "end": {"state": "n", "exists": False, "equals": 1}}, ["impossible_end"]),
        ({"model": "openai:m", "goal": "the key is 59.90", "hidden": ["59.90"]}, ["told_secret"]),
    ],
)
def test_what_can_never_come_is_found(user: dict[str, Any], found: list[str], tmp_path: Path) -> None:
    assert codes(tmp_path, user) == found


def test_a_goal_that_tells_the_answer_is_found(tmp_path: Path) -> None:
    answer = "The order has been delivered and can be returned."
    assert codes(tmp_path, {"script": ["a"], "goal": f"Hear this: {answer}"}, reference=answer) == ["visible_answer"]
