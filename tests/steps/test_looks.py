"""Every verb that shows what a held-out trial did writes it down; figures alone do not."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial import workflow
from fairtrial.records.ledger import Look
from fairtrial.steps.looks import who
from fairtrial.steps.options import RunOptions
from fairtrial.store.sql import Store
from tests.steps.project import make_project

SHARED = RunOptions(isolate="shared", jobs=1)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four cases, of which case-3 (it fails) and case-4 are held out; the working folder is the suite's."""
    monkeypatch.delenv("FAIRTRIAL_STORE", raising=False)
    monkeypatch.delenv("FAIRTRIAL_USER", raising=False)
    folder = make_project(tmp_path / "suite", cases=4, trials=1)
    relabel(folder, {"case-3": {"split": "held_out"}, "case-4": {"split": "held_out"}})
    monkeypatch.chdir(folder)
    return folder


def relabel(folder: Path, changes: dict[str, dict[str, Any]]) -> None:
    rows = [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    told = [json.dumps(row | changes.get(row["id"], {})) for row in rows]
    (folder / "cases.jsonl").write_text("\n".join(told) + "\n", encoding="utf-8")


def looks() -> list[Look]:
    with Store.open(".fairtrial/store.db") as store:
        return store.ledger.looks()


def test_showing_replaying_and_retesting_a_held_out_case_is_written_down(suite: Path) -> None:
    run = workflow.run(".", SHARED).report.run
    workflow.show_run(None, "last")
    workflow.export(None, "last", "junit")
    workflow.compare(None, "last", ["last"])
    workflow.show_trial(None, "last", "case-1", 1)
    workflow.show_case(None, "last", "case-2")
    assert looks() == []
    assert workflow.show_trial(None, "last", "case-3", 1)["held_out"]
    assert workflow.show_case(None, "last", "case-3")[0]["held_out"]
    workflow.replay(None, "last:honest", "case-4", 1)
    seen = looks()
    assert [(one.verb, one.case, one.setup, one.attempt) for one in seen] == [
        ("show", "case-3", "honest", 1),
        ("show", "case-3", "", 0),
        ("replay", "case-4", "honest", 1),
    ]
    assert {(one.run, one.suite, one.who) for one in seen} == {(run, "adding", who())}
    workflow.retest(None, run, "case-4")
    assert [one.verb for one in looks()[3:]] == ["retest"]


def test_the_next_run_refuses_the_score_of_what_was_opened_whatever_the_case_is_called(suite: Path) -> None:
    first = workflow.run(".", SHARED).report
    assert first.held_out is not None
    assert first.held_out.state == "unseen"
    assert {case.id: case.withheld for case in first.cases} == {"case-1": 0, "case-2": 0, "case-3": 1, "case-4": 0}
    workflow.show_trial(None, "last", "case-3", 1)
    relabel(suite, {"case-3": {"id": "renamed", "must_not": [{"output": "total", "equals": -2}]}})
    second = workflow.run(".", SHARED).report.held_out
    assert second is not None
    assert [(one.case, one.after_run) for one in second.opened] == [("renamed", False)]
    assert second.setups["honest"].held_out is None
    third = workflow.show_run(None, first.run).held_out
    assert third is not None
    assert [(one.case, one.after_run) for one in third.opened] == [("case-3", True)]
    alone = workflow.show_run(None, f"{first.run}:honest").held_out
    assert alone is not None
    assert list(alone.setups) == ["honest"]


def test_what_cannot_be_found_is_no_look(suite: Path) -> None:
    workflow.run(".", SHARED)
    for show in (lambda: workflow.show_trial(None, "last", "case-3", 9), lambda: workflow.show_case(None, "last", "case-33")):
        with pytest.raises(Exception, match="the run has no"):
            show()
    assert looks() == []


def test_a_name_given_for_the_user_stands_beside_the_one_of_the_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRTRIAL_USER", raising=False)
    user = who()
    assert user
    monkeypatch.setenv("FAIRTRIAL_USER", " ada ")
    assert who() == f"ada ({user})"
    monkeypatch.setenv("FAIRTRIAL_USER", user)
    assert who() == user


def test_a_diagnosis_opens_the_held_out_cases_that_failed_and_only_those(suite: Path) -> None:
    workflow.run(".", SHARED)
    told = workflow.diagnose(None, "last", held_out=False)
    assert looks() == []
    assert "case-3" not in {group.case for group in told.groups}
    assert any("left out" in note for note in told.notes)
    told = workflow.diagnose(None, "last")
    assert "case-3" in {group.case for group in told.groups}
    assert [(one.verb, one.case) for one in looks()] == [("diagnose", "case-3")]


def test_a_case_that_was_an_open_one_before_is_no_unseen_one_now(suite: Path) -> None:
    relabel(suite, {"case-3": {"split": "open"}, "case-4": {"split": "held_out"}})
    workflow.run(".", SHARED)
    relabel(suite, {"case-3": {"split": "held_out", "id": "fresh"}})
    found = workflow.run(".", SHARED).report.held_out
    assert found is not None
    assert found.cases == ["fresh", "case-4"]
    assert [(one.case, one.who, one.verb, one.after_run) for one in found.opened] == [("fresh", "everybody", "open", False)]
    assert looks() == []


def test_a_case_that_becomes_an_open_one_later_spoils_the_runs_before(suite: Path) -> None:
    first = workflow.run(".", SHARED).report.run
    relabel(suite, {"case-3": {"split": "open"}})
    workflow.run(".", SHARED)
    found = workflow.show_run(None, first).held_out
    assert found is not None
    assert [(one.case, one.verb, one.after_run) for one in found.opened] == [("case-3", "open", True)]


def test_rows_from_elsewhere_are_held_out_where_their_table_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRTRIAL_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("case,setup,trial,passed,tag:split\na,s,1,true,open\nb,s,1,false,held_out\n", encoding="utf-8")
    workflow.import_runs(None, "csv", ["t.csv"])
    found = workflow.show_run(None, "last").held_out
    assert found is not None
    assert (found.state, found.cases) == ("unseen", ["b"])
    workflow.show_trial(None, "last", "b", 1)
    found = workflow.show_run(None, "last").held_out
    assert found is not None
    assert found.state == "opened"
