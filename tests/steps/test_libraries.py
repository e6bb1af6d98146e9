"""A suite's runs move its cases between the libraries: proposed first, written and logged on request, and only once."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial import workflow
from fairtrial.cases.relabel import write
from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import InputError, InputErrors
from fairtrial.steps import libraries
from fairtrial.steps.options import RunOptions
from fairtrial.store.sql import Store
from tests.steps.project import make_project

ONCE = RunOptions(isolate="shared", jobs=1)
RULE = {"graduate": {"batches": 2, "above": "4.0"}, "demote": {"batches": 1, "below": "4.0"}, "quarantine": {"batches": 2}}

ALIAS = """\
id: row
task: add 4 to the total
facts: {n: 4, wait: 0, word: &name capability}
state: {total: 1}
must: [{output: total, equals: 5}]
library: *name
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three cases, of which case-3 fails, and a rule of two batches; the working folder is the suite's."""
    monkeypatch.delenv("FAIRTRIAL_STORE", raising=False)
    folder = make_project(tmp_path / "suite", cases=3, trials=1)
    settings(folder, library=RULE)
    monkeypatch.chdir(folder)
    return folder


def settings(folder: Path, **changes: Any) -> None:
    raw = json.loads((folder / "suite.json").read_text(encoding="utf-8"))
    (folder / "suite.json").write_text(json.dumps(raw | changes), encoding="utf-8")


def run(times: int = 1) -> None:
    for _ in range(times):
        workflow.run(".", ONCE)


def labels() -> dict[str, str]:
    return {case.id: case.labels.library for case in load_suite(".").cases}


RIGHT = 'return {"total": total}'
BY_THE_DAY = 'return {"total": total if __import__("os").environ["ADDING"] == "well" else -7}'


def recode(folder: Path, answer: str) -> None:
    """From now on the agent answers so."""
    agents = (folder / "agents.py").read_text(encoding="utf-8")
    (folder / "agents.py").write_text(agents.replace(RIGHT, answer), encoding="utf-8")


def test_a_case_that_passed_its_batches_is_proposed_then_written_then_left_alone(suite: Path) -> None:
    run(2)
    before = (suite / "cases.jsonl").read_bytes()
    proposed = workflow.library(".")
    assert {one.case: one.move for one in proposed.cases} == {"case-1": "graduate", "case-2": "graduate", "case-3": "none"}
    assert (suite / "cases.jsonl").read_bytes() == before
    version = load_suite(".").version
    made = workflow.library(".", apply=True)
    assert (made.written, made.refused) == (["cases.jsonl"], [])
    assert labels() == {"case-1": "regression", "case-2": "regression", "case-3": "capability"}
    assert load_suite(".").version == version
    again = workflow.library(".", apply=True)
    assert ({one.move for one in again.cases}, again.written, len(again.moved)) == ({"none"}, [], 2)
    logged = again.moved[0]
    assert (logged["case"], logged["move"], logged["rule"]["by"], [one["score"] for one in logged["batches"]]) == (
        "case-1", "graduated", "above", [5.0, 5.0],
    )  # fmt: skip


def test_a_case_that_fails_after_it_had_graduated_goes_back_and_must_earn_it_anew(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recode(suite, BY_THE_DAY)
    monkeypatch.setenv("ADDING", "well")
    run(2)
    workflow.library(".", apply=True)
    monkeypatch.setenv("ADDING", "badly")
    run()
    made = workflow.library(".", apply=True)
    assert labels() == dict.fromkeys(("case-1", "case-2", "case-3"), "capability")
    assert [one["move"] for one in made.moved if one["case"] == "case-1"] == ["graduated", "demoted", "quarantined"]
    by_id = {one.case: one for one in workflow.library(".").cases}
    assert by_id["case-1"].why == "no batch of this case since its last move"
    assert by_id["case-1"].flaky
    assert by_id["case-3"].why == "0 of 2 batches in a row above 4.0; the last scored 1"


def test_a_setup_with_other_code_did_not_stay_the_same_so_no_case_is_flaky(suite: Path) -> None:
    run(2)
    workflow.library(".", apply=True)
    recode(suite, 'return {"total": -7}')
    run(2)
    found = workflow.library(".", apply=True)
    assert [one["move"] for one in found.moved if one["case"] == "case-1"] == ["graduated", "demoted"]
    assert not any(one.flaky for one in found.cases)
    assert found.health is not None
    assert {one.state for one in found.health.cases} == {"too_few"}


def test_a_case_whose_content_or_surroundings_changed_begins_anew(suite: Path) -> None:
    run(2)
    settings(suite, checks=[{"output": "total", "exists": True}])
    found = workflow.library(".")
    assert {(one.move, one.left_out, one.why) for one in found.cases} == {("none", 2, "no batch of this case counts yet")}


def test_what_cannot_be_written_is_refused_and_not_logged(suite: Path) -> None:
    (suite / "more.yaml").write_text(ALIAS, encoding="utf-8")
    settings(suite, cases=["cases.jsonl", "more.yaml"])
    run(2)
    made = workflow.library(".", apply=True)
    assert [(one["case"], one["mend"]) for one in made.refused] == [("row", "write library: regression there by hand")]
    assert {one["case"] for one in made.moved} == {"case-1", "case-2"}
    assert (suite / "more.yaml").read_text(encoding="utf-8") == ALIAS


@pytest.mark.parametrize("written", [True, False])
def test_a_move_that_was_cut_off_around_its_file_is_completed_or_made_anew(
    suite: Path, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    run(2)

    def cut_off(path: str, text: str) -> None:
        if written:
            write(path, text)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(libraries, "write", cut_off)
        with pytest.raises(KeyboardInterrupt):
            workflow.library(".", apply=True)
    assert (labels()["case-1"] == "regression") is written
    assert workflow.library(".").moved == []
    for _ in range(2):
        made = workflow.library(".", apply=True)
        assert labels() == {"case-1": "regression", "case-2": "regression", "case-3": "capability"}
        assert [(one["case"], one["move"], len(one["batches"])) for one in made.moved] == [
            ("case-1", "graduated", 2), ("case-2", "graduated", 2),
        ]  # fmt: skip


def test_the_ledger_is_shown_on_request(suite: Path) -> None:
    rows = [json.loads(line) | {"split": "held_out"} for line in (suite / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    (suite / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run()
    workflow.show_trial(None, "last", "case-1", 1)
    assert workflow.library(".").ledger is None
    looks = workflow.library(".", ledger=True).ledger
    assert looks is not None
    assert [(one["verb"], one["case"], one["attempt"]) for one in looks] == [("show", "case-1", 1)]


def test_a_setup_that_is_not_there_and_a_rule_that_is_none_are_errors(suite: Path) -> None:
    run()
    with pytest.raises(InputError, match="no such setup"):
        workflow.library(".", setup="honst")
    settings(suite, library={"graduate": {"above": "4", "lower_bound": "1"}, "demote": {"below": "NaN"}, "quarantine": {"stability": "2"}})
    with pytest.raises(InputErrors) as error:
        workflow.library(".")
    assert len(error.value.errors) == 4
    settings(suite, library={"graduate": {"batches": 0, "below": "4"}})
    with pytest.raises(InputErrors, match="below"):
        workflow.library(".")


def test_every_move_of_a_store_names_who_made_it(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_USER", "ada")
    run(2)
    workflow.library(".", apply=True)
    with Store.open(".fairtrial/store.db") as store:
        assert {one.who.split(" ")[0] for one in store.ledger.moves("adding")} == {"ada"}


def test_the_library_tells_how_fit_the_suite_is_to_measure_with(suite: Path) -> None:
    run(5)
    found = workflow.library(".").health
    assert found is not None
    assert {case.case: case.state for case in found.cases} == {"case-1": "saturated", "case-2": "saturated", "case-3": "dead"}
    assert (found.stage.stage, found.stage.next) == ("start", "prototype")
    assert all(case.first_seen for case in found.cases)
    assert found.spills == [] and found.walked == 3


def test_an_answer_that_a_tool_gave_away_is_told_with_its_place(suite: Path) -> None:
    answer = "The total is five because one and four were added up."
    rows = [json.loads(line) for line in (suite / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    (suite / "cases.jsonl").write_text("\n".join(json.dumps(row | {"reference": answer}) for row in rows) + "\n", encoding="utf-8")
    tools = (suite / "tools.py").read_text(encoding="utf-8")
    (suite / "tools.py").write_text(tools + f"\n\n@tool\ndef peek() -> str:\n    return {answer!r}\n", encoding="utf-8")
    agents = (suite / "agents.py").read_text(encoding="utf-8")
    (suite / "agents.py").write_text(agents.replace("    total =", '    desk.call("peek")\n    total =', 1), encoding="utf-8")
    run()
    found = workflow.library(".").health
    assert found is not None
    assert {(spill.case, spill.act, spill.what) for spill in found.spills} >= {("case-1", "tool peek", "reference")}
    assert "mend that first" in found.says


def test_labels_of_people_who_disagree_name_the_case(suite: Path) -> None:
    run()
    lines = [{"item": "case-1", "rater": f"human:{name}", "label": label} for name, label in (("1", "PASS"), ("2", "FAIL"))]
    (suite / "labels.jsonl").write_text("\n".join(map(json.dumps, [*lines, {"item": "elsewhere", "rater": "human:1", "label": "PASS"}])))
    found = workflow.library(".", labels="labels.jsonl").health
    assert found is not None
    assert [one.case for one in found.ambiguous] == ["case-1"]
    assert found.notes == ["labels about no case of this suite: 1 items"]
    (suite / "labels.jsonl").write_text('{"item": "elsewhere", "rater": "human:1", "label": "PASS"}')
    with pytest.raises(InputError, match="no label is about a case"):
        workflow.library(".", labels="labels.jsonl")
