"""A made-up workflow under the real door, so that what a verb says and ends with can be told apart from what it works on."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from decimal import Decimal
from types import ModuleType
from typing import Any, NamedTuple

import msgspec
import pytest

import fairtrial
from fairtrial.cli.main import main
from fairtrial.records.report import CaseReport, Cost, Latency, Rate, RunReport, SetupReport, Shape, Subtasks, Tokens
from fairtrial.steps.options import RunOptions


class Said(NamedTuple):
    """How a command ended and what it said where."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document; fails where there is anything beside it."""
        return json.loads(self.out)


@pytest.fixture
def say(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """Runs a command in this process, with its true file descriptors."""
    for name in ("FAIRTRIAL_LANG", "FAIRTRIAL_STORE", "FAIRTRIAL_DEBUG", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def run(*words: str) -> Said:
        capfd.readouterr()
        code = main(list(words))
        out, err = capfd.readouterr()
        return Said(code, out, err)

    return run


def _none() -> Latency:
    return Latency(mean=None, p50=None, p95=None, max=None, stated=False, n=0)


def setup_report(**changes: Any) -> SetupReport:
    made = SetupReport(
        planned=1, passed=1, fail=0, unknown=0, not_run=0, errors=0, declined=0, not_applicable=0, severe=0, severe_upper=0.95,
        success_rate=Rate(value=1.0, low=0.2, high=1.0, n=1, cases=1, method="m", worst=1.0, best=1.0), trial_success_rate=1.0, cards={},
        pass_at={"1": 1.0}, pass_hat={"1": 1.0}, first_try=1.0, all_trials=1.0, longest_streak=None, stability=None, shape=Shape(always=1),
        subtasks=Subtasks(), cost_usd=Cost(total=Decimal("0.10"), mean=None, per_success=None, complete=True, known=1), latency_ms=_none(),
        measured_ms=_none(), tokens=Tokens(input=None, output=None, complete=False), tool_calls=0, tool_call_accuracy=None, steps=0,
        retries=0, over_budget=0, handover_rate=0.0, recovery_rate=None, step_efficiency=None, chain=[], endings={}, failure_kinds={},
        slices={},
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


def run_report(**changes: Any) -> RunReport:
    return RunReport(
        run="r1", status="complete", suite={"name": "s", "version": "v"}, manifest={}, fairness={"fair": True, "differences": []},
        setups={"single": setup_report(**changes)}, cases=[CaseReport(id="a", setup="single", verdicts=["PASS"], failed=[], unknown=[])],
    )  # fmt: skip


class Outcome(msgspec.Struct):
    report: RunReport
    status: str = "complete"
    exit_code: int = 0
    decision: Any = None


class Face(ModuleType):
    """Stands in for `fairtrial.workflow`; each step does what a test has put there, and every call is kept."""

    RunOptions = RunOptions

    def __init__(self) -> None:
        super().__init__("fairtrial.workflow")
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def does(self, step: str, result: Any) -> None:
        """`result` is returned, raised where it is an exception, or called where it can be."""

        def called(*given: Any, **named: Any) -> Any:
            self.calls.append((step, given, named))
            if isinstance(result, BaseException):
                raise result
            return result(*given, **named) if callable(result) else result

        setattr(self, step, called)


@pytest.fixture
def face(monkeypatch: pytest.MonkeyPatch) -> Face:
    made = Face()
    monkeypatch.setitem(sys.modules, "fairtrial.workflow", made)
    monkeypatch.setattr(fairtrial, "workflow", made, raising=False)
    return made


@pytest.fixture
def make_run_report() -> Callable[..., RunReport]:
    return run_report


@pytest.fixture
def make_outcome() -> Callable[..., Outcome]:
    def make(status: str = "complete", exit_code: int = 0, **changes: Any) -> Outcome:
        return Outcome(report=run_report(**changes), status=status, exit_code=exit_code)

    return make
