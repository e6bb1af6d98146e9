"""Where a fact was, step by step: who had it, who handed it on, who left it out, and whether the decision rests on it.

A trial is walked in the order its spans began. Kept out: how a fact shows in a value (`factsigns.py`), grading (`graders/`)
and how the walk is shown (`report/replay.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.trace import Span, as_object
from fairtrial.study.factsigns import Signs, Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.setup import Seat
    from fairtrial.records.trial import Trial


__all__ = ["Drop", "FactWalk", "Replay", "Sighting", "Wanted", "place", "replay", "trace_facts"]


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """One place where a fact was. `step` counts spans from 1; 0 is the brief, one past the last span is the answer.

    `where`: brief, tool_call, tool_result, sent, received, use, conflict, adjustment, message, decision, approval or answer.
    """

    step: int
    span: str | None
    where: str
    role: str | None
    name: str = ""
    value: Any = None


class Drop(msgspec.Struct, frozen=True, kw_only=True):
    """A hand-off without a fact that its sender had and its receiver lacked; `transit`: it was sent, but not picked up whole."""

    by: str | None
    handoff: str
    had: Sighting
    left_out: Sighting
    transit: bool = False


class FactWalk(msgspec.Struct, frozen=True, kw_only=True):
    """The way of one fact. `fate`: used (the answer names it), declared (used by its own word only), not_used (whoever decides had
    it, and the answer does not name it: it may rest on it all the same), lost (it never came to whoever decides) or never_seen.

    `needed`: the case or a contract asks for it; a loss of any other is only a fact that was not handed on.

    `last_present` and `first_absent` are the two ends of the loss; `first_absent` is None where there was none.
    """

    fact: str
    fate: str
    sightings: list[Sighting]
    last_present: Sighting | None
    first_absent: Sighting | None
    dropped_by: str | None
    drops: list[Drop]
    says: str
    needed: bool = True


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A trial step by step, and the way of each fact. A step is a span of the public contract with its number as `step`."""

    case: str
    setup: str
    attempt: int
    ending: str
    note: str
    lead: str | None
    steps: list[dict[str, Any]]
    output: Any
    facts: list[FactWalk]
    answered: bool = True


def replay(trial: Trial, wanted: Sequence[Wanted], seat: Seat | None = None) -> Replay:
    """The whole walk. `seat` tells the roles, what each sees and who decides; None: one agent that sees all."""
    key = trial.head.key
    return Replay(
        case=key.case,
        setup=key.setup,
        attempt=key.attempt,
        ending=str(trial.head.ending),
        note=trial.head.note,
        lead=_decider(trial, seat),
        steps=[{"step": step, **as_object(span)} for step, span in enumerate(trial.body.spans, 1)],
        output=None if trial.body.output is msgspec.UNSET else trial.body.output,
        facts=trace_facts(trial, wanted, seat),
        answered=trial.body.output is not msgspec.UNSET,
    )


def _decider(trial: Trial, seat: Seat | None) -> str | None:
    """Who decides: the seat's lead, else whoever answered; None for an agent without roles."""
    if seat:
        return seat.lead
    return next((span.role for span in reversed(trial.body.spans) if span.kind == "decision"), None)


def trace_facts(trial: Trial, wanted: Sequence[Wanted], seat: Seat | None = None) -> list[FactWalk]:
    """The way of each fact through a trial."""
    return [_Walk(trial, fact, seat).done() for fact in wanted]


class _Walk:
    """One fact on its way through one trial: who holds it so far, and each hand-off that left it out."""

    def __init__(self, trial: Trial, fact: Wanted, seat: Seat | None) -> None:
        self.trial = trial
        self.fact = fact
        self.signs = Signs(fact)
        self.lead = _decider(trial, seat)
        self.holders: dict[str | None, Sighting] = {}
        self.parcels: dict[Any, Sighting] = {}
        self.sightings: list[Sighting] = []
        self.drops: list[Drop] = []
        self._brief(seat)
        for step, span in enumerate(trial.body.spans, 1):
            self._step(step, span)
        self._lost_on_the_way()
        self.end = Sighting(step=len(trial.body.spans) + 1, span=None, where="answer", role=self.lead)
        here, value = self.signs.found(None if trial.body.output is msgspec.UNSET else trial.body.output)
        self.in_answer = here
        if here:
            self.sightings.append(msgspec.structs.replace(self.end, value=value))

    def _brief(self, seat: Seat | None) -> None:
        if self.fact.value is msgspec.UNSET or (seat and seat.facts is not None and self.fact.name not in seat.facts):
            return
        if not (seat and seat.roles):
            self._see(0, None, "brief", None, self.fact.value)
            return
        for role in seat.roles:
            by_case = self.fact.visible_to is None or role.name in self.fact.visible_to
            if by_case and (role.sees is None or self.fact.name in role.sees):
                self._see(0, None, "brief", role.name, self.fact.value)

    def _see(self, step: int, span: Span | None, where: str, role: str | None, value: Any) -> Sighting:
        """Notes a sighting; whoever it is with has the fact from here on. Declaring a use is no way to come by a fact."""
        seen = Sighting(step=step, span=span.id if span else None, where=where, role=role, name=span.name if span else "", value=value)
        self.sightings.append(seen)
        if where != "use":
            self.holders[role] = seen
        return seen

    def _step(self, step: int, span: Span) -> None:
        if span.kind == "handoff":
            self._handoff(step, span)
        elif span.kind == "use":
            if span.name == self.fact.name:
                self._see(step, span, "use", span.role, None)
        elif span.kind == "tool":
            for part, where in (("args", "tool_call"), ("result", "tool_result")):
                here, value = self.signs.found(span.attributes.get(part))
                if here:
                    self._see(step, span, where, span.role, value)
        elif span.kind in {"conflict", "adjustment", "message", "user", "decision", "approval"}:
            here, value = self.signs.found(span.attributes)
            if here:
                seen = self._see(step, span, "message" if span.kind == "user" else span.kind, span.role, value)
                if span.kind == "message":
                    self.holders.setdefault(span.name, seen)

    def _handoff(self, step: int, span: Span) -> None:
        source, target = span.attributes.get("from", span.role), span.attributes.get("to")
        sent = span.attributes.get("event") != "received"
        here, value = self.signs.found(span.attributes.get("facts"))
        parcel = span.attributes.get("parcel")
        role, where = (source, "sent") if sent else (target, "received")
        if here:
            seen = self._see(step, span, where, role, value)
            if sent:
                self.parcels[parcel] = seen
            else:
                self.parcels.pop(parcel, None)
            return
        had = self.holders.get(source) if sent else self.parcels.pop(parcel, None)
        if had and target not in self.holders:
            left = Sighting(step=step, span=span.id, where=where, role=role, name=span.name)
            self.drops.append(Drop(by=source if sent else target, handoff=span.name, had=had, left_out=left, transit=not sent))

    def _lost_on_the_way(self) -> None:
        """Parcels with the fact that nobody picked up."""
        for seen in self.parcels.values():
            target = seen.name.rpartition("->")[2]
            if target not in self.holders:
                end = Sighting(step=len(self.trial.body.spans) + 1, span=None, where="received", role=target, name=seen.name)
                self.drops.append(Drop(by=target, handoff=seen.name, had=seen, left_out=end, transit=True))

    def done(self) -> FactWalk:
        fate = self._fate()
        last = self.sightings[-1] if self.sightings else None
        absent, by = None, None
        if fate in {"lost", "not_used"} and last:
            drop = self._decisive() if fate == "lost" else None
            last, absent, by = (drop.had, drop.left_out, drop.by) if drop else (last, self.end, last.role if fate == "lost" else self.lead)
        return FactWalk(
            fact=self.fact.name,
            fate=fate,
            sightings=self.sightings,
            last_present=last,
            first_absent=absent,
            dropped_by=by,
            drops=self.drops,
            says=self._says(fate, last, absent, by),
            needed=self.fact.needed,
        )

    def _fate(self) -> str:
        if not self.sightings:
            return "never_seen"
        if self.in_answer or any(seen.where == "decision" and seen.role in {self.lead, None} for seen in self.sightings):
            return "used"
        if any(seen.where == "use" and seen.role == self.lead for seen in self.sightings):
            return "declared"
        return "not_used" if self._with_decider() else "lost"

    def _with_decider(self) -> Sighting | None:
        """The last sighting with whoever decides; with anybody, where nobody is known to decide."""
        if self.lead is None and None not in self.holders:
            return next(reversed(self.holders.values()), None)
        return self.holders.get(self.lead)

    def _decisive(self) -> Drop | None:
        """The loss that kept the fact from whoever decides: the last one towards it, else the last one at all."""
        towards = [drop for drop in self.drops if drop.handoff.rpartition("->")[2] == self.lead]
        losses = towards or self.drops
        return losses[-1] if losses else None

    def _says(self, fate: str, last: Sighting | None, absent: Sighting | None, by: str | None) -> str:
        fact, who = self.fact.name, self.lead or "the agent"
        if last is None:
            return f"nobody ever had {fact}"
        drop = self._decisive() if fate == "lost" else None
        if drop and drop.transit:
            return f"{drop.had.role} sent {fact} ({place(drop.had)}), but {drop.left_out.role} did not receive it ({place(drop.left_out)})"
        if drop:
            return f"{by} had {fact} ({place(drop.had)}) and left it out of {drop.handoff} ({place(drop.left_out)})"
        if fate == "lost":
            return f"{by or 'the agent'} had {fact} ({place(last)}) and never handed it to {who}"
        held = self._with_decider()
        had = f"{who} had {fact} ({place(held)})" if held else f"{who} never received {fact}"
        ends = {"not_used": "the answer does not name it", "declared": f"{who} declared it used; the answer does not name it"}
        return f"{had}; {ends.get(fate, 'the answer names it')}"


def place(seen: Sighting) -> str:
    """`span 5`, `brief` or `answer`."""
    return f"span {seen.span}" if seen.span is not None else "brief" if seen.step == 0 else "end"
