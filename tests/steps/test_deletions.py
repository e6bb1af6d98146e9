"""Delete or blank any part of a passing project: the gate stops being green, or the loss is told.

The files are walked generically, so that a key that comes later is tried as well. A change that leaves the gate green must be
told by `check` or on the decision; what may pass without a word stands in `HARMLESS`, each with its reason.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fairtrial import workflow
from fairtrial.records.errors import FairtrialError
from fairtrial.records.strictjson import encode
from fairtrial.steps.options import RunOptions

AGENTS = """
async def relay(brief, desk):
    total = await desk.call("add", n=brief.facts["n"])
    desk.hand_off("lead", {"n": brief.facts["n"]}, by="clerk")
    desk.receive(by="lead")
    desk.use("n", by="lead")
    return {"total": total}
"""
TOOLS = '''
from fairtrial import tool

@tool
def add(n: int, world: dict) -> int:
    """Add to the total."""
    world["total"] += n
    return world["total"]
'''
CASE = {
    "id": "one",
    "task": "add 1 to the total",
    "facts": {"n": 1},
    "state": {"total": 1},
    "expect_state": {"total": 2},
    "must": [{"output": "total", "equals": 2}, {"fact": "n", "used_by": "lead"}],
    "must_not": [{"output": "total", "equals": -1}, {"tool": "add", "min_times": 2}],
    "limits": [{"rule": "output.total <= 9"}],
    "solution": {"total": 2},
    "known_bad": [{"total": -1}],
    "library": "regression",
}
SUITE = {
    "name": "relay",
    "cases": ["cases.jsonl"],
    "tools": "tools.py",
    "setups": {
        "old": {"agent": "agents:relay", "roles": ["clerk", "lead"], "lead": "lead", "versions": {"prompt": "p1"}},
        "new": {"agent": "agents:relay", "roles": ["clerk", "lead"], "lead": "lead", "versions": {"prompt": "p2"}},
    },
    "handoffs": [{"from": "clerk", "to": "lead", "requires": ["n"]}],
    "baseline": "old",
    "candidate": "new",
    "budget": {"tool_calls": 5, "steps": 9},
    "trials": 2,
    "checks": [{"output": "total", "exists": True}],
    "policy": "release.json",
}
POLICY = {
    "gates": [
        {"regression": "all"},
        {"severe": 0},
        {"over_budget": 0},
        {"coverage": "1"},
        {"success_rate": "overall", "not_below": "baseline", "margin": "0.9"},
    ],
    "confidence": "0.95",
}
OTHER = {**CASE, "id": "two", "task": "add 2 to the total", "facts": {"n": 2}, "expect_state": {"total": 3}, "solution": {"total": 3}}
FILES: dict[str, Any] = {
    "cases.jsonl": [CASE, {**OTHER, "must": [{"output": "total", "equals": 3}]}],
    "suite.json": SUITE,
    "release.json": POLICY,
}

HARMLESS = {
    "suite.json name": "the suite is then called by its folder, and known by its place",
    "suite.json candidate": "the last listed is the same one",
    "suite.json setups old versions": "another version of the baseline, which says so where it is named",
    "suite.json setups new versions": "another version of the candidate: its attempts begin anew",
    "release.json confidence": "0.95 is the default",
    "suite.json setups old lead": "the deciding role is then the last one, which is the same",
    "suite.json setups new lead": "the deciding role is then the last one, which is the same",
}


class Mutation(NamedTuple):
    """One part of one file gone or blank."""

    file: str
    path: tuple[str | int, ...]
    how: str

    @property
    def name(self) -> str:
        return f"{self.how} {self.file} {' '.join(map(str, self.path))}"


def parts(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if path:
        yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from parts(item, (*path, key))


def mutations() -> list[Mutation]:
    """Every part deleted; every text, list and object blanked. Of the second case only as a whole."""
    found = []
    for file, content in FILES.items():
        for path, value in parts(content):
            if file == "cases.jsonl" and path[0] == 1 and len(path) > 1:
                continue
            found.append(Mutation(file, path, "delete"))
            if isinstance(value, str | list | dict) and value:
                found.append(Mutation(file, path, "blank"))
    return found


def mutated(content: Any, mutation: Mutation) -> Any:
    made = json.loads(encode(content))
    inner = made
    for step in mutation.path[:-1]:
        inner = inner[step]
    last = mutation.path[-1]
    if mutation.how == "delete":
        del inner[last]
    else:
        inner[last] = type(inner[last])()
    return made


def write(folder: Path, files: dict[str, Any]) -> None:
    for file, content in files.items():
        rows = content if file.endswith(".jsonl") else [content]
        (folder / file).write_bytes(b"".join(encode(row) + b"\n" for row in rows))


@pytest.fixture(scope="module")
def passing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as it passes, with one run in its store."""
    folder = tmp_path_factory.mktemp("passing") / "s"
    folder.mkdir()
    (folder / "agents.py").write_text(AGENTS, encoding="utf-8")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    write(folder, FILES)
    outcome = workflow.run(str(folder), RunOptions(isolate="shared"))
    assert outcome.decision is not None
    assert (outcome.decision.decision, outcome.exit_code) == ("ship", 0), outcome.decision.gates
    assert not outcome.decision.notes
    assert not workflow.check(str(folder)).findings
    return folder


def told(folder: Path) -> str:
    """What there is to notice; empty where all is green as before."""
    try:
        if findings := workflow.check(str(folder)).findings:
            return findings[0].message
        outcome = workflow.run(str(folder), RunOptions(isolate="shared"))
    except FairtrialError as error:
        return str(error)
    if outcome.decision is None:
        return "; ".join(outcome.report.notes)
    if outcome.decision.decision != "ship":
        return outcome.decision.says
    return "; ".join(outcome.decision.notes)


@pytest.mark.parametrize("mutation", mutations(), ids=lambda mutation: mutation.name)
def test_no_part_of_a_passing_project_goes_missing_unnoticed(mutation: Mutation, passing: Path, tmp_path: Path) -> None:
    folder = tmp_path / "s"
    shutil.copytree(passing, folder)
    write(folder, {mutation.file: mutated(FILES[mutation.file], mutation)})
    place = " ".join(map(str, (mutation.file, *(step for step in mutation.path if isinstance(step, str)))))
    found = told(folder)
    assert found or any(place.startswith(harmless) for harmless in HARMLESS), mutation.name
