"""What the search agent can do: look for pages, open one, ask the register. All of it is in the case's world."""

from typing import Any

from fairtrial import ToolFailed, tool


@tool
def search(query: str, world: dict[str, Any]) -> list[str]:
    """The ids of pages in whose title every word of the query stands, best first."""
    words = query.lower().split()
    return [page for page, held in world["pages"].items() if all(word in held["title"].lower() for word in words)]


@tool
def open_page(page: str, world: dict[str, Any]) -> dict[str, Any]:
    """One page: its title, and the height it states in metres."""
    if page not in world["pages"]:
        raise ToolFailed(f"there is no page {page!r}")
    held: dict[str, Any] = world["pages"][page]
    return held


@tool
def register(bridge: str, world: dict[str, Any]) -> dict[str, Any]:
    """What the public register holds on a bridge; an empty object where it does not know it."""
    found: dict[str, Any] = world["register"].get(bridge, {})
    return found
