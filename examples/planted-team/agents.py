"""A team whose truth is known, for it was planted: one role is needed, one does harm, one does nothing, two do the same work.

No model is asked. Whether a trial comes out right is chance, drawn from the trial's own seed and from who is on the team, so that
teams do not share their luck. `fairtrial credit` must find out what is written here.
"""

import random
from typing import Any

import fairtrial as ft

WITHOUT_ESTIMATE = 0.45  # how much of its success the team keeps without the analyst's estimate
UNCHECKED = 0.5  # … where nobody checked
HURRIED = 0.7  # … where somebody made the chief hurry


def spends(desk: ft.Desk, usd: str, latency_ms: int) -> None:
    desk.spend(model="planted", input_tokens=300, output_tokens=40, usd=usd, latency_ms=latency_ms)


def reader(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    """Useless as well: it only hands on what it may see, and that reaches the chief without it."""
    spends(desk, "0.01", 80)
    return dict(brief.facts)


def analyst(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    """Essential."""
    spends(desk, "0.02", 300)
    return {"estimate": brief.facts["price"] * brief.facts["units"]}


def pusher(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    """Harmful."""
    spends(desk, "0.01", 100)
    return {"hurry": True}


def clerk(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    """Useless."""
    spends(desk, "0.01", 150)
    return {"minutes": "all were heard"}


def checker(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    """There are two of them, and one would do."""
    spends(desk, "0.01", 120)
    return {"checked_by": desk.role}


def chief(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    spends(desk, "0.03", 500)
    told = desk.inbox
    chance = 1 - float(told["fog"])
    chance *= 1 if "estimate" in told else WITHOUT_ESTIMATE
    chance *= 1 if "checked_by" in told else UNCHECKED
    chance *= HURRIED if told.get("hurry") else 1
    luck = random.Random(f"{desk.seed}:{sorted(parcel.source for parcel in desk.parcels)}")
    right = told["price"] * told["units"]
    return {"total": right if luck.random() < chance else right + 1}


team = ft.Team(
    [
        ft.Role("reader", reader, sees=["price", "units", "fog"], tools=[], hands_to=["chief"]),
        ft.Role("analyst", analyst, sees=["price", "units"], tools=[], hands_to=["chief"]),
        ft.Role("pusher", pusher, sees=[], tools=[], hands_to=["chief"]),
        ft.Role("clerk", clerk, sees=[], tools=[], hands_to=["chief"]),
        ft.Role("checker_a", checker, sees=["price"], tools=[], hands_to=["chief"]),
        ft.Role("checker_b", checker, sees=["price"], tools=[], hands_to=["chief"]),
        ft.Role("chief", chief, sees=[], tools=[]),
    ],
    lead="chief",
)
