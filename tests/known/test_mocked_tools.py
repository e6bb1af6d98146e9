"""A tool whose answer the case plans is planned in every turn and for every role; the real one is never reached."""

from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.strictjson import loads
from fairtrial.records.text import read_text
from tests.known.project import run, write

TOOLS = '''
from fairtrial import tool

@tool
def get_order(number: int, world: dict) -> dict:
    """The real one."""
    world["reached"] = True
    return {"id": -1}
'''
AGENTS = """
import fairtrial as ft

def alone(brief, desk):
    seen = []
    for turn in brief.facts["turns"]:
        desk.say(turn)
        seen.append(desk.call("get_order", number=1))
    return {"seen": seen}

def helper(brief, desk):
    return {"seen": [desk.call("get_order", number=1) for _ in brief.facts["turns"]]}

def lead(brief, desk):
    return {"seen": [*desk.inbox["seen"], desk.call("get_order", number=1)]}

team = ft.Team([ft.Role("helper", helper, hands_to=["lead"]), ft.Role("lead", lead)], lead="lead")
"""


@pytest.mark.parametrize("level", ["fork", "shared"])
def test_a_planned_answer_comes_in_every_turn_and_for_every_role(shared: Path, tmp_path: Path, level: str) -> None:
    told: dict[str, Any] = loads(read_text(shared / "known-faults" / "inputs" / "F03_multi_turn_mock.json"))
    ((name, planned),) = told["mock_tools"].items()
    case = {
        "id": "c",
        "task": told["turns"][0],
        "facts": {"turns": told["turns"]},
        "state": {"reached": False},
        "faults": [{"tool": name, "call": "every", "fault": "empty", "result": planned["returns"]}],
        "must": [{"changes": {"none": True}}, {"output": "seen[0]", "equals": planned["returns"]}],
    }
    setups = {"alone": {"agent": "agents:alone"}, "team": {"agent": "agents:team"}}
    report, trial = run(write(tmp_path, {"agents": AGENTS, "tools": TOOLS}, [case], setups=setups), isolate=level)
    for setup, times in (("alone", 3), ("team", 4)):
        assert trial("c", setup, 1).body.output == {"seen": [planned["returns"]] * times}
    assert {tuple(case.verdicts) for case in report.cases} == {("PASS",)}
