"""One thing to look up. The agent that calls it need not be Python."""

from typing import Any

from fairtrial import tool


@tool
def read_sales(sku: str, world: dict[str, Any]) -> dict[str, int]:
    """Units sold last week."""
    return {"sales": world["till"][sku]}
