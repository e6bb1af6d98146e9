"""Prices in whole cents."""

from shop.rates import TAX_PERCENT

BULK_FROM = 10
BULK_PERCENT = 5


def net(unit: int, pieces: int) -> int:
    """The price before tax; from BULK_FROM pieces on, BULK_PERCENT off."""
    price = unit * pieces
    if pieces > BULK_FROM:
        price -= price * BULK_PERCENT // 100
    return price


def gross(unit: int, pieces: int) -> int:
    return net(unit, pieces) * (100 + TAX_PERCENT) // 100
