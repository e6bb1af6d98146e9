"""`role: NAME`: what one role decided on its own: a router's intent, a guard's decision, a planner's steps, an executor's
slots, what a retriever fetched.

It is read from the role's decision spans, then from its agent span; for a role that is tried alone, from the answer as well.
"""

from __future__ import annotations

from typing import Any

from fairtrial.graders.compare import ABSENT
from fairtrial.graders.finding import NOT_APPLICABLE, Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.kept import untold_span
from fairtrial.graders.matchers import Match, compile_argument
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind

SAID_AS = {
    "intent": ("intent", "router", "route"),
    "decision": ("decision", "guard"),
    "steps": ("steps", "plan", "planner"),
    "slots": ("slots", "executor"),
    "retrieved": ("retrieved", "retrieval"),
}
"""What a decision may be `of`, for each thing a check asks about."""


def compile_role(check: Check, ground: Ground) -> Probe:
    expect, place = check.expect, check.place
    name = str(check.target)
    alone = ground.case.scene.role == name
    role = ground.role_of(name) or (None if ground.roles and not alone else name)
    matches: dict[str, Match] = {key: compile_argument(expect[key], place) for key in ("intent", "decision") if key in expect}
    asked = [key for key in SAID_AS if key in expect or (key == "slots" and "slots_present" in expect)]
    slots = {key: compile_argument(value, place) for key, value in expect.get("slots", {}).items()}

    def probe(view: View) -> Finding:
        seated = role is not None and (alone or role in ground.roles or any(span.role == role for span in view.body.spans))
        if not seated:
            return NOT_APPLICABLE
        if not view.trace_whole and not (alone and view.answered):
            return unknown("the trace is missing or not whole")
        spoken = [span for span in view.body.spans if span.kind in ("decision", "agent") and span.role in (role, None)]
        covered = untold_span(view, spoken, "value", *asked)
        if covered is not None:
            return covered
        said = {key: _said(view, str(role), key, alone) for key in SAID_AS}
        found = _simple(name, said, matches) or _steps(name, said["steps"], expect.get("steps", {}))
        found = found or _slots(name, said["slots"], slots, expect.get("slots_present", []))
        return found or _retrieved(name, said["retrieved"], expect.get("retrieved")) or holds(seen=_present(said))

    return probe


def _said(view: View, role: str, key: str, alone: bool) -> tuple[Any, str | None]:
    """What the role last said of a thing, and the span where."""
    for span in reversed(view.body.spans):
        if (span.role != role and not (alone and span.role is None)) or span.kind not in ("decision", "agent"):
            continue
        if key in span.attributes:
            return span.attributes[key], span.id
        if span.kind == "decision" and span.attributes.get("of") in SAID_AS[key]:
            return span.attributes.get("value", span.name), span.id
    if alone and view.answered and isinstance(view.output, dict) and key in view.output:
        return view.output[key], None
    return ABSENT, None


def _missing(name: str, key: str) -> Finding:
    return fails(f"{name} said nothing of {key}", expected=key, kind=FailureKind.FORMAT_ERROR, firm=True)


def _simple(name: str, said: dict[str, tuple[Any, str | None]], matches: dict[str, Match]) -> Finding | None:
    for key, match in matches.items():
        value, span = said[key]
        if value is ABSENT:
            return _missing(name, key)
        mismatch = match(value)
        if mismatch:
            return fails(f"{name}'s {key}: {mismatch.why}", span=span, path=key, expected=mismatch.expected, seen=value, firm=mismatch.firm)
    return None


def _steps(name: str, said: tuple[Any, str | None], expect: dict[str, list[str]]) -> Finding | None:
    if not expect:
        return None
    value, span = said
    if not isinstance(value, list):
        return _missing(name, "steps")
    names = [step.get("tool", step.get("name")) if isinstance(step, dict) else step for step in value]
    gone = [step for step in expect.get("include", []) if step not in names]
    extra = [step for step in names if "only" in expect and step not in expect["only"]]
    if not gone and not extra:
        return None
    why = f"{name}'s plan " + " and ".join(
        [*([f"lacks {', '.join(gone)}"] if gone else []), *([f"has {extra}, not allowed"] if extra else [])]
    )
    return fails(why, span=span, path="steps", expected=dict(expect), seen=names, kind=FailureKind.TOOL_SELECTION)


def _slots(name: str, said: tuple[Any, str | None], matches: dict[str, Match], present: list[str]) -> Finding | None:
    if not matches and not present:
        return None
    value, span = said
    if not isinstance(value, dict):
        return _missing(name, "slots")
    for key in [*matches, *present]:
        if value.get(key) is None and not (key in matches and key in value):
            return fails(f"{name} has no slot {key}", span=span, path=f"slots.{key}", expected="a value", kind=FailureKind.CONTEXT_LOSS)
    for key, match in matches.items():
        mismatch = match(value[key])
        if mismatch:
            return fails(
                f"{name}'s slot {key}: {mismatch.why}",
                span=span,
                path=f"slots.{key}",
                expected=mismatch.expected,
                seen=value[key],
                kind=FailureKind.TOOL_PARAMETER,
            )
    return None


def _retrieved(name: str, said: tuple[Any, str | None], wanted: Any) -> Finding | None:
    if wanted is None:
        return None
    value, span = said
    if value is ABSENT:
        return _missing(name, "retrieved")
    fetched = value if isinstance(value, list) else [value]
    ids = [entry.get("id", entry.get("name")) if isinstance(entry, dict) else entry for entry in fetched]
    gone = [entry for entry in (wanted if isinstance(wanted, list) else [wanted]) if entry not in ids]
    return fails(f"{name} did not fetch {', '.join(gone)}", span=span, path="retrieved", expected=wanted, seen=ids) if gone else None


def _present(said: dict[str, tuple[Any, str | None]]) -> dict[str, Any]:
    return {key: value for key, (value, _) in said.items() if value is not ABSENT}
