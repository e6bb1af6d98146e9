"""What it costs to mark an exam: 100,000 ratings, process start and reading included, beside a bare reading of the same lines.

Run as `python -m benchmarks.bench_exam`; `--small` uses a tenth. The exam has three people and a judge, cases of five items, three
severities and two slices. Exit code 1 where a figure passed its limit.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.bench_compare import least
from benchmarks.bench_trials import PROJECT, Table

RATINGS = 100_000
RATERS = (("human:1", 0.97), ("human:2", 0.95), ("human:3", 0.95), ("quality", 0.88))
LIMIT_S = 5.0


def fill(path: Path, ratings: int) -> None:
    """A file of that many lines."""
    draw = random.Random(1)
    lines = []
    for item in range(ratings // len(RATERS)):
        good, severity = draw.random() < 0.7, draw.choice(["critical", "major", "minor"])
        slices = {"lang": draw.choice(["zh", "en", "de"]), "app": f"app-{item % 40}"}
        for rater, right in RATERS:
            label = "PASS" if (draw.random() < right) == good else "FAIL"
            row = {"item": f"item-{item}", "cluster": f"case-{item // 5}", "rater": rater, "label": label, "severity": severity}
            lines.append(json.dumps({**row, "slice": slices}))
    path.write_text("\n".join(lines), "utf-8")


def bare(path: Path) -> None:
    """The same lines, taken apart by nothing but the standard library."""
    if not sum(json.loads(line)["label"] == "PASS" for line in path.read_text("utf-8").splitlines()):
        raise AssertionError("no label")


def mark(path: Path) -> None:
    """The exam, from the command line."""
    words = [sys.executable, "-m", "fairtrial", "judge", "exam", str(path), "--judge", "quality", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=PROJECT)
    if not json.loads(done.stdout)["n"]:
        raise AssertionError("nothing was marked")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a tenth of the ratings")
    ratings = RATINGS // 10 if parser.parse_args().small else RATINGS
    table = Table()
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "labels.jsonl"
        fill(path, ratings)
        read = least(lambda: bare(path))[0]
        cpu, wall = least(lambda: mark(path))
    table.row(f"exam on {ratings:,} ratings: CPU", cpu, LIMIT_S, "s")
    table.row(f"exam on {ratings:,} ratings: wall, on an idle machine at most {LIMIT_S:g} s", wall, None, "s")
    table.row("exam ÷ bare reading of the lines", cpu / read, None, "x", f"{cpu:.2f} s ÷ {read:.2f} s")
    return int(table.passed > 0)


if __name__ == "__main__":
    sys.exit(main())
