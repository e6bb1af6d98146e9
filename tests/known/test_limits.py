"""Limits that must fire at their own level: around one call, around a trial, on its steps, and what stands beside it."""

import time
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.trial import Ending
from tests.known.project import LOADS, run, write
from tests.walls import SANDBOX

LEVELS = ["fork", "shared", "process", SANDBOX]
TOOLS = '''
import asyncio
from fairtrial import ToolFailed, tool

@tool
async def slow(seconds: float) -> str:
    """Takes its time."""
    await asyncio.sleep(seconds)
    return "done"

@tool
def put(n: int, world: dict) -> int:
    """Write a number down."""
    world["rows"].append(n)
    return len(world["rows"])

@tool
def broken() -> None:
    """Never works."""
    raise ToolFailed("out of order")
'''
AGENTS = """
import asyncio
from fairtrial import ToolFailed

async def hurried(brief, desk):
    try:
        async with asyncio.timeout(0.2):
            await desk.call("slow", seconds=1.0)
    except TimeoutError:
        return {"gave_up": True}
    return {"gave_up": False}

async def hurried_then_stuck(brief, desk):
    await hurried(brief, desk)
    await asyncio.sleep(30)

def quick(brief, desk):
    return {"n": desk.call("put", n=1)}

def stubborn(brief, desk):
    for _ in range(9):
        try:
            desk.call("broken")
        except ToolFailed:
            pass
    desk.call("broken")

def wordy(brief, desk):
    for n in range(3):
        desk.call("put", n=n)
    try:
        desk.call("put", n=3)
    except Exception:
        pass
    return {"n": 3}
"""
CASE = {"id": "c", "task": "t", "state": {"rows": []}, "must": [{"output": "n", "equals": 3}]}


def suite(folder: Path, *setups: str, case: dict[str, Any] | None = None, agents: str = AGENTS, **more: Any) -> Path:
    wanted = {name: {"agent": f"agents:{name}"} for name in setups}
    return write(folder, {"agents": agents, "tools": TOOLS}, [case or CASE], setups=wanted, **more)


@pytest.mark.parametrize("level", LEVELS)
def test_a_limit_around_one_call_ends_that_call_and_the_outer_one_still_holds(tmp_path: Path, level: str) -> None:
    folder = suite(tmp_path, "hurried", "hurried_then_stuck", case=CASE | {"timeout_s": 2})
    _, trial = run(folder, isolate=level)
    inner, outer = trial("c", "hurried", 1), trial("c", "hurried_then_stuck", 1)
    assert (inner.head.ending, inner.body.output) == (Ending.FINISHED, {"gave_up": True})
    assert (outer.head.ending, outer.head.note) == (Ending.TIMEOUT, "no answer within 2 s (timeout_s)")
    for found in (inner, outer):
        (call,) = [span for span in found.body.spans if span.kind == "tool"]
        assert call.attributes["outcome"] == "failed" and call.error is not None
        assert call.error["kind"] == "timeout" and "before it answered" in call.error["message"]
        assert call.end_ns is not None and 0.15e9 < call.end_ns - call.start_ns < 0.9e9


@pytest.mark.parametrize("level", LEVELS)
def test_an_agent_that_lets_nothing_in_ends_at_its_limit_and_starves_nobody(shared: Path, tmp_path: Path, level: str) -> None:
    file = shared / "known-faults" / "inputs" / "R02_blocking_agent.py"
    agents = f"{AGENTS}\n{LOADS}\nblocking = load({str(file)!r}).agent\n\ndef stuck(brief, desk):\n    return blocking(brief)\n"
    names = ("stuck", "quick", "quick_2", "quick_3")
    folder = suite(tmp_path, *names, case=CASE | {"timeout_s": 1}, agents=f"{agents}\nquick_2 = quick_3 = quick\n", show=[file.parent])
    begun = time.monotonic()
    _, trial = run(folder, isolate=level, jobs=4)
    took = time.monotonic() - begun
    stuck, *others = (trial("c", name, 1).head for name in names)
    assert took < 15 and stuck.ending is Ending.TIMEOUT
    assert 1000 <= stuck.wall_ms < 5000
    assert all(head.ending is Ending.FINISHED and head.wall_ms < 1000 for head in others)


@pytest.mark.parametrize("level", LEVELS)
def test_of_nested_limits_the_tightest_is_named(tmp_path: Path, level: str) -> None:
    folder = suite(tmp_path, "hurried_then_stuck", case=CASE | {"timeout_s": 9}, budget={"seconds": 1})
    _, trial = run(folder, isolate=level)
    head = trial("c", "hurried_then_stuck", 1).head
    assert (head.ending, head.note) == (Ending.OVER_BUDGET, "no answer within 1 s (seconds)")


def test_many_errors_and_a_last_step_are_never_an_answer(tmp_path: Path) -> None:
    case = CASE | {"max_steps": 3, "subtasks": [{"id": "wrote", "checks": [{"state": "rows", "equals": [0, 1, 2]}]}]}
    report, trial = run(suite(tmp_path / "steps", "wordy", case=case))
    assert trial("c", "wordy", 1).head.ending is Ending.TOO_MANY_STEPS
    assert report.cases[0].verdicts == ["FAIL"] and report.setups["wordy"].subtasks.by_id["wrote"] == 1.0
    report, trial = run(suite(tmp_path / "errors", "stubborn"))
    head = trial("c", "stubborn", 1).head
    assert (head.ending, head.tool_failures, report.cases[0].verdicts) == (Ending.AGENT_ERROR, 10, ["FAIL"])
    assert "out of order" in head.note
