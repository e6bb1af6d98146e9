"""Which call meets which fault is the plan's alone: not the threads', not the luck of a run."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.worlds.faults import FaultPlan


def met(faults: list[dict[str, Any]], calls: int, seed: int = 7) -> list[str | None]:
    plan = FaultPlan(faults, seed)
    return [None if fault is None else fault.fault for _, fault in (plan.begin("t") for _ in range(calls))]


@pytest.mark.parametrize(
    ("call", "expected"),
    [(2, [None, "error", None]), ("every", ["error"] * 3), ("first 2", ["error", "error", None]), ({"p": 1.0}, ["error"] * 3)],
)
def test_a_fault_comes_at_the_calls_it_names(call: Any, expected: list[str | None]) -> None:
    assert met([{"tool": "t", "call": call, "fault": "error"}], 3) == expected


def test_each_tool_has_a_count_of_its_own() -> None:
    plan = FaultPlan([{"tool": "b", "call": 1, "fault": "error"}], 0)
    assert plan.begin("a") == (1, None)
    number, fault = plan.begin("b")
    assert number == 1 and fault is not None


def test_the_first_of_two_faults_at_one_call_comes() -> None:
    both: list[dict[str, Any]] = [{"tool": "t", "call": 1, "fault": "empty"}, {"tool": "t", "call": "every", "fault": "error"}]
    assert met(both, 2) == ["empty", "error"]


@given(st.integers(0, 2**48), st.floats(0.05, 0.95))
def test_chance_is_drawn_from_the_seed_and_nothing_else(seed: int, p: float) -> None:
    faults = [{"tool": "t", "call": {"p": p}, "fault": "error"}]
    assert met(faults, 20, seed) == met(faults, 20, seed)


def test_chance_is_about_as_frequent_as_stated() -> None:
    hits = sum(fault is not None for seed in range(40) for fault in met([{"tool": "t", "call": {"p": 0.2}, "fault": "error"}], 50, seed))
    assert 300 < hits < 500


def test_what_was_planned_and_never_came_is_known() -> None:
    plan = FaultPlan([{"tool": "t", "call": 1, "fault": "error"}, {"tool": "t", "call": 9, "fault": "empty"}], 0)
    _, fault = plan.begin("t")
    assert fault is not None
    plan.fired(fault)
    assert [left.fault for left in plan.unfired()] == ["empty"]


def test_the_numbers_of_parallel_calls_are_each_given_once(shared: Path) -> None:
    stated = json.loads((shared / "known-faults/inputs/F02_fault_on_nth_call.json").read_text(encoding="utf-8"))
    kinds = {"error_429": "error", "empty": "empty"}
    faults = [{"tool": one["tool"], "call": one["on_call"], "fault": kinds[one["kind"]]} for one in stated["faults"]]
    seen = set()
    for _ in range(20):
        plan = FaultPlan(faults, stated["seed"])
        gate = threading.Barrier(4)

        def call(_: int, plan: FaultPlan = plan, gate: threading.Barrier = gate) -> tuple[int, str | None]:
            gate.wait()
            number, fault = plan.begin("get_stock")
            return number, None if fault is None else fault.fault

        with ThreadPoolExecutor(4) as threads:
            seen.add(tuple(sorted(threads.map(call, range(4)))))
    assert seen == {((1, None), (2, "error"), (3, None), (4, "empty"))}
