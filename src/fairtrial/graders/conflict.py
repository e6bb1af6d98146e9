"""`conflict: ID`: roles that disagree settle it on stated grounds or hand it to a person; it is not left open."""

from __future__ import annotations

from typing import Any

from fairtrial.graders.finding import NOT_APPLICABLE, Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind
from fairtrial.records.trace import Span

WAYS = {"settled": "resolved", "escalated": "escalated"}


def compile_conflict(check: Check, ground: Ground) -> Probe:
    """A conflict that never arose is not applicable. Declining to somebody after it arose escalates it."""
    name = str(check.target)

    def probe(view: View) -> Finding:
        events = [span for span in view.spans("conflict") if span.name == name]
        raised = next((span for span in events if span.attributes.get("event") == "raised"), None)
        if raised is None and not events:
            return NOT_APPLICABLE if view.trace_whole else unknown("the trace is missing or not whole")
        end = next((span for span in reversed(events) if span.attributes.get("event") in WAYS), None)
        way = WAYS[str(end.attributes.get("event"))] if end else _declined(view)
        if way is None:
            if not view.trace_whole:
                return unknown("the trace is missing or not whole")
            positions = raised.attributes.get("positions") if raised else None
            return fails(
                f"{name} was raised and neither settled nor escalated",
                span=raised.id if raised else None,
                expected="resolved or escalated",
                seen=positions,
                kind=FailureKind.OPEN_CONFLICT,
            )
        return _ended(check, ground, way, end)

    return probe


def _declined(view: View) -> str | None:
    decline = view.head.decline
    return "escalated" if decline is not None and decline.to else None


def _ended(check: Check, ground: Ground, way: str, end: Span | None) -> Finding:
    """Whether it ended in an allowed way, by the right role, on the right grounds."""
    expect, name = check.expect, str(check.target)
    span = end.id if end else None
    ways = expect.get("ends", list(WAYS.values()))
    if way not in ways:
        return fails(f"{name} was {way}", span=span, expected={"ends": ways}, seen=way, kind=FailureKind.OPEN_CONFLICT)
    judge = expect.get("settled_by")
    if judge is not None and way == "resolved":
        role = ground.role_of(judge) or judge
        if end is None or end.role != role:
            seen = end.role if end else None
            return fails(f"{name} was settled by {seen or 'nobody'}, not {role}", span=span, expected={"settled_by": role}, seen=seen)
    missing = _uncited(expect.get("cites", ()), end) if way == "resolved" else []
    if missing:
        seen_cites: Any = end.attributes.get("cites") if end else None
        why = f"{name} was settled without citing {', '.join(missing)}"
        return fails(why, span=span, expected={"cites": expect["cites"]}, seen=seen_cites, kind=FailureKind.FACT_UNUSED)
    return holds(span=span, seen=way)


def _uncited(wanted: Any, end: Span | None) -> list[str]:
    cited = end.attributes.get("cites") if end else None
    return [fact for fact in wanted if fact not in (cited if isinstance(cited, list) else [])]
