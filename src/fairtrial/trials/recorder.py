"""Writes spans as things happen. One recorder a trial, safe under threads, a few microseconds a span.

Spans are kept in the order they began. Values are snapshots: what the agent changes afterwards does not change the trace.
What a span is called and who acted are text, whatever an agent passed, for a record with anything else could not be read.
With a black box, each span is also written to memory that survives the process, so that a kill does not take the evidence.
"""

from __future__ import annotations

import threading
from time import time_ns
from typing import TYPE_CHECKING, Any

from fairtrial.records.plain import plain
from fairtrial.records.trace import Span

if TYPE_CHECKING:
    from fairtrial.trials.blackbox import BlackBox

_WORD = 1 << 63
_NAMES = tuple(str(number) for number in range(1, 2001))


def snapshot(value: Any) -> Any:
    """A plain copy of any value; the short way for the flat ones that most calls carry."""
    if _is_flat(value):
        return value
    if type(value) is dict and all(type(key) is str and key.isascii() and _is_flat(item) for key, item in value.items()):
        return dict(value)
    return plain(value)


def _is_flat(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return value.isascii()  # type: ignore[no-any-return]
    if kind is int:
        return -_WORD < value < _WORD  # type: ignore[no-any-return]
    return kind is bool or value is None or (kind is float and value - value == 0)


def as_text(value: Any) -> str:
    """Anything as one text; what is text in another type keeps its words."""
    made = plain(value)
    return made if isinstance(made, str) else str(made)


class Recorder:
    """The spans of one trial. `limit` bounds their number; what is beyond is counted in `lost`, never silently gone."""

    __slots__ = ("_box", "_lock", "limit", "lost", "spans")

    def __init__(self, box: BlackBox | None = None, limit: int = 20_000) -> None:
        self.spans: list[Span] = []
        self.lost = 0
        self.limit = limit
        self._box = box
        self._lock = threading.Lock()

    def begin(self, kind: str, name: str, role: str | None, parent: str | None, attributes: dict[str, Any]) -> Span:
        """Open a span. Its attributes must already be plain."""
        if type(name) is not str:
            name = as_text(name)
        if role is not None and type(role) is not str:
            role = as_text(role)
        with self._lock:
            number = len(self.spans)
            span = Span(_NAMES[number] if number < 2000 else str(number + 1), parent, kind, name, role, time_ns(), None, attributes)
            if number >= self.limit:
                self.lost += 1
                return span
            self.spans.append(span)
            if self._box is not None:
                self._box.write(span)
        return span

    def end(self, span: Span, error: dict[str, str] | None = None) -> None:
        """Close a span; later changes to its attributes are not recorded."""
        span.end_ns = time_ns()
        if error is not None:
            error = {key: text if type(text) is str else as_text(text) for key, text in error.items()}
        span.error = error
        self._keep(span)

    def mark(self, kind: str, name: str, role: str | None, parent: str | None, attributes: dict[str, Any]) -> Span:
        """A span without a length."""
        span = self.begin(kind, name, role, parent, attributes)
        span.end_ns = span.start_ns
        self._keep(span)
        return span

    def _keep(self, span: Span) -> None:
        if self._box is not None:
            with self._lock:
                self._box.write(span)
