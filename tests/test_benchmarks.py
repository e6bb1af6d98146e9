"""The baselines do the work they stand for, on a few trials; the figures themselves are for `make bench`."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks import baseline, startup


def test_the_bare_loop_stores_every_trial_and_costs_something(tmp_path: Path) -> None:
    assert baseline.baseline(trials=45, batch=10, folder=tmp_path) > 0
    with closing(sqlite3.connect(tmp_path / "baseline.db")) as database:
        rows = database.execute("SELECT trial, passed FROM trials ORDER BY trial").fetchall()
    assert rows == [(number, 1) for number in range(45)]


def test_the_bare_re_check_sees_a_wrong_row(tmp_path: Path) -> None:
    baseline.baseline(trials=10, folder=tmp_path)
    assert baseline.regrade(tmp_path) >= 0
    with closing(sqlite3.connect(tmp_path / "baseline.db")) as database, database:
        database.execute("""UPDATE trials SET state = '{"stock": 6, "orders": [1, 2, 3]}' WHERE trial = 4""")
    with pytest.raises(AssertionError, match="1 trials no longer pass"):
        baseline.regrade(tmp_path)


def test_the_slope_leaves_the_start_out() -> None:
    assert baseline.slope(10, 30, measure=lambda trials: 5.0 + 0.25 * trials) == 0.25


def test_the_cpu_of_a_busy_command_is_counted_and_its_children_too() -> None:
    work = "sum(range(5_000_000))"
    parent = startup.cpu_of((sys.executable, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {work!r}])"))
    assert parent > startup.cpu_of(startup.BARE)


def test_a_command_that_fails_gives_no_figure() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        startup.cpu_of((sys.executable, "-c", "raise SystemExit(3)"))
