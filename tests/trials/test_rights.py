"""Rights at the door: what is refused never reaches the world, however many calls come at once."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import fairtrial as ft
from fairtrial.records.budget import Budget
from fairtrial.records.case import Brief, Scene
from fairtrial.trials.desk import SyncDesk, TrialDesk
from fairtrial.trials.floor import Floor
from fairtrial.trials.meter import Meter
from fairtrial.trials.recorder import Recorder
from fairtrial.worlds.json import JsonWorld
from fairtrial.worlds.tools import find_tools, tool


@tool
def note(n: int, world: Any) -> int:
    """Write it down."""
    world["notes"].append(n)
    return len(world["notes"])


@tool(irreversible=True, approval=True)
async def pay(n: int, world: Any) -> str:
    """Pay, some time later."""
    await asyncio.sleep(0)
    world["paid"].append(n)
    return "paid"


@tool
def put(entry: Any, world: Any) -> Any:
    """Put anything into the world, and hand it back in a pair."""
    world["notes"].append(entry)
    return (world["notes"],)


@tool
def soon(n: int, world: Any) -> Any:
    """A plain function that answers with a coroutine."""
    return pay(n, world)


def floor(budget: Budget | None = None, **scene: Any) -> Floor:
    staged = Scene(state={"notes": [], "paid": []}, **scene)
    return Floor(
        brief=Brief(task="t"),
        scene=staged,
        world=JsonWorld().open(staged),
        tools=find_tools([note, pay, put, soon]),
        meter=Meter(budget or Budget(), staged.max_steps),
        recorder=Recorder(),
        run_async=asyncio.run,
    )


def outcomes(made: Floor) -> list[str]:
    return [span.attributes["outcome"] for span in made.recorder.spans if span.kind == "tool"]


def decisions(made: Floor) -> list[Any]:
    return [(span.attributes["decision"], span.attributes.get("by")) for span in made.recorder.spans if span.kind == "approval"]


def tried(desk: SyncDesk, name: str, args: dict[str, Any]) -> str:
    """The answer's kind: ok, refused or over."""
    try:
        desk.call_with(name, args)
    except ft.OverBudget:
        return "over"
    except ft.Refused:
        return "refused"
    return "ok"


@pytest.mark.parametrize("limit", [Budget(tool_calls=25), Budget(steps=25)])
def test_threads_never_pass_the_budget_together(limit: Budget) -> None:
    made = floor(limit)
    desk = SyncDesk(made)
    with ThreadPoolExecutor(16) as pool:
        got = list(pool.map(lambda n: tried(desk, "note", {"n": n}), range(200)))
    assert got.count("ok") == 25 == len(made.world.live["notes"]) and got.count("over") == 175
    assert outcomes(made).count("ok") == 25 and outcomes(made).count("over_budget") == 175
    assert made.meter.spend().tool_calls == 25 and made.refusals == 175


def test_calls_at_once_never_pass_the_budget_together() -> None:
    async def all_at_once(desk: TrialDesk) -> list[Any]:
        calls = (desk.call("pay", n=n) for n in range(60))
        return list(await asyncio.gather(*calls, return_exceptions=True))

    made = floor(Budget(tool_calls=7), approvals={"pay": "grant"})
    got = asyncio.run(all_at_once(TrialDesk(made)))
    assert got.count("paid") == 7 == len(made.world.live["paid"])
    assert sum(isinstance(one, ft.OverBudget) for one in got) == 53
    assert len(decisions(made)) == 7, "nobody is asked about a call that the budget stopped"


@pytest.mark.parametrize("approvals", [{}, {"pay": "deny"}, {"pay": "ask"}])
def test_denied_calls_reach_nothing_however_many_come_at_once(approvals: dict[str, str]) -> None:
    async def all_at_once(desk: TrialDesk) -> list[Any]:
        calls = [desk.call("pay", n=1), desk.call("note", n="x"), desk.call("nothing"), desk.call("pay", n=2), desk.call("note", n=1)]
        return list(await asyncio.gather(*calls * 1, return_exceptions=True))

    made = floor(approvals=approvals)
    got = asyncio.run(all_at_once(TrialDesk(made)))
    assert [isinstance(one, ft.Refused) for one in got] == [True, True, True, True, False]
    assert made.world.live == {"notes": [1], "paid": []}
    assert outcomes(made) == ["refused"] * 4 + ["ok"] and made.refusals == 4
    assert {span.error["kind"] for span in made.recorder.spans if span.error} == {"refused", "arguments"}
    made = floor(approvals=approvals)
    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(lambda n: tried(SyncDesk(made), "pay", {"n": n}), range(80))) == {"refused"}
    assert made.world.live["paid"] == [] and made.refusals == 80


@pytest.mark.parametrize(
    ("user", "paid", "trail"),
    [
        ({"approves": {"pay": True}}, ["paid"], [("asked", None), ("granted", "user")]),
        ({"approves": {"pay": False}}, [], [("asked", None), ("denied", "user")]),
        ({"approves": {"note": True}}, [], [("asked", None), ("denied", "nobody")]),
        (None, [], [("asked", None), ("denied", "nobody")]),
    ],
)
def test_what_is_asked_is_answered_by_the_simulated_user_or_denied(user: Any, paid: list[str], trail: list[Any]) -> None:
    made = floor(approvals={"pay": "ask"}, user=user)
    assert (tried(SyncDesk(made), "pay", {"n": 1}) == "ok") is bool(paid)
    assert decisions(made) == trail and len(made.world.live["paid"]) == len(paid)
    call = next(span for span in made.recorder.spans if span.kind == "tool")
    assert all(span.parent == call.id and span.attributes["args"] == {"n": 1} for span in made.recorder.spans if span.kind == "approval")


def test_a_case_may_ask_for_an_approval_of_a_tool_that_declares_none() -> None:
    made = floor(approvals={"note": "deny"})
    assert tried(SyncDesk(made), "note", {"n": 1}) == "refused" and made.world.live["notes"] == []


def test_a_role_cannot_give_itself_rights_nor_another_name() -> None:
    made = floor()
    coo = SyncDesk(made, "coo", None, ("note",))
    assert tried(coo.for_role("coo", ("note", "put")), "put", {"entry": 1}) == "refused"
    assert tried(coo.for_role("ceo"), "put", {"entry": 1}) == "refused"
    assert tried(coo.for_role("ceo", ("note",)), "note", {"n": 1}) == "ok"
    SyncDesk(made).hand_off("ceo", {"secret": 1}, by="cfo")
    for act in (
        lambda: coo.call("note", by="ceo", n=1),
        lambda: coo.receive(by="ceo"),
        lambda: coo.use("cash", by="ceo"),
        lambda: coo.hand_off("cfo", {}, by="ceo"),
        lambda: coo.spend(by="ceo"),
    ):
        with pytest.raises(ft.Refused, match="coo cannot act as 'ceo'"):
            act()
    assert made.world.live["notes"] == [1] and len(made.mail["ceo"]) == 1
    assert coo.call("note", by="coo", n=2) == 2


def test_neither_arguments_nor_answers_are_a_way_into_the_world() -> None:
    made = floor()
    desk = SyncDesk(made)
    entry = {"units": [1]}
    (got,) = desk.call("put", entry=entry)
    entry["units"].append(2)
    got.append("mine")
    got[0]["units"].append(3)
    assert made.world.live["notes"] == [{"units": [1]}]


def test_a_plain_function_that_answers_with_a_coroutine_is_waited_for() -> None:
    made = floor()
    assert SyncDesk(made).call("soon", n=1) == "paid" and made.world.live["paid"] == [1]
    made = floor()
    assert asyncio.run(TrialDesk(made).call("soon", n=1)) == "paid" and made.world.live["paid"] == [1]
