"""May an order still be returned? The shop's promise, in one function."""

from datetime import date

DAYS = 14


def standing(status: str, delivered_on: str | None, today: str) -> str:
    """`before_receipt`, `in_time` or `too_late`. The last day counts; what has not arrived can always be returned."""
    if status != "delivered" or delivered_on is None:
        return "before_receipt"
    days = (date.fromisoformat(today) - date.fromisoformat(delivered_on)).days
    return "in_time" if days <= DAYS else "too_late"
