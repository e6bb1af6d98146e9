"""Tools for `hostile_agents.py`."""

from pathlib import Path
from typing import Any

from fairtrial import ToolFailed, tool


@tool
def add(n: int, world: Any) -> int:
    """Add to the total."""
    world["total"] += n
    return int(world["total"])


@tool
def oddly_failing() -> None:
    """Fails with a kind that is no text."""
    raise ToolFailed("x", kind=5)  # type: ignore[arg-type]


@tool
def write_line(path: str) -> None:
    """Leave word outside the world."""
    with Path(path).open("a", encoding="utf-8") as file:
        file.write("called\n")
