"""The mock domain: small enough for the JSON world, with starts that are stated in every way the benchmark knows."""

from pathlib import Path
from typing import Any

import pytest

import fairtrial as ft
from fairtrial.cases.suite import load_suite
from fairtrial.records.report import RunReport
from fairtrial.records.strictjson import loads
from tests.real.mock_world import TOOLS, history_calls, mock_case, read_tasks, start_of
from tests.real.tau2_replay import write_suite

AGENTS_TOOLS = ["create_task", "update_task_status", "transfer_to_human_agents"]
STAGE = """
from tests.real.mock_tools import *
from tests.real.mock_world import completing
from tests.real.tau2_replay import doing, idle

reference = doing({!r})
completer = completing("task_2")
"""


@pytest.fixture(scope="module")
def folder(tau2: Path) -> Path:
    return tau2 / "domains" / "mock"


@pytest.fixture(scope="module")
def tasks(folder: Path) -> dict[str, dict[str, Any]]:
    return {task["id"]: task for task in read_tasks(folder)}


@pytest.fixture(scope="module")
def cases(folder: Path, tasks: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    made = [mock_case(task, folder) for task in tasks.values()]
    return [case for case in made if case["must"]]


@pytest.fixture(scope="module", params=["fork", "shared"])
def report(
    request: pytest.FixtureRequest, folder: Path, cases: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> RunReport:
    setups = {name: {"agent": f"stage:{name}", "tools": AGENTS_TOOLS} for name in ("reference", "completer", "idle")}
    place = tmp_path_factory.mktemp("mock")
    write_suite(place, "mock", STAGE.format(str(folder / "tasks.json")), cases, {"setups": setups})
    return ft.run(place, isolate=request.param)


def passed(report: RunReport, setup: str) -> set[str]:
    return {case.id for case in report.cases if case.setup == setup and case.verdicts == ["PASS"]}


def test_only_what_is_right_in_words_alone_is_no_case(tasks: dict[str, dict[str, Any]], cases: list[dict[str, Any]]) -> None:
    left = [tasks[name]["evaluation_criteria"] for name in tasks.keys() - {case["id"] for case in cases}]
    assert all(set(criteria) == {"nl_assertions"} for criteria in left)
    assert len(left) < len(cases)


def test_the_reference_passes_wherever_there_is_one(tasks: dict[str, dict[str, Any]], report: RunReport) -> None:
    assert passed(report, "reference") == {name for name, task in tasks.items() if "actions" in task["evaluation_criteria"]}


def test_an_assertion_alone_asks_for_the_end_and_not_for_a_way(tasks: dict[str, dict[str, Any]], report: RunReport) -> None:
    alone = {name for name, task in tasks.items() if {"actions", "env_assertions"} & set(task["evaluation_criteria"]) == {"env_assertions"}}
    assert alone and alone <= passed(report, "completer")
    assert not alone & passed(report, "reference"), "it does nothing there"


def test_nothing_passes_by_saying_that_it_is_done(report: RunReport) -> None:
    assert not passed(report, "idle")


def test_our_tools_answer_what_the_conversations_so_far_say(folder: Path, tasks: dict[str, dict[str, Any]]) -> None:
    answers = []
    for task in tasks.values():
        state = start_of({**task, "initial_state": None}, folder)
        for call, content in history_calls(task):
            answers.append(TOOLS[call["name"]].act(**call["arguments"], world=state) == loads(content))
    assert answers and all(answers)


def test_however_a_start_is_stated_it_is_the_same(folder: Path, tasks: dict[str, dict[str, Any]]) -> None:
    ways = {"message_history", "initialization_data", "initialization_actions"}
    starts: dict[str, Any] = {}
    for task in tasks.values():
        for way in ways & set(task.get("initial_state") or ()):
            state = start_of(task, folder)
            if "task_2" in state["tasks"]:
                starts[way] = state
    assert starts.keys() == ways
    assert starts["message_history"] == starts["initialization_data"] == starts["initialization_actions"]


def test_what_the_policy_forbids_is_refused_by_the_tools(folder: Path, tasks: dict[str, dict[str, Any]]) -> None:
    state = start_of(next(iter(tasks.values())), folder)
    with pytest.raises(ft.ToolFailed, match="nobody"):
        TOOLS["create_task"].act(user_id="nobody", title="t", world=state)
    with pytest.raises(ft.ToolFailed, match="pending, completed"):
        TOOLS["update_task_status"].act(task_id="task_1", status="deleted", world=state)
    assert "delete_task" not in TOOLS
    assert state == start_of(next(iter(tasks.values())), folder)


def test_the_conversation_so_far_is_part_of_what_an_agent_is_told(cases: list[dict[str, Any]], tmp_path: Path) -> None:
    write_suite(tmp_path, "mock", "from tests.real.mock_tools import *\nfrom tests.real.tau2_replay import idle\n", cases, {})
    told = {case.id: case.brief.history for case in load_suite(str(tmp_path)).cases}
    assert any(history and history[0]["from"] == "user" and history[-1]["from"] == "agent" for history in told.values())
