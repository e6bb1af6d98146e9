"""Tasks of tau2 as cases: what is asked, the end that its own actions lead to, what may change, what must be said.

A task states no end state, it states actions: they are done on a fresh world by our tools, and where they lead is the
expected end. Kept out: how a recorded trial is done again (`tau2_replay.py`).
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from msgspec import UNSET

from fairtrial.records.errors import ToolFailed
from fairtrial.worlds.changes import diff
from fairtrial.worlds.tools import Tool, find_tools


class Live(Protocol):
    """A fresh world: what tools act on, and what it shows of itself."""

    @property
    def live(self) -> Any: ...

    @property
    def before(self) -> Any: ...

    def after(self) -> Any: ...


def tools_in(module: Any) -> dict[str, Tool]:
    return find_tools(vars(module).values())


def act(actions: Iterable[dict[str, Any]], tools: Mapping[str, Tool], live: Any) -> list[str]:
    """Do the actions; one that a tool refuses changes nothing, and is told."""
    refused = []
    for action in actions:
        tool = tools[action.get("name") or action["func_name"]]
        try:
            tool.act(**tool.bind(action["arguments"]), **({"world": live} if tool.takes_world else {}))
        except ToolFailed as error:
            refused.append(f"{tool.name}: {error}")
    return refused


def case_of(task: dict[str, Any], tools: Mapping[str, Tool], fresh: Live) -> dict[str, Any]:
    """A case. Its verdict rests on the end state and on what is said; the calls of the reference are parts, reported beside it.

    Where the task's own reward rests on the calls as well, they must be made. A task without a reference has no expected end.
    """
    criteria = task["evaluation_criteria"]
    scenario = task["user_scenario"]["instructions"]
    actions = agents(criteria.get("actions") or ())
    calls = [called(action) for action in actions]
    must = [said(info) for info in criteria.get("communicate_info") or ()]
    must += calls if "ACTION" in (criteria.get("reward_basis") or ()) else []
    case = {
        "id": task["id"],
        "task": scenario if isinstance(scenario, str) else scenario["reason_for_call"],
        "expected": " ".join(criteria.get("nl_assertions") or ()),
        "facts": {"recorded": task["id"]},
        "must": must,
        "subtasks": [{"id": action["action_id"], "checks": [call]} for action, call in zip(actions, calls, strict=True)],
        "source": "real",
    }
    return case | _end(actions, tools, fresh, must) if "actions" in criteria else case


def _end(actions: list[dict[str, Any]], tools: Mapping[str, Tool], fresh: Live, must: list[dict[str, Any]]) -> dict[str, Any]:
    """Where the actions lead on a fresh world, and which records may change on the way."""
    act(actions, tools, fresh.live)
    after = fresh.after()
    expected = fresh.before if after is UNSET else after
    changed = [change.path for change in diff(fresh.before, expected)]
    return {"expect_state": expected, "must": [{"changes": {"allow": changed} if changed else {"none": True}}, *must]}


def agents(actions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The actions that are the agent's to do, not the user's."""
    return [action for action in actions if action.get("requestor", "assistant") == "assistant"]


def called(action: dict[str, Any]) -> dict[str, Any]:
    """The check that an action of the reference was done: the call with its arguments, whatever came of it."""
    compared = action.get("compare_args")
    arguments = action["arguments"] if compared is None else {name: action["arguments"][name] for name in compared}
    return {"tool": action["name"], "called": True, **({"with": arguments} if arguments else {})}


def said(info: str) -> dict[str, Any]:
    """The check that something was said to the user, in any of the messages and any case; amounts are written with and without commas."""
    found = [{"output": "said", "contains": text, "normalise": ["case"]} for text in sorted({info, _grouped(info)})]
    return {"any_of": found, "name": f"says {info}"}


def _grouped(text: str) -> str:
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}{point}{rest}" if whole.isdigit() else text
