"""How much of a trial of the LangGraph example is the example's own time, and how much the harness's.

Run as `python -m benchmarks.bench_returns [TRIALS]`. The whole talks of `examples/returns` are run under `fork`, each assistant with
a watch at its graph and at its desk. Set against each other are times of one trial, so other work on the machine slows both alike.
Exit code 1 below the limit; where langgraph is not installed, it says so and ends well.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.baseline import cpu_seconds
from benchmarks.bench_trials import fresh

PROJECT = Path(__file__).resolve().parent.parent
AT_LEAST = 0.9
TIMED = '''
"""The assistant with a watch. A trial has a process of its own, so one watch is enough."""

from time import perf_counter, process_time

import agents

spent = {"graph_s": 0.0, "desk_s": 0.0, "graph_cpu_s": 0.0, "desk_cpu_s": 0.0}


def timed(act, name):
    def watched(*given, **named):
        at, cpu = perf_counter(), process_time()
        try:
            return act(*given, **named)
        finally:
            spent[f"{name}_s"] += perf_counter() - at
            spent[f"{name}_cpu_s"] += process_time() - cpu

    return watched


class Desk:
    def __init__(self, desk):
        self._desk = desk

    def for_role(self, *given):
        return Desk(self._desk.for_role(*given))

    def __getattr__(self, name):
        return timed(getattr(self._desk, name), "desk")


class Graph:
    def __init__(self, graph):
        self._invoke = timed(graph.invoke, "graph")

    def invoke(self, state, context):
        return self._invoke(state, context=agents.Counter(Desk(context.desk), context.model))


agents.SHOP = Graph(agents.SHOP)


def assistant(brief, desk):
    return {**agents.assistant(brief, desk), "watch": spent}
'''


def write_example(folder: Path) -> Path:
    """A copy of the example with the watch at its assistant; the suite to run holds the whole talks."""
    own = folder / "returns"
    shutil.copytree(PROJECT / "examples" / "returns", own, ignore=shutil.ignore_patterns(".fairtrial", "__pycache__"))
    (own / "timed.py").write_text(TIMED, encoding="utf-8")
    suite = (own / "suite.yaml").read_text(encoding="utf-8").replace('"agents:assistant"', '"timed:assistant"')
    talks = "cases: [cases/tickets/*.yaml, cases/recommendations/*.yaml, cases/errors/*.yaml]"
    (own / "timed.yaml").write_text(re.sub(r"^cases: .*$", talks, suite, flags=re.MULTILINE), encoding="utf-8")
    return own / "timed.yaml"


def work(suite: Path, trials: int) -> dict[str, Any]:
    """Run the suite in a fresh process: its CPU seconds with all children, and of each trial its wall and its watch."""
    found: dict[str, Any] = json.loads(fresh("-m", "benchmarks.bench_returns", "--do", str(suite), str(trials)))
    return found


def do(suite: str, trials: int) -> None:
    """The other side of `work`."""
    from fairtrial import workflow
    from fairtrial.steps.reading import open_store

    begun = cpu_seconds()
    report = workflow.run(suite, workflow.RunOptions(trials=trials, isolate="fork", jobs=1)).report
    seen = report.setups["assistant"]
    if seen.passed != seen.planned:
        raise AssertionError(f"{seen.passed} of {seen.planned} passed")
    cpu = cpu_seconds() - begun
    with open_store(str(Path(suite).parent), None) as store:
        rows = [{"wall_s": head.wall_ms / 1e3, **body.output["watch"]} for head, body in store.bodies(report.run)]
    print(json.dumps({"cpu": cpu, "rows": rows}))


def measure(folder: Path, trials: int) -> dict[str, float]:
    """Shares of a trial's time, as medians over the trials, and what a trial costs. CPU is the slope between few and many trials."""
    suite = write_example(folder)
    few, many = work(suite, trials), work(suite, 3 * trials)
    rows = few["rows"] + many["rows"]
    graph_cpu = sum(row["graph_cpu_s"] for row in rows) / len(rows)
    cpu = (many["cpu"] - few["cpu"]) / (len(many["rows"]) - len(few["rows"]))
    return {
        "graph": median(row["graph_s"] / row["wall_s"] for row in rows),
        "own": median((row["graph_s"] - row["desk_s"]) / row["wall_s"] for row in rows),
        "graph_cpu": graph_cpu / cpu,
        "trial_ms": median(row["wall_s"] for row in rows) * 1e3,
        "cpu_ms": cpu * 1e3,
    }


def main() -> int:
    """Print the figures; 1 where the graph's share is below the limit."""
    if sys.argv[1:2] == ["--do"]:
        do(sys.argv[2], int(sys.argv[3]))
        return 0
    if find_spec("langgraph") is None:
        print("langgraph is not installed here, so the shop assistant is left out")
        return 0
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        found = measure(Path(made), int(sys.argv[1]) if len(sys.argv) > 1 else 2)
    held = found["graph"] >= AT_LEAST
    print(
        f"langgraph: time in the graph ÷ a trial's time          {found['graph']:7.1%}  at least {AT_LEAST:.0%} {'ok' if held else 'UNDER'}"
    )
    print(f"langgraph: without the desk, tools included              {found['own']:7.1%}  a trial {found['trial_ms']:.0f} ms")
    print(f"langgraph: CPU in the graph ÷ all CPU of a trial more  {found['graph_cpu']:7.1%}  a trial {found['cpu_ms']:.0f} ms CPU")
    print(f"           measured in {time.perf_counter() - begun:.0f} s")
    return int(not held)


if __name__ == "__main__":
    sys.exit(main())
