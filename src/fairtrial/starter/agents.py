"""Two booking agents in plain code. Yours may ask a model, be asynchronous, a command or an HTTP endpoint: see the guide to
writing agents."""

from typing import Any

import fairtrial as ft


async def hasty(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    """Takes the smallest room that is large enough, without a look at the notice board."""
    return await _book(brief, desk, closed=set())


async def careful(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    """Reads the notice board first, and declines where no open room is large enough."""
    notices = await desk.call("read_notices")
    return await _book(brief, desk, closed={notice["room"] for notice in notices})


async def _book(brief: ft.Brief, desk: ft.Desk, closed: set[str]) -> dict[str, Any]:
    rooms = await desk.call("list_rooms")
    fitting = [room["name"] for room in rooms if room["seats"] >= brief.facts["people"] and room["name"] not in closed]
    if not fitting:
        desk.decline("no open room is large enough", to="human")
        return {}
    await desk.call("book_room", room=fitting[0], hour=brief.facts["hour"])
    return {"room": fitting[0], "hour": brief.facts["hour"]}
