"""Writes spans as things happen. One recorder a trial, safe under threads, a few microseconds a span.

Spans are kept in the order they began. Values are snapshots: what the agent changes afterwards does not change the trace.
With a black box, each span is also written to memory that survives the process, so that a kill does not take the evidence.
"""

from __future__ import annotations

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


class Recorder:
    """The spans of one trial. `limit` bounds their number; what is beyond is counted in `lost`, never silently gone."""

    __slots__ = ("_box", "limit", "lost", "spans")

    def __init__(self, box: BlackBox | None = None, limit: int = 20_000) -> None:
        self.spans: list[Span] = []
        self.lost = 0
        self.limit = limit
        self._box = box

    def begin(self, kind: str, name: str, role: str | None, parent: str | None, attributes: dict[str, Any]) -> Span:
        """Open a span. Its attributes must already be plain."""
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
        span.error = error
        if self._box is not None:
            self._box.write(span)

    def mark(self, kind: str, name: str, role: str | None, parent: str | None, attributes: dict[str, Any]) -> Span:
        """A span without a length."""
        span = self.begin(kind, name, role, parent, attributes)
        span.end_ns = span.start_ns
        if self._box is not None:
            self._box.write(span)
        return span
