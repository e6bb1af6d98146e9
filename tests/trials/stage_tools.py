"""Tools for the tests of trials."""

from typing import Any

from fairtrial import tool


@tool
def add(n: int, world: Any) -> int:
    """Add to the total."""
    world["total"] = world.get("total", 0) + n
    return int(world["total"])


@tool
def fails() -> None:
    """Always fails."""
    raise RuntimeError("the shelf is on fire")


@tool(outside=True, irreversible=True, approval=True)
def send_money(to: str, amount: str, world: Any) -> str:
    """Send money away."""
    world.setdefault("sent", []).append([to, amount])
    return "sent"


@tool
def slow_echo(value: Any = None) -> Any:
    """Give back what was given."""
    return value
