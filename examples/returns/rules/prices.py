"""Sums and amounts. Money is whole hundredths here and never a float."""

import re
from typing import Any

CEILING = re.compile(r"(?:under|below|up to|at most|within|不超过|预算)\s*[¥$]?\s*(\d+)|(\d+)\s*(?:元|块)?\s*(?:以内|以下|or less)")


def total(items: list[dict[str, Any]]) -> int:
    """What was paid for these items, in hundredths."""
    return sum(item["price_fen"] * item["quantity"] for item in items)


def written(fen: int) -> str:
    """An amount as people read it: 39900 is ¥399.00."""
    return f"¥{fen // 100}.{fen % 100:02}"


def ceiling(text: str) -> int | None:
    """The most that somebody is willing to pay, in hundredths; none where they name no limit."""
    found = CEILING.search(text.lower())
    return int(found[1] or found[2]) * 100 if found else None
