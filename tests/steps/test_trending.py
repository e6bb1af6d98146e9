"""The trend of a suite that was really run, and of runs from elsewhere by their name."""

import json
from pathlib import Path

import pytest

import fairtrial as ft
from fairtrial import workflow
from fairtrial.records.errors import InputError
from tests.steps.project import fairtrial, make_project


def test_runs_of_a_suite_come_oldest_first_and_parts_by_themselves(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=4, trials=1)
    whole = [workflow.run(str(folder), workflow.RunOptions()).report.run for _ in range(2)]
    workflow.run(str(folder), workflow.RunOptions(cases=("case-1",)))
    tagged = workflow.run(str(folder), workflow.RunOptions(tags=("odd",))).report.run
    every = workflow.run(str(folder), workflow.RunOptions(cases=tuple(f"case-{n}" for n in range(1, 5)))).report.run
    found = workflow.trend(None, str(folder))
    assert [(row.run, row.selection) for row in found.rows] == [*((run, "") for run in whole), (tagged, "tags odd"), (every, "")]
    assert [left.why for left in found.left_out] == ["only cases that were named one by one"]
    assert found.rows[1].success_rate.value == 0.75


def test_a_suite_that_changed_between_two_runs_shows_as_a_break(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=4, trials=1)
    workflow.run(str(folder), workflow.RunOptions())
    make_project(folder, cases=6, trials=1)
    workflow.run(str(folder), workflow.RunOptions())
    row = workflow.trend(None, str(folder)).rows[1]
    assert [(one.kind, one.what) for one in row.breaks] == [("suite", "2 cases added")]
    assert row.moves[0].pairs == 4


def test_the_command_shows_the_page_and_the_document_and_ends_0(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=3, trials=2)
    assert fairtrial("run", ".", "-q", folder=folder).returncode == 0
    page = fairtrial("trend", ".", folder=folder)
    assert page.returncode == 0, page.stderr
    assert "honest: nothing to compare with yet, success 66.7 %" in page.stdout
    document = json.loads(fairtrial("trend", ".", "--json", folder=folder).stdout)
    assert document["suite"] == "adding"
    assert document["rows"][0]["reading"] == "first"
    assert (
        json.loads(fairtrial("trend", ".", "--setup", "honest", "--last", "1", "--json", folder=folder).stdout)["rows"] == document["rows"]
    )
    assert fairtrial("trend", ".", "--setup", "honst", folder=folder).returncode == 2


def test_runs_from_elsewhere_go_by_the_name_of_their_suite(tmp_path: Path) -> None:
    store = str(tmp_path / "store.db")
    for number in range(2):
        file = tmp_path / f"mine-{number}.csv"
        rows = [f"c{n},team,{trial},{'true' if n > number * 12 else 'false'}" for n in range(20) for trial in (1, 2)]
        file.write_text("case,setup,trial,passed\n" + "\n".join(rows) + "\n", encoding="utf-8")
        workflow.import_runs(store, "csv", [str(file)])
    names = {line.suite for line in workflow.runs(store)}
    for name in names:
        assert workflow.trend(store, name).rows
    with pytest.raises(InputError, match="neither a suite nor the name of one"):
        workflow.trend(store, "nobody")


def test_python_gives_the_same_object(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=2, trials=1)
    workflow.run(str(folder), workflow.RunOptions())
    assert ft.trend(folder, setup="honest", last=1) == workflow.trend(None, str(folder), "honest", 1)
    with pytest.raises(InputError, match="no run has such a setup"):
        ft.trend(folder, setup="honst")
