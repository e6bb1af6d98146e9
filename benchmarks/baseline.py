"""The baseline of every speed figure: a bare asyncio loop that does the same agent and the same check, and nothing else.

One trial is a trivial async agent with five tool calls, an exact check of the end state and one rule; its row goes into
SQLite in batches. No trace, no budget, no isolation: what fairtrial costs on top is the ratio to this.
"""

import argparse
import asyncio
import copy
import json
import os
import resource
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

World = dict[str, Any]
Call = Callable[..., Awaitable[Any]]
Row = tuple[int, bool, str, str, int]

TABLE = """CREATE TABLE trials (
    trial INTEGER PRIMARY KEY, passed INTEGER NOT NULL, answer TEXT NOT NULL, state TEXT NOT NULL, ended_ns INTEGER NOT NULL
)"""
ROW = "INSERT INTO trials VALUES (?, ?, ?, ?, ?)"
START: World = {"stock": 10, "orders": []}
END: World = {"stock": 7, "orders": [1, 2, 3]}


async def read_stock(world: World) -> int:
    """How much is there."""
    stock: int = world["stock"]
    return stock


async def place_order(world: World, number: int) -> int:
    """One order more, one piece less; gives the order's number back."""
    world["stock"] -= 1
    world["orders"].append(number)
    return number


TOOLS: dict[str, Call] = {"read_stock": read_stock, "place_order": place_order}


async def agent(call: Call) -> dict[str, Any]:
    """The agent of the workload: five tool calls and an answer."""
    before = await call("read_stock")
    for number in (1, 2, 3):
        await call("place_order", number=number)
    return {"sold": 3, "before": before, "left": await call("read_stock")}


def check(answer: dict[str, Any], state: World) -> bool:
    """The end state exactly, and one rule."""
    return bool(state == END and answer["sold"] <= answer["before"])


async def trial(number: int) -> Row:
    """One trial in a fresh world, checked; the row to store."""
    world = copy.deepcopy(START)

    async def call(tool: str, **arguments: Any) -> Any:
        return await TOOLS[tool](world, **arguments)

    answer = await agent(call)
    return number, check(answer, world), json.dumps(answer), json.dumps(world), time.time_ns()


async def loop(database: sqlite3.Connection, trials: int, batch: int) -> None:
    """All trials, each a task of its own, `batch` at a time and stored as one transaction."""
    for first in range(0, trials, batch):
        rows = await asyncio.gather(*(trial(number) for number in range(first, min(first + batch, trials))))
        with database:
            database.executemany(ROW, rows)


def open_database(path: Path) -> sqlite3.Connection:
    """A store as durable as fairtrial's: WAL, one transaction a batch."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=NORMAL")
    database.execute(TABLE)
    return database


def cpu_seconds() -> float:
    """User and system CPU of this process and of its children that have been waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def baseline(trials: int = 20_000, batch: int = 500, folder: Path | None = None) -> float:
    """CPU seconds that the bare loop needs for `trials` trials, start-up of the interpreter left out.

    `folder` is where the database is written and left; by default it is temporary. Raises AssertionError where not every
    trial is there and passed, for then the figure would mean nothing.
    """
    if folder is None:
        with tempfile.TemporaryDirectory() as made:
            return baseline(trials, batch, Path(made))
    begun = cpu_seconds()
    database = open_database(folder / "baseline.db")
    asyncio.run(loop(database, trials, batch))
    stored, passed = database.execute("SELECT count(*), sum(passed) FROM trials").fetchone()
    database.close()
    spent = cpu_seconds() - begun
    if (stored, passed or 0) != (trials, trials):
        raise AssertionError(f"{stored} of {trials} trials stored, {passed} passed")
    return spent


def regrade(folder: Path) -> float:
    """CPU seconds that a bare loop needs to read the rows of `baseline(…, folder=…)` and to check each again.

    These rows hold no trace: the re-check that grading is set against reads the rows of the store itself.
    """
    begun = cpu_seconds()
    database = sqlite3.connect(folder / "baseline.db")
    rows = database.execute("SELECT answer, state FROM trials")
    wrong = sum(not check(json.loads(answer), json.loads(state)) for answer, state in rows)
    database.close()
    if wrong:
        raise AssertionError(f"{wrong} trials no longer pass")
    return cpu_seconds() - begun


def fork_and_reap(times: int = 200) -> float:
    """CPU seconds that one bare fork and wait of this very process needs, the child's own CPU included (mean of `times`)."""
    begun = cpu_seconds()
    for _ in range(times):
        child = os.fork()
        if not child:
            os._exit(0)
        os.waitpid(child, 0)
    return (cpu_seconds() - begun) / times


def slope(few: int, many: int, measure: Callable[[int], float] = baseline) -> float:
    """CPU seconds a trial between `few` and `many` trials, so that start-up falls out of the figure."""
    return (measure(many) - measure(few)) / (many - few)


def main() -> None:
    """Print the baseline's figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=10_000, help="trials at the low end of the slope")
    parser.add_argument("--many", type=int, default=30_000, help="trials at the high end")
    chosen = parser.parse_args()
    print(f"{'bare loop, 20,000 trials':44} {baseline():8.3f} s CPU")
    print(f"{'bare loop, a trial (slope)':44} {slope(chosen.few, chosen.many) * 1e6:8.1f} µs CPU")
    with tempfile.TemporaryDirectory() as folder:
        baseline(folder=Path(folder))
        print(f"{'bare re-check of 20,000 stored rows':44} {regrade(Path(folder)):8.3f} s CPU")
    print(f"{'bare fork and reap of this process':44} {fork_and_reap() * 1e3:8.2f} ms CPU")


if __name__ == "__main__":
    main()
