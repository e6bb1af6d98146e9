"""The decided plan: how many cases and repeats a wanted effect asks for, at what price, and what today's suite can show.

Field names are those of `plan --json`. Money is an exact decimal; a number that cannot be had is None, with the reason in
`reasons`. Kept out: how a plan is worked out (`study/planning.py`).
"""

from __future__ import annotations

from decimal import Decimal

import msgspec


class PlanRow(msgspec.Struct, kw_only=True):
    """One number of repeats. `cases` find the wanted effect; `low` and `high` are the 95 % range that the pilot leaves open.

    `trials` and `price_usd` are those of both sides together. `detectable` and `margin` (shares) are what today's cases
    would show at that many repeats; `enough`: today's cases find the wanted effect.
    """

    repeats: int
    cases: int | None
    low: int | None = None
    high: int | None = None
    trials: int | None = None
    new_cases: int | None = None
    price_usd: Decimal | None = None
    seconds: float | None = None
    """Time of the trials, as if one ran after the other."""
    cheapest: bool = False
    enough: bool = False
    detectable: float | None = None
    margin: float | None = None
    margin_cases: int | None = None
    """Cases that show the new side not worse by the wanted margin or more, if it is equal; None where no margin was asked for."""


class PilotSide(msgspec.Struct, kw_only=True):
    """One side of the pilot over the paired cases. planned = pass + fail + unknown + not_run."""

    run: str
    setup: str
    planned: int
    passed: int = msgspec.field(name="pass")
    fail: int
    unknown: int
    not_run: int
    success: float | None
    cost_mean_usd: Decimal | None
    latency_mean_ms: float | None


class Pilot(msgspec.Struct, kw_only=True):
    """Where the spread comes from. `between` and `within` are variances of a case's difference (shares squared).

    `clusters`: how many times as many cases are needed because cases of one cluster move together.
    """

    base: PilotSide
    new: PilotSide
    pairs: int
    left_out: int
    between: float | None
    within: float | None
    clusters: float = 1.0


class Today(msgspec.Struct, kw_only=True):
    """What the suite as it stands can show, at its own number of repeats. Shares; `severe_upper` if no severe failure is seen."""

    cases: int
    repeats: int
    detectable: float | None
    margin: float | None
    severe_upper: float | None
    severe_bar: float
    severe_cases: int
    """Clean independent cases that bring the bound below the bar."""


class Plan(msgspec.Struct, kw_only=True):
    """`plan --json`. `source`: pilot (two sides), one_side (one setup, taken for both), or assumed (nothing was run)."""

    suite: str
    detect: float
    power: float
    confidence: float
    margin: float | None
    source: str
    pilot: Pilot | None
    assumed: dict[str, float] = {}
    rows: list[PlanRow] = []
    today: Today
    case_usd: Decimal | None = None
    says: str
    notes: list[str] = []
    reasons: dict[str, str] = {}
