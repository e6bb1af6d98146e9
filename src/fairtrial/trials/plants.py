"""Planted instructions at the door: where one is put into what an agent gets, and that it was shown.

Each time an agent is given one is an `injection` span; one that it was never given is a span at the end. Kept out: what a
plant is and how it goes into a value (`worlds/injections.py`), and whether the agent obeyed (the graders).
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.worlds.injections import UNSET, Injection, Sought, joined, planted, turn_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairtrial.records.case import Brief
    from fairtrial.records.handoff import Parcel
    from fairtrial.records.trace import Span
    from fairtrial.trials.recorder import Recorder


class Plants:
    """The plants of one trial at work. Safe under threads."""

    def __init__(self, injections: Iterable[dict[str, Any]], recorder: Recorder) -> None:
        self._all = [msgspec.convert(one, Injection) for one in injections]
        self._recorder = recorder
        self._tools = [one for one in self._all if one.where == "tool"]
        self._files = [(one, Sought(one.text)) for one in self._all if one.where == "file"]
        self._told = [one for one in self._all if one.where == "message" and one.at != "user"]
        self._replies = [one for one in self._all if one.where == "message" and one.at == "user"]
        self._handoffs = [one for one in self._all if one.where == "handoff"]
        self._counts: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._shown: set[str] = set()
        self._lock = threading.Lock()

    def _count(self, what: str) -> int:
        with self._lock:
            number = self._counts[what] = self._counts.get(what, 0) + 1
        return number

    def into_brief(self, brief: Brief, root: str) -> Brief:
        """The brief as the agent gets it: plants in the task and in the conversation so far are there from the start."""
        for one in self._told:
            if one.at == "task":
                brief = msgspec.structs.replace(brief, task=joined(brief.task, one.text))
            else:
                turns = list(brief.history)
                place = turn_of(one.at, len(turns))
                turns[place] = {**turns[place], "text": joined(turns[place]["text"], one.text)}
                brief = msgspec.structs.replace(brief, history=tuple(turns))
            self.show([one], None, root)
        return brief

    def begin(self, span: Span) -> None:
        """Number a call that starts now, where a plant waits for a call of its tool."""
        if any(one.at == span.name and one.call != "every" for one in self._tools):
            self._numbers[span.id] = self._count(f"tool {span.name}")

    def pass_over(self, span: Span) -> None:
        """A call of a recorded trial, which is not made here, counts."""
        self.begin(span)

    def told(self, span: Span, parent: str | None) -> None:
        """A recorded trial shows that a plant was shown. One that stood in the brief from the start is shown already."""
        self.show([one for one in self._all if one.id == span.name and one.where in ("tool", "file")], span.role, parent)

    def into_result(self, span: Span, result: Any) -> Any:
        """A tool's answer as the agent gets it. The tool's own value is not touched: it may be part of the world."""
        for one in self._tools:
            if one.at == span.name and one.call in ("every", self._numbers.get(span.id)):
                found = planted(result, one.text, one.field)
                if found is not UNSET:
                    result = found
                    self.show([one], span.role, span.id)
        for one, sought in self._files:
            if sought.within(result):
                self.show([one], span.role, span.id)
        return result

    def into_parcel(self, parcel: Parcel, receiver: str | None) -> tuple[Parcel, list[Injection]]:
        """A hand-off as it is received, and the plants in it: behind a text of its facts, else as a fact of its own."""
        given = []
        for one in self._handoffs:
            if one.at not in (receiver, f"{parcel.source or 'agent'}->{receiver}"):
                continue
            if one.call in ("every", self._count(f"handoff {one.id}")):
                found = planted(parcel.facts, one.text, one.field)
                facts = {**parcel.facts, one.field or "note": one.text} if found is UNSET else found
                parcel = msgspec.structs.replace(parcel, facts=facts)
                given.append(one)
        return parcel, given

    def into_reply(self, text: str, role: str | None, parent: str | None) -> str:
        """What the simulated user says, as the agent gets it. In the trace, the user has said its own words and no more."""
        for one in self._replies:
            if one.call in ("every", self._count(f"reply {one.id}")):
                text = joined(text, one.text)
                self.show([one], role, parent)
        return text

    def show(self, given: Iterable[Injection], role: str | None, parent: str | None) -> None:
        """Write down that an agent was given these plants."""
        for one in given:
            self._shown.add(one.id)
            self._recorder.mark("injection", one.id, role, parent, {"event": "shown", "in": one.where, "at": one.at})

    def close(self, parent: str) -> None:
        """Write down the plants that no agent was ever given."""
        for one in self._all:
            if one.id not in self._shown:
                self._recorder.mark("injection", one.id, None, parent, {"event": "not_shown", "in": one.where, "at": one.at})
