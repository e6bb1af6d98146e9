"""What a suite's history says of its two libraries: batches, where each case stands, what moves, and by which rule.

A batch is one run of a case in one setup while the case's content stayed the same. Scores run from 1 to 5.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

from fairtrial.records.health import Health


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """`by`: above or below (every one of the last `batches` scores), lower_bound or upper_bound (of the pass rate over their
    trials, exact, one-sided, 0.95), or stability (over their trials)."""

    batches: int
    by: str
    bar: Decimal


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    graduate: Rule = Rule(batches=5, by="above", bar=Decimal("4.0"))
    demote: Rule = Rule(batches=1, by="below", bar=Decimal("4.0"))
    quarantine: Rule = Rule(batches=3, by="stability", bar=Decimal("0.8"))


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a case. `score` is that of the run trials, UNKNOWN counted as not passed; `worst` and `best` are what it would
    be if everything that is not decided, or was not run, had failed or passed. `by`: pass_rate, marks (the
    weighted marks of a conversation) or judge (a model judge's mean, in which a trial that code failed has the lowest score).
    `setup_hash` names the setup's version as far as it is declared or was found."""

    run: str
    started: str
    setup: str
    planned: int
    passed: int = msgspec.field(name="pass")
    fail: int
    unknown: int
    not_run: int
    severe: int
    by: str
    score: float
    worst: float
    best: float
    setup_hash: str


class Standing(msgspec.Struct, kw_only=True):
    """Where one case stands. `move`: graduate, demote or none; `to` the library it would then be in.

    `batches` are the latest that count, oldest first; `streak` how many of them, from the end, meet the bar of graduation.
    """

    case: str
    library: str
    split: str
    setup: str
    batches: list[Batch]
    left_out: int
    """Runs in which this case was another one: its content, or what surrounds it, has changed since."""
    streak: int
    move: str
    to: str
    flaky: bool
    why: str
    flaky_why: str = ""


class LibraryReport(msgspec.Struct, kw_only=True):
    """`library SUITE --json`. `written`: files changed by --apply; `refused`: moves that could not be written, with the mend.

    `moved` is the log of earlier moves; `ledger` the looks at held-out cases, where they were asked for.
    """

    suite: str
    version: str
    setup: str
    rules: Rules
    runs: int
    cases: list[Standing]
    applied: bool
    says: str
    written: list[str] = []
    refused: list[dict[str, str]] = []
    moved: list[dict[str, Any]] = []
    ledger: list[dict[str, Any]] | None = None
    health: Health | None = None
