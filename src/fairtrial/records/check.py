"""One criterion in a case: a subject, an expectation, and how much it matters."""

from __future__ import annotations

from typing import Any

import msgspec


class Check(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A parsed check. `subject` is the key of INTERFACE's table (output, state, fact, tool, rule, all_of, ...), `target`
    its value, `expect` the expectations as written. `parts` holds the checks of all_of, any_of and not."""

    subject: str
    target: Any = None
    expect: dict[str, Any] = {}
    parts: tuple[Check, ...] = ()
    name: str = ""
    card: str = "outcome"
    severity: str = "major"
    why: str = ""
    fix: str = ""
    under: str = "must"
    place: str = ""
