"""What the one who speaks was given by the time it spoke: results of tools, facts it was told, the task, the conversation.

What an agent says itself is no source: neither its own words in an earlier turn or in a call's arguments, nor a tool that only
hands these words back. Kept out: whether something said is among what was given (`backing.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from fairtrial.graders.ground import Ground
from fairtrial.graders.signs import Signs
from fairtrial.graders.tools import arguments, read_text
from fairtrial.graders.view import View, flags_of
from fairtrial.records.trace import Span

KINDS = ("tools", "facts", "task", "history", "reference")
"""Where a claim may come from, unless a check says otherwise. Only where it says so: `calls`, what a call that succeeded was asked."""
SHORTEST_PROSE = 12


class Source(NamedTuple):
    """Something given, in the order it was: `at` is the place of its span in the trace, -1 for what was there from the start."""

    kind: str
    name: str
    value: Any
    at: int = -1


def sources_of(view: View, ground: Ground, kinds: Sequence[str], role: str | None) -> list[Source]:
    """All that was given to a role (None: to the agent) in the trial, oldest first."""
    found = [*_told(view, ground, kinds, role)]
    if "reference" in kinds and ground.case.key.reference is not msgspec.UNSET:
        found.append(Source("reference", "the reference", ground.case.key.reference))
    prose: list[str] = []
    for at, span in enumerate(view.body.spans):
        if span.kind == "tool":
            own = arguments(span)
            prose += [text for text in _leaves(own) if isinstance(text, str) and len(text) >= SHORTEST_PROSE and " " in text]
            if "tools" in kinds:
                found += _returned(span, at, own, prose)
            if "calls" in kinds and span.attributes.get("outcome") == "ok":
                found.append(Source("calls", f"span {span.id}, what {span.name} was asked", own, at))
        elif span.kind == "user" and "history" in kinds:
            found.append(Source("history", f"span {span.id}, the user", span.attributes.get("text"), at))
        elif span.kind == "handoff" and "facts" in kinds and span.attributes.get("event") == "received":
            found += _passed_on(span, at, ground, role)
    return found


def _told(view: View, ground: Ground, kinds: Sequence[str], role: str | None) -> Iterator[Source]:
    """What the brief says to the role."""
    brief = ground.case.brief
    if "facts" in kinds:
        yield from (Source("facts", f"the fact {name}", {name: value}) for name, value in brief.facts.items() if ground.told(name, role))
        yield from (Source("facts", name, given) for name, given in (("slots", brief.slots), ("principal", brief.principal)) if given)
    if "task" in kinds:
        yield Source("task", "the task", brief.task)
        if view.head.started_ns > 0:
            yield Source("task", "the day", datetime.fromtimestamp(view.head.started_ns / 1e9, UTC).date().isoformat())
    if "history" in kinds:
        yield from (Source("history", f"turn {number} of the history", turn.get("text")) for number, turn in enumerate(brief.history, 1))


def _returned(span: Span, at: int, own: Any, prose: list[str]) -> Iterator[Source]:
    if "result" in span.attributes:
        result = read_text(span.attributes["result"], "{[")
        echoed = _echoed(span, own)
        yield Source("tools", f"span {span.id}, {span.name}", _without(result, prose, echoed) if prose or echoed else result, at)
    elif span.error:
        yield Source("tools", f"span {span.id}, {span.name}", span.error.get("message"), at)


def _echoed(span: Span, own: Any) -> frozenset[Any]:
    """Numbers that a call hands back as it was given them, where it is known to have changed nothing: a search for 62 is no
    source for 62, while a payment of 62 that was made is."""
    flags = flags_of(span)
    if span.attributes.get("wrote") is False or ("reads" in flags and "writes" not in flags):
        return frozenset(value for value in _leaves(own) if isinstance(value, (int, float)) and not isinstance(value, bool))
    return frozenset()


def _without(value: Any, prose: list[str], echoed: frozenset[Any]) -> Any:
    """A result without the texts that do little more than hand the agent's own words back."""
    if isinstance(value, str):
        return "" if any(len(own) * 2 >= len(value) and own in value for own in prose) else value
    if isinstance(value, dict):
        return {key: _without(inner, prose, echoed) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without(inner, prose, echoed) for inner in value]
    return None if echoed and isinstance(value, (int, float)) and not isinstance(value, bool) and value in echoed else value


def _passed_on(span: Span, at: int, ground: Ground, role: str | None) -> Iterator[Source]:
    """The facts of the case that a parcel brought to the role: the facts as they are, not what the parcel makes of them."""
    if role is None or span.attributes.get("to", span.role) != role:
        return
    for name, value in ground.case.brief.facts.items():
        if not ground.told(name, role) and Signs(name, ground).within(span.attributes.get("facts")):
            yield Source("facts", f"the fact {name}, handed on in span {span.id}", {name: value}, at)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value
