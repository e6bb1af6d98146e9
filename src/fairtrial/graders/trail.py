"""Where a fact was on its way to a role, and who left it out.

A hand-off is walked in the order of the spans: whoever saw the fact has it; a parcel towards the role that lacks what its
sender had is the loss. Kept out: the verdict (`facts.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from fairtrial.graders.signs import Signs
from fairtrial.graders.view import View
from fairtrial.records.trace import Span


class Loss(NamedTuple):
    """`why` says who had the fact where and what became of it; `span` is the first place it was absent, else the last it was present."""

    why: str
    span: str | None
    dropped_by: str | None


def find_loss(view: View, signs: Signs, role: str) -> Loss:
    """How the fact failed to reach the role."""
    walk = _Walk(view, signs, role)
    for span in view.body.spans:
        walk.step(span)
    return walk.loss()


class _Walk:
    def __init__(self, view: View, signs: Signs, role: str) -> None:
        self.signs = signs
        self.role = role
        self.holders: dict[str | None, str] = {}
        """Who has the fact so far -> where from, in words."""
        self.sent: dict[object, Span] = {}
        self.drops: list[tuple[Span, str | None, str]] = []
        self.parcels = 0
        visible = view.ground.case.scene.visible_to.get(signs.name)
        for name, seat in view.ground.roles.items():
            if (seat.sees is not None and signs.name in seat.sees) or (seat.sees is None and visible and name in visible):
                self.holders[name] = "in its brief"

    def step(self, span: Span) -> None:
        if span.kind == "handoff":
            self._handoff(span)
        elif span.kind != "use" and self.signs.within(span.attributes):
            self.holders[span.role] = f"span {span.id}"
            if span.kind == "message":
                self.holders.setdefault(span.name, f"span {span.id}")

    def _handoff(self, span: Span) -> None:
        attributes = span.attributes
        source, target = attributes.get("from", span.role), attributes.get("to")
        here = self.signs.within(attributes.get("facts"))
        if attributes.get("event") == "received":
            self.sent.pop(attributes.get("parcel"), None)
            if here:
                self.holders[target] = f"span {span.id}"
            return
        self.parcels += target == self.role
        if here:
            self.holders.setdefault(source, f"span {span.id}")
            if target == self.role:
                self.sent[attributes.get("parcel")] = span
        elif source in self.holders:
            self.drops.append((span, source, self.holders[source]))

    def loss(self) -> Loss:
        name, role = self.signs.name, self.role
        if self.sent:
            span = next(reversed(self.sent.values()))
            return Loss(f"{name} was sent to {role} (span {span.id}) but never received", span.id, role)
        towards = [drop for drop in self.drops if drop[0].attributes.get("to") == role]
        for span, source, had in reversed(towards or self.drops):
            return Loss(f"{source} had {name} ({had}) and left it out of {span.name} (span {span.id})", span.id, source)
        others = {holder: had for holder, had in self.holders.items() if holder != role}
        if others:
            holder, had = next(iter(others.items()))
            reached = "handed it to nobody" if self.parcels else f"no hand-off reached {role}"
            return Loss(f"{holder or 'the agent'} had {name} ({had}), but {reached}", None, holder)
        return Loss(f"no role ever had {name}" + ("" if self.parcels else f", and no hand-off reached {role}"), None, None)
