"""Which call changed the world: seen by the world's own mark before and after the call, where that mark costs next to nothing.

Of calls that run side by side nothing is said, nor where the world has no such mark (`@tool(reads=True)` and `writes=True` say
it then). Kept out: what was changed (`worlds/changes.py`), and what follows from it (the graders).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairtrial.records.trace import Span
    from fairtrial.worlds.world import LiveWorld


class Watch:
    """Notes `wrote: true | false` on a call's span. One a trial."""

    __slots__ = ("_last", "_open", "_world")

    def __init__(self, world: LiveWorld) -> None:
        self._world = world
        self._open: dict[str, object] = {}
        self._last: object = None

    def begin(self, span: Span) -> None:
        """A call that may change the world starts."""
        if self._open:
            self._open = dict.fromkeys([*self._open, span.id])  # who of them changes something cannot be told
            self._last = None
        else:
            self._open[span.id] = self._world.mark() if self._last is None else self._last

    def end(self, span: Span) -> None:
        """It is over, well or not."""
        before = self._open.pop(span.id, None)
        if before is not None:
            self._last = self._world.mark()
            if self._last is not None:
                span.attributes["wrote"] = self._last != before
