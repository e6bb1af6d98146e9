"""The recorded side of an intervention: which trial of a case is replayed, what its upstream did, and what is put in its place.

A trial is replayed only where that is true to what happened; every reason why one cannot be is told. Kept out: running and
reading what comes of it.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.graders.compare import equal, is_number, kind
from fairtrial.records.tamper import carries
from fairtrial.records.trial import FATES
from fairtrial.records.use import LeftOut
from fairtrial.trials.replayed import acted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.setup import Seat
    from fairtrial.records.trace import Span
    from fairtrial.records.trial import Trial

FOR_ZERO = 10
"""Where no case has another number to offer, nothing is put in for something, which most thresholds tell apart; and this for nothing."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where facts are altered: as the role `to` receives them. `acted` act anew; `replayed` do not (none: the whole trial is run)."""

    setup: str
    to: str
    acted: tuple[str, ...]
    replayed: tuple[str, ...] = ()
    seated: bool = False
    """Whether the harness seats the roles, each with a brief of its own."""


def place_of(seat: Seat, to: str, *, whole: bool, seated: bool) -> Place:
    """Only `to` and whoever it hands on to act anew, where the harness seats the roles; else, or with `whole`, every role does."""
    names = tuple(role.name for role in seat.roles)
    if whole or not seated:
        return Place(setup=seat.setup, to=to, acted=names, seated=seated)
    reached, waiting = {to}, [to]
    hands_to = {role.name: role.hands_to for role in seat.roles}
    while waiting:
        for heir in hands_to[waiting.pop()]:
            if heir not in reached:
                reached.add(heir)
                waiting.append(heir)
    again, kept = ([name for name in names if (name in reached) is acts] for acts in (True, False))
    return Place(setup=seat.setup, to=to, acted=tuple(again), replayed=tuple(kept), seated=True)


def obstacle(trial: Trial, place: Place) -> str:
    """Why this trial cannot be replayed from its hand-offs on; nothing where it can."""
    head, body = trial.head, trial.body
    if FATES[head.ending].fault == "harness":
        return f"the recorded trial ended as {head.ending.value}"
    if head.lost_spans:
        return "the recorded trace is not whole"
    for number, span in enumerate(body.spans):
        if span.role in place.replayed and (why := _hindrance(span, number, body.altered)):
            return why
    return ""


def _hindrance(span: Span, number: int, covered: dict[str, str]) -> str:
    who = span.role
    if span.kind in ("message", "user"):
        return f"{who} spoke with the user, and a conversation cannot be replayed from its middle"
    if span.kind == "tool" and "outside" in (span.attributes.get("flags") or ()) and span.attributes.get("outcome") in ("ok", "failed"):
        return f"{who} called {span.name}, which acts outside the case's world and must not be called again"
    if span.kind == "tool" and acted(span) and "fault" in span.attributes:
        return f"a planned fault met {who}'s call of {span.name}, whose effect on the world cannot be repeated"
    if (span.kind == "handoff" or (span.kind == "tool" and acted(span))) and any(_below(path, f"spans.{number}") for path in covered):
        return f"what {who} did in {span.name} was not stored as it was ({next(iter(covered.values()))})"
    return ""


def _below(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}.")


def received(trial: Trial, fact: str, to: str) -> Any:
    """The value of the fact as the role received it (the last one); UNSET where it did not."""
    found: Any = msgspec.UNSET
    for span in trial.body.spans:
        attributes = span.attributes
        if span.kind == "handoff" and attributes.get("event") == "received" and attributes.get("to", span.role) == to:
            value = _value(attributes.get("facts"), fact)
            found = found if value is msgspec.UNSET else value
    return found


def seen_itself(case: Case, seat: Seat, place: Place, fact: str) -> Any:
    """The value of the fact as the role has it without a parcel: in its own brief, where the harness gives it one, or in the state
    that the nodes of its graph share; UNSET elsewhere."""
    if fact in seat.state:
        return case.brief.facts.get(fact, msgspec.UNSET)
    role = next(role for role in seat.roles if role.name == place.to)
    bound = case.scene.visible_to.get(fact, (place.to,))
    sees = place.seated and (role.sees is None or fact in role.sees) and place.to in bound and (seat.facts is None or fact in seat.facts)
    return case.brief.facts.get(fact, msgspec.UNSET) if sees else msgspec.UNSET


def arrived_altered(trial: Trial) -> bool:
    """Whether a parcel in which a fact was altered was received."""
    return any(span.kind == "handoff" and "altered" in span.attributes for span in trial.body.spans)


def _value(facts: Any, fact: str) -> Any:
    if isinstance(facts, dict):
        if fact in facts:
            return facts[fact]
        facts = list(facts.values())
    if isinstance(facts, (list, tuple)):
        return next((value for inner in facts if (value := _value(inner, fact)) is not msgspec.UNSET), msgspec.UNSET)
    return msgspec.UNSET


def not_received(trial: Trial, case: Case, fact: str, to: str) -> LeftOut:
    """That a fact cannot be altered since it never came, and how far it is from that."""
    words = ""
    for span in trial.body.spans:
        if span.kind == "tool" and span.role == to and carries(span.attributes.get("result"), fact):
            words = f"; it got it from {span.name} by itself"
    return LeftOut(case=case.id, fact=fact, kind="not_received", why=f"no parcel that {to} received names {fact}{words}")


def own_source(trial: Trial, fact: str, to: str) -> str:
    """The tool from which the role has the fact beside the hand-off, if there is one."""
    for span in trial.body.spans:
        if span.kind == "tool" and span.role == to and carries(span.attributes.get("result"), fact):
            return span.name
    return ""


def recorded_acts(trial: Trial, place: Place) -> dict[str, list[Span]]:
    """By role what it did in the recorded trial, without its model calls and what it received."""
    made: dict[str, list[Span]] = {role: [] for role in place.replayed}
    for span in trial.body.spans:
        if span.role in made and span.kind not in ("agent", "model", "retry"):
            made[span.role].append(span)
    return made


def another(own: Any, offered: Iterable[Any]) -> Any:
    """Another value of the same kind: of those that other cases state the farthest number or the first other value; else a
    truth value turned, 0 for a number, 10 for 0. UNSET where there is none."""
    if isinstance(own, bool):
        return not own
    others = [value for value in offered if kind(value) == kind(own) and not isinstance(value, bool) and not equal(own, value)]
    if is_number(own):
        return max(others, key=lambda value: abs(Decimal(str(value)) - Decimal(str(own))), default=_turned(own))
    if others:
        return others[0]
    return _turned_text(own) if isinstance(own, str) else msgspec.UNSET


def _turned(own: Any) -> Any:
    return type(own)(0 if own else FOR_ZERO)


def _turned_text(own: str) -> Any:
    """An amount that is written as text."""
    try:
        number = Decimal(own)
    except InvalidOperation:
        return msgspec.UNSET
    return str(_turned(number)) if number.is_finite() else msgspec.UNSET


def stated(cases: Sequence[Case], fact: str) -> list[Any]:
    """What the suite's cases state of a fact."""
    return [case.brief.facts[fact] for case in cases if fact in case.brief.facts]
