"""What of a trial is put before a judge: the task as the agent got it, the reference, and the evidence that the rubric names.

All of it is covered as the store covers it: a secret of the case stands as [redacted:known] in task and reference as well as in the
evidence. Whether the right secret was told, or a wrong one, is for a check by code. The case's answers stay out, but for the reference
where the rubric wants it. Kept out: how it is fenced and asked (`judges/`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.graders.rule_values import RuleUnknown
from fairtrial.records.opinion import Matter
from fairtrial.records.text import dumps

if TYPE_CHECKING:
    from fairtrial.graders.view import View
    from fairtrial.records.case import Brief
    from fairtrial.records.rubric import Rubric
    from fairtrial.records.trace import Span

_OF_CALLS = ("args", "result", "outcome", "fault")
_INNER = ("flags", "wrote", "proof", "parcel", "input_tokens", "output_tokens", "usd", "latency_ms", "purpose")
"""Attributes that say nothing to a reader of the trial."""


def matter_of(view: View, rubric: Rubric) -> Matter:
    """What a judge of this rubric sees of a trial."""
    key = view.ground.case.key
    reference = key.reference if rubric.reference and key.reference is not msgspec.UNSET else None
    parts = {name: PARTS[name](view, rubric) for name in rubric.evidence if name in PARTS}
    told = {"task": task_of(view.ground.case.brief), "reference": None if reference is None else as_text(reference), "parts": parts}
    return Matter(**view.ground.contract.cover(told))


def task_of(brief: Brief) -> str:
    """The task with all that the agent was told beside it."""
    told = {"facts": brief.facts, "conversation so far": list(brief.history), "slots": brief.slots}
    return "\n".join([brief.task, *(f"{name}: {dumps(value)}" for name, value in told.items() if value)])


def as_text(value: Any) -> str:
    """Plain data as it is put before a judge where text is wanted."""
    return value if isinstance(value, str) else dumps(value)


def _output(view: View, _rubric: Rubric) -> Any:
    if view.answered:
        return view.output
    decline = view.head.decline
    return None if decline is None else {"declined": decline.why, "to": decline.to}


def _tools(view: View, _rubric: Rubric) -> list[dict[str, Any]]:
    return [_call(span) for span in view.tools]


def _call(span: Span) -> dict[str, Any]:
    told = {"tool": span.name, "role": span.role, **{name: span.attributes.get(name) for name in _OF_CALLS}, "error": span.error}
    return {name: value for name, value in told.items() if value not in (None, "")}


def _trace(view: View, rubric: Rubric) -> list[dict[str, Any]]:
    """Every step in order. Of calls that are shown apart only that they were made, and how they ended."""
    brief = "tools" in rubric.evidence
    return [_step(number, span, brief=brief) for number, span in enumerate(view.body.spans, 1)]


def _step(number: int, span: Span, *, brief: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"step": number, "kind": span.kind, "name": span.name, "role": span.role}
    hidden = (*_INNER, "args", "result") if brief and span.kind == "tool" else _INNER
    told |= {name: value for name, value in span.attributes.items() if name not in hidden}
    told["error"] = span.error
    return {name: value for name, value in told.items() if value not in (None, "", [], {})}


def _state(view: View, _rubric: Rubric) -> Any:
    """What changed in the world, before and after."""
    try:
        if not view.state_kept or "after" in view.body.altered:
            return "the state of the world was not kept"
        changes = [{"path": one.path, "change": one.kind, "before": one.before, "after": one.after} for one in view.body.changes]
        return changes or "nothing was changed"
    except RuleUnknown as error:
        return str(error)


PARTS: Mapping[str, Callable[[View, Rubric], Any]] = {"output": _output, "trace": _trace, "tools": _tools, "state": _state}
"""By the name of the evidence (`records.rubric.EVIDENCE`)."""
