"""A small team whose roles say what they saw and got, for tests of changed teams."""

from typing import Any

import fairtrial as ft


def finder(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    return {"found": brief.facts["a"] + desk.call("add", n=1), "a": brief.facts["a"]}


def middle(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    return {"b": brief.facts["b"], "middle_got": sorted(desk.inbox)}


def loser(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    return {"a": -1}


def chief(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    return {"sees": dict(brief.facts), "inbox": desk.inbox, "from": [parcel.source for parcel in desk.parcels]}


def counting_chief(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    return {"sum": desk.call("add", n=2), **chief(brief, desk)}


def stand_in(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    return {"b": 99}


def line(**others: Any) -> ft.Team:
    act = {"finder": finder, "middle": middle, "chief": chief, **others}
    return ft.Team(
        [
            ft.Role("finder", act["finder"], sees=["a"], tools=["add"], hands_to=["middle"]),
            ft.Role("middle", act["middle"], sees=["b"], tools=[], hands_to=["chief"]),
            ft.Role("chief", act["chief"], sees=[], tools=[]),
        ],
        lead="chief",
    )


team = line()
losing = line(finder=loser)
counting = line(chief=counting_chief)
