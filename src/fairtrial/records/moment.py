"""A time as reports say it. Kept out: the clock, and how long something took."""

from __future__ import annotations

from datetime import UTC, datetime


def moment(at_ns: int) -> str:
    """UTC, to the second, from nanoseconds since 1970."""
    return datetime.fromtimestamp(at_ns // 1_000_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
