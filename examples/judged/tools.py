"""What the return desk of a shop may call."""

from typing import Any

from fairtrial import tool


@tool
def find_order(order: str, world: dict[str, Any]) -> dict[str, Any]:
    """An order, by its number."""
    return {"order": order, **world["orders"][order]}


@tool
def arrange_return(order: str, world: dict[str, Any]) -> dict[str, Any]:
    """Arrange the return of an order: it is called back, or fetched, and paid back."""
    world["returns"].append({"order": order, "refund": world["orders"][order]["paid"]})
    return {"order": order, "return": "arranged"}
