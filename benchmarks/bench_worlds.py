"""What worlds cost: a large database under `fork`, and the five calls of `baseline.py` on worlds with all that Part 2 adds.

Run as `python -m benchmarks.bench_worlds [FIGURE …]`; `--small` uses a tenth of the trials. A figure that passes its limit is
marked; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.bench_trials import CASES, Table, work, write_suite

LARGE_SEED = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, mail TEXT UNIQUE);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers, state TEXT, note TEXT);
CREATE TABLE items (id INTEGER PRIMARY KEY, "order" INTEGER REFERENCES orders, sku TEXT, pieces INTEGER, words TEXT);
CREATE INDEX orders_of ON orders (customer);
CREATE INDEX items_of ON items ("order");
WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 40000)
    INSERT INTO customers SELECT n, printf('customer %d of the shop', n), printf('c%d at shop', n) FROM n;
WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 80000)
    INSERT INTO orders SELECT n, n % 40000 + 1, 'open', printf('%0200d', n) FROM n;
WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 120000)
    INSERT INTO items SELECT n, n % 80000 + 1, printf('sku-%d', n % 977), n % 5 + 1, printf('%0200d', n) FROM n;
"""
LARGE_TOOLS = """
import sqlite3
from fairtrial import tool

@tool
def look(order: int, world: sqlite3.Connection) -> str:
    "The state of an order."
    return world.execute("SELECT state FROM orders WHERE id = ?", (order,)).fetchone()[0]

@tool
def cancel(order: int, world: sqlite3.Connection) -> int:
    "Cancel an order and note it as an item."
    world.execute("UPDATE orders SET state = 'cancelled' WHERE id = ?", (order,))
    world.execute("INSERT INTO items (\\"order\\", sku, pieces) VALUES (?, 'cancelled', 0)", (order,))
    world.commit()
    return order
"""
LARGE_AGENTS = """
async def canceller(brief, desk):
    order = brief.facts["order"]
    await desk.call("look", order=order)
    await desk.call("cancel", order=order)
    return {"state": await desk.call("look", order=order)}
"""
SQL_TOOLS = """
import sqlite3
from fairtrial import tool

@tool
async def read_stock(world: sqlite3.Connection) -> int:
    "How much is there."
    return world.execute("SELECT pieces FROM stock").fetchone()[0]

@tool
async def place_order(number: int, world: sqlite3.Connection) -> int:
    "One order more, one piece less."
    world.execute("UPDATE stock SET pieces = pieces - 1")
    world.execute("INSERT INTO orders VALUES (?)", (number,))
    world.commit()
    return number
"""
SQL_SEED = "CREATE TABLE stock (pieces INTEGER); INSERT INTO stock VALUES (10); CREATE TABLE orders (number INTEGER);"
SQL_END = {"stock": [{"pieces": 7}], "orders": [{"number": 1}, {"number": 2}, {"number": 3}]}
FAULTS = [{"tool": "read_stock", "call": 3, "fault": "timeout"}, {"tool": "place_order", "call": 4, "fault": "commit_then_timeout"}]
"""Checked at every call, and met by none: the trial stays the one that it is compared with."""


def large_suite(folder: Path) -> Path:
    """200 trials that each cancel one order in a database of 50 MB."""
    (folder / "seed.sql").write_text(LARGE_SEED, encoding="utf-8")
    (folder / "tools.py").write_text(LARGE_TOOLS, encoding="utf-8")
    (folder / "agents.py").write_text(LARGE_AGENTS, encoding="utf-8")
    must = [{"changes": {"allow": ["orders[*].state", "items"]}}, {"output": "state", "equals": "cancelled"}]
    rows = [{"id": f"c{n:03}", "task": f"cancel an order, {n}", "facts": {"order": 700 * n + 1}, "must": must} for n in range(CASES)]
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    suite = {
        "name": "large",
        "cases": ["cases.jsonl"],
        "tools": "tools.py",
        "world": {"kind": "sqlite", "seed": "seed.sql"},
        "setups": {"one": {"agent": "agents:canceller"}},
    }
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    return folder


def large(table: Table, scale: int) -> None:
    """Starts and diffs of a large database, from the first trial started to the last one stored."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(LARGE_SEED)
        size = len(database.serialize()) / 1e6
        rows = sum(database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("customers", "orders", "items"))  # noqa: S608 - our own
    with tempfile.TemporaryDirectory() as made:
        folder = str(large_suite(Path(made)))
        few, many = (work("run", folder, str(trials), "fork", "10")["cpu"] for trials in (200, 400))
        seen = min(_spread(folder) for _ in range(1 if scale > 1 else 3))
        stored = Path(made, ".fairtrial", "store.db").stat().st_size / 1e6
    table.row("large: 200 starts and diffs under fork", seen, 3, "s", f"{size:.0f} MB, {rows} rows; the store has {stored:.0f} MB")
    table.row("large: CPU a trial under fork", (many - few) / 200 * 1e3, None, "ms")


def _spread(folder: str) -> float:
    work("run", folder, "200", "fork", "10")
    return work("spread", folder)["spread_s"]


def five(table: Table, scale: int) -> None:
    """The five calls with a fresh world, the tool door, planned faults and a graded diff, as a ratio to the same trial of part 1.

    A database is work of its own, as the copied state of the bare loop is: a bare loop on one is added to what the figure is set against.
    """
    for level, few, many in (("shared", 4_000, 12_000), ("fork", 1_000, 3_000)):
        costs = {name: _cost(name, level, (few // scale, many // scale)) for name in ("part 1", "json", "sqlite")}
        for name, own in (("json", 0.0), ("sqlite", bare_sql())):
            base = costs["part 1"] + own
            note = f"{costs[name] * 1e6:.0f} µs ÷ {base * 1e6:.0f} µs"
            table.row(f"five calls, {level}: {name} world ÷ part 1", costs[name] / base, 1.6, "x", note)


def bare_sql(times: int = 2_000) -> float:
    """CPU seconds that a bare loop needs for the same on a database: loaded fresh, five calls, both tables read, closed."""
    with closing(sqlite3.connect(":memory:")) as seeded:
        seeded.executescript(SQL_SEED)
        image = seeded.serialize()
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        for _ in range(times):
            with closing(sqlite3.connect(":memory:")) as database:
                database.deserialize(image)
                _five_statements(database)
        best = min(best, (time.process_time() - begun) / times)
    return best


def _five_statements(database: sqlite3.Connection) -> None:
    database.execute("SELECT pieces FROM stock").fetchone()
    for number in (1, 2, 3):
        database.execute("UPDATE stock SET pieces = pieces - 1")
        database.execute("INSERT INTO orders VALUES (?)", (number,))
        database.commit()
    database.execute("SELECT pieces FROM stock").fetchone()
    for table in SQL_END:
        database.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - our own names


def _cost(name: str, level: str, counts: tuple[int, int]) -> float:
    few, many = counts
    with tempfile.TemporaryDirectory() as made:
        folder = write_suite(Path(made), "five_calls")
        if name != "part 1":
            more(folder, name)
        one, two = (min(work("run", str(folder), str(trials), level, "10")["cpu"] for _ in range(2)) for trials in (few, many))
    return (two - one) / (many - few)


def more(folder: Path, name: str) -> None:
    """The same cases with faults planned and the changes graded; on a database where that is asked for."""
    end: dict[str, Any] = {"expect_state": SQL_END} if name == "sqlite" else {}
    cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    for case in cases:
        case |= {"faults": FAULTS, "must": [{"changes": {"allow": ["stock", "orders"]}}], **end}
        if name == "sqlite":
            del case["state"]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    if name == "sqlite":
        suite = json.loads((folder / "suite.json").read_text(encoding="utf-8"))
        (folder / "suite.json").write_text(json.dumps(suite | {"world": {"kind": "sqlite", "seed": "seed.sql"}}), encoding="utf-8")
        (folder / "seed.sql").write_text(SQL_SEED, encoding="utf-8")
        (folder / "tools.py").write_text(SQL_TOOLS, encoding="utf-8")


FIGURES = {"large": large, "five": five}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figures", nargs="*", help=f"{', '.join(FIGURES)} (all of these by default)")
    parser.add_argument("--small", action="store_true", help="a tenth of the trials")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.figures if name not in FIGURES]
    if unknown:
        parser.error(f"no figure is called {', '.join(unknown)}; there are {', '.join(FIGURES)}")
    table = Table()
    for name in chosen.figures or FIGURES:
        FIGURES[name](table, 10 if chosen.small else 1)
    sys.exit(1 if table.passed else 0)


if __name__ == "__main__":
    main()
