"""Agents that ask a model at their desk, for tests. The model's name is a fact of theirs."""

import asyncio
from typing import Any

import fairtrial as ft


def fake(messages: list[dict[str, str]]) -> dict[str, Any]:
    return {"text": messages[-1]["content"].upper(), "input_tokens": 3, "output_tokens": 2, "usd": "0.5"}


def asks(brief: ft.Brief, desk: ft.Desk) -> Any:
    reply = desk.model(brief.facts["model"], "hi", schema={"type": "object"})
    return {"said": reply.text, "usd": None if reply.usd is None else str(reply.usd)}


async def awaits(brief: ft.Brief, desk: ft.Desk) -> Any:
    reply = await desk.model(brief.facts["model"], [{"role": "user", "content": "hi"}])
    return {"said": reply.text, "usd": None if reply.usd is None else str(reply.usd)}


async def asks_many(brief: ft.Brief, desk: ft.Desk) -> Any:
    replies = await asyncio.gather(*(desk.model(brief.facts["model"], str(number)) for number in range(20)))
    return {"said": len(replies)}


def asks_twice(brief: ft.Brief, desk: ft.Desk) -> Any:
    return [desk.model(brief.facts["model"], "hi").text for _ in range(2)]


def makes_do(brief: ft.Brief, desk: ft.Desk) -> Any:
    try:
        desk.model(brief.facts["model"], "hi")
    except (ft.ProviderOutage, ft.MalformedReply) as error:
        return {"without": type(error).__name__, "why": str(error)}
    return None


def asks_nonsense(brief: ft.Brief, desk: ft.Desk) -> Any:
    desk.model("no-such-model", "hi")


def asks_shapeless(brief: ft.Brief, desk: ft.Desk) -> Any:
    desk.model(brief.facts["model"], [{"role": "tool", "content": 7}])  # type: ignore[dict-item]


async def gives_up(brief: ft.Brief, desk: ft.Desk) -> Any:
    try:
        await asyncio.wait_for(desk.model(brief.facts["model"], "hi"), 0.2)
    except TimeoutError:
        return {"gave": "up"}
    return None


async def talks(brief: ft.Brief, desk: ft.Desk) -> Any:
    heard = []
    while (said := await desk.say("What else?")) is not None:
        heard.append(said)
    return {"heard": heard}
