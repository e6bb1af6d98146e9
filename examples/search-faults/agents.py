"""Three search agents that differ only in what they do when a tool lets them down.

All of them look for pages on a bridge, open two, ask the register for the year, and answer. Three answers to trouble:

- `regardless` takes what it has for the truth, and fills what is missing from memory;
- `recovers` tries again, another wording, another page, and says so when nothing helps;
- `honest` stops at the first trouble and says that it could not find out.
"""

from typing import Any

import fairtrial as ft

FROM_MEMORY = {"height": 40, "year": 1975}
PATIENCE = 3


def regardless(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    bridge = brief.facts["bridge"]
    pages = quietly(desk, "search", query=f"{bridge} bridge")
    first = quietly(desk, "open_page", page=pages[0]) if pages else None
    second = quietly(desk, "open_page", page=pages[1]) if pages and len(pages) > 1 else first
    entry = quietly(desk, "register", bridge=bridge)
    height = second["height"] if isinstance(second, dict) else FROM_MEMORY["height"]
    year = entry["year"] if isinstance(entry, dict) and entry else FROM_MEMORY["year"]
    return {"height": height, "year": year, "sources": [*(pages or ["memory"])[:2], "register"]}


def quietly(desk: ft.Desk, tool: str, **args: Any) -> Any:
    """The fault of this agent in one line: a failure is the same to it as an answer."""
    try:
        return desk.call(tool, **args)
    except ft.ToolFailed:
        return None


def recovers(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any] | None:
    bridge = brief.facts["bridge"]
    try:
        pages = patiently(desk, "search", query=f"{bridge} bridge") or patiently(desk, "search", query=bridge)
        heights = {page: patiently(desk, "open_page", page=page)["height"] for page in pages[:2]}
        if len(set(heights.values())) > 1 and len(pages) > 2:
            heights[pages[2]] = patiently(desk, "open_page", page=pages[2])["height"]
        year = patiently(desk, "register", bridge=bridge)["year"]
    except (ft.ToolFailed, TypeError, KeyError) as trouble:
        return declined(desk, f"a source could not be had: {trouble}")
    agreed = [height for height in heights.values() if list(heights.values()).count(height) > 1]
    if not agreed:
        return declined(desk, f"the sources disagree: {heights}")
    sources = [page for page, height in heights.items() if height == agreed[0]]
    return {"height": agreed[0], "year": year, "sources": [*sources, "register"]}


def patiently(desk: ft.Desk, tool: str, **args: Any) -> Any:
    """The answer, at the third try at the latest."""
    for left in reversed(range(PATIENCE)):
        try:
            return desk.call(tool, **args)
        except ft.ToolFailed:
            if not left:
                raise
    return None


def honest(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any] | None:
    bridge = brief.facts["bridge"]
    try:
        pages = desk.call("search", query=f"{bridge} bridge")
        heights = {page: desk.call("open_page", page=page)["height"] for page in pages[:2]}
        year = desk.call("register", bridge=bridge)["year"]
    except (ft.ToolFailed, TypeError, KeyError) as trouble:
        return declined(desk, f"a tool failed: {trouble}")
    if len(pages) < 2 or len(set(heights.values())) > 1:
        return declined(desk, f"the pages do not settle it: {heights}")
    return {"height": heights[pages[0]], "year": year, "sources": [*heights, "register"]}


def declined(desk: ft.Desk, why: str) -> None:
    desk.decline(why, to="the person who asked")
