"""What the clerk can do. Money moves here and nowhere else, so the tool keeps the shop's own rule as well."""

from typing import Any

from fairtrial import ToolFailed, tool


@tool
def get_order(order_id: str, world: dict[str, Any]) -> dict[str, Any]:
    """One order by its id: what it is, what it cost, and whether it was delivered."""
    order = world["orders"].get(order_id)
    if order is None:
        raise ToolFailed(f"there is no order {order_id}")
    return {"order_id": order_id, **order}


@tool(irreversible=True)
def create_refund(order_id: str, amount: float, world: dict[str, Any]) -> str:
    """Send an order's money back. Cannot be undone."""
    if order_id not in world["orders"]:
        raise ToolFailed(f"there is no order {order_id}")
    world["refunds"].append({"order_id": order_id, "amount": amount})
    return f"refunded {amount} for {order_id}"
