"""Which call changed the world is seen where that costs next to nothing, and left open elsewhere."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.budget import Budget
from fairtrial.records.case import Brief, Scene
from fairtrial.records.errors import InputError, ToolFailed
from fairtrial.records.suite import World
from fairtrial.trials.desk import SyncDesk, TrialDesk
from fairtrial.trials.floor import Floor
from fairtrial.trials.meter import Meter
from fairtrial.trials.recorder import Recorder
from fairtrial.worlds.files import FilesWorld
from fairtrial.worlds.json import CHEAP, JsonWorld
from fairtrial.worlds.sqlite import SqliteWorld
from fairtrial.worlds.tools import find_tools, make_tool, tool


@tool
def look(world: dict[str, Any]) -> Any:
    return world.get("n")


@tool
def put(n: int, world: dict[str, Any]) -> str:
    world["n"] = n
    return "ok"


@tool
def put_and_fail(world: dict[str, Any]) -> str:
    world["n"] = -1
    raise ToolFailed("too late")


@tool
async def slow_put(n: int, world: dict[str, Any]) -> str:
    await asyncio.sleep(0)
    world["n"] = n
    await asyncio.sleep(0)
    return "ok"


@tool
def think(text: str) -> str:
    return text


@tool
def rows(world: sqlite3.Connection) -> int:
    return int(world.execute("SELECT count(*) FROM t").fetchone()[0])


@tool
def add(world: sqlite3.Connection) -> str:
    world.execute("INSERT INTO t VALUES (1)")
    world.commit()
    return "ok"


@tool
def touch(world: Path) -> str:
    (world / "a").write_text("1")
    return "ok"


def floor(world: Any, state: Any) -> Floor:
    tools: list[Callable[..., Any]] = [look, put, put_and_fail, slow_put, think, rows, add, touch]
    scene = Scene(state=state)
    return Floor(Brief(task="t"), scene, world, find_tools(tools), Meter(Budget()), Recorder())


def wrote(made: Floor) -> list[Any]:
    return [span.attributes.get("wrote") for span in made.recorder.spans]


def test_reads_and_writes_of_a_json_world_are_told_apart() -> None:
    made = floor(JsonWorld().open(Scene(state={"n": 1})), {"n": 1})
    desk = SyncDesk(made)
    for name, args in (("look", {}), ("put", {"n": 2}), ("put", {"n": 2}), ("look", {})):
        desk.call_with(name, args)
    with pytest.raises(ToolFailed):
        desk.call("put_and_fail")
    assert wrote(made) == [False, True, False, False, True]


def test_a_tool_without_a_world_and_a_large_world_are_left_open() -> None:
    small = floor(JsonWorld().open(Scene(state={})), {})
    SyncDesk(small).call("think", text="hm")
    large = floor(JsonWorld().open(Scene(state={"text": "x" * CHEAP})), {})
    SyncDesk(large).call("put", n=1)
    assert wrote(small) == wrote(large) == [None]


def test_of_calls_side_by_side_nothing_is_said_and_later_ones_are_seen_again() -> None:
    made = floor(JsonWorld().open(Scene(state={})), {})
    desk = TrialDesk(made)

    async def both() -> None:
        await asyncio.gather(desk.call("slow_put", n=1), desk.call("slow_put", n=2))
        await desk.call("look")
        await desk.call("put", n=7)

    asyncio.run(both())
    assert wrote(made) == [None, None, False, True]


def test_a_sqlite_world_sees_its_writes(tmp_path: Path) -> None:
    (tmp_path / "seed.sql").write_text("CREATE TABLE t (n)")
    made = floor(SqliteWorld(tmp_path / "seed.sql").open(Scene()), None)
    for name in ("rows", "add", "rows"):
        SyncDesk(made).call(name)
    assert wrote(made) == [False, True, False]


def test_a_world_of_files_is_not_looked_through_after_every_call(tmp_path: Path) -> None:
    world = FilesWorld(World(kind="files"), tmp_path, tmp_path).open(Scene())
    made = floor(world, None)
    SyncDesk(made).call("touch")
    assert wrote(made) == [None]


def test_a_tool_cannot_both_only_read_and_change_something() -> None:
    def touch_up() -> None: ...

    with pytest.raises(InputError, match="only reads"):
        make_tool(tool(reads=True, irreversible=True)(touch_up))
    assert make_tool(tool(name="list", reads=True)(touch_up)).flags == ("reads",)
