"""The floor of one trial: everything its desks share. World, tools, rights, meter, recorder, mail.

A desk is one role's view of the floor; the floor belongs to exactly one trial.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import OverBudget, Refused, ToolFailed, nearest
from fairtrial.trials.recorder import Recorder, snapshot
from fairtrial.trials.watch import Watch
from fairtrial.worlds.tools import apart

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fairtrial.models.model import Model
    from fairtrial.records.case import Brief, Scene
    from fairtrial.records.handoff import Parcel
    from fairtrial.records.tamper import Tamper
    from fairtrial.records.trace import Span
    from fairtrial.records.trial import Decline
    from fairtrial.trials.meter import Meter
    from fairtrial.trials.plants import Plants
    from fairtrial.trials.talk import Talk
    from fairtrial.trials.trouble import Trouble
    from fairtrial.worlds.tools import Tool
    from fairtrial.worlds.world import LiveWorld


Who = tuple[str | None, str | None, tuple[str, ...] | None]
"""A role, the span its acts nest in, and the tools it may call (None: all of the setup's)."""


@dataclass(slots=True)
class Floor:
    """`allowed` are the tools this setup may call; `run_async` lets a sync agent call an async tool."""

    brief: Brief
    scene: Scene
    world: LiveWorld
    tools: Mapping[str, Tool]
    meter: Meter
    recorder: Recorder
    seed: int = 0
    run_async: Callable[[Any], Any] | None = None
    mail: dict[str, list[Parcel]] = field(default_factory=dict)
    parcels: int = 0
    decline: Decline | None = None
    stated_ms: float | None = None
    failures: int = 0
    refusals: int = 0
    conflicts: set[str] = field(default_factory=set)
    trouble: Trouble | None = None
    plants: Plants | None = None
    talk: Talk | None = None
    models: Callable[[str], Model | None] = field(default=lambda name: None)
    """Models by name, for an agent that asks them at its desk."""
    until: float = math.inf
    """The moment (monotonic) at which the trial's time is up."""
    tamper: Tamper | None = None
    """What is done to a fact where a role receives it."""
    watch: Watch = field(init=False)
    lock: threading.Lock = field(default_factory=threading.Lock)
    """For counts that calls from several threads raise."""

    def __post_init__(self) -> None:
        self.watch = Watch(self.world)


def open_call(
    floor: Floor, who: tuple[str | None, str | None, tuple[str, ...] | None], name: str, args: dict[str, Any]
) -> tuple[Tool, Any, Span]:
    """The one door to a tool: budget, rights, approval, arguments, trace.

    Returns the tool, its checked arguments and the open span. Raises Refused or OverBudget; both are recorded and neither
    reaches the world.
    """
    role, parent, rights = who
    attributes: dict[str, Any] = {"args": snapshot(args)}
    tool = floor.tools.get(name)
    if tool is not None and tool.flags:
        attributes["flags"] = list(tool.flags)
    span = floor.recorder.begin("tool", name, role, parent, attributes)
    try:
        floor.meter.tool()
    except OverBudget as error:
        refuse(floor, span, "over_budget", str(error))
        raise
    if tool is None or (rights is not None and name not in rights):
        raise refuse(floor, span, "refused", _no_such(name, floor, rights))
    try:
        bound = tool.bind(args)
    except msgspec.ValidationError as error:
        raise refuse(floor, span, "arguments", f"{name}: {error}") from None
    if "approval" in tool.flags or name in floor.scene.approvals:
        _approve(floor, span, role, attributes["args"])
    if floor.plants is not None:
        floor.plants.begin(span)
    if tool.takes_world:
        floor.watch.begin(span)
        bound["world"] = floor.world.live
    return tool, bound, span


def wait(seconds: float) -> None:
    """Let a sync call take its time, in short naps, so that a deadline raised into its thread is not kept waiting."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, 0.05))


def _no_such(name: str, floor: Floor, rights: tuple[str, ...] | None) -> str:
    may = sorted(rights if rights is not None else floor.tools)
    near = nearest(name, may)
    hint = f"; did you mean {near!r}?" if near else f"; allowed are {', '.join(may) or 'none'}"
    return f"no right to call {name!r}{hint}"


def _approve(floor: Floor, span: Span, role: str | None, args: Any) -> None:
    """The case's answer; where it says `ask`, that of its simulated user. A question that nobody answers is denied."""
    answer = floor.scene.approvals.get(span.name)
    told: dict[str, Any] = {"args": args}
    if answer == "ask":
        floor.recorder.mark("approval", span.name, role, span.id, {"decision": "asked", "args": args})
        said = ((floor.scene.user or {}).get("approves") or {}).get(span.name)
        answer = "grant" if said is True else "deny"
        told |= {"by": "nobody" if said is None else "user"}
    granted = answer == "grant"
    floor.recorder.mark("approval", span.name, role, span.id, {"decision": "granted" if granted else "denied", **told})
    if not granted:
        raise refuse(floor, span, "refused", f"{span.name} needs an approval and it was not granted")


def refuse(floor: Floor, span: Span, kind: str, message: str) -> Refused:
    """Close a call that never reached the world, and the error the agent gets."""
    span.attributes["outcome"] = "over_budget" if kind == "over_budget" else "refused"
    with floor.lock:
        floor.refusals += 1
    floor.recorder.end(span, {"kind": kind, "message": message})
    return Refused(message)


def close_call(floor: Floor, span: Span, result: Any) -> Any:
    """Record a tool's answer; what the agent gets is its own copy, so that it cannot change the world behind the tool."""
    if floor.plants is not None:
        result = floor.plants.into_result(span, result)
    attributes = span.attributes
    attributes["result"] = snapshot(result)
    attributes["outcome"] = "ok"
    floor.watch.end(span)
    floor.recorder.end(span)
    return apart(result)


def fail_call(floor: Floor, span: Span, error: Exception) -> ToolFailed:
    """Record a tool's failure, and the error the agent gets."""
    failed = error if isinstance(error, ToolFailed) else ToolFailed(f"{type(error).__name__}: {error}")
    span.attributes["outcome"] = "failed"
    floor.watch.end(span)
    with floor.lock:
        floor.failures += 1
    floor.recorder.end(span, {"kind": failed.kind, "message": snapshot(str(failed))})
    return failed
