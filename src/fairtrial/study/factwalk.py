"""Where a fact was, step by step: who had it, who handed it on, who left it out, and whether the decision rests on it.

A trial is walked in the order its spans began. A fact is *present* in a value where its name stands there as a key or a whole
word, where one of its known phrases does, or where its value is a text of four characters or more that does; a bare number
proves nothing. Kept out: grading (`graders/`) and how the walk is shown (`report/replay.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.trace import Span, as_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.setup import Seat
    from fairtrial.records.suite import HandoffContract
    from fairtrial.records.trial import Trial

SHORTEST_TEXT = 4
"""A text value this long or longer is a sign of its fact; shorter ones turn up by chance."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fact to follow. `visible_to`: the roles of a team that see it in their brief (None: all)."""

    id: str
    value: Any = msgspec.UNSET
    found_as: tuple[str, ...] = ()
    visible_to: tuple[str, ...] | None = None


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
    """The way of one fact. `fate`: used, declared (used by its own word only), not_used, lost or never_seen.

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


def replay(trial: Trial, wanted: Sequence[Wanted], seat: Seat | None = None) -> Replay:
    """The whole walk. `seat` tells the roles, what each sees and who decides; None: one agent that sees all."""
    key = trial.head.key
    return Replay(
        case=key.case,
        setup=key.setup,
        attempt=key.attempt,
        ending=str(trial.head.ending),
        note=trial.head.note,
        lead=seat.lead if seat else None,
        steps=[{"step": step, **as_object(span)} for step, span in enumerate(trial.body.spans, 1)],
        output=None if trial.body.output is msgspec.UNSET else trial.body.output,
        facts=trace_facts(trial, wanted, seat),
    )


def trace_facts(trial: Trial, wanted: Sequence[Wanted], seat: Seat | None = None) -> list[FactWalk]:
    """The way of each fact through a trial."""
    return [_Walk(trial, fact, seat).done() for fact in wanted]


def wanted_facts(case: Case, handoffs: Iterable[HandoffContract] = ()) -> list[Wanted]:
    """The facts a case cares for: named by a check, owed by a hand-off, or critical; all of them where none is singled out."""
    key = case.key
    checks = [*key.must, *key.must_not, *key.limits, *(check for part in key.subtasks for check in part.checks)]
    named = dict.fromkeys(str(check.target) for check in _flat(checks) if check.subject == "fact")
    named |= dict.fromkeys(fact for contract in handoffs for fact in contract.requires if fact in case.brief.facts)
    named |= dict.fromkeys(fact for fact, note in key.fact_notes.items() if note.critical)
    return [_wanted(case, fact) for fact in named or case.brief.facts]


def _wanted(case: Case, fact: str) -> Wanted:
    note = case.key.fact_notes.get(fact)
    return Wanted(
        id=fact,
        value=case.brief.facts.get(fact, msgspec.UNSET),
        found_as=note.found_as if note else (),
        visible_to=case.scene.visible_to.get(fact),
    )


def _flat(checks: Iterable[Check]) -> Iterator[Check]:
    for check in checks:
        yield check
        yield from _flat(check.parts)


class _Signs:
    """How one fact shows in a value."""

    def __init__(self, fact: Wanted) -> None:
        self.fact = fact
        value = fact.value
        texts = [*fact.found_as, *([value] if isinstance(value, str) and len(value) >= SHORTEST_TEXT else [])]
        words = [rf"(?<!\w){re.escape(fact.id)}(?!\w)", *(_phrase(text) for text in texts if text)]
        self.pattern = re.compile("|".join(words), re.IGNORECASE)

    def found(self, value: Any) -> tuple[bool, Any]:
        """Whether the fact is in `value`, and the value it has there (None where only words show it)."""
        if isinstance(value, dict):
            if self.fact.id in value:
                here = value[self.fact.id]
                return (here is not None or self.fact.value is None), here
            value = list(value.items())
        if isinstance(value, (list, tuple)):
            return next((hit for hit in map(self.found, value) if hit[0]), (False, None))
        return (isinstance(value, str) and self.pattern.search(value) is not None), None


def _phrase(text: str) -> str:
    """A phrase as whole words in scripts that part them; anywhere in those that do not."""
    quoted = re.escape(text)
    return rf"(?<!\w){quoted}(?!\w)" if text.isascii() else quoted


class _Walk:
    """One fact on its way through one trial: who holds it so far, and each hand-off that left it out."""

    def __init__(self, trial: Trial, fact: Wanted, seat: Seat | None) -> None:
        self.trial = trial
        self.fact = fact
        self.signs = _Signs(fact)
        self.lead = seat.lead if seat else None
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
        if self.fact.value is msgspec.UNSET or (seat and seat.facts is not None and self.fact.id not in seat.facts):
            return
        if not (seat and seat.roles):
            self._see(0, None, "brief", None, self.fact.value)
            return
        for role in seat.roles:
            by_case = self.fact.visible_to is None or role.name in self.fact.visible_to
            if by_case and (role.sees is None or self.fact.id in role.sees):
                self._see(0, None, "brief", role.name, self.fact.value)

    def _see(self, step: int, span: Span | None, where: str, role: str | None, value: Any) -> Sighting:
        seen = Sighting(step=step, span=span.id if span else None, where=where, role=role, name=span.name if span else "", value=value)
        self.sightings.append(seen)
        self.holders[role] = seen
        return seen

    def _step(self, step: int, span: Span) -> None:
        if span.kind == "handoff":
            self._handoff(step, span)
        elif span.kind == "use":
            if span.name == self.fact.id:
                self._see(step, span, "use", span.role, None)
        elif span.kind == "tool":
            for part, where in (("args", "tool_call"), ("result", "tool_result")):
                here, value = self.signs.found(span.attributes.get(part))
                if here:
                    self._see(step, span, where, span.role, value)
        elif span.kind in {"conflict", "adjustment", "message", "user", "decision", "approval"}:
            here, value = self.signs.found(span.attributes)
            if here:
                self._see(step, span, "message" if span.kind == "user" else span.kind, span.role, value)

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
            self.drops.append(Drop(by=source, handoff=span.name, had=had, left_out=left, transit=not sent))

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
            fact=self.fact.id,
            fate=fate,
            sightings=self.sightings,
            last_present=last,
            first_absent=absent,
            dropped_by=by,
            drops=self.drops,
            says=self._says(fate, last, absent, by),
        )

    def _fate(self) -> str:
        if not self.sightings:
            return "never_seen"
        if self.in_answer or any(seen.where == "decision" and seen.role in {self.lead, None} for seen in self.sightings):
            return "used"
        if any(seen.where == "use" and seen.role == self.lead for seen in self.sightings):
            return "declared"
        return "not_used" if self.lead in self.holders else "lost"

    def _decisive(self) -> Drop | None:
        """The loss that kept the fact from whoever decides: the last one towards it, else the last one at all."""
        towards = [drop for drop in self.drops if drop.handoff.rpartition("->")[2] == self.lead]
        return (towards or self.drops or [None])[-1]

    def _says(self, fate: str, last: Sighting | None, absent: Sighting | None, by: str | None) -> str:
        fact, who = self.fact.id, self.lead or "the agent"
        if last is None:
            return f"nobody ever had {fact}"
        drop = self._decisive() if fate == "lost" else None
        if drop and drop.transit:
            return f"{drop.had.role} sent {fact} ({place(drop.had)}), but {drop.left_out.role} did not receive it ({place(drop.left_out)})"
        if drop:
            return f"{by} had {fact} ({place(drop.had)}) and left it out of {drop.handoff} ({place(drop.left_out)})"
        if fate == "lost":
            return f"{by or 'the agent'} had {fact} ({place(last)}) and never handed it to {who}"
        ends = {"not_used": "and the answer does not rest on it", "declared": "and declared it used; the answer does not name it"}
        return f"{who} had {fact} ({place(last)}) {ends.get(fate, 'and the answer names it')}"


def place(seen: Sighting) -> str:
    """`span 5`, `brief` or `answer`."""
    return f"span {seen.span}" if seen.span is not None else "brief" if seen.step == 0 else "end"
