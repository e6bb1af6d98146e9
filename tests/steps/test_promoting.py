"""A failure becomes the draft of a case that loads, is redacted, says whence it comes, and overwrites nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial import workflow
from fairtrial.cases.load import load_cases
from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import InputError, InputErrors
from fairtrial.records.promotion import Promotion
from fairtrial.steps.options import RunOptions
from fairtrial.steps.promoting import Asked
from fairtrial.store.sql import Store
from tests.steps.project import make_project

ONCE = RunOptions(isolate="shared", jobs=1, trials=1)
TOOLS = '''
from fairtrial import tool

@tool
def add(n: int, world: dict) -> int:
    """Add to the total."""
    world["total"] += n
    return world["total"]

@tool(outside=True)
def mail(text: str) -> str:
    """Send a mail."""
    return "sent"
'''
AGENTS = """
def honest(brief, desk):
    if brief.facts.get("slow"):
        raise RuntimeError("gave up")
    if brief.facts.get("mail"):
        desk.call("mail", text="hello")
    return {"total": desk.call("add", n=brief.facts["n"]) + brief.facts.get("off", 0)}
"""


def case(ident: str, n: int, **more: Any) -> dict[str, Any]:
    facts = {"n": n, **more.pop("facts", {})}
    return {
        "id": ident, "task": f"add {n} for {ident}", "facts": facts, "state": {"total": 0}, "must": [{"output": "total", "equals": n}],
        "must_not": [{"output": "total", "equals": -1}], "solution": {"total": n}, "known_bad": [{"total": -1}], **more,
    }  # fmt: skip


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("FAIRTRIAL_STORE", raising=False)
    folder = make_project(tmp_path / "suite", cases=1)
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    (folder / "agents.py").write_text(AGENTS, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def run(folder: Path, *cases: dict[str, Any], **settings: Any) -> str:
    (folder / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in cases), encoding="utf-8")
    raw = json.loads((folder / "suite.json").read_text(encoding="utf-8"))
    patterns = ["cases.jsonl", *(["promoted/*.yaml"] if Path("promoted").is_dir() else [])]
    (folder / "suite.json").write_text(json.dumps({**raw, "cases": patterns, **settings}), encoding="utf-8")
    return workflow.run(".", ONCE).report.run


def promote(name: str, attempt: int = 1, **more: Any) -> Promotion:
    return workflow.promote(None, Asked(reference="last", case=name, attempt=attempt, **more))


def test_a_wrong_answer_is_pinned_and_the_draft_fails_it_again(suite: Path) -> None:
    name = run(suite, case("a", 3, facts={"off": 2}, tags=["x"]), case("b", 4))
    made = promote("a")
    assert (made.verdict, made.library, made.written, made.included, made.held_out) == ("FAIL", "regression", True, False, False)
    (draft,) = load_cases(made.file)
    assert draft.raw == made.draft
    assert made.draft["must_not"] == [{"output": "total", "equals": -1}, {"output": "total", "equals": 5}]
    assert made.draft["known_bad"] == [{"total": -1}, {"total": 5}]
    assert (made.draft["source"], made.draft["tags"]) == ("incident", ["x", "promoted"])
    assert f"of run {name}" in made.draft["notes"]
    assert "known_bad_passes" not in {one.code for one in made.findings}
    assert made.todo == ["make it differ from a, which asks the same, or take the place of that case"]
    assert {"unfinished", "near_duplicate"} <= {one.code for one in made.findings}
    raw = json.loads((suite / "suite.json").read_text(encoding="utf-8"))
    (suite / "suite.json").write_text(json.dumps(raw | {"cases": ["cases.jsonl", "promoted/*.yaml"]}), encoding="utf-8")
    assert made.id in {one.id for one in load_suite(".").cases}
    found = [one.message for one in workflow.check(".").findings if one.case == made.id]
    assert "a draft: make it differ from a, which asks the same, or take the place of that case" in found


def test_a_trial_that_passed_or_was_promoted_is_refused(suite: Path) -> None:
    run(suite, case("a", 3, facts={"off": 2}), case("b", 4))
    with pytest.raises(InputError, match="this trial passed") as error:
        promote("b")
    assert "no attempt of this case failed" in str(error.value.mend)
    made = promote("a")
    before = Path(made.file).read_bytes()
    with pytest.raises(InputError, match="promoted already"):
        promote("a")
    with pytest.raises(InputError, match="a file already"):
        promote("a", into="cases.jsonl")
    with pytest.raises(InputError, match="a case of this id"):
        promote("a", ident="b", into="other.yaml")
    with pytest.raises(InputError, match="one YAML or JSON file"):
        promote("a", into="other.txt")
    with pytest.raises(InputErrors):
        promote("a", ident="line\nbreak", into="other.yaml")
    assert Path(made.file).read_bytes() == before
    assert not Path("other.yaml").exists()


def test_a_dry_run_writes_nothing_and_a_file_of_ones_own_may_be_named(suite: Path) -> None:
    run(suite, case("a", 3, facts={"off": 2}))
    made = promote("a", dry_run=True)
    assert (made.written, made.included) == (False, None)
    assert not Path("promoted").exists()
    made = promote("a", into="deep/er/new.json", ident="Mine!", library="capability")
    (draft,) = load_cases("deep/er/new.json")
    assert (draft.id, draft.labels.library) == ("Mine!", "capability")


def test_a_draft_that_the_suite_takes_in_is_told_so(suite: Path) -> None:
    Path("promoted").mkdir()
    Path("promoted/kept.yaml").write_text(json.dumps(case("kept", 9)), encoding="utf-8")
    run(suite, case("a", 3, facts={"off": 2}))
    assert promote("a").included is True


def test_an_act_nobody_asked_for_and_an_end_of_its_own_are_pinned(suite: Path) -> None:
    run(suite, case("a", 3, facts={"mail": True}), case("b", 4, facts={"slow": True}))
    act = promote("a")
    assert {"tool": "mail", "called": True, "severity": "critical"} in act.draft["must_not"]
    assert "mail must not be called" in act.pinned
    end = promote("b")
    assert end.pinned == ["a trial that ends as agent_error fails by itself"]
    assert end.draft["known_bad"] == [{"total": -1}]


def test_a_check_of_the_whole_suite_is_told_to_stand_there(suite: Path) -> None:
    run(suite, case("a", 3), checks=[{"output": "total", "max": 2}])
    made = promote("a")
    assert "the check that failed stands in the suite: output total <= 2" in made.pinned
    assert made.draft["must_not"][1:] == []
    assert made.draft["known_bad"] == [{"total": -1}, {"total": 3}]


def test_a_held_out_case_becomes_an_open_draft_and_the_look_is_written_down(suite: Path) -> None:
    run(suite, case("a", 3, facts={"off": 2}, split="held_out"))
    made = promote("a", dry_run=True)
    assert made.held_out
    assert "split" not in made.draft
    assert "no longer unseen" in made.says
    with Store.open(".fairtrial/store.db") as store:
        assert [(one.verb, one.case, one.attempt) for one in store.ledger.looks()] == [("promote", "a", 1)]


def test_secrets_stay_covered_and_are_named_as_left_to_do(suite: Path) -> None:
    run(suite, case("a", 3, facts={"off": 2, "word": "hunter2-hunter2"}, secrets=["hunter2-hunter2"]))
    made = promote("a")
    assert "hunter2" not in Path(made.file).read_text(encoding="utf-8")
    assert "secrets" not in made.draft
    assert "write a made-up value for facts.word, which was covered as a secret" in made.todo
    assert "state made-up secrets under secrets:, for the real ones were covered" in made.todo


def test_a_twin_is_named_under_the_suites_budget_too_and_a_value_is_forbidden_once(suite: Path) -> None:
    known = case("a", 3, facts={"off": 2}, must_not=[{"output": "total", "equals": 5, "name": "off by two"}])
    run(suite, known, budget={"tool_calls": 9})
    made = promote("a")
    assert made.todo == ["make it differ from a, which asks the same, or take the place of that case"]
    assert "near_duplicate" in {one.code for one in made.findings}
    assert made.draft["must_not"] == known["must_not"]


def test_a_hostile_id_stays_in_its_folder(suite: Path) -> None:
    ident = "../../../etc/x; rm -rf / <b>题目"
    run(suite, case(ident, 3, facts={"off": 2}))
    made = promote(ident)
    assert Path(made.file).parent == Path("promoted")
    assert load_cases(made.file)[0].id == made.id
    named = promote(ident, ident=ident + "2")
    assert Path(named.file).parent == Path("promoted")
    assert load_cases(named.file)[0].id == ident + "2"


def test_an_imported_row_becomes_a_draft_whatever_it_came_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRTRIAL_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("case,setup,trial,passed\na,s,1,true\na,s,2,false\n", encoding="utf-8")
    workflow.import_runs(None, "csv", ["t.csv"])
    for attempt in (1, 2):
        made = promote("a", attempt)
        assert (made.suite, made.included, made.draft["source"]) == ("", None, "real")
        assert load_cases(made.file)[0].id == made.id
        assert any("came without checks" in line for line in made.todo)


def test_a_real_trace_becomes_a_draft_with_its_script(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRTRIAL_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    workflow.import_runs(None, "tau", [str(shared / "data" / "tau2_versions" / "runs" / "airline_sft.json")])
    failed = next(case for case in workflow.show_run(None, "last").cases if "FAIL" in case.verdicts)
    made = promote(failed.id, failed.verdicts.index("FAIL") + 1)
    (draft,) = load_cases(made.file)
    assert draft.raw == made.draft
    assert draft.brief.task
    assert draft.scene.user is not None
    assert draft.scene.user["script"]
