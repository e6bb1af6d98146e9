"""Several versions in one table: each with its figures over the cases that all of them share, and what it comes to."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from fairtrial.records.report import Comparison, Rate


class Version(msgspec.Struct, kw_only=True):
    """One side, over the shared cases: planned = pass + fail + unknown + not_run. Times in milliseconds, of trials that answered.

    `name` is RUN:SETUP, `label` as much of it as tells the versions apart.

    `difference` (to the base, over the cases the two share), `p_value`, `p_holm` and `verdict` are those of its comparison; None
    for the base itself. `front`: no other is at least as good in everything (`study/versions.py`); `beaten_by` names those that are.
    """

    name: str
    label: str
    planned: int
    passed: int = msgspec.field(name="pass")
    fail: int
    unknown: int
    not_run: int
    severe: int
    success_rate: Rate
    difference: float | None
    p_value: float | None
    p_holm: float | None
    verdict: str | None
    latency_p50_ms: float | None
    latency_p95_ms: float | None
    latency_stated: bool
    cost_mean: Decimal | None
    cost_per_success: Decimal | None
    front: bool
    beaten_by: list[str]
    cost_per_success_low: Decimal | None = None
    cost_per_success_high: Decimal | None = None
    """The bounds of its 95 % interval over cases, rounded outwards."""
    reasons: dict[str, str] = {}


class Versions(msgspec.Struct, kw_only=True):
    """`compare BASE NEW NEW2… --json`. `left_out` are cases that not all versions have alike; each of `comparisons` may have more."""

    base: str
    cases: int
    left_out: list[str]
    places: list[Version]
    comparisons: list[Comparison]
    says: str
    next: str
    notes: list[str] = []
