"""What went wrong in a run, how often, at what price, and where to look first: the decided object of `diagnose`.

Kinds and places are read from evidence by rules. A cause and a mend are directions to look in, never proven.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

SHOWS, NOTICED, WRONG = range(3)
"""A failure shows here; a process finding names this act; this act or loss is wrong in itself."""


class Signal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing in a failed trial that points at a kind of failure. `step` counts spans from 1; one past the last is the answer,
    None is nowhere in the trace. `strength`: WRONG, NOTICED or SHOWS. `kind` is None where a verdict came without a reason."""

    kind: str | None
    what: str
    step: int | None = None
    span: str | None = None
    role: str | None = None
    name: str = ""
    strength: int = 0


class Place(msgspec.Struct, kw_only=True):
    """Where a failed trial first went wrong. Where `decidable` is False, this is where it first shows, and `why` says what is missing."""

    decidable: bool
    agent: str | None
    step: int | None
    span: str | None
    at: str
    """The kind and name of the act there, `answer`, or nothing."""
    evidence: str
    why: str = ""


class Group(msgspec.Struct, kw_only=True):
    """Failed trials of one case in one setup that failed alike. `looked` of them were walked; `alike` of those went wrong at `place`."""

    case: str
    setup: str
    kind: str | None
    also: list[str]
    attempts: list[int]
    severe: int
    checks: list[str]
    place: Place
    looked: int
    alike: int


class KindLine(msgspec.Struct, kw_only=True):
    """One kind of failure. `trials` failed by it first, `also` show it beside another. `weight` is the sum over its trials of
    severity (minor 1, major 3, critical 10) × cost ÷ mean cost of a failed trial, where every failed trial's cost is known. `kind`
    is None for trials of which nothing says why they failed; `mend` is what their cases say themselves, where they do."""

    kind: str | None
    trials: int
    also: int
    cases: int
    share: float
    severe: int
    cost_usd: Decimal | None
    cost_known: int
    weight: float
    cause: str
    mend: str
    where: list[dict[str, Any]]
    """By agent and act, the trials that first went wrong there."""
    rerun: list[str]
    """Cases to run again after a mend."""


class CardLine(msgspec.Struct, kw_only=True):
    """One scorecard: trials that failed on it, and the direction to mend."""

    card: str
    trials: int
    mend: str


class Diagnosis(msgspec.Struct, kw_only=True):
    """`diagnose --json`. planned = passed + failed + unknown + not_run."""

    run: str
    setups: list[str]
    planned: int
    passed: int = msgspec.field(name="pass")
    failed: int = msgspec.field(name="fail")
    unknown: int
    not_run: int
    kinds: list[KindLine]
    cards: list[CardLine]
    groups: list[Group]
    rerun: list[dict[str, Any]]
    """Case by case: the setups it failed in, how many trials, and the command that tries it again."""
    undecidable: int
    """Failed trials of groups whose first wrong step cannot be told from the trace."""
    says: str
    ours: bool = True
    """False for results from elsewhere, which cannot be run again."""
    traced: bool = True
    """False where no trial has a trace to walk through."""
    notes: list[str] = []
    reasons: dict[str, str] = {}
