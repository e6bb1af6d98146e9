"""The tasks of the small mock domain as cases on our JSON world: where each starts, and what its assertions ask of the end."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fairtrial.records.case import Scene
from fairtrial.records.strictjson import loads
from fairtrial.records.text import read_text
from fairtrial.worlds.json import JsonWorld
from tests.real import mock_tools
from tests.real.tau2_cases import act, case_of, tools_in

TOOLS = tools_in(mock_tools)
ROLES = {"user": "user", "assistant": "agent"}


def read_tasks(folder: Path) -> list[dict[str, Any]]:
    tasks: list[dict[str, Any]] = loads(read_text(folder / "tasks.json"))
    return tasks


def start_of(task: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The tables of agent and user, with what the task puts in, and what was done before the conversation begins."""
    state: dict[str, Any] = loads(read_text(folder / "db.json")) | loads(read_text(folder / "user_db.json"))
    initial = task.get("initial_state") or {}
    for data in (initial.get("initialization_data") or {}).values():
        _merge(state, data)
    act(initial.get("initialization_actions") or (), TOOLS, state)
    act((call for call, _ in history_calls(task)), TOOLS, state)
    return state


def history_calls(task: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """The calls of the conversation so far, with their answers."""
    messages = (task.get("initial_state") or {}).get("message_history") or ()
    told = {message["id"]: message["content"] for message in messages if message["role"] == "tool"}
    return [(call, told[call["id"]]) for message in messages for call in message.get("tool_calls") or ()]


def mock_case(task: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A case; one without any check where the task says only in words what is right."""
    state = start_of(task, folder)
    case = case_of(task, TOOLS, JsonWorld().open(Scene(state=copy.deepcopy(state))))
    messages = (task.get("initial_state") or {}).get("message_history") or ()
    history = [{"from": ROLES[turn["role"]], "text": turn["content"]} for turn in messages if turn["role"] in ROLES and turn.get("content")]
    asked = [_asserted(entry) for entry in task["evaluation_criteria"].get("env_assertions") or () if entry["env_type"] == "assistant"]
    return case | {"state": state, "history": history, "must": [*case["must"], *asked]}


def completing(task_id: str) -> Callable[[Any, Any], Any]:
    """An agent that says of one task that it is completed, whatever it is asked."""

    def agent(brief: Any, desk: Any) -> dict[str, str]:
        desk.call("update_task_status", task_id=task_id, status="completed")
        return {"said": "It is completed."}

    return agent


def _asserted(entry: dict[str, Any]) -> dict[str, Any]:
    """What an assertion on the agent's side asks of the end state. What a user is to have done with tools is nothing an agent can do."""
    if entry["func_name"] != "assert_task_status":
        raise ValueError(f"no such assertion here: {entry['func_name']}")
    arguments = entry["arguments"]
    return {"state": f"tasks.{arguments['task_id']}.status", "equals": arguments["expected_status"]}


def _merge(into: dict[str, Any], data: dict[str, Any]) -> None:
    for key, value in data.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value
