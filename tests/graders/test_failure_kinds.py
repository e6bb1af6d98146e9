"""Every failure says in which direction to look, and a world in which nothing was done is named for what it is."""

from typing import Any

import pytest

from fairtrial.graders.callables import read_result
from fairtrial.records.check import GROUPS
from fairtrial.records.failure import KIND_BY_CARD, KIND_BY_SUBJECT, FailureKind, kind_of
from fairtrial.records.grade import CARDS
from fairtrial.records.subjects import SUBJECTS
from fairtrial.records.trial import Ending
from fairtrial.records.verdict import Verdict
from tests.graders.making import TEAM, Change, Tape, assess, grade_of, make_case, make_trial

KINDS = set(map(str, FailureKind))

FAILING: list[tuple[dict[str, Any], str]] = [
    ({"output": "demand", "equals": 1}, "goal_drift"),
    ({"output": "demand", "exists": False}, "goal_drift"),
    ({"output": "gone", "equals": 1}, "format_error"),
    ({"text": "reason", "contains": "stock"}, "goal_drift"),
    ({"rule": "output.demand <= 5"}, "goal_drift"),
    ({"rule": "output.demand <= facts.cash"}, "over_resource"),
    ({"rule": "state.orders == []"}, "wrong_state"),
    ({"rule": "'pay' not in trace.tools"}, "tool_selection"),
    ({"rule": "trace.steps < 1"}, "over_execution"),
    ({"rule": "spend.tool_calls > 0"}, "over_budget"),
    ({"state": "orders", "length": 0}, "wrong_state"),
    ({"state": "orders", "exists": False}, "wrong_state"),
    ({"query": "SELECT count(*) FROM orders", "equals": 5}, "wrong_state"),
    ({"changes": {"none": True}}, "unsafe_act"),
    ({"command": ["false"]}, "wrong_state"),
    ({"ui_card": "orders", "shown": True}, "tool_selection"),
    ({"role": "coo", "intent": "refund"}, "goal_drift"),
    ({"role": "coo", "retrieved": ["doc-2"]}, "goal_drift"),
    ({"citations": "sources", "sources": ["https://example.org"]}, "hallucination"),
    ({"adjustment": "uplift", "applied": "once"}, "goal_drift"),
    ({"conflict": "size", "settled_by": "cfo"}, "open_conflict"),
    ({"not": {"output": "demand", "equals": 20}}, "goal_drift"),
    ({"all_of": [{"tool": "refund", "called": True}, {"output": "demand", "equals": 1}]}, "tool_selection"),
]


def _trial() -> Any:
    tape = Tape().add("decision", "coo", "coo", intent="order", retrieved=["doc-1"]).call("pay", role="ceo")
    tape.add("conflict", "size", "ceo", event="raised").add("conflict", "size", "ceo", event="settled")
    change = Change("orders[0]", "added", None, {"id": 1})
    answer = {"demand": 20, "reason": "sales", "sources": ["https://elsewhere.net/a"]}
    return make_trial(answer, tape.spans, before={"orders": []}, after={"orders": [{"id": 1}]}, changes=[change])


@pytest.mark.parametrize(("check", "kind"), FAILING)
def test_a_failed_check_always_has_a_kind(check: dict[str, Any], kind: str) -> None:
    grade = grade_of(check, _trial(), seat=TEAM, facts={"cash": 10})
    assert (str(grade.verdict), grade.kind) == ("FAIL", kind)
    assert grade.fix


def test_every_subject_and_every_card_has_a_kind_to_fall_back_on() -> None:
    assert set(KIND_BY_CARD) == set(CARDS)
    assert set(KIND_BY_SUBJECT) == set(SUBJECTS) - {*GROUPS, "grader", "judge"}
    assert {str(kind_of(subject, card)) for subject in [*SUBJECTS, "declined"] for card in CARDS} <= KINDS


@pytest.mark.parametrize("turned", [{"output": "demand", "equals": 20}, {"state": "orders", "length": 1}, {"tool": "pay", "called": True}])
def test_a_turned_check_that_fails_has_a_kind_as_well(turned: dict[str, Any]) -> None:
    assert grade_of(turned, _trial(), under="must_not").kind in KINDS


@pytest.mark.parametrize(("card", "kind"), [(None, "goal_drift"), ("safety", "unsafe_act"), ("coordination", "handoff_loss")])
def test_a_python_grader_that_names_no_kind_gets_that_of_its_card(card: str | None, kind: str) -> None:
    result: dict[str, Any] = {"verdict": "FAIL"} | ({"card": card} if card else {})
    case = make_case(must=[{"grader": "mine"}])
    grade = assess(case, make_trial({"a": 1}), graders={"mine": lambda trial: result}).grades[0]
    assert (str(grade.verdict), grade.kind) == ("FAIL", kind)


@pytest.mark.parametrize("kind", ["goal_drfit", 7, ["timeout"]])
def test_a_kind_that_is_none_of_ours_is_no_verdict(kind: Any) -> None:
    found = read_result("mine", {"verdict": "PASS", "kind": kind})
    assert found.verdict is Verdict.UNKNOWN
    assert "not known" in found.why


class Trap:
    """What a grader may hand back: an object whose every word is a trap."""

    def __repr__(self) -> str:
        raise SystemExit(3)


@pytest.mark.parametrize("result", [Trap(), {"verdict": Trap()}, {"verdict": "FAIL", "why": Trap()}])
def test_what_a_grader_returns_is_read_inside_its_cage(result: Any) -> None:
    case = make_case(must=[{"grader": "mine"}, {"output": "a", "equals": 1}])
    grades = assess(case, make_trial({"a": 1}), graders={"mine": lambda trial: result}).grades
    assert [str(grade.verdict) for grade in grades] == ["UNKNOWN", "PASS"]


@pytest.mark.parametrize("ending", [None, Ending.TIMEOUT])
def test_an_imported_failure_has_a_kind(ending: Ending | None) -> None:
    grade = assess(make_case(), make_trial(imported=Verdict.FAIL, ending=ending or Ending.FINISHED)).grades[0]
    assert grade.kind == ("timeout" if ending else "goal_drift")


WORLD: list[dict[str, Any]] = [
    {"state": "orders", "length": 1},
    {"state": "orders[0].sku", "equals": "lamp"},
    {"state": "orders[0]", "exists": True},
    {"query": "SELECT count(*) FROM orders", "equals": 1},
    {"query": "SELECT 1 FROM orders", "exists": True},
]


@pytest.mark.parametrize("check", WORLD)
def test_an_answer_over_an_unchanged_world_is_said_and_not_done(check: dict[str, Any]) -> None:
    grade = grade_of(check, make_trial({"ordered": True}, before={"orders": []}))
    assert (str(grade.verdict), grade.kind) == ("FAIL", "false_success")
    assert grade.why.startswith("said done, not done")


@pytest.mark.parametrize("check", WORLD)
def test_a_world_that_was_changed_wrongly_is_a_wrong_state(check: dict[str, Any]) -> None:
    change = Change("notes[0]", "added", None, "x")
    trial = make_trial({"ordered": True}, before={"orders": [], "notes": []}, after={"orders": [], "notes": ["x"]}, changes=[change])
    assert grade_of(check, trial).kind == "wrong_state"


@pytest.mark.parametrize("check", WORLD)
def test_without_an_answer_nothing_was_claimed(check: dict[str, Any]) -> None:
    assert grade_of(check, make_trial({}, before={"orders": []})).kind == "wrong_state"
    declined = assess(make_case(must=[check], unknown_ok=True), make_trial({"a": 1}, before={"orders": []}, decline="no"))
    assert declined.grades[0].kind == "wrong_state"


def test_what_must_not_be_in_the_world_is_never_called_a_claim() -> None:
    trial = make_trial({"ordered": True}, before={"orders": []})
    grade = grade_of({"state": "orders[0].sku", "equals": "lamp"}, trial, under="must_not")
    assert (str(grade.verdict), grade.kind) == ("FAIL", "wrong_state")
