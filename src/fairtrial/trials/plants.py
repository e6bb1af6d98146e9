"""Planted instructions at the door: where one is put into what an agent gets, and that it was shown.

Each time an agent is given one is an `injection` span; one that it was never given is a span at the end. Kept out: what a
plant is and how it goes into a value (`worlds/injections.py`), and whether the agent obeyed (the graders).
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.worlds.injections import UNSET, Injection, Sought, planted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairtrial.records.trace import Span
    from fairtrial.trials.recorder import Recorder


class Plants:
    """The plants of one trial at work. Safe under threads."""

    def __init__(self, injections: Iterable[dict[str, Any]], recorder: Recorder) -> None:
        self._all = [msgspec.convert(one, Injection) for one in injections]
        self._recorder = recorder
        self._tools = [one for one in self._all if one.where == "tool"]
        self._files = [(one, Sought(one.text)) for one in self._all if one.where == "file"]
        self._calls: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._shown: set[str] = set()
        self._lock = threading.Lock()

    def begin(self, span: Span) -> None:
        """Number a call that starts now, where a plant waits for a call of its tool."""
        if any(one.at == span.name and one.call != "every" for one in self._tools):
            with self._lock:
                self._numbers[span.id] = self._calls[span.name] = self._calls.get(span.name, 0) + 1

    def into_result(self, span: Span, result: Any) -> Any:
        """A tool's answer as the agent gets it. The tool's own value is not touched: it may be part of the world."""
        for one in self._tools:
            if one.at == span.name and one.call in ("every", self._numbers.get(span.id)):
                found = planted(result, one.text, one.field)
                if found is not UNSET:
                    result = found
                    self.show(one, span.role, span.id)
        for one, sought in self._files:
            if sought.within(result):
                self.show(one, span.role, span.id)
        return result

    def show(self, one: Injection, role: str | None, parent: str | None) -> None:
        """Write down that an agent was given this plant."""
        self._shown.add(one.id)
        self._recorder.mark("injection", one.id, role, parent, {"event": "shown", "in": one.where, "at": one.at})

    def close(self, parent: str) -> None:
        """Write down the plants that no agent was ever given."""
        for one in self._all:
            if one.id not in self._shown:
                self._recorder.mark("injection", one.id, None, parent, {"event": "not_shown", "in": one.where, "at": one.at})
