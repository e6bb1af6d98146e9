"""Recorded runs of tau2, done again call by call: an agent that says and calls what was said and called, and a suite for it."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.records.errors import Refused, ToolFailed
from fairtrial.records.strictjson import encode
from tests.real.tau2_cases import agents

PROJECT = Path(__file__).resolve().parents[2]
STOP = re.compile("###[A-Z-]+###")
LOOKS = ("get_", "find_", "list_", "calculate", "transfer_")
"""How the tools are named that change nothing."""


class Recording:
    """The simulations of one run file, by task."""

    def __init__(self, file: Path) -> None:
        content = msgspec.json.decode(file.read_bytes())
        self.name = file.stem
        self.file = file
        self.domain: str = content["info"]["environment_info"]["domain_name"]
        self.tasks: dict[str, dict[str, Any]] = {task["id"]: task for task in content["tasks"]}
        self.simulations: dict[str, dict[str, Any]] = {entry["task_id"]: entry for entry in content["simulations"]}

    def turns(self, task: str) -> list[dict[str, Any]]:
        """What the agent did: words, and calls."""
        return [message for message in self.simulations[task]["messages"] if message["role"] == "assistant"]

    def answers(self, task: str) -> Iterator[tuple[dict[str, Any], str, bool]]:
        """Each call with what it was answered, and whether that was an error, in order of the calls."""
        messages = self.simulations[task]["messages"]
        told = {message["id"]: message for message in messages if message["role"] == "tool"}
        for turn in self.turns(task):
            for call in turn["tool_calls"] or ():
                answer = told[call["id"]]
                yield call, answer["content"], answer["error"]

    def talk(self, task: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """What was said: by the agent before the user's first word, and from there on. What goes with a call is said to nobody."""
        sides = ("user", "assistant")
        said = [m for m in self.simulations[task]["messages"] if m["role"] in sides and m["content"] and not m["tool_calls"]]
        first = next(place for place, message in enumerate(said) if message["role"] == "user")
        return said[:first], said[first:]

    def last_change(self, task: str) -> dict[str, Any] | None:
        """The last call that changed something; None where there was none."""
        changes = [call for call, _, error in self.answers(task) if not error and not call["name"].startswith(LOOKS)]
        return changes[-1] if changes else None


def recordings(folder: Path, domain: str) -> list[Recording]:
    """The run files of a domain, by name."""
    found = [Recording(file) for file in sorted(folder.glob("*.json"))]
    return [recording for recording in found if recording.domain == domain]


def replaying(file: str, *, forgetful: bool = False) -> Callable[[Any, Any], Any]:
    """An agent that does again what a run file holds for the task at hand. A forgetful one leaves out the last change it made."""
    recording = Recording(Path(file))

    async def agent(brief: Any, desk: Any) -> dict[str, str]:
        task = brief.facts["recorded"]
        forgotten = recording.last_change(task) if forgetful else None
        said = []
        for turn in recording.turns(task):
            if turn["content"]:
                said.append(turn["content"])
                await desk.say(said[-1])
            for call in turn["tool_calls"] or ():
                if call is forgotten:
                    continue
                try:
                    await desk.call_with(call["name"], call["arguments"])
                except (ToolFailed, Refused):
                    continue  # it was told so then as well, and what it did next is in the recording
        return {"reply": said[-1], "said": "\n\n".join(said)}

    return agent


def talking(file: str) -> Callable[[Any, Any], Any]:
    """As `replaying`, with a user at the desk: it begins with the user's first word, and notes whether it hears what was recorded."""
    recording = Recording(Path(file))

    async def agent(brief: Any, desk: Any) -> dict[str, Any]:
        task = brief.facts["recorded"]
        greeting, spoken = recording.talk(task)
        expected = [recorded_words(message["content"]) for message in spoken if message["role"] == "user"]
        said, heard = [message["content"] for message in greeting], [brief.task]
        for turn in recording.turns(task)[len(greeting) :]:
            if turn["content"]:
                said.append(turn["content"])
                heard.append(await desk.say(said[-1]) or "")
            for call in turn["tool_calls"] or ():
                try:
                    await desk.call_with(call["name"], call["arguments"])
                except (ToolFailed, Refused):
                    continue
        return {"said": "\n\n".join(said), "heard_all": heard[: len(expected) - 1] == expected[:-1]}

    return agent


def recorded_words(text: str) -> str:
    """What a recorded user says, without the mark by which it stops."""
    return STOP.sub("", text).strip()


def doing(file: str) -> Callable[[Any, Any], Any]:
    """An agent that does what the reference of a task does and says what is to be said, from a file of tasks."""
    tasks = {task["id"]: task["evaluation_criteria"] for task in msgspec.json.decode(Path(file).read_bytes())}

    def agent(brief: Any, desk: Any) -> dict[str, str]:
        criteria = tasks[brief.facts["recorded"]]
        for action in agents(criteria.get("actions") or ()):
            try:
                desk.call_with(action["name"], action["arguments"])
            except ToolFailed:
                continue  # a reference may try what is not granted
        return {"said": " ".join(["It is done.", *(criteria.get("communicate_info") or ())])}

    return agent


def idle(brief: Any, desk: Any) -> dict[str, str]:
    """An agent that says it is done, and does nothing."""
    return {"said": "It is done."}


def write_suite(folder: Path, name: str, stage: str, cases: list[dict[str, Any]], suite: dict[str, Any]) -> Path:
    """A suite whose world, tools and agents are in `stage`, the text of a module."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "stage.py").write_text(f"import sys\nsys.path.insert(0, {str(PROJECT)!r})\n{stage}", encoding="utf-8")
    (folder / "cases.jsonl").write_bytes(b"".join(encode(case) + b"\n" for case in cases))
    content = {"name": name, "cases": "cases.jsonl", "tools": "stage.py", **suite}
    (folder / "suite.json").write_bytes(encode(content))
    return folder
