"""What a customer has chosen."""

from shop.pricing import gross


def total(lines: list[tuple[int, int]]) -> int:
    """The sum of all lines, each of them (unit price, pieces)."""
    return sum(gross(unit, pieces) for unit, pieces in lines)
