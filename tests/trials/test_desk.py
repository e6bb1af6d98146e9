"""The desk: one door to tools, and everything that passes it on the record."""

import asyncio
import datetime
import decimal
import enum
import math
import uuid
from dataclasses import dataclass
from typing import Any

import pytest

import fairtrial as ft
from fairtrial.records.budget import Budget
from fairtrial.records.case import Brief, Scene
from fairtrial.records.strictjson import encode, loads
from fairtrial.setups.team import take_seat
from fairtrial.trials.desk import SyncDesk, TrialDesk
from fairtrial.trials.floor import Floor
from fairtrial.trials.meter import Meter
from fairtrial.trials.recorder import Recorder, snapshot
from fairtrial.worlds.json import JsonWorld
from fairtrial.worlds.tools import find_tools
from tests.trials import stage_tools


def floor_of(scene: Scene | None = None, budget: Budget | None = None) -> Floor:
    scene = scene or Scene(state={})
    return Floor(
        brief=Brief(task="t"),
        scene=scene,
        world=JsonWorld().open(scene),
        tools=find_tools(vars(stage_tools).values()),
        meter=Meter(budget or Budget()),
        recorder=Recorder(),
        run_async=asyncio.run,
    )


def test_a_call_is_recorded_with_arguments_result_and_owner() -> None:
    floor = floor_of()
    assert SyncDesk(floor, "coo").call("add", n=3) == 3
    (span,) = floor.recorder.spans
    seen = {"args": {"n": 3}, "result": 3, "outcome": "ok", "wrote": True}
    assert (span.kind, span.name, span.role, span.attributes) == ("tool", "add", "coo", seen)
    assert span.end_ns is not None and span.end_ns >= span.start_ns


@pytest.mark.parametrize(
    ("tool", "args", "kind"),
    [("ad", {"n": 1}, "refused"), ("add", {"n": "1"}, "arguments"), ("add", {}, "arguments"), ("add", {"n": 1, "m": 2}, "arguments")],
)
def test_a_call_that_is_not_right_never_reaches_the_world(tool: str, args: dict[str, Any], kind: str) -> None:
    floor = floor_of()
    with pytest.raises(ft.Refused):
        SyncDesk(floor).call(tool, **args)
    assert floor.world.live == {}
    assert floor.recorder.spans[0].error is not None and floor.recorder.spans[0].error["kind"] == kind
    assert floor.refusals == 1


def test_a_role_may_call_only_its_own_tools() -> None:
    with pytest.raises(ft.Refused, match="allowed are fails"):
        SyncDesk(floor_of(), "cmo", rights=("fails",)).call("add", n=1)


def test_a_failing_tool_is_a_failed_call_with_its_reason() -> None:
    floor = floor_of()
    with pytest.raises(ft.ToolFailed, match="the shelf is on fire"):
        SyncDesk(floor).call("fails")
    assert floor.recorder.spans[0].attributes["outcome"] == "failed"
    assert floor.failures == 1


@pytest.mark.parametrize(("approvals", "sent"), [({}, False), ({"send_money": "deny"}, False), ({"send_money": "grant"}, True)])
def test_what_needs_an_approval_waits_for_it(approvals: dict[str, str], sent: bool) -> None:
    floor = floor_of(Scene(state={}, approvals=approvals))
    if sent:
        assert SyncDesk(floor).call("send_money", to="bob", amount="3.00") == "sent"
    else:
        with pytest.raises(ft.Refused, match="approval"):
            SyncDesk(floor).call("send_money", to="bob", amount="3.00")
    assert ("sent" in floor.world.live) is sent
    (asked,) = [span for span in floor.recorder.spans if span.kind == "approval"]
    assert asked.attributes["decision"] == ("granted" if sent else "denied")


def test_sent_and_received_are_recorded_apart_and_a_parcel_is_handed_out_once() -> None:
    floor = floor_of()
    desk = SyncDesk(floor)
    desk.hand_off("ceo", {"sales": 20}, by="coo")
    assert [span.attributes["event"] for span in floor.recorder.spans] == ["sent"]
    (parcel,) = desk.receive(by="ceo")
    assert (parcel.source, parcel.facts) == ("coo", {"sales": 20})
    assert desk.receive(by="ceo") == []
    assert [span.attributes["event"] for span in floor.recorder.spans] == ["sent", "received"]


def test_a_role_that_asks_itself_gets_what_its_team_took_in_for_it_once() -> None:
    floor = floor_of()
    SyncDesk(floor).hand_off("ceo", {"sales": 20}, by="coo")
    seated, _ = take_seat(ft.Role("ceo", dict), TrialDesk(floor))
    assert seated.inbox == {"sales": 20}
    desk = seated.sync_face()
    assert [parcel.facts for parcel in desk.receive(by="ceo")] == [{"sales": 20}]
    desk.hand_off("ceo", {"stock": 3})
    assert [parcel.facts for parcel in desk.receive()] == [{"stock": 3}]
    assert desk.receive() == []
    assert [span.attributes["event"] for span in floor.recorder.spans if span.kind == "handoff"] == ["sent", "received", "sent", "received"]


def test_what_was_handed_on_cannot_be_changed_afterwards() -> None:
    floor = floor_of()
    facts = {"sales": [20]}
    SyncDesk(floor).hand_off("ceo", facts, by="coo")
    facts["sales"].append(99)
    (parcel,) = SyncDesk(floor).receive(by="ceo")
    parcel.facts["sales"].append(5)
    assert floor.recorder.spans[0].attributes["facts"] == {"sales": [20]}
    assert floor.recorder.spans[1].attributes["facts"] == {"sales": [20]}


def test_a_result_is_the_agent_s_own_copy_and_no_way_into_the_world() -> None:
    floor = floor_of(Scene(state={"orders": []}, approvals={"send_money": "grant"}))
    value = {"orders": [1]}
    got = SyncDesk(floor).call("slow_echo", value=value)
    got["orders"].append(2)
    assert value == {"orders": [1]}


def test_parallel_calls_of_an_async_agent_are_all_recorded() -> None:
    floor = floor_of()

    async def work() -> list[int]:
        desk = TrialDesk(floor)
        return list(await asyncio.gather(*(desk.call("add", n=1) for _ in range(20))))

    assert sorted(asyncio.run(work())) == list(range(1, 21))
    assert len({span.id for span in floor.recorder.spans}) == 20


def test_spending_beyond_the_budget_raises_and_spends_nothing() -> None:
    floor = floor_of(budget=Budget(usd=decimal.Decimal("0.12")))
    desk = SyncDesk(floor)
    desk.spend(usd="0.10", latency_ms=300)
    with pytest.raises(ft.OverBudget):
        desk.spend(usd="0.03")
    assert floor.meter.usd == decimal.Decimal("0.10")
    assert floor.stated_ms == 300


def test_spending_takes_only_what_it_knows() -> None:
    with pytest.raises(TypeError, match="dollars"):
        SyncDesk(floor_of()).spend(dollars=3)


class Currency(enum.Enum):
    CNY = "CNY"


@dataclass
class Bill:
    amount: decimal.Decimal
    due: datetime.date


def test_values_that_are_no_json_are_recorded_readably_and_the_agent_is_not_touched() -> None:
    floor = floor_of()
    loop: list[Any] = []
    loop.append(loop)
    value = {
        "bill": Bill(decimal.Decimal("3200.00"), datetime.date(2026, 11, 20)),
        "cur": Currency.CNY,
        "ids": {1, 2},
        "raw": b"\xff\x00",
        "key": {("a", 1): 2},
        "u": uuid.UUID(int=1),
        "nan": math.nan,
        "loop": loop,
    }
    assert SyncDesk(floor).call("slow_echo", value=value)["bill"] is not None
    kept = loads(encode(floor.recorder.spans[0].attributes).decode())["args"]["value"]
    assert kept["bill"] == {"amount": "3200.00", "due": "2026-11-20"}
    assert (kept["cur"], kept["ids"], kept["raw"], kept["u"]) == ("CNY", [1, 2], "/wA=", str(uuid.UUID(int=1)))
    assert "3200.00" in repr(value["bill"])


@pytest.mark.parametrize("value", [1, "text", {"a": 1}, {"a": 0.5, "b": None}, {"a": "\ud800"}, {"a": [1, {"b": 2}]}, {"a": 1 << 80}])
def test_a_snapshot_is_equal_and_apart(value: Any) -> None:
    taken = snapshot(value)
    assert taken == ({"a": "\ufffd"} if value == {"a": "\ud800"} else value)
    assert not isinstance(value, dict) or taken is not value
