"""What a role did in a recorded trial, put into a new one without the role: its acts are written down again, and what they
changed in the world is done again by the same calls with the same arguments.

Nothing is charged for it. A call that only looked is not made again; one that now comes to something else than it did makes
the trial no replay, and it ends as the harness's fault. Kept out: which roles are replayed, and whether that can be done.
"""

from __future__ import annotations

from types import CoroutineType
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import ReplayBroken
from fairtrial.records.trial import Decline
from fairtrial.trials.recorder import snapshot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from fairtrial.records.trace import Span
    from fairtrial.setups.agent import Desk
    from fairtrial.trials.floor import Floor

MARKED = ("use", "adjustment", "conflict", "decision", "approval")
"""Acts without an effect beyond the trace."""


async def redo(floor: Floor, desk: Desk, parent: str | None, spans: Sequence[Span], wait: Callable[[Any], Awaitable[Any]]) -> None:
    """Do it again; `wait` says how the coroutine of an async tool is waited for here. Raises ReplayBroken."""
    for span in spans:
        attributes = span.attributes
        if span.kind == "tool":
            await _call(floor, parent, span, wait)
        elif span.kind == "handoff" and attributes.get("event") == "sent":
            desk.hand_off(str(attributes.get("to")), attributes.get("facts") or {})
        elif span.kind in MARKED:
            floor.recorder.mark(span.kind, span.name, span.role, parent, {**attributes, "replayed": True})
            if span.kind == "decision" and span.name == "decline":
                floor.decline = Decline(str(attributes.get("why") or ""), attributes.get("to"))
        elif span.kind == "fault" and floor.trouble is not None:
            floor.trouble.told(span)
        elif span.kind == "injection" and floor.plants is not None:
            floor.plants.told(span, parent)


def acted(span: Span) -> bool:
    """Whether a recorded call may have changed the world; one that was not seen to is taken to."""
    return span.attributes.get("outcome") in ("ok", "failed") and span.attributes.get("wrote") is not False


async def _call(floor: Floor, parent: str | None, span: Span, wait: Callable[[Any], Awaitable[Any]]) -> None:
    told = {name: value for name, value in span.attributes.items() if name != "wrote"}
    again = floor.recorder.begin("tool", span.name, span.role, parent, {**told, "replayed": True})
    for part in (floor.trouble, floor.plants):
        if part is not None:
            part.pass_over(span)
    tool = floor.tools.get(span.name)
    if acted(span) and tool is None:
        raise ReplayBroken(f"the recorded call of {span.name} cannot be made again: there is no such tool any more")
    if tool is not None and tool.takes_world and acted(span):
        bound = tool.bind(span.attributes.get("args") or {})
        floor.watch.begin(again)
        failed = False
        try:
            result = tool.act(**bound, world=floor.world.live)
            if type(result) is CoroutineType:
                result = await wait(result)
        except Exception as error:
            if span.attributes.get("outcome") == "ok":
                raise ReplayBroken(f"the recorded call of {span.name} went well and now fails: {error}") from error
            failed, result = True, None
        floor.watch.end(again)
        if failed != (span.attributes.get("outcome") == "failed") or (not failed and snapshot(result) != span.attributes.get("result")):
            raise ReplayBroken(f"the recorded call of {span.name} now comes to another result, so this is no replay")
    floor.recorder.end(again, span.error)
