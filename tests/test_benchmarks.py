"""Baselines, subjects and peers do the work they stand for, on a few trials; the figures themselves are for `make bench`."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks import (
    baseline,
    bench_compare,
    bench_exam,
    bench_judge,
    bench_models,
    bench_returns,
    bench_trials,
    bench_worlds,
    peers,
    startup,
)


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


def test_the_subject_runs_the_workload_grades_it_again_and_its_rows_can_be_re_checked(tmp_path: Path) -> None:
    folder = str(bench_trials.write_suite(tmp_path, "five_calls"))
    assert bench_trials.work("run", folder, "200", "shared", "4")["cpu"] > 0
    for action in ("recheck", "grade", "show"):
        assert bench_trials.work(action, folder)["peak_mb"] > 1
    with closing(sqlite3.connect(tmp_path / ".fairtrial" / "store.db")) as database:
        assert database.execute("SELECT count(*) FROM trials").fetchone() == (200,)


@pytest.mark.parametrize("name", ["json", "sqlite"])
def test_the_workload_on_a_world_passes_its_checks_and_meets_no_fault(tmp_path: Path, name: str) -> None:
    folder = bench_trials.write_suite(tmp_path, "five_calls")
    bench_worlds.more(folder, name)
    assert bench_trials.work("run", str(folder), "100", "shared", "4")["cpu"] > 0
    assert bench_worlds.bare_sql(times=5) > 0


def test_a_workload_that_does_not_pass_gives_no_figure(tmp_path: Path) -> None:
    folder = str(bench_trials.write_suite(tmp_path, "five_calls", end={"stock": 6, "orders": []}))
    with pytest.raises(AssertionError, match="0 of 100 passed"):
        bench_trials.work("run", folder, "100", "shared", "4")


def test_a_figure_above_its_limit_is_marked_and_one_without_a_limit_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    table = bench_trials.Table()
    table.row("slow", 9.0, 8.0, "x")
    table.row("quick", 7.0, 8.0, "x")
    table.row("peer", 99.0, None, "ms")
    assert ["OVER" in line for line in capsys.readouterr().out.splitlines()] == [True, False, False]
    assert table.passed == 1


def test_a_peer_does_the_same_work_and_is_told_of_each_call() -> None:
    calls: list[dict[str, object]] = []
    done = asyncio.run(peers.act(calls.append))
    assert baseline.check(done["answer"], done["state"])
    assert [call["tool"] for call in calls] == ["read_stock", "place_order", "place_order", "place_order", "read_stock"]


def test_a_peer_that_is_not_installed_is_left_out_with_a_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_trials, "find_spec", lambda _: None)
    bench_trials.peers(bench_trials.Table(), 100)
    assert capsys.readouterr().out.splitlines() == [
        "pydantic-evals is not installed here, so it is left out",
        "inspect-ai is not installed here, so it is left out",
    ]


def test_the_langgraph_example_is_left_out_with_a_line_where_langgraph_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_returns, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["bench_returns"])
    assert bench_returns.main() == 0
    assert capsys.readouterr().out == "langgraph is not installed here, so the shop assistant is left out\n"


def test_the_watch_at_the_langgraph_example_sees_a_part_of_every_trial(tmp_path: Path) -> None:
    pytest.importorskip("langgraph", reason="needs LangGraph")
    rows = bench_returns.work(bench_returns.write_example(tmp_path), 1)["rows"]
    assert len(rows) == 12
    assert all(0 < row["desk_s"] < row["graph_s"] < row["wall_s"] for row in rows)


def test_two_runs_of_the_workload_are_made_compared_and_read_bare(tmp_path: Path) -> None:
    (tmp_path / "suite").mkdir()
    store = tmp_path / "store.db"
    bench_compare.fill(store, bench_compare.one_trial(tmp_path / "suite"), cases=6, trials=3)
    bench_compare.bare(store)
    found = bench_compare.command(store, "compare", *bench_compare.SIDES)
    assert found["pairs"] == 6
    assert all(side["planned"] == 18 == side["pass"] + side["fail"] for side in found["sides"].values())
    assert bench_compare.least(lambda: None)[0] >= 0


def test_the_judge_that_is_timed_says_a_verdict_and_its_answers_are_kept() -> None:
    shown = bench_judge.matter(2)
    bench_judge.bare(shown)
    found = bench_judge.measure(times=2, steps=2)
    assert set(found) == {"bare", "asked", "kept"}
    assert bench_judge.judge().opinion(shown).score == 4.35


def test_calls_of_a_model_are_timed_beside_bare_ones() -> None:
    found = bench_models.measure(calls=3, at_once=4, after_s=0.05, rounds=1)
    assert set(found) == {f"{who} {what}" for who in ("ours", "bare") for what in ("at once", "wall", "cpu")}
    assert min(found["ours at once"], found["bare at once"]) >= 0.05 and min(found.values()) > 0


def test_the_exam_that_is_timed_is_marked_whole(tmp_path: Path) -> None:
    bench_exam.fill(tmp_path / "labels.jsonl", 400)
    bench_exam.bare(tmp_path / "labels.jsonl")
    bench_exam.mark(tmp_path / "labels.jsonl")
    (tmp_path / "labels.jsonl").write_text("", "utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        bench_exam.mark(tmp_path / "labels.jsonl")
