"""What a run is asked for, and what it comes to."""

from __future__ import annotations

from decimal import Decimal
from typing import Protocol

import msgspec

from fairtrial.records.decision import Decision
from fairtrial.records.report import RunReport


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """As the command line's options of `run`. Empty means all; None means the suite's or the default."""

    setups: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    tier: str | None = None
    library: str | None = None
    expression: str | None = None
    trials: int | None = None
    jobs: int = 10
    isolate: str | None = None
    allow_unfair: bool = False
    dry_run: bool = False
    fail_fast: bool = False
    last_failed: bool = False
    resume: str | None = None
    seed: int | None = None
    store: str | None = None
    until_decided: bool = False
    margin: Decimal | str | float | None = None
    """With until_decided: the loss of success rate, as a share, that still counts as not worse."""


class CreditOptions(msgspec.Struct, frozen=True, kw_only=True):
    """As the command line's options of `credit`. Empty means all; `kinds` are the ways to change a role, `stand_ins` by role who
    takes its place (module:function); `fresh` takes no trial that is there already."""

    setup: str | None = None
    roles: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    trials: int | None = None
    jobs: int = 10
    isolate: str | None = None
    kinds: tuple[str, ...] = ("remove", "replace", "mend")
    stand_ins: dict[str, str] = {}
    pairs: bool = True
    shapley: bool = False
    fresh: bool = False
    dry_run: bool = False
    seed: int | None = None
    store: str | None = None


class RunOutcome(msgspec.Struct, kw_only=True):
    """The report, how far the run came (complete, interrupted, incomplete, planned), and the exit code of INTERFACE."""

    report: RunReport
    status: str
    exit_code: int
    decision: Decision | None = None
    """What the suite's policy makes of the run; None where it names none."""


class Tell(Protocol):
    """Called before any trial is spent: trials wanted, how many of them are there already, and how many pairs may add."""

    def __call__(self, planned: int, reused: int, pairs: int, /) -> None: ...


class Progress(Protocol):
    """Called as trials are finished: done and total trials, and how many of the done failed, are unknown, or wait for a judge."""

    def __call__(self, done: int, total: int, failed: int, unknown: int, judging: int = 0, /) -> None: ...
