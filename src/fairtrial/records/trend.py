"""The decided object of `trend`: the figures of a suite run by run, where they may not be laid side by side, and what moved."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from fairtrial.records.rate import Rate
from fairtrial.records.report import Difference


class Break(msgspec.Struct, frozen=True, kw_only=True):
    """What changed since the run before, so that the figures are no longer of the same thing. `kind`: suite (its cases), frame (what
    surrounds them), graders, isolation, or what else was not held equal (tools, rights, budget, facts, start_state)."""

    kind: str
    what: str


class Moved(msgspec.Struct, kw_only=True):
    """A run against an earlier one (`against`: previous, or first of its stretch), over the cases that are the same in both.

    `reading`: decline, rise, no_change_shown, cannot_tell (`why`). p_holm is corrected for the comparisons of this run and for the looks
    at the same version before it. `across` names the breaks between the two; `left_out` counts cases that changed or that one side
    lacks.
    """

    against: str
    run: str
    reading: str
    pairs: int
    left_out: int
    difference: Difference
    p_value: float | None
    p_holm: float | None
    across: list[str]
    changed: list[str] = []
    """What of the setup itself is known to be another version: agent, code, model, prompt and the like."""
    why: str = ""


class TrendRow(msgspec.Struct, kw_only=True):
    """One setup in one run. `started` is UTC. `selection` is the part of the suite that was asked for, empty for the whole.

    `reading` is that of the moves, `first` where there is nothing before it. `versions` are those that the setup states and
    the hash of its code.
    """

    run: str
    setup: str
    started: str | None
    status: str
    origin: str
    selection: str
    suite_version: str
    grader: str
    isolation: str | None
    versions: dict[str, str]
    planned: int
    trials: int
    cases: int
    success_rate: Rate
    unknown: int
    unknown_share: float | None
    severe: int
    cost_per_success_usd: Decimal | None
    latency_p95_ms: float | None
    latency_stated: bool
    breaks: list[Break]
    moves: list[Moved]
    reading: str
    reasons: dict[str, str] = {}


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A setup of a run that is no figure of the suite, and why."""

    run: str
    setup: str
    why: str


class Trend(msgspec.Struct, kw_only=True):
    """`trend --json`: one row a run and setup, oldest first. `says` is about the newest row of every setup."""

    suite: str
    rows: list[TrendRow]
    left_out: list[LeftOut]
    says: str
    older: int = 0
    """Rows before the oldest one shown."""
