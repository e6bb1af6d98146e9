"""The decision on a release: decided once, rendered by the page, Markdown, JUnit, JSON and the exit code."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from fairtrial.records.canary import CanaryReport
from fairtrial.records.corrected import Corrected

EXITS = {"ship": 0, "block": 1, "not_enough_evidence": 3, "invalid": 4}
"""What a decision ends a command with."""


class GateResult(msgspec.Struct, kw_only=True):
    """What became of one gate. `state` is holds, fails or open; `why` says what keeps it from holding.

    `gate` is its name and `asks` the whole rule. `seen` and `needed` are words with their n. `value`, `low` and `high` are the
    figure and its one-sided bounds where it has any, in the unit of `bar`; `n` counts trials and `cases` their cases.
    """

    gate: str
    asks: str
    hard: bool
    state: str
    seen: str
    needed: str
    why: str = ""
    value: Decimal | float | None = None
    low: Decimal | float | None = None
    high: Decimal | float | None = None
    bar: Decimal | None = None
    n: int = 0
    cases: int = 0
    corrected: Corrected | None = None
    """The figure with the errors of judges taken out, with bounds of the same confidence; None where nothing rests on a judge."""


class Attempt(msgspec.Struct, kw_only=True):
    """An earlier run of the same version of the candidate. The counts are the candidate's; None where they were not read."""

    run: str
    started: str | None
    status: str
    suite_version: str
    planned: int | None = None
    passed: int | None = msgspec.field(name="pass", default=None)
    fail: int | None = None
    unknown: int | None = None
    severe: int | None = None


class Decision(msgspec.Struct, kw_only=True):
    """`gate --json`. `decision` is ship, block, not_enough_evidence or invalid; `says` is one plain sentence.

    `next` is a command that helps most from here, for `next_why` (show, blocked, resume, lost, part, no_case, grade, review, undecided,
    lacks, plan, canaries).

    `attempts_before` counts `attempts`, newest first. `left_out` are the cases on one side only, by side, and the changed ones.
    """

    decision: str
    says: str
    gates: list[GateResult]
    attempts_before: int
    exit_code: int
    run: str
    setup: str
    baseline: str | None
    policy: str
    confidence: Decimal
    suite: dict[str, str]
    attempts: list[Attempt] = []
    left_out: dict[str, list[str]] = {}
    notes: list[str] = []
    next_why: str = ""
    next: str = ""
    canaries: CanaryReport | None = None
    """What became of the known answers that were put to the graders; with one of them missed the decision is invalid."""
