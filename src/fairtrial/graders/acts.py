"""What a tool call did to the world, as far as it is known: it changed something, it only looked, or nobody can tell.

Known from what the harness saw (`wrote`), from the marks of the tool, and from checks on its effect. Nothing is guessed from
a tool's name. Kept out: whether that was right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.graders.compare import fingerprint
from fairtrial.graders.tools import arguments
from fairtrial.graders.view import flags_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from fairtrial.graders.view import View
    from fairtrial.records.trace import Span

OUTWARD = ("irreversible", "outside")
"""Marks of tools whose calls cannot be taken back, or leave the world of the case."""


class Acts:
    """The calls of one trial that reached the world, in the order they began. What most trials never ask is worked out late."""

    def __init__(self, view: View) -> None:
        self.calls = view.calls
        self._view = view
        self._seat = view.ground.contract.seat
        self._rights = self._seat.rights
        self._effects = view.ground.effects

    @property
    def writers(self) -> set[str]:
        """Tools that changed the world in this trial."""
        found: set[str] = self._view.once("writers", lambda: {span.name for span in self.calls if self.changed(span)})
        return found

    @property
    def lookers(self) -> set[str]:
        """Tools that were there and may have served to look."""
        marked = {name for name, flags in self._rights.items() if "writes" in flags or "irreversible" in flags}
        return {*self._seat.tools, *(span.name for span in self.calls)} - self.writers - marked

    @property
    def same(self) -> list[list[Span]]:
        """Calls that one role made to one tool with the same arguments, where there are several."""
        found: list[list[Span]] = self._view.once("same calls", self._same)
        return found

    def _same(self) -> list[list[Span]]:
        rough: dict[Hashable, list[Span]] = {}
        for span in self.calls:
            rough.setdefault(_roughly(span), []).append(span)
        groups: dict[Hashable, list[Span]] = {}
        if len(rough) < len(self.calls):
            for span in (span for alike in rough.values() if len(alike) > 1 for span in alike):
                groups.setdefault(same_call(span), []).append(span)
        return [group for group in groups.values() if len(group) > 1]

    def marks(self, span: Span) -> Any:
        return flags_of(span) or self._rights.get(span.name, ())

    def changed(self, span: Span) -> bool:
        """It is known to have changed the world."""
        seen = span.attributes.get("wrote")
        if isinstance(seen, bool):
            return seen
        return "writes" in self.marks(span) or span.name in self._effects

    def looked(self, span: Span) -> bool:
        """It is known to have changed nothing, and so are the other calls of its tool."""
        if span.name in self.writers or any(mark in OUTWARD for mark in self.marks(span)):
            return False
        return span.attributes.get("wrote") is False or "reads" in self.marks(span)

    def may_have_changed(self, span: Span) -> bool:
        return span.attributes.get("wrote") is not False and not self.looked(span)

    def outward(self, span: Span) -> bool:
        return any(mark in OUTWARD for mark in self.marks(span))

    def place(self, span: Span) -> int:
        """Where in the trace it began."""
        places: dict[int, int] = self._view.once("places", lambda: {id(other): place for place, other in enumerate(self._view.body.spans)})
        return places[id(span)]

    def began_anew(self, one: Span, other: Span) -> bool:
        """Whether the setup started over between two calls: a second attempt must look for itself."""
        between = self._view.body.spans[self.place(one) : self.place(other)]
        return any(span.kind == "retry" for span in between)

    def over_before(self, one: Span, other: Span) -> bool:
        """Whether one call had ended when another began."""
        return self.place(one) < self.place(other) and one.end_ns is not None and one.end_ns <= other.start_ns


def acts_of(view: View) -> Acts:
    acts: Acts = view.once("acts", lambda: Acts(view))
    return acts


def done(span: Span) -> bool:
    """Whether a call went well."""
    return span.attributes.get("outcome", "ok") == "ok" and span.error is None


def _roughly(span: Span) -> Hashable:
    """Equal for all calls that are the same, and quick to have."""
    args = span.attributes.get("args")
    try:
        return span.role, span.name, frozenset(args.items()) if type(args) is dict else 0
    except TypeError:  # an argument is a list or a mapping
        return span.role, span.name, frozenset(args) if type(args) is dict else 0


def same_call(span: Span) -> Hashable:
    """Equal for calls of one role to one tool with the same arguments."""
    return span.role, span.name, fingerprint(arguments(span))
