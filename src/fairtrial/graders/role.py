"""`role: NAME`: what one role decided on its own: a router's intent, a guard's decision, a planner's steps, an executor's
slots, what a retriever fetched.

It is read from the role's decision spans (`desk.note`, `desk.decline`), then from its agent span; for a role that is tried
alone, from its answer as well. What the role said last counts. What it never said is a FAIL, for nothing shows that it
decided right. Kept out: whether a passage was fetched (`retrieved.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from fairtrial.graders.compare import ABSENT
from fairtrial.graders.finding import NOT_APPLICABLE, Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.kept import untold, untold_span
from fairtrial.graders.matchers import Match, compile_argument
from fairtrial.graders.retrieved import Fetched, find_passages
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind
from fairtrial.records.trace import Span
from fairtrial.records.verdict import Verdict

SAID_AS = {
    "intent": ("intent", "router", "route"),
    "decision": ("decision", "guard"),
    "steps": ("steps", "plan", "planner"),
    "slots": ("slots", "executor"),
    "retrieved": ("retrieved", "retrieval"),
}
"""What a decision may be `of`, for each thing a check asks about."""


class Said(NamedTuple):
    """What a role last said of a thing, and the span where (None: in its answer)."""

    value: Any = ABSENT
    span: str | None = None


def compile_role(check: Check, ground: Ground) -> Probe:
    expect, place = check.expect, check.place
    name = str(check.target)
    tried = ground.case.scene.role
    alone = tried is not None and tried == (ground.role_of(name) or name)
    role = tried if alone else ground.role_of(name) or (None if ground.roles else name)
    looks = _looks(expect, place)

    def probe(view: View) -> Finding:
        own = [span for span in view.body.spans if span.role == role or (alone and span.role is None)]
        if role is None or not (alone or own or (role in ground.roles and tried is None)):
            return NOT_APPLICABLE
        if not view.trace_whole and not (alone and view.answered):
            return unknown("the trace is missing or not whole")
        act = Act(role, own, view if alone else None)
        covered = untold_span(view, act.spoken, "value", *looks) or (_untold_answer(view, looks) if alone else None)
        if covered is not None:
            return covered
        told = {}
        for key, look in looks.items():
            told[key] = look(act)
            if told[key].verdict is not Verdict.PASS:
                return told[key]
        first, *others = told.values()
        return first if not others else holds(span=first.span, seen={key: found.seen for key, found in told.items()})

    return probe


class Act:
    """What a role did in a trial. `view` is given where it was tried alone, so that its answer is its word as well."""

    def __init__(self, role: str, spans: list[Span], view: View | None) -> None:
        self.role = role
        self.spans = spans
        self.spoken = [span for span in spans if span.kind in ("decision", "agent")]
        self._view = view

    def said(self, key: str) -> Said:
        """What it last said of a thing; `ABSENT` where it never did."""
        for span in reversed(self.spoken):
            attributes = span.attributes
            if key in attributes:
                return Said(attributes[key], span.id)
            if span.kind == "decision" and attributes.get("of") in SAID_AS[key]:
                return Said(attributes.get("value", span.name), span.id)
            if span.kind == "decision" and key == "decision" and span.name == "decline" and "of" not in attributes:
                return Said("decline", span.id)
        if self._view is not None and self._view.answered and isinstance(self._view.output, dict) and key in self._view.output:
            return Said(self._view.output[key])
        return Said()

    def silent(self, key: str) -> Finding:
        what = "did nothing in this trial" if not self.spans else f"said nothing of {key}, neither by desk.note nor in an answer of its own"
        return fails(f"{self.role} {what}", path=key, expected=key, kind=FailureKind.FORMAT_ERROR, firm=True)


Look = Callable[[Act], Finding]


def _looks(expect: dict[str, Any], place: str | None) -> dict[str, Look]:
    """By thing that is asked about, the look at it."""
    found: dict[str, Look] = {}
    for key in ("intent", "decision"):
        if key in expect:
            found[key] = _matching(key, compile_argument(expect[key], place))
    if "steps" in expect:
        found["steps"] = _steps(expect["steps"])
    if "slots" in expect or "slots_present" in expect:
        slots = {key: compile_argument(value, place) for key, value in expect.get("slots", {}).items()}
        found["slots"] = _slots(slots, expect.get("slots_present", []))
    if "retrieved" in expect:
        found["retrieved"] = _retrieved(expect["retrieved"])
    return found


def _untold_answer(view: View, looks: dict[str, Look]) -> Finding | None:
    return next((found for key in looks if (found := untold(view, f"output.{key}", key))), None)


def _matching(key: str, match: Match) -> Look:
    def look(act: Act) -> Finding:
        value, span = act.said(key)
        if value is ABSENT:
            return act.silent(key)
        mismatch = match(value)
        if mismatch is None:
            return holds(span=span, path=key, seen=value)
        why = f"{act.role}'s {key}: {mismatch.why}"
        return fails(why, span=span, path=key, expected=mismatch.expected, seen=value, firm=mismatch.firm)

    return look


def _steps(expect: dict[str, list[str]]) -> Look:
    def look(act: Act) -> Finding:
        value, span = act.said("steps")
        if not isinstance(value, list):
            return act.silent("steps")
        names = [step.get("tool", step.get("name", step)) if isinstance(step, dict) else step for step in value]
        gone = [step for step in expect.get("include", []) if step not in names]
        extra = [step for step in names if "only" in expect and step not in expect["only"]]
        if not gone and not extra:
            return holds(span=span, path="steps", seen=names)
        parts = [f"lacks {', '.join(gone)}"] if gone else []
        parts += [f"has {', '.join(map(str, extra))}, which is not on the list"] if extra else []
        why = f"{act.role}'s plan {' and '.join(parts)}"
        return fails(why, span=span, path="steps", expected=dict(expect), seen=names, kind=FailureKind.TOOL_SELECTION)

    return look


def _slots(matches: dict[str, Match], present: list[str]) -> Look:
    def look(act: Act) -> Finding:
        value, span = act.said("slots")
        if not isinstance(value, dict):
            return act.silent("slots")
        for key in [*matches, *present]:
            if value.get(key) in (None, "") and not (key in matches and key in value):
                why = f"{act.role} has no value in the slot {key}"
                return fails(why, span=span, path=f"slots.{key}", expected="a value", seen=value.get(key), kind=FailureKind.CONTEXT_LOSS)
        for key, match in matches.items():
            mismatch = match(value[key])
            if mismatch:
                why, wanted = f"{act.role}'s slot {key}: {mismatch.why}", mismatch.expected
                return fails(why, span=span, path=f"slots.{key}", expected=wanted, seen=value[key], kind=FailureKind.TOOL_PARAMETER)
        return holds(span=span, path="slots", seen=value)

    return look


def _retrieved(wanted: str | list[str]) -> Look:
    def look(act: Act) -> Finding:
        noted, place = act.said("retrieved")
        calls = [span for span in act.spans if span.kind == "tool" and span.attributes.get("outcome") == "ok"]
        fetched: list[Fetched] = [(span.attributes.get("result"), span.id) for span in calls]
        if noted is not ABSENT:
            fetched.append((noted, place))
        if not fetched:
            return act.silent("retrieved")
        return find_passages(act.role, wanted if isinstance(wanted, list) else [wanted], fetched)

    return look
