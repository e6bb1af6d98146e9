"""What anybody in the shop can look up or do. Each trial has its own `world`, so nothing here outlives a trial."""

from typing import Any

from fairtrial import tool


@tool
def read_sales(sku: str, world: dict[str, Any]) -> dict[str, int]:
    """Units sold last week, as the till counted them."""
    return {"sales": world["till"][sku]}


@tool
def read_stock(sku: str, world: dict[str, Any]) -> dict[str, int]:
    """Units on the shelf today, and on how many days of last week the shelf was empty."""
    shelf = world["shelf"][sku]
    return {"stock": shelf["units"], "stockout_days": shelf["empty_days"]}


@tool(outside=True, irreversible=True)
def place_order(sku: str, units: int, shelf: str, world: dict[str, Any]) -> dict[str, int]:
    """Order from the supplier. The supplier takes nothing back."""
    world["orders"].append({"sku": sku, "units": units, "shelf": shelf})
    return {"order": len(world["orders"])}
