"""Comparing two large runs: `fairtrial compare` on 100,000 trials a side, process start and reading the store included.

Run as `python -m benchmarks.bench_compare`; `--small` takes a tenth of the trials. The store is made once, from the record of one
real trial of the workload, stored as a run stores it. Beside the seconds stands the ratio to a bare reading of the same rows:
SQLite's own cursor and one `json.loads` for each head and each scorecard. The exit code is 1 where a limit is passed.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.baseline import cpu_seconds
from benchmarks.bench_trials import PROJECT, Table, write_suite
from fairtrial import workflow
from fairtrial.records.grade import Scorecard
from fairtrial.records.run import CaseInfo, Manifest, Planned
from fairtrial.records.trial import TrialHead, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.store.codec import write_body
from fairtrial.store.sql import Store

CASES, TRIALS = 500, 200
SIDES = ("base", "new")
TIMES = 3
ROWS = "SELECT head, (SELECT card FROM grades WHERE trial = trials.number ORDER BY sequence DESC LIMIT 1) FROM trials"

Made = tuple[Manifest, TrialHead, Scorecard, bytes]


def one_trial(folder: Path) -> Made:
    """A trial of the workload as it was run, graded and stored."""
    workflow.run(str(write_suite(folder, "five_calls")), workflow.RunOptions(trials=1, isolate="shared"))
    with Store.open(folder / ".fairtrial" / "store.db") as store:
        run = store.run("last")
        head, card = next(store.rows(run.id))
        if card is None:
            raise AssertionError("the trial was not graded")
        return run.manifest, head, card, write_body(store.trial(run.id, head.key).body)


def fill(path: Path, made: Made, cases: int, trials: int) -> None:
    """Two runs of `cases` cases, each tried `trials` times, with case rates from Beta(1.6, 0.4)."""
    manifest, _, _, _ = made
    names = [f"case-{n:04}" for n in range(cases)]
    infos = tuple(CaseInfo(id=name, hash=f"sha256:{name}", brief_hash=f"sha256:{name}") for name in names)
    manifest = msgspec.structs.replace(manifest, cases=infos, planned=tuple(Planned(name, "one", trials) for name in names))
    draw = random.Random(1)
    with Store.open(path) as store:
        for side in SIDES:
            store.create_run(side, manifest, {name: {"id": name} for name in names})
            for name in names:
                rate = draw.betavariate(1.6, 0.4)
                store.write_batch(side, [_row(made, TrialKey(name, "one", n), draw, rate) for n in range(1, trials + 1)])
            store.finish_run(side, "complete")


def _row(made: Made, key: TrialKey, draw: random.Random, rate: float) -> tuple[TrialHead, bytes, Scorecard]:
    _, head, card, body = made
    verdict = Verdict.PASS if draw.random() < rate else Verdict.FAIL
    grades = [msgspec.structs.replace(grade, verdict=verdict) for grade in card.grades]
    spend = msgspec.structs.replace(head.spend, usd=Decimal(draw.randint(10, 99)) / 1000, usd_complete=True)
    head = msgspec.structs.replace(head, key=key, wall_ms=draw.uniform(100, 900), spend=spend)
    return head, body, msgspec.structs.replace(card, verdict=verdict, cards=dict.fromkeys(card.cards, verdict), grades=grades)


def bare(path: Path) -> None:
    """The same rows, read and taken apart by nothing but the standard library."""
    with sqlite3.connect(path) as database:
        passed = sum(json.loads(head) is not None and json.loads(card)["verdict"] == "PASS" for head, card in database.execute(ROWS))
    database.close()
    if not passed:
        raise AssertionError("no trial passed")


def command(path: Path, *words: str) -> dict[str, Any]:
    """What a fairtrial command answers."""
    done = subprocess.run(
        [sys.executable, "-m", "fairtrial", *words, "--json", "--store", str(path)], capture_output=True, text=True, check=True, cwd=PROJECT
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def least(work: Callable[[], object]) -> tuple[float, float]:
    """(CPU with children, wall) in seconds, the least of a few runs, for other work on the machine only adds to them."""
    seen = []
    for _ in range(TIMES):
        cpu, wall = cpu_seconds(), time.perf_counter()
        work()
        seen.append((cpu_seconds() - cpu, time.perf_counter() - wall))
    return min(cpu for cpu, _ in seen), min(wall for _, wall in seen)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a tenth of the trials")
    trials = TRIALS // 10 if parser.parse_args().small else TRIALS
    table = Table()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "suite").mkdir()
        store = folder / "store.db"
        fill(store, one_trial(folder / "suite"), CASES, trials)
        read = least(lambda: bare(store))[0]
        cpu, wall = least(lambda: command(store, "compare", *SIDES))
        shown = least(lambda: command(store, "show", "base"))[0]
    rows = f"{CASES * trials:,} trials x 2"
    table.row(f"compare {rows}: CPU", cpu, 3, "s")
    table.row(f"compare {rows}: wall, on an idle machine at most 3 s", wall, None, "s")
    table.row(f"compare {rows} ÷ bare reading of the rows", cpu / read, 1.25, "x", f"{cpu:.2f} s ÷ {read:.2f} s")
    table.row(f"show {CASES * trials:,} trials: CPU", shown, None, "s")
    return int(table.passed > 0)


if __name__ == "__main__":
    sys.exit(main())
