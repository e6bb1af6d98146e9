"""How fit a suite is to measure with: what its cases still tell, the stage it is at, where its cases come from, which leaked.

Advice only: nothing here decides a verdict or a gate.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """A case in one setup: the trials of all runs in which both were what they are now."""

    setup: str
    passed: int = msgspec.field(name="pass")
    fail: int
    unknown: int


class CaseHealth(msgspec.Struct, kw_only=True):
    """What one case still tells. `state`: untried, too_few, saturated (always passes), dead (always fails), flaky (both, in one
    setup that stayed the same) or steady. `tells`: whether setups differ at it; None where fewer than two were tried enough."""

    case: str
    state: str
    tells: bool | None
    setups: list[Tried]
    why: str
    first_seen: str | None = None
    """The start of the first run in the store that had the case, UTC; None where none had."""
    source: str | None = None


class Stage(msgspec.Struct, kw_only=True):
    """Where a suite is on its way, after the second article: start, prototype, development, pre-release or production.

    `missing` is what the next stage asks for, in words; `next` is None at the last one.
    """

    stage: str
    next: str | None
    cases: int
    fewest_trials: int
    """Trials of a case as the suite plans them: the fewest over all cases."""
    missing: list[str]


class Origin(msgspec.Struct, kw_only=True):
    """Where cases come from: by source, the share of real requests and incidents, and how long ago these were first seen, in days."""

    by_source: dict[str, int]
    real: int
    share: float | None
    newest_days: float | None
    median_days: float | None
    oldest_days: float | None


class Spill(msgspec.Struct, frozen=True, kw_only=True):
    """An answer reached an agent: in the trial, at the span, and `what` part of the case's answers it was."""

    case: str
    run: str
    setup: str
    attempt: int
    span: str
    act: str
    what: str


class Ambiguity(msgspec.Struct, frozen=True, kw_only=True):
    """Two people or more said different things of what is right in one case."""

    case: str
    labels: dict[str, str]
    """Rater -> the label they gave."""


class Health(msgspec.Struct, kw_only=True):
    """`health` of `library SUITE --json`."""

    cases: list[CaseHealth]
    states: dict[str, int]
    telling: int
    """Cases at which setups differ …"""
    compared: int
    """… of those that two setups or more were tried at often enough."""
    stage: Stage
    origin: Origin
    spills: list[Spill]
    walked: int
    """Trials whose trace was looked through for spilt answers."""
    ambiguous: list[Ambiguity]
    says: str
    notes: list[str] = []
    reasons: dict[str, Any] = {}
