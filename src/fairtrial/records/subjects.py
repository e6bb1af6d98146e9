"""The table of what a check may be about: each subject with the expectations that may stand beside it, its card and its weight.

What an expectation may hold stands in `expectations.py`; how a check is read in `check.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from fairtrial.records import expectations as may
from fairtrial.records.expectations import Shape, Wrong
from fairtrial.records.remark import FLAGS


class Subject(NamedTuple):
    """What may stand under a subject. `alone`: it needs no expectation beside it. `guard`: it names what must be kept, so
    that it means the same under must and must_not."""

    target: Shape
    expects: Mapping[str, Shape] = MappingProxyType({})
    card: str = "outcome"
    alone: bool = False
    guard: bool = False
    critical: bool = False
    """A failure under must_not is critical (for guards: wherever it stands)."""


_VALUE = may.VALUE_SHAPES
_TOOL: dict[str, Shape] = {
    "called": may.flag,
    **dict.fromkeys(("times", "min_times", "max_times"), may.whole),
    "with": may.arguments,
    "exact": may.flag,
    "before": may.words,
    "after": may.words,
    "result": may.matchers,
}
_CHANGES: dict[str, Shape] = {
    "allow": may.several(may.words),
    "forbid": may.several(may.words),
    "none": may.yes,
    "max_files": may.whole,
    "max_lines": may.whole,
}
_ROLE: dict[str, Shape] = {
    "intent": may.matchers,
    "decision": may.matchers,
    "steps": may.fields(include=may.several(may.words), only=may.several(may.words)),
    "slots": may.filled,
    "slots_present": may.several(may.words),
    "retrieved": may.one_or_several(may.words),
}


def _no_target(value: Any) -> None:
    if value not in (None, True, {}):
        raise Wrong("takes its expectations beside it or inside", "{none: true}")


def _rule(value: Any) -> None:
    may.words(value)
    if len(value) > may.LONGEST_RULE:
        raise Wrong(f"has {len(value)} characters", f"{may.LONGEST_RULE} at most", "split it into several rules")


SUBJECTS: dict[str, Subject] = {
    "output": Subject(may.words, _VALUE),
    "state": Subject(may.words, _VALUE, critical=True),
    "query": Subject(may.words, _VALUE, critical=True),
    "text": Subject(may.words, _VALUE),
    "question": Subject(may.words, {"unknown_values": may.several(may.anything)}, alone=True),
    "changes": Subject(_no_target, _CHANGES, critical=True),
    "command": Subject(may.several(may.words), {"exit": may.whole, "stdout": may.matchers, "timeout_s": may.positive}, alone=True),
    "fact": Subject(
        may.words,
        {
            "used": may.yes,
            "received_by": may.words,
            "used_by": may.words,
            "proof": may.one_of("declared", "found", "intervention"),
        },
        "coordination",
    ),
    "adjustment": Subject(may.words, {"applied": may.one_of("once")}, "coordination"),
    "conflict": Subject(
        may.words,
        {
            "ends": may.several(may.one_of("resolved", "escalated")),
            "settled_by": may.words,
            "cites": may.several(may.words),
        },
        "coordination",
    ),
    "tool": Subject(may.words, _TOOL, "process", critical=True),
    "effect": Subject(may.words, {"unique_by": may.several(may.words)}, "process", guard=True),
    "ui_card": Subject(may.words, {"shown": may.flag, "times": may.whole, "at_turn": may.whole, "before": may.words}, "process"),
    "role": Subject(may.words, _ROLE, "process"),
    "rule": Subject(_rule, {}, "decision", alone=True),
    "access": Subject(may.fields(only=may.one_of("principal")), {}, "safety", alone=True, guard=True, critical=True),
    "leak": Subject(may.several(may.words), {}, "safety", alone=True, guard=True, critical=True),
    "approval": Subject(may.words, {}, "safety", alone=True, guard=True, critical=True),
    "forbidden": Subject(
        may.fields(commands=may.several(may.words), paths=may.several(may.words)), {}, "safety", alone=True, guard=True, critical=True
    ),
    "retention": Subject(may.fields(gone=may.several(may.words)), {}, "safety", alone=True, guard=True, critical=True),
    "citations": Subject(
        may.words,
        {
            "fetched": may.yes,
            "supports": may.yes,
            "by": may.words,
            "sources": may.several(may.words),
            "max_age_days": may.positive,
            "covers": may.several(may.words),
            "min_covered": may.share,
            "every_claim": may.yes,
            "opinions": may.opinions,
        },
    ),
    "grounded": Subject(
        may.words,
        {
            "look": may.several(may.one_of("figures", "dates", "ids", "quotes")),
            "in": may.several(may.one_of("tools", "facts", "task", "history", "reference", "calls")),
            "allow": may.several(may.stated),
            "said": may.yes,
            "by": may.words,
            "exact": may.flag,
            "arithmetic": may.flag,
        },
        alone=True,
        guard=True,
    ),
    "injection": Subject(may.words, {"obeyed": may.no}, "safety", guard=True, critical=True),
    "recovery": Subject(_no_target, {"handled": may.yes, "no_false_success": may.yes}, "recovery", guard=True),
    "process": Subject(_no_target, dict.fromkeys(FLAGS, may.yes), "process", guard=True),
    "judge": Subject(may.words, {"min": may.number}, card="", alone=True),
    "grader": Subject(may.words, {}, alone=True),
    "all_of": Subject(may.anything, {}, alone=True),
    "any_of": Subject(may.anything, {}, alone=True),
    "not": Subject(may.anything, {}, alone=True),
}
