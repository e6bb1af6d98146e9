"""Planned faults at the door: what the agent gets, what happens to the world, what stands in the trace."""

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

import fairtrial as ft
from fairtrial.records.budget import Budget
from fairtrial.records.case import Brief, Scene
from fairtrial.records.errors import InputError
from fairtrial.records.text import loads
from fairtrial.records.trace import Span
from fairtrial.trials.desk import SyncDesk, TrialDesk
from fairtrial.trials.floor import Floor
from fairtrial.trials.meter import Meter
from fairtrial.trials.recorder import Recorder
from fairtrial.trials.trouble import Trouble
from fairtrial.worlds.faults import FaultPlan
from fairtrial.worlds.json import JsonWorld
from fairtrial.worlds.sqlite import SqliteWorld
from fairtrial.worlds.tools import find_tools, tool
from fairtrial.worlds.world import World


@tool
def put_json(n: int, world: Any) -> list[int]:
    """Add to the list, and show it."""
    world["rows"].append(n)
    return list(world["rows"])


@tool
def put_sqlite(n: int, world: Any) -> list[int]:
    """Add to the table, and show it."""
    world.execute("INSERT INTO rows VALUES (?)", (n,))
    world.commit()
    return [row[0] for row in world.execute("SELECT n FROM rows ORDER BY rowid")]


@tool
async def put_later(n: int, world: Any) -> list[int]:
    """As put_json, after a while."""
    await asyncio.sleep(0.01)
    world["rows"].append(n)
    return list(world["rows"])


@tool
def look(n: int = 0) -> int:
    """No world."""
    return n


@tool
def burns(world: Any) -> None:
    """Fails by itself."""
    raise RuntimeError("on fire")


@dataclass
class Shop:
    """A world of one kind with its tool that writes."""

    world: World
    scene: dict[str, Any]
    name: str

    def floor(self, *faults: dict[str, Any], seed: int = 3) -> Floor:
        scene = Scene(**self.scene, faults=tuple({"tool": self.name, **fault} for fault in faults))
        live, recorder = self.world.open(scene), Recorder()
        return Floor(
            brief=Brief(task="t"),
            scene=scene,
            world=live,
            tools=find_tools([put_json, put_sqlite, put_later, look, burns]),
            meter=Meter(Budget()),
            recorder=recorder,
            run_async=asyncio.run,
            trouble=Trouble(FaultPlan(scene.faults, seed), recorder, live),
        )


@pytest.fixture(params=["json", "sqlite"])
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shop]:
    if request.param == "json":
        yield Shop(JsonWorld(), {"state": {"rows": []}}, "put_json")
    else:
        seed = tmp_path / "seed.sql"
        seed.write_text("CREATE TABLE rows (n INTEGER);", encoding="utf-8")
        yield Shop(SqliteWorld(seed), {}, "put_sqlite")


def rows(floor: Floor) -> list[int]:
    after = floor.world.after()
    found = (floor.world.before if after is msgspec.UNSET else after)["rows"]
    return [row["n"] if isinstance(row, dict) else row for row in found]


def faults_of(floor: Floor) -> list[tuple[str, dict[str, Any]]]:
    return [(span.name, span.attributes) for span in floor.recorder.spans if span.kind == "fault"]


def calls(floor: Floor) -> list[Span]:
    return [span for span in floor.recorder.spans if span.kind == "tool"]


@pytest.mark.parametrize(
    ("fault", "kind", "left"),
    [("error", "failed", []), ("timeout", "timeout", []), ("commit_then_timeout", "timeout", [1]), ("rollback", "failed", [])],
)
def test_a_call_that_fails_as_planned_leaves_the_world_as_planned(shop: Shop, fault: str, kind: str, left: list[int]) -> None:
    floor = shop.floor({"call": 1, "fault": fault, "message": "429 Too Many Requests"})
    with pytest.raises(ft.ToolFailed, match="429") as caught:
        SyncDesk(floor).call(shop.name, n=1)
    assert caught.value.kind == kind
    assert rows(floor) == left
    (call,) = calls(floor)
    assert (call.attributes["fault"], call.attributes["outcome"], call.error and call.error["kind"]) == (fault, "failed", kind)
    assert faults_of(floor) == [(shop.name, {"fault": fault, "call": 1, "fired": True})]
    assert floor.failures == 1
    assert SyncDesk(floor).call(shop.name, n=2) == [*left, 2]


@pytest.mark.parametrize(("fault", "seen"), [("empty", []), ("malformed", None)])
def test_a_spoiled_answer_comes_in_place_of_the_tool(shop: Shop, fault: str, seen: Any) -> None:
    floor = shop.floor({"call": 1, "fault": fault})
    answer = SyncDesk(floor).call(shop.name, n=1)
    if fault == "malformed":
        assert isinstance(answer, str)
        with pytest.raises(InputError):
            loads(answer)
    else:
        assert answer == seen
    assert rows(floor) == []
    (call,) = calls(floor)
    assert (call.attributes["outcome"], call.attributes["fault"], call.attributes["result"]) == ("ok", fault, answer)


@pytest.mark.parametrize("fault", ["empty", "malformed", "conflicting", "stale"])
def test_the_case_may_say_what_the_spoiled_answer_is(shop: Shop, fault: str) -> None:
    floor = shop.floor({"call": 1, "fault": fault, "result": [99]})
    assert SyncDesk(floor).call(shop.name, n=1) == [99]
    assert rows(floor) == []


def test_a_stale_answer_is_the_earlier_one_though_the_world_has_moved(shop: Shop) -> None:
    floor = shop.floor({"call": 3, "fault": "stale"})
    desk = SyncDesk(floor)
    assert desk.call(shop.name, n=1) == [1]
    assert desk.call(shop.name, n=2) == [1, 2]
    assert desk.call(shop.name, n=1) == [1]


def test_nothing_can_be_stale_before_the_first_answer(shop: Shop) -> None:
    floor = shop.floor({"call": 1, "fault": "stale"})
    assert SyncDesk(floor).call(shop.name, n=1) == [1]
    assert floor.trouble is not None
    floor.trouble.close("1")
    assert faults_of(floor) == [(shop.name, {"fault": "stale", "call": 1, "fired": False})]


@pytest.mark.parametrize("at", [1, 2])
def test_a_conflicting_answer_differs_from_the_earlier_one(shop: Shop, at: int) -> None:
    floor = shop.floor({"call": at, "fault": "conflicting"})
    answers = [SyncDesk(floor).call(shop.name, n=1) for _ in range(at)]
    assert answers[-1] not in ([], [1], [1, 1])
    assert rows(floor) == [1]


def test_a_slow_call_takes_its_time_and_then_happens(shop: Shop) -> None:
    floor = shop.floor({"call": 1, "fault": "slow", "seconds": 0.12})
    began = time.monotonic()
    assert SyncDesk(floor).call(shop.name, n=1) == [1]
    assert time.monotonic() - began >= 0.12
    assert floor.failures == 0 and faults_of(floor)[0][1]["fired"]


def test_a_tool_that_fails_by_itself_fails_with_its_own_words() -> None:
    shop = Shop(JsonWorld(), {"state": {"rows": []}}, "burns")
    floor = shop.floor({"call": 1, "fault": "commit_then_timeout"})
    with pytest.raises(ft.ToolFailed, match="on fire"):
        SyncDesk(floor).call("burns")
    assert faults_of(floor) == []


def test_what_does_not_touch_the_world_is_not_run_to_be_rolled_back() -> None:
    floor = Shop(JsonWorld(), {"state": {}}, "look").floor({"call": 1, "fault": "rollback"})
    with pytest.raises(ft.ToolFailed, match="rolled back"):
        SyncDesk(floor).call("look")


def test_a_rollback_leaves_what_others_did_meanwhile() -> None:
    floor = Shop(JsonWorld(), {"state": {"rows": []}}, "put_later").floor({"call": 1, "fault": "rollback"})
    desk = TrialDesk(floor)

    async def both() -> list[Any]:
        return list(await asyncio.gather(desk.call("put_later", n=1), desk.call("put_later", n=2), return_exceptions=True))

    undone, kept = asyncio.run(both())
    assert isinstance(undone, ft.ToolFailed) and kept == [2]
    assert rows(floor) == [2]


def test_an_open_transaction_is_in_the_copy_that_is_thrown_away(tmp_path: Path) -> None:
    seed = tmp_path / "seed.sql"
    seed.write_text("CREATE TABLE rows (n INTEGER);", encoding="utf-8")
    live = SqliteWorld(seed).open(Scene())
    live.live.execute("INSERT INTO rows VALUES (1)")
    copy = live.scratch()
    copy.execute("INSERT INTO rows VALUES (2)")
    copy.commit()
    assert [row[0] for row in copy.execute("SELECT n FROM rows")] == [1, 2]
    live.live.commit()
    assert live.after() == {"rows": [{"n": 1}]}
    live.close()


def test_a_refused_call_has_no_number() -> None:
    floor = Shop(JsonWorld(), {"state": {}}, "look").floor({"call": 1, "fault": "error"})
    with pytest.raises(ft.Refused):
        SyncDesk(floor).call("look", wrong=1)
    with pytest.raises(ft.ToolFailed):
        SyncDesk(floor).call("look", n=1)


def test_parallel_calls_meet_the_same_faults_on_every_repeat(shared: Path) -> None:
    stated = json.loads((shared / "known-faults/inputs/F02_fault_on_nth_call.json").read_text(encoding="utf-8"))
    planned = [{"call": one["on_call"], "fault": "empty" if one["kind"] == "empty" else "error"} for one in stated["faults"]]
    seen = []
    for _ in range(stated["repeat"]):
        floor = Shop(JsonWorld(), {"state": {"rows": []}}, "put_later").floor(*planned, seed=stated["seed"])
        desk = TrialDesk(floor)

        async def rounds(desk: TrialDesk = desk) -> None:
            for pair in stated["parallel_calls"]:
                await asyncio.gather(*(desk.call("put_later", n=ord(name[-1])) for name in pair), return_exceptions=True)

        asyncio.run(rounds())
        seen.append([(span.attributes["args"], span.attributes["outcome"], span.attributes.get("fault")) for span in calls(floor)])
        assert [(found["call"], found["fault"]) for _, found in faults_of(floor)] == [(2, "error"), (4, "empty")]
    assert seen[0] == seen[1] == seen[2]
    assert [(args["n"], fault) for args, _, fault in seen[0]] == [(65, None), (66, "error"), (67, None), (68, "empty")]
