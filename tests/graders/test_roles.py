"""What one role decided: read from what it noted, or from its answer where it was tried alone; each with the span it rests on."""

from typing import Any

import pytest

from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.verdict import Verdict
from tests.graders.making import Tape, assess, grade_of, make_case, make_trial, verdict_of

PASS, FAIL, UNKNOWN = Verdict
SHOP = Seat(
    setup="shop", roles=tuple(RoleSeat(name=name) for name in ("router", "guard", "planner", "executor", "answerer")), lead="answerer"
)
PASSAGES = [{"id": "doc-12", "text": "Lamps keep\nfor years."}, {"id": "doc-1", "text": "Send it back within 30 days."}]


def talk() -> Tape:
    """What five roles of a shop noted in one trial."""
    tape = Tape().add("decision", "question", "router", of="router").add("decision", "return", "router", of="router")
    tape.add("decision", "allow", "guard", of="guard")
    tape.add("decision", "plan", "planner", of="planner", steps=["find_order", {"tool": "check_rules"}, {"name": "create_ticket"}])
    tape.add("decision", "slots", "executor", of="executor", slots={"order_id": "A-17", "reason": "", "count": 0})
    return tape.call("search", {"words": "return"}, {"passages": PASSAGES}, role="answerer")


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ({"role": "router", "intent": "return"}, PASS),
        ({"role": "router", "intent": "question"}, FAIL),
        ({"role": "guard", "decision": {"in": ["allow", "ask"]}}, PASS),
        ({"role": "guard", "decision": "refuse"}, FAIL),
        ({"role": "planner", "steps": {"include": ["find_order"], "only": ["find_order", "check_rules", "create_ticket"]}}, PASS),
        ({"role": "planner", "steps": {"include": ["ask_user"]}}, FAIL),
        ({"role": "planner", "steps": {"only": ["find_order", "create_ticket"]}}, FAIL),
        ({"role": "executor", "slots": {"order_id": {"matches": "^A-"}}, "slots_present": ["count"]}, PASS),
        ({"role": "executor", "slots": {"order_id": "A-18"}}, FAIL),
        ({"role": "executor", "slots_present": ["reason"]}, FAIL),
        ({"role": "executor", "slots_present": ["colour"]}, FAIL),
        ({"role": "executor", "slots": {"reason": ""}}, PASS),
        ({"role": "answerer", "retrieved": "doc-1"}, PASS),
        ({"role": "answerer", "retrieved": ["doc-1", "doc-12"]}, PASS),
        ({"role": "answerer", "retrieved": "send it back  within 30 days"}, PASS),
        ({"role": "answerer", "retrieved": "lamps keep for years"}, PASS),
        ({"role": "answerer", "retrieved": "doc-2"}, FAIL),
        ({"role": "answerer", "retrieved": "doc"}, FAIL),
    ],
)
def test_a_role_is_judged_by_what_it_last_noted(check: dict[str, Any], expected: Verdict) -> None:
    assert verdict_of(check, make_trial({"text": "done"}, talk().spans), seat=SHOP) == expected


@pytest.mark.parametrize(
    ("check", "span", "why"),
    [
        ({"role": "router", "intent": "question"}, "2", "router's intent"),
        (
            {"role": "planner", "steps": {"include": ["ask_user"], "only": ["find_order"]}},
            "4",
            "lacks ask_user and has check_rules, create_ticket",
        ),
        ({"role": "executor", "slots": {"order_id": "A-18"}}, "5", "executor's slot order_id"),
        ({"role": "answerer", "retrieved": "doc-2"}, "6", "did not fetch doc-2"),
    ],
)
def test_a_failure_points_at_the_span_where_the_role_said_it(check: dict[str, Any], span: str, why: str) -> None:
    grade = grade_of(check, make_trial({}, talk().spans), seat=SHOP)
    assert grade.evidence is not None and grade.evidence.span == span
    assert why in grade.why


def test_a_passage_that_was_fetched_is_shown_with_its_rank() -> None:
    grade = grade_of({"role": "answerer", "retrieved": "doc-1"}, make_trial({}, talk().spans), seat=SHOP)
    assert grade.why == "'doc-1' came at rank 2"
    assert grade.evidence is not None and (grade.evidence.span, grade.evidence.seen) == ("6", {"doc-1": 2})


def test_what_a_role_noted_of_its_search_counts_where_it_called_no_tool() -> None:
    tape = Tape().add("decision", "search", "answerer", of="retrieval", retrieved=["doc-3", {"id": "doc-1"}])
    assert verdict_of({"role": "answerer", "retrieved": "doc-1"}, make_trial({}, tape.spans), seat=SHOP) == PASS
    assert verdict_of({"role": "answerer", "retrieved": "doc-2"}, make_trial({}, tape.spans), seat=SHOP) == FAIL


def test_what_another_role_fetched_or_noted_does_not_count() -> None:
    trial = make_trial({}, talk().spans)
    assert verdict_of({"role": "planner", "retrieved": "doc-1"}, trial, seat=SHOP) == FAIL
    assert verdict_of({"role": "guard", "intent": "return"}, trial, seat=SHOP) == FAIL


def test_a_guard_that_declines_has_decided() -> None:
    tape = Tape().add("decision", "decline", "guard", why="not your order", to=None)
    assert verdict_of({"role": "guard", "decision": "decline"}, make_trial({}, tape.spans), seat=SHOP) == PASS


@pytest.mark.parametrize("under", ["must", "must_not"])
def test_silence_is_a_failure_that_says_how_it_is_broken(under: str) -> None:
    trial = make_trial({}, talk().spans)
    quiet = grade_of({"role": "guard", "intent": "return"}, trial, seat=SHOP, under=under)
    assert quiet.verdict == FAIL and quiet.why == "guard said nothing of intent, neither by desk.note nor in an answer of its own"
    absent = grade_of(
        {"role": "guard", "decision": "allow"}, make_trial({}, Tape().add("decision", "x", "router", of="router").spans), seat=SHOP
    )
    assert absent.why == "guard did nothing in this trial"


def test_a_plan_that_is_no_list_and_slots_that_are_no_object_are_no_record() -> None:
    tape = Tape().add("decision", "p", "planner", steps="find_order").add("decision", "s", "executor", slots=["A-17"])
    for check in ({"role": "planner", "steps": {"only": ["find_order"]}}, {"role": "executor", "slots_present": ["order_id"]}):
        assert verdict_of(check, make_trial({}, tape.spans), seat=SHOP) == FAIL


def test_a_role_that_is_not_seated_is_not_applicable() -> None:
    case = make_case(must=[{"role": "recommender", "intent": "x"}, {"output": "text", "equals": "done"}])
    card = assess(case, make_trial({"text": "done"}, talk().spans), seat=SHOP)
    assert (card.verdict, card.not_applicable) == (PASS, 1)


def test_a_plain_function_is_read_by_who_it_says_acts() -> None:
    tape = Tape().add("decision", "return", "router", of="router")
    assert verdict_of({"role": "router", "intent": "return"}, make_trial({}, tape.spans)) == PASS
    card = assess(make_case(must=[{"role": "guard", "decision": "allow"}]), make_trial({}, tape.spans))
    assert card.not_applicable == 1


def test_alone_a_role_is_judged_by_its_notes_before_its_answer() -> None:
    noted = Tape().add("agent", "router", "router").add("decision", "return", "router", of="router")
    trial = make_trial({"intent": "question"}, noted.spans)
    assert verdict_of({"role": "router", "intent": "return"}, trial, seat=SHOP, role="router") == PASS
    silent = make_trial({"intent": "question"}, Tape().add("agent", "router", "router").spans)
    assert verdict_of({"role": "router", "intent": "question"}, silent, seat=SHOP, role="router") == PASS


def test_where_one_role_is_tried_alone_a_check_on_another_is_not_applicable() -> None:
    case = make_case(role="router", must=[{"role": "router", "intent": "return"}, {"role": "guard", "decision": "allow"}])
    card = assess(case, make_trial({"intent": "return"}, Tape().add("agent", "router", "router").spans), seat=SHOP)
    assert (card.verdict, card.not_applicable) == (PASS, 1)


def test_where_one_role_is_tried_alone_it_is_the_one_that_decides() -> None:
    tape = Tape().add("agent", "planner", "planner").add("use", "stock", "planner", proof="declared")
    case = make_case(role="planner", facts={"stock": 4}, must=[{"fact": "stock", "used": True}])
    assert assess(case, make_trial({"n": 4}, tape.spans), seat=SHOP).verdict == PASS


def test_an_answer_that_the_store_covered_can_no_longer_be_told() -> None:
    trial = make_trial(
        {"slots": {"card": "[redacted:secret]"}}, Tape().add("agent", "e", "executor").spans, altered={"output.slots.card": "secret"}
    )
    assert verdict_of({"role": "executor", "slots": {"card": "4111"}}, trial, seat=SHOP, role="executor") == UNKNOWN
