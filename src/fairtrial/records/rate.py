"""A success rate as every report shows it. A number that cannot be had is None."""

from __future__ import annotations

import msgspec


class Rate(msgspec.Struct, kw_only=True):
    """A success rate with its interval. `n` trials, `cases` clusters; `worst`/`best` count UNKNOWN as fail/pass."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    cases: int
    method: str
    worst: float | None
    best: float | None
