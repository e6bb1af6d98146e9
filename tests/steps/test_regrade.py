"""Grading again runs nothing, lays the new grades beside the old, and says what it graded by."""

import json
from pathlib import Path
from typing import Any

import pytest

import fairtrial as ft
from tests.steps.project import fairtrial, make_project


def _edit(folder: Path, change: Any) -> None:
    path = folder / "cases.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        change(row)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _show(folder: Path, *words: str) -> Any:
    return json.loads(fairtrial(*words, "--json", folder=folder).stdout)


@pytest.fixture
def ran(tmp_path: Path) -> Path:
    folder = make_project(tmp_path / "p", cases=3, trials=2)
    ft.run(str(folder))
    return folder


def test_unchanged_checks_give_the_same_grades(ran: Path) -> None:
    before = _show(ran, "show", "last")
    after = _show(ran, "grade", "last")
    assert after["cases"] == before["cases"]


def test_a_changed_check_changes_the_verdict_without_a_run(ran: Path) -> None:
    _edit(ran, lambda row: row.update(must=[{"output": "total", "equals": 99}]))
    (ran / "agents.py").write_text("raise SystemExit('must not be imported')\n")
    report = _show(ran, "grade", "last")
    assert report["setups"]["honest"]["pass"] == 0
    assert _show(ran, "show", "last")["setups"]["honest"]["pass"] == 0


def test_a_case_that_asks_something_else_today_keeps_the_checks_it_was_run_with(ran: Path) -> None:
    before = _show(ran, "show", "last")
    _edit(ran, lambda row: row.update(task="another task", must=[{"output": "total", "equals": 99}]))
    after = _show(ran, "grade", "last")
    assert after["cases"] == before["cases"]
    assert any("ask something else today" in note for note in after["notes"])


def test_without_the_suite_the_cases_kept_with_the_run_are_used(ran: Path) -> None:
    before = _show(ran, "show", "last")
    (ran / "suite.json").unlink()
    after = _show(ran, "grade", "last")
    assert after["cases"] == before["cases"]
    assert any("kept with the run" in note for note in after["notes"])


def test_runs_graded_by_different_checks_are_not_compared(ran: Path) -> None:
    first = _show(ran, "runs")["runs"][0]["run"]
    ft.run(str(ran))
    assert _show(ran, "compare", first, "last")["verdict"] != "invalid"
    _edit(ran, lambda row: row["must"].append({"output": "total", "min": 0}))
    fairtrial("grade", "last", folder=ran)
    compared = _show(ran, "compare", first, "last")
    assert compared["verdict"] == "invalid"
    assert "grader" in compared["comparable"]["differs"]


def test_runs_of_different_selections_are_compared_on_what_they_share(ran: Path) -> None:
    first = _show(ran, "runs")["runs"][0]["run"]
    ft.run(str(ran), cases=("case-1", "case-2"))
    compared = _show(ran, "compare", first, "last")
    assert (compared["pairs"], compared["verdict"], compared["only_base"]) == (2, "cannot_tell", ["case-3"])
