"""What model judges said of the trials of a run, as figures; and what asking them took, apart from the agents.

Kept out: single opinions (`opinion.py`).
"""

from __future__ import annotations

from decimal import Decimal

import msgspec


class RubricScore(msgspec.Struct, kw_only=True):
    """The scores that one judge gave to the trials of a setup, on its rubric's scale: over the `n` trials that have one.

    `unknown`: trials that it was asked about, or should have been, without coming to a score that can be used (malformed replies, an
    outage, disagreement beyond its limit). `not_asked`: trials that code had decided, or that had nothing to mark. `spread` is the
    mean distance between the lowest and the highest score for one trial, where there were several; `spread_max` the largest.
    """

    mean: float | None
    min: float | None
    max: float | None
    by_dimension: dict[str, float] = {}
    n: int
    unknown: int
    not_asked: int = 0
    spread: float | None = None
    spread_max: float | None = None
    scale: tuple[float, float] | None = None
    identity: str | None = None
    """None where trials of the run were marked by different judges of this name."""
    unfit: str = ""
    """Why its verdicts decide nothing; empty where they count."""
    reasons: dict[str, str] = {}


class JudgingCost(msgspec.Struct, kw_only=True):
    """What judging took. `calls` were made for these grades, `cached` answers were there already and cost nothing now; `ms` is the
    time of the calls, without waiting for a turn. `usd` and the tokens are None where no call states them, and a lower bound
    where not every one does (`complete` is False). Of a run that is only planned `calls` are those that it may take at most."""

    trials: int
    calls: int
    cached: int
    not_asked: int
    usd: Decimal | None
    complete: bool
    input_tokens: int | None
    output_tokens: int | None
    ms: float | None
