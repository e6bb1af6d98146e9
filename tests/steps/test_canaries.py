"""Canaries: a grader, a judge or a harness that says the wrong thing of a known answer is found out before anything may ship."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairtrial as ft
from fairtrial import workflow
from fairtrial.records.canary import CanaryReport
from fairtrial.records.decision import Decision
from fairtrial.records.errors import InputErrors
from fairtrial.records.strictjson import encode
from fairtrial.steps.checking import check_suite
from fairtrial.steps.options import RunOptions, RunOutcome
from fairtrial.steps.reading import open_store

AGENT = """
async def clerk(brief, desk):
    if brief.facts["empty_days"]:
        return {"demand": "unknown", "spend": 0, "text": "nobody can know"}
    return {"demand": brief.facts["sales"], "spend": 80, "text": "order forty"}
"""
GRADERS = """
def honest(given):
    right = "unknown" if given.facts["empty_days"] else given.facts["sales"]
    return given.output.get("demand") == right and given.output.get("spend", 0) <= 100

def blind(given):
    return True

def never(given):
    return False

def broken(given):
    raise RuntimeError("no such column")

def by_chance(given):
    import random
    return random.random() < 0.5
"""
LIMITS = [{"rule": "output.spend <= facts.cash"}]
OPEN = {
    "id": "open",
    "task": "How many next week?",
    "facts": {"sales": 20, "empty_days": 4, "cash": 100},
    "unknown_ok": True,
    "must": [{"question": "demand"}, {"output": "spend", "exists": True}],
    "must_not": [{"output": "demand", "equals": 20}],
    "limits": LIMITS,
    "solution": {"demand": "unknown", "spend": 0},
    "known_bad": [{"demand": 20, "spend": 40}, {"demand": "unknown", "spend": 120}],
}
PLAIN = {
    "id": "plain",
    "task": "How many next week?",
    "facts": {"sales": 46, "empty_days": 0, "cash": 100},
    "must": [{"output": "demand", "equals": 46}],
    "must_not": [{"output": "demand", "equals": "unknown"}],
    "limits": LIMITS,
    "solution": {"demand": 46, "spend": 80},
    "known_bad": [{"demand": "unknown", "spend": 0}, {"demand": 46, "spend": 120}],
}


def make_suite(folder: Path, cases: list[dict[str, Any]] | None = None, **more: Any) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "agents.py").write_text(AGENT, "utf-8")
    (folder / "checks.py").write_text(GRADERS, "utf-8")
    (folder / "cases.jsonl").write_bytes(b"".join(encode(case) + b"\n" for case in cases or [OPEN, PLAIN]))
    (folder / "release.json").write_bytes(encode({"gates": [{"severe": 0}, {"coverage": "1"}]}))
    suite = {"name": "s", "cases": "cases.jsonl", "setups": {"one": {"agent": "agents:clerk"}}, "policy": "release.json", **more}
    (folder / "suite.json").write_bytes(encode(suite))
    return folder


def run(folder: Path, **options: Any) -> RunOutcome:
    return workflow.run(str(folder), RunOptions(isolate="shared", **options))


def planted(outcome: RunOutcome) -> CanaryReport:
    assert outcome.report.canaries is not None
    return outcome.report.canaries


def decided(outcome: RunOutcome) -> Decision:
    assert outcome.decision is not None
    return outcome.decision


def by(name: str, case: dict[str, Any] | None = None, alone: bool = True) -> dict[str, Any]:
    """The plain case with a grader in Python; alone, or beside the checks that it has."""
    case = dict(case or PLAIN)
    return case | {"must": [{"grader": name}, *(() if alone else case["must"])], **({"must_not": [], "limits": []} if alone else {})}


def test_everything_known_is_planted_with_a_run_that_gates_and_kept_with_it(tmp_path: Path) -> None:
    outcome = run(make_suite(tmp_path / "s"))
    found = planted(outcome)
    assert found.kinds == {"known_good": [1, 1], "known_unknown": [1, 1], "known_bad": [4, 4], "empty": [4, 4], "harness_fault": [1, 1]}
    assert (found.planted, found.caught, found.missed, found.cases) == (11, 11, [], 2)
    assert decided(outcome).decision == "ship"
    assert decided(outcome).canaries == found
    assert ft.show(outcome.report.run, start=tmp_path / "s").canaries == found


def test_a_plan_that_spends_more_than_there_is_fails_though_everybody_agrees(tmp_path: Path) -> None:
    agreed = [
        {"kind": "decision", "name": "plan", "role": role, "attributes": {"of": "plan", "spend": 120}} for role in ("coo", "cfo", "ceo")
    ]
    canaries = [
        {"case": "open", "answer": {"demand": "unknown", "spend": 120}, "trace": agreed, "expect": "FAIL", "why": "120 of 100"},
        {"case": "open", "answer": {"demand": None, "spend": 0}, "expect": "PASS", "why": "there is not enough evidence"},
        {"case": "open", "declined": True, "expect": "PASS", "why": "declining is right here"},
    ]
    found = planted(run(make_suite(tmp_path / "s", canaries=canaries)))
    assert found.kinds["stated"] == [3, 3]


@pytest.mark.parametrize(
    ("grader", "kinds"),
    [
        ("blind", {"known_bad", "empty"}),
        ("broken", {"known_good", "known_bad"}),
    ],
)
def test_a_grader_that_passes_everything_and_one_that_breaks_are_found_out(grader: str, kinds: set[str], tmp_path: Path) -> None:
    folder = make_suite(tmp_path / "s", [by(grader)], graders={grader: f"checks:{grader}"})
    outcome = run(folder)
    assert {one.kind for one in planted(outcome).missed} >= kinds
    assert (decided(outcome).decision, outcome.exit_code) == ("invalid", 4)
    assert decided(outcome).says.startswith("No decision on one: its graders missed")
    assert decided(outcome).next.startswith("fairtrial check ")


def test_a_grader_that_breaks_is_found_out_behind_other_checks_as_well(tmp_path: Path) -> None:
    folder = make_suite(tmp_path / "s", [by("broken", alone=False)], graders={"broken": "checks:broken"})
    missed = planted(run(folder)).missed
    assert [one.name for one in missed] == ["grader broken"]
    assert "no such column" in missed[0].why


def test_a_grader_that_never_fails_is_told_where_other_checks_hide_it(tmp_path: Path) -> None:
    folder = make_suite(tmp_path / "s", [by("blind", alone=False)], graders={"blind": "checks:blind"})
    outcome = run(folder)
    assert not planted(outcome).missed
    assert any("the grader blind passed all 4 bad and empty answers" in note for note in decided(outcome).notes)


def test_a_grader_that_says_two_things_of_one_answer_is_found_out(tmp_path: Path) -> None:
    several: list[dict[str, Any]] = [OPEN, PLAIN] * 4
    cases = [case | {"id": f"{number}", "limits": [*LIMITS, {"grader": "moody"}]} for number, case in enumerate(several)]
    report = planted(run(make_suite(tmp_path, cases, graders={"moody": "checks:by_chance"})))
    assert any("and then" in result.why and result.by == "moody" for result in report.missed)


def test_an_honest_grader_catches_all_by_itself(tmp_path: Path) -> None:
    folder = make_suite(tmp_path / "s", [by("honest")], graders={"honest": "checks:honest"})
    found = planted(run(folder))
    assert (found.missed, found.cautions) == ([], [])


def test_an_abstention_must_leave_its_question_unknown(tmp_path: Path) -> None:
    """Where the question is joined by a check that takes `unknown` for an answer of its own, nothing stays open."""
    loose = OPEN | {"must": [{"output": "demand", "equals": "unknown"}, {"output": "spend", "exists": True}]}
    found = planted(run(make_suite(tmp_path / "s", [loose])))
    assert found.kinds["known_good"] == [1, 1]  # it asks no question, so it is a plain answer
    assert "known_unknown" not in found.kinds


def test_a_lost_trace_passes_no_check_that_wants_one(tmp_path: Path) -> None:
    call = {"kind": "tool", "name": "look", "attributes": {"args": {}, "outcome": "ok"}}
    case = PLAIN | {"must": [*PLAIN["must"], {"tool": "look", "called": True}], "solution": {"answer": PLAIN["solution"], "trace": [call]}}
    found = planted(run(make_suite(tmp_path / "s", [case])))
    assert found.kinds["no_trace"] == [1, 1]


def test_a_run_without_any_known_answer_says_so(tmp_path: Path) -> None:
    known = ("solution", "known_bad")
    cases: list[dict[str, Any]] = [{key: value for key, value in case.items() if key not in known} for case in (OPEN, PLAIN)]
    outcome = run(make_suite(tmp_path / "s", cases))
    assert planted(outcome).planted == 0
    assert any(note.startswith("no canary") for note in decided(outcome).notes)
    codes = {one.code for one in check_suite(str(tmp_path / "s")).findings}
    assert {"no_solution", "no_known_bad"} <= codes


def test_check_says_first_what_a_canary_would(tmp_path: Path) -> None:
    wrong = PLAIN | {"solution": {"demand": 45, "spend": 80}, "known_bad": [{"demand": 46, "spend": 10}]}
    folder = make_suite(tmp_path / "s", [wrong])
    told = {one.message for one in check_suite(str(folder)).findings}
    missed = {one.why for one in planted(run(folder)).missed}
    assert missed <= told
    assert "known_bad answer 1 does not fail" in missed


def test_a_gate_plants_what_a_run_without_a_policy_did_not(tmp_path: Path) -> None:
    folder = make_suite(tmp_path / "s")
    suite = json.loads((folder / "suite.json").read_text("utf-8"))
    suite.pop("policy")
    (folder / "suite.json").write_bytes(encode(suite))
    outcome = run(folder)
    assert outcome.report.canaries is None
    found = ft.gate(policy=folder / "release.json", start=folder)
    assert found.canaries is not None and found.canaries.planted == 11
    assert ft.show(outcome.report.run, start=folder).canaries == found.canaries


def test_grading_again_renews_them(tmp_path: Path) -> None:
    folder = make_suite(tmp_path / "s", [by("honest")], graders={"honest": "checks:honest"})
    outcome = run(folder)
    assert not planted(outcome).missed
    suite = json.loads((folder / "suite.json").read_text("utf-8"))
    (folder / "suite.json").write_bytes(encode(suite | {"graders": {"honest": "checks:blind"}}))
    again = workflow.grade(None, outcome.report.run, start=str(folder))
    assert planted(again).missed
    assert ft.gate(start=folder).decision == "invalid"


def test_a_suite_of_many_cases_plants_only_some(tmp_path: Path) -> None:
    cases = [PLAIN | {"id": f"c{number}"} for number in range(200)]
    found = planted(run(make_suite(tmp_path / "s", cases)))
    assert (found.cases, found.left_out) == (200, 140)
    assert found.kinds["known_bad"] == [120, 120]


@pytest.mark.parametrize(
    ("canary", "what"),
    [
        ({"case": "plan", "answer": 1, "expect": "FAIL"}, "did you mean 'plain'"),
        ({"case": "plain", "expect": "FAIL"}, "without answer, state or trace"),
        ({"case": "plain", "answer": 1, "expect": "MAYBE"}, "expect"),
        ({"case": "plain", "answer": 1, "expects": "FAIL"}, "expect"),
    ],
)
def test_a_canary_that_cannot_be_meant_is_an_error(canary: dict[str, Any], what: str, tmp_path: Path) -> None:
    with pytest.raises(InputErrors) as caught:
        run(make_suite(tmp_path / "s", canaries=[canary]))
    assert what in str([error.__dict__ for error in caught.value.errors])


def test_canaries_may_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    folder = make_suite(tmp_path / "s", canaries="canaries.yaml")
    (folder / "canaries.yaml").write_text("- {case: plain, answer: {demand: 46, spend: 101}, expect: FAIL, why: one too many}\n", "utf-8")
    assert planted(run(folder)).kinds["stated"] == [1, 1]


def test_fewer_canaries_than_before_are_a_loss(tmp_path: Path) -> None:
    canary = {"case": "plain", "answer": {"demand": 46, "spend": 101}, "expect": "FAIL"}
    folder = make_suite(tmp_path / "s", canaries=[canary])
    assert decided(run(folder)).decision == "ship"
    make_suite(folder)
    found = decided(run(folder))
    assert found.decision == "not_enough_evidence"
    assert any("suite canaries" in gate.why for gate in found.gates)


def test_the_store_keeps_every_result_and_reads_the_newest(tmp_path: Path) -> None:
    with open_store(str(tmp_path), None) as store:
        assert store.canaries.newest("r") is None
        for number in (1, 2):
            store.canaries.add("r", CanaryReport(planted=number, caught=number, says="."))
        found = store.canaries.newest("r")
        assert found is not None and found.planted == 2


@pytest.fixture
def page(tmp_path: Path) -> Callable[[str], str]:
    from click.testing import CliRunner

    from fairtrial.cli.gate import gate

    folder = make_suite(tmp_path / "s", [by("blind")], graders={"blind": "checks:blind"})
    run(folder)
    url = str(folder / ".fairtrial" / "store.db")
    return lambda lang: CliRunner().invoke(gate, ["last", "--store", url, "--lang", lang], standalone_mode=False).output


def test_the_page_names_each_missed_canary(page: Callable[[str], str]) -> None:
    assert "known_bad answer 1 does not fail" in page("en")
    assert "金丝雀" in page("zh")
    assert "没有失败" in page("zh")
