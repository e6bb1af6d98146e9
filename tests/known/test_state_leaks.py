"""What one trial leaves behind must not answer the next: memory of a module, of a conversation, of a world."""

import random
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.strictjson import loads
from fairtrial.records.text import read_text
from tests.known.project import LOADS, run, write
from tests.walls import SANDBOX

STOCK = '''
from fairtrial import tool

@tool
def get_stock(sku: str) -> int:
    """How many there are."""
    return 7
'''
CHATTER = """
MESSAGES = []

def agent(brief, desk):
    \"\"\"Keeps its messages, and calls only for what they do not hold.\"\"\"
    known = [text for text in MESSAGES if text.startswith("SKU-9: ")]
    if not known:
        known = [f"SKU-9: {desk.call('get_stock', sku='SKU-9')}"]
    MESSAGES.extend([brief.task, *known])
    return {"stock": known[-1]}
"""
MEMO = """
cheat = load({!r}).agent

class Tools:
    def __init__(self, desk):
        self.desk = desk

    def get_stock(self, sku):
        return self.desk.call("get_stock", sku=sku)

def agent(brief, desk):
    return {{"stock": cheat(brief, Tools(desk))}}
"""
APART = ["fork", "process", SANDBOX]


@pytest.fixture(scope="module")
def inputs(shared: Path) -> Path:
    return shared / "known-faults" / "inputs"


def two_cases(inputs: Path) -> list[dict[str, Any]]:
    rows = [loads(line) for line in read_text(inputs / "S01_two_cases_one_fact.jsonl").splitlines()]
    return [{"id": row["id"], "task": row["input"], "required_tools": row["must_call"], "must": [{"output": "stock"}]} for row in rows]


def orders(cases: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    shuffled = list(cases)
    random.Random(3).shuffle(shuffled)
    return [cases, cases[::-1], shuffled]


def with_output(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [case | {"must": [{"output": "stock", "contains": "7"}]} for case in cases]


@pytest.mark.parametrize("level", APART)
def test_a_kept_conversation_does_not_answer_the_next_case(inputs: Path, tmp_path: Path, level: str) -> None:
    for number, cases in enumerate(orders(with_output(two_cases(inputs)))):
        folder = write(tmp_path / str(number), {"agents": CHATTER, "tools": STOCK}, cases, setups={"chatter": {"agent": "agents:agent"}})
        report, trial = run(folder, isolate=level, jobs=1)
        assert {case.id: case.verdicts for case in report.cases} == {"s1": ["PASS"], "s2": ["PASS"]}
        assert [trial(case, "chatter", 1).head.spend.tool_calls for case in ("s1", "s2")] == [1, 1]


def test_where_modules_are_shared_a_kept_conversation_is_found_and_never_passes(inputs: Path, tmp_path: Path) -> None:
    cases = with_output(two_cases(inputs))
    folder = write(tmp_path, {"agents": CHATTER, "tools": STOCK}, cases, setups={"chatter": {"agent": "agents:agent"}})
    report, trial = run(folder, isolate="shared", jobs=1)
    calls = {case: trial(case, "chatter", 1).head.spend.tool_calls for case in ("s1", "s2")}
    assert sorted(calls.values()) == [0, 1]
    assert {case.id: case.verdicts == ["PASS"] for case in report.cases} == {case: bool(count) for case, count in calls.items()}
    assert report.manifest["settings"]["isolation"]["modules"] == "shared"


@pytest.mark.parametrize("jobs", [1, 4])
@pytest.mark.parametrize("level", APART)
def test_the_memory_of_a_module_is_empty_for_every_trial(inputs: Path, tmp_path: Path, level: str, jobs: int) -> None:
    agents = LOADS + MEMO.format(str(inputs / "S02_memo_agent.py"))
    cases = with_output(two_cases(inputs))
    setups = {"memo": {"agent": "agents:agent"}}
    folder = write(tmp_path, {"agents": agents, "tools": STOCK}, cases, setups=setups, trials=2, show=[inputs])
    report, trial = run(folder, isolate=level, jobs=jobs)
    assert [trial(case, "memo", attempt).head.spend.tool_calls for case in ("s1", "s2") for attempt in (1, 2)] == [1, 1, 1, 1]
    assert report.manifest["settings"]["isolation"]["modules"] != "shared"
