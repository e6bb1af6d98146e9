"""fairtrial on the workload of `baseline.py`, figure by figure, each in a process of its own and as a ratio to its baseline.

Run as `python -m benchmarks.bench_trials [FIGURE …]`; `--small` uses a tenth of the trials. A figure that passes its limit is
marked; the exit code is 1 then. `peers` has no limit and is run by name alone: other tools on the same workload.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from benchmarks.baseline import baseline, cpu_seconds, fork_and_reap, slope
from benchmarks.peers import PEERS

PROJECT = Path(__file__).resolve().parent.parent
AGENTS = """
import asyncio

{imports}

async def five_calls(brief, desk):
    before = await desk.call("read_stock")
    for number in (1, 2, 3):
        await desk.call("place_order", number=number)
    return {{"sold": 3, "before": before, "left": await desk.call("read_stock")}}

async def ten_waits(brief, desk):
    for _ in range(10):
        await asyncio.sleep(0.05)
    return {{"sold": 0, "before": 0, "left": 0}}
"""
TOOLS = """
from fairtrial import tool

@tool
async def read_stock(world: dict) -> int:
    "How much is there."
    return world["stock"]

@tool
async def place_order(number: int, world: dict) -> int:
    "One order more, one piece less."
    world["stock"] -= 1
    world["orders"].append(number)
    return number
"""
CASES = 100
START = {"stock": 10, "orders": []}


def write_suite(folder: Path, agent: str, imports: str = "", end: dict[str, object] | None = None) -> Path:
    """A suite of `CASES` equal cases for one agent."""
    end = {"stock": 7, "orders": [1, 2, 3]} if end is None else end
    rule = {"rule": "output.sold <= output.before"}
    rows = [{"id": f"c{n:03}", "task": f"sell three, {n}", "state": START, "expect_state": end, "limits": [rule]} for n in range(CASES)]
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "agents.py").write_text(AGENTS.format(imports=imports), encoding="utf-8")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    suite = {"name": "bench", "cases": ["cases.jsonl"], "tools": "tools.py", "setups": {"one": {"agent": f"agents:{agent}"}}}
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    return folder


def work(action: str, folder: str, *words: str) -> dict[str, float]:
    """Do one thing with fairtrial in a fresh process; its CPU (with children), wall and the parent's peak memory in MB."""
    found: dict[str, float] = json.loads(fresh("-m", "benchmarks.bench_trials", "--do", action, folder, *words))
    return found


def fresh(*words: str, **variables: str) -> str:
    """The last line that a fresh interpreter prints. Raises AssertionError with the end of its complaint where it fails."""
    command, environment = [sys.executable, *words], os.environ | variables
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PROJECT, env=environment)
    if done.returncode:
        raise AssertionError(f"{' '.join(words)}: {done.stderr[-2000:]}")
    return done.stdout.splitlines()[-1]


def do(action: str, folder: str, words: list[str]) -> None:
    """The other side of `work`."""
    from fairtrial import workflow

    begun, at = cpu_seconds(), time.perf_counter()
    more: dict[str, float] = {}
    if action == "run":
        trials, level, jobs = int(words[0]), words[1], int(words[2])
        options = workflow.RunOptions(trials=max(1, trials // CASES), isolate=level, jobs=jobs)
        report = workflow.run(folder, options).report
        passed = report.setups["one"].passed
        if passed != trials and "waits" not in words:
            raise AssertionError(f"{passed} of {trials} passed")
    elif action == "grade":
        workflow.grade(None, "last", start=folder)
    elif action == "show":
        workflow.show_run(None, "last", start=folder)
    elif action == "recheck":
        recheck(folder)
    elif action == "spread":
        more["spread_s"] = spread(folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": cpu_seconds() - begun, "all": cpu_seconds(), "wall": time.perf_counter() - at, "peak_mb": peak} | more))


def recheck(folder: str) -> None:
    """A bare loop that reads fairtrial's own rows and checks each again: the same bytes, no harness."""
    import sqlite3

    import zstandard

    reader = zstandard.ZstdDecompressor()
    database = sqlite3.connect(Path(folder) / ".fairtrial" / "store.db")
    wrong = 0
    for (blob,) in database.execute("SELECT body FROM trials"):
        body = json.loads(reader.decompress(blob) if blob[:4] == b"\x28\xb5\x2f\xfd" else blob)
        output = body["output"]
        wrong += not (body["after"] == {"stock": 7, "orders": [1, 2, 3]} and output["sold"] <= output["before"])
    database.close()
    if wrong:
        raise AssertionError(f"{wrong} trials no longer pass")


def spread(folder: str) -> float:
    """Seconds from the first trial started to the last stored, as the store has them."""
    from fairtrial.steps.reading import open_store

    with open_store(folder, None) as store:
        run = store.run("last")
        heads = [head for head, _ in store.rows(run.id)]
        return ((run.ended_ns or 0) - min(head.started_ns for head in heads)) / 1e9


class Table:
    """Prints each figure with its limit; remembers whether one was passed."""

    def __init__(self) -> None:
        self.passed = 0

    def row(self, name: str, seen: float, limit: float | None, unit: str, note: str = "") -> None:
        over = limit is not None and seen > limit
        self.passed += over
        held = f"limit {limit:7.2f} {'OVER' if over else 'ok':5}" if limit is not None else " " * 19
        print(f"{name:56} {seen:9.2f} {unit:8} {held} {note}", flush=True)


def shared(table: Table, scale: int) -> None:
    """CPU a trial on shared workers, as the slope and as a ratio."""
    few, many = 10_000 // scale, 30_000 // scale
    with tempfile.TemporaryDirectory() as made:
        folder = str(write_suite(Path(made), "five_calls"))
        measured = {trials: work("run", folder, str(trials), "shared", "10") for trials in (few, many)}
    ours = (measured[many]["cpu"] - measured[few]["cpu"]) / (many - few)
    bare = slope(few, many)
    table.row("shared: CPU a trial ÷ bare loop", ours / bare, 8, "x", f"{ours * 1e6:.0f} µs ÷ {bare * 1e6:.1f} µs")
    table.row("shared: start-up CPU beside it", measured[few]["all"] - ours * few, 1, "s")


def default(table: Table, scale: int) -> None:
    """CPU a trial in the default isolation: with the standard library only, and with a heavy import."""
    few, many = 1_000 // scale, 3_000 // scale
    for name, imports in (("standard library", ""), ("numpy and rich", "import numpy, rich.console, rich.table")):
        with tempfile.TemporaryDirectory() as made:
            folder = str(write_suite(Path(made), "five_calls", imports))
            one, two = (work("run", folder, str(trials), "fork", "10")["cpu"] for trials in (few, many))
        ours = (two - one) / (many - few)
        bare = float(bare_fork(imports))
        if not imports:
            table.row("fork: CPU a trial, standard library only", ours * 1e3, 6, "ms")
        table.row(f"fork: above a bare fork and reap, {name}", (ours - bare) * 1e3, 3, "ms", f"bare {bare * 1e3:.2f} ms")


def bare_fork(imports: str) -> str:
    """A bare fork and reap of a process that has imported the same things as the nursery."""
    code = f"import fairtrial.trials.nursery\n{imports}\nfrom benchmarks.baseline import fork_and_reap\nprint(fork_and_reap(300))"
    return fresh("-c", code)


def flat(table: Table, scale: int) -> None:
    """A trial costs the same, and the parent holds as much, at ten times the trials."""
    some, ten = 20_000 // scale, 200_000 // scale
    with tempfile.TemporaryDirectory() as made:
        folder = str(write_suite(Path(made), "five_calls"))
        one, two = (work("run", folder, str(trials), "shared", "10") for trials in (some, ten))
    table.row("flat: CPU a trial, tenfold ÷ single", (two["cpu"] / ten) / (one["cpu"] / some), 1.1, "x")
    table.row("peak memory of the parent, tenfold", two["peak_mb"], 120, "MB", f"single {one['peak_mb']:.0f} MB")


def waits(table: Table, scale: int) -> None:
    """Many waiting trials at once come near the ideal."""
    with tempfile.TemporaryDirectory() as made:
        folder = str(write_suite(Path(made), "ten_waits", end=START))
        work("run", folder, "1000", "shared", "200", "waits")
        seen = work("spread", folder)["spread_s"]
    table.row("waits: 1,000 trials of ten 50 ms, 200 at once ÷ 2.5 s", seen / 2.5, 1.15, "x", f"{seen:.2f} s")


def again(table: Table, scale: int) -> None:
    """Grading and showing what is stored."""
    trials = 20_000 // scale
    with tempfile.TemporaryDirectory() as made:
        folder = str(write_suite(Path(made), "five_calls"))
        work("run", folder, str(trials), "shared", "10")
        bare = min(work("recheck", folder)["cpu"] for _ in range(3))
        shown = min(work("show", folder)["cpu"] for _ in range(3))
        graded = min(work("grade", folder)["cpu"] for _ in range(2))
    table.row("grade again ÷ bare re-check of the same rows", graded / bare, 6, "x", f"{graded:.2f} s ÷ {bare:.2f} s")
    table.row(f"show a run of {trials}", shown, 1, "s")


def peers(table: Table, scale: int) -> None:
    """CPU a trial in other tools that are installed, as the slope and beside the bare loop."""
    few, many = 500 // scale, 1_500 // scale
    bare = slope(1_000, 3_000)
    for name in PEERS:
        shown = name.replace("_", "-")
        if find_spec(name) is None:
            print(f"{shown} is not installed here, so it is left out", flush=True)
            continue
        with tempfile.TemporaryDirectory() as made:
            one, two = (float(fresh("-m", "benchmarks.peers", name, str(trials), XDG_DATA_HOME=made)) for trials in (few, many))
        cost = (two - one) / (many - few)
        table.row(f"{shown}: CPU a trial", cost * 1e3, None, "ms", f"{cost / bare:.0f} x the bare loop")


FIGURES: dict[str, Callable[[Table, int], None]] = {"shared": shared, "default": default, "flat": flat, "waits": waits, "again": again}
ASKED_FOR: dict[str, Callable[[Table, int], None]] = {"peers": peers}


def main() -> None:
    """Print the table."""
    if sys.argv[1:2] == ["--do"]:
        do(sys.argv[2], sys.argv[3], sys.argv[4:])
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figures", nargs="*", help=f"{', '.join(FIGURES)} (all of these by default); {', '.join(ASKED_FOR)}")
    parser.add_argument("--small", action="store_true", help="a tenth of the trials")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.figures if name not in FIGURES | ASKED_FOR]
    if unknown:
        parser.error(f"no figure is called {', '.join(unknown)}; there are {', '.join(FIGURES | ASKED_FOR)}")
    table = Table()
    print(f"bare loop, 20,000 trials: {baseline():.3f} s CPU; bare fork and reap: {fork_and_reap() * 1e3:.2f} ms")
    for name in chosen.figures or FIGURES:
        (FIGURES | ASKED_FOR)[name](table, 10 if chosen.small else 1)
    sys.exit(table.passed > 0)


if __name__ == "__main__":
    main()
