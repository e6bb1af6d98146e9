"""How a trial is run again from a hand-off on: what was recorded upstream, and what is done to one fact on its way.

It travels in the order of a trial. Nothing of a case's answers is in it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.records.trace import Span

WAYS = {"change": "changed", "hide": "hidden", "contradict": "contradicted"}
"""What may be done to a fact, and how that is said of it afterwards."""


class Tamper(msgspec.Struct, frozen=True, kw_only=True):
    """The fact as the role `to` receives it: replaced by `value`, left out, or followed by a parcel that says `value`."""

    fact: str
    to: str
    way: str
    value: Any = None


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """`recorded`: by role the spans of one that does not act again (none: every role acts). `tamper` None: a control."""

    recorded: dict[str, list[Span]] = {}
    tamper: Tamper | None = None


def altered(facts: dict[str, Any], tamper: Tamper) -> tuple[dict[str, Any], bool]:
    """The facts with the fact changed or hidden wherever it stands under its name, and whether it stood there at all."""
    found, made = _walk(facts, tamper)
    return made, found


def carries(value: Any, fact: str) -> bool:
    """Whether plain data holds the fact under its name, at any depth."""
    if isinstance(value, dict):
        return fact in value or any(carries(inner, fact) for inner in value.values())
    return isinstance(value, (list, tuple)) and any(carries(inner, fact) for inner in value)


def _walk(value: Any, tamper: Tamper) -> tuple[bool, Any]:
    if isinstance(value, (list, tuple)):
        parts = [_walk(inner, tamper) for inner in value]
        return any(found for found, _ in parts), [inner for _, inner in parts]
    if not isinstance(value, dict):
        return False, value
    seen, made = False, {}
    for key, inner in value.items():
        if key == tamper.fact:
            seen = True
            if tamper.way == "hide":
                continue
            made[key] = tamper.value if tamper.way == "change" else inner
        else:
            found, made[key] = _walk(inner, tamper)
            seen = seen or found
    return seen, made
