"""A team and agents with retries, for the tests of setups."""

from typing import Any

import fairtrial as ft


def coo(brief: Any, desk: Any) -> dict[str, Any]:
    return dict(brief.facts)


async def ceo(brief: Any, desk: Any) -> dict[str, Any]:
    return {"got": desk.inbox, "sees": sorted(brief.facts)}


shop = ft.Team([ft.Role("ceo", ceo, sees=[]), ft.Role("coo", coo, hands_to=["ceo"])], lead="ceo")


def counts(brief: Any, desk: Any) -> dict[str, Any]:
    return {"attempt": desk.attempt, "earlier": len(desk.earlier)}


def three(brief: Any, answer: Any, trace: Any) -> bool:
    return bool(answer["attempt"] >= 3)


def crashes_once(brief: Any, desk: Any) -> dict[str, Any]:
    if desk.attempt == 1:
        raise ValueError("not yet")
    return {"ok": True}
