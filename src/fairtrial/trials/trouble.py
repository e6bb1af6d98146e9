"""Planned trouble at the door: what a fault of the plan does to the call that meets it.

Each fault that comes is a `fault` span within its call, and marks the call; one that never came is a span at the end. Kept
out: which call meets which fault (`worlds/faults.py`), and what an agent should have done about it (the graders).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, get_origin, get_type_hints

import msgspec

from fairtrial.records.errors import ToolFailed
from fairtrial.records.text import dumps
from fairtrial.records.trace import SPOILED
from fairtrial.trials.recorder import snapshot
from fairtrial.worlds.faults import FaultPlan

if TYPE_CHECKING:
    from fairtrial.records.trace import Span
    from fairtrial.trials.recorder import Recorder
    from fairtrial.worlds.faults import Fault
    from fairtrial.worlds.tools import Tool
    from fairtrial.worlds.world import LiveWorld

UNSET = msgspec.UNSET
RUNS_FIRST = ("commit_then_timeout", "rollback")
"""Faults that come after the tool has run: where it fails by itself, that failure is what the agent gets."""


class Trouble:
    """The plan of one trial at work. `spoiled` counts the answers that a fault put in place of the tool's."""

    def __init__(self, plan: FaultPlan, recorder: Recorder, world: LiveWorld) -> None:
        self._plan = plan
        self._recorder = recorder
        self._world = world
        self._answers: dict[str, dict[str, Any]] = {}
        self.spoiled = 0

    def meet(self, tool: Tool, span: Span) -> Met | None:
        """What this call meets; asked before the call waits for anything. None where no fault is planned for its tool."""
        if not self._plan.concerns(tool.name):
            return None
        number, fault = self._plan.begin(tool.name)
        met = Met(self, tool, span, number, fault)
        if fault is not None and fault.fault not in RUNS_FIRST:
            met.prepare()
        return met

    def mark(self, fault: Fault, span: Span, number: int) -> None:
        self._plan.fired(fault)
        span.attributes["fault"] = fault.fault
        self.spoiled += fault.fault in SPOILED
        self._recorder.mark("fault", span.name, span.role, span.id, {"fault": fault.fault, "call": number, "fired": True})

    def pass_over(self, span: Span) -> None:
        """A call of a recorded trial, which is not made here: it counts, and its true answer may be asked for later."""
        if self._plan.concerns(span.name):
            self._plan.begin(span.name)
            if span.attributes.get("outcome") == "ok" and "fault" not in span.attributes:
                self.keep(span, span.attributes.get("result"))

    def told(self, span: Span) -> None:
        """A recorded trial shows that a fault came."""
        attributes = span.attributes
        if attributes.get("fired"):
            self._plan.seen(span.name, str(attributes.get("fault")), int(attributes.get("call") or 0))

    def close(self, parent: str) -> None:
        """Write down the faults that never came."""
        for fault in self._plan.unfired():
            self._recorder.mark("fault", fault.tool, None, parent, {"fault": fault.fault, "call": fault.call, "fired": False})

    def earlier(self, span: Span, *, same: bool) -> Any:
        """The tool's last true answer (to the same arguments), or UNSET."""
        answers = self._answers.get(span.name, {})
        found = answers.get(_key(span), UNSET)
        return next(reversed(answers.values())) if found is UNSET and answers and not same else found

    def keep(self, span: Span, result: Any) -> None:
        """Remember a true answer, where a fault may ask for it later."""
        if self._plan.concerns(span.name, "stale", "conflicting"):
            answers = self._answers.setdefault(span.name, {})
            answers.pop(_key(span), None)
            answers[_key(span)] = snapshot(result)

    def scratch(self) -> Any:
        return self._world.scratch()


class Met:
    """One call of a tool that the plan names. The desk asks: `before`, `pause`, `runs`, `bind`, then `after`."""

    __slots__ = ("_answer", "_fault", "_number", "_span", "_tool", "_trouble", "pause")

    def __init__(self, trouble: Trouble, tool: Tool, span: Span, number: int, fault: Fault | None) -> None:
        self._trouble, self._tool, self._span, self._number, self._fault = trouble, tool, span, number, fault
        self._answer: Any = UNSET
        self.pause = 0.0

    def prepare(self) -> None:
        """Work out what comes in place of the tool; a fault that cannot be done here (nothing to be stale) does not come."""
        fault = self._fault
        assert fault is not None  # noqa: S101 - asked for calls that meet one
        if fault.fault == "slow":
            self.pause = fault.seconds
        elif fault.fault in SPOILED:
            self._answer = self._spoiled(fault)
            if self._answer is UNSET and fault.fault == "stale":
                self._fault = None
                return
        if fault.fault != "conflicting" or self._answer is not UNSET:
            self._trouble.mark(fault, self._span, self._number)

    def _spoiled(self, fault: Fault) -> Any:
        if fault.result is not UNSET:
            return snapshot(fault.result)
        if fault.fault == "empty":
            return _nothing(self._tool)
        if fault.fault == "malformed":
            return _broken(self._trouble.earlier(self._span, same=False))
        earlier = self._trouble.earlier(self._span, same=fault.fault == "stale")
        return _twisted(earlier) if fault.fault == "conflicting" and earlier is not UNSET else earlier

    def before(self) -> None:
        """Raises ToolFailed where the call is to fail without reaching the tool."""
        fault = self._fault
        if fault is not None and fault.fault in ("error", "timeout"):
            raise _failure(fault)

    @property
    def runs(self) -> bool:
        """Whether the tool is run at all."""
        undone = self._fault is not None and self._fault.fault == "rollback" and not self._tool.takes_world
        return self._answer is UNSET and not undone

    def bind(self, bound: dict[str, Any]) -> dict[str, Any]:
        """The tool's arguments; a call that is to be rolled back acts on a copy of the world, which is thrown away.

        So what other calls do meanwhile stays, and a tool that commits for itself is undone as well.
        """
        if self._fault is None or self._fault.fault != "rollback":
            return bound
        return {**bound, "world": self._trouble.scratch()} if self._tool.takes_world else bound

    def after(self, result: Any) -> Any:
        """The answer as the agent gets it. Raises ToolFailed where the reply is lost or what was done was undone."""
        fault = self._fault
        if self._answer is not UNSET:
            return self._answer
        if fault is None or fault.fault == "slow":
            self._trouble.keep(self._span, result)
            return result
        self._trouble.mark(fault, self._span, self._number)
        if fault.fault == "conflicting":
            return _twisted(snapshot(result))
        raise _failure(fault)


def _failure(fault: Fault) -> ToolFailed:
    if fault.fault in ("timeout", "commit_then_timeout"):
        return ToolFailed(fault.message or f"{fault.tool} timed out", "timeout")
    words = "failed and was rolled back" if fault.fault == "rollback" else "failed"
    return ToolFailed(fault.message or f"{fault.tool} {words}")


def _nothing(tool: Tool) -> Any:
    """An empty answer of the tool's own kind: [], {} or "" where its type hint says so, else None."""
    try:
        hint = get_type_hints(tool.act).get("return")
    except (NameError, TypeError):
        return None
    kind = get_origin(hint) or hint
    empty: dict[Any, Any] = {list: [], tuple: [], dict: {}, str: ""}
    return empty.get(kind)


def _broken(earlier: Any) -> str:
    """A text that was to be JSON and breaks off."""
    shown = '[{"id": 1, "va' if earlier is UNSET else dumps(earlier)
    return '{"status": "ok", "result": ' + shown[: max(len(shown) * 2 // 3, 1)]


def _twisted(value: Any) -> Any:
    """A value of the same shape that says something else."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float, Decimal)):
        return value + 1 if value + 1 != value else value * 2
    if isinstance(value, str):
        return f"not {value}" if value else "something else"
    if isinstance(value, list):
        return [_twisted(entry) for entry in value] or ["something else"]
    if isinstance(value, dict):
        return {key: _twisted(entry) for key, entry in value.items()} or {"found": "something else"}
    return "something else"


def _key(span: Span) -> str:
    args = span.attributes.get("args")
    return dumps(sorted(args.items()) if isinstance(args, dict) else args)
