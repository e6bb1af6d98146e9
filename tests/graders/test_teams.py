"""Coordination: facts received and used, hand-offs, adjustments, conflicts, roles."""

from typing import Any

import pytest

from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.suite import HandoffContract
from fairtrial.records.trial import Trial
from fairtrial.records.verdict import Verdict
from tests.graders.making import FAIL, PASS, SINGLE, TEAM, UNKNOWN, Tape, assess, grade_of, make_case, make_trial, verdict_of

CASE: dict[str, Any] = {
    "facts": {"sales": 20, "stockout_days": 4},
    "fact_notes": {"stockout_days": {"found_as": ["out of stock", "缺货"], "critical": True}},
    "unknown_ok": True,
    "must_not": [{"output": "demand", "equals": 20}],
}
RECEIVED = {"fact": "stockout_days", "received_by": "lead"}
USED = {"fact": "stockout_days", "used": True}
USED_BY = {"fact": "stockout_days", "used_by": "lead"}


def team(check: dict[str, Any], trial: Trial, seat: Seat = TEAM) -> Any:
    return grade_of(check, trial, seat=seat, **CASE)


def found_by_coo() -> Tape:
    return Tape().call("read_stock", {}, {"stockout_days": 4}, role="coo")


def test_a_fact_that_was_handed_over_is_received() -> None:
    tape = found_by_coo().hand("coo", "ceo", {"sales": 20, "stockout_days": 4})
    assert str(team(RECEIVED, make_trial({}, tape.spans)).verdict) == PASS


def test_sent_is_not_received() -> None:
    tape = found_by_coo().hand("coo", "ceo", {"stockout_days": 4}, received=False)
    grade = team(RECEIVED, make_trial({}, tape.spans))
    assert str(grade.verdict) == FAIL and "sent" in grade.why and "never received" in grade.why


def test_a_dropped_fact_points_at_the_handoff_and_names_who_dropped_it() -> None:
    tape = found_by_coo().hand("coo", "ceo", {"sales": 20})
    grade = team(RECEIVED, make_trial({}, tape.spans))
    assert (str(grade.verdict), grade.kind, grade.card, grade.severity) == (FAIL, "handoff_loss", "coordination", "critical")
    assert grade.evidence.span == "2"
    assert grade.why == "coo had stockout_days (span 1) and left it out of coo->ceo (span 2)"


def test_without_any_handoff_the_failure_says_so() -> None:
    grade = team(RECEIVED, make_trial({}, found_by_coo().spans))
    assert str(grade.verdict) == FAIL and "no hand-off reached ceo" in grade.why


def test_who_saw_the_fact_in_its_own_brief_can_drop_it() -> None:
    seat = Seat(setup="team", roles=(RoleSeat(name="coo"), RoleSeat(name="ceo", sees=("sales",))), lead="ceo")
    tape = Tape().hand("coo", "ceo", {"sales": 20})
    raw = {**CASE, "visible_to": {"stockout_days": ("coo",)}}
    grade = grade_of(RECEIVED, make_trial({}, tape.spans), seat=seat, **raw)
    assert grade.why == "coo had stockout_days (in its brief) and left it out of coo->ceo (span 1)"


def test_the_loss_towards_the_role_counts_before_others() -> None:
    tape = found_by_coo().hand("coo", "ceo", {"sales": 20}).hand("coo", "cfo", {"sales": 20})
    assert team(RECEIVED, make_trial({}, tape.spans)).evidence.span == "2"
    elsewhere = found_by_coo().hand("coo", "cfo", {"sales": 20}).hand("cfo", "ceo", {"cash": 1})
    assert "left it out of coo->cfo (span 2)" in team(RECEIVED, make_trial({}, elsewhere.spans)).why


def test_who_had_the_fact_and_handed_it_to_nobody_is_named() -> None:
    tape = Tape().hand("cfo", "ceo", {"cash": 1}).call("read_stock", {}, {"stockout_days": 4}, role="coo")
    assert team(RECEIVED, make_trial({}, tape.spans)).why == "coo had stockout_days (span 3), but handed it to nobody"
    nobody = Tape().hand("cfo", "ceo", {"cash": 1})
    assert team(RECEIVED, make_trial({}, nobody.spans)).why == "no role ever had stockout_days"


def test_what_a_role_handed_on_shows_that_it_used_the_fact() -> None:
    tape = found_by_coo().hand("coo", "ceo", {"why": "out of stock for four days"})
    trial = make_trial({}, tape.spans)
    assert verdict_of({"fact": "stockout_days", "used_by": "coo"}, trial, seat=TEAM, **CASE) == PASS
    assert verdict_of({"fact": "stockout_days", "used_by": "lead"}, trial, seat=TEAM, **CASE) == FAIL


def test_all_that_is_asked_of_a_fact_must_hold() -> None:
    check = {"fact": "stockout_days", "received_by": "lead", "used": True}
    received = Tape().hand("coo", "ceo", {"stockout_days": 4})
    assert str(team(check, make_trial({"demand": 1}, received.spans)).verdict) == FAIL
    assert str(team(check, make_trial({"why": "out of stock"}, received.spans)).verdict) == PASS
    assert str(team(check, make_trial({"why": "out of stock"})).verdict) == FAIL


def test_a_role_that_sees_the_fact_itself_has_received_it() -> None:
    seat = Seat(setup="team", roles=(RoleSeat(name="coo"), RoleSeat(name="ceo", sees=("stockout_days",))), lead="ceo")
    assert str(team(RECEIVED, make_trial({}), seat).verdict) == PASS


def test_a_missing_trace_is_unknown_and_never_a_loss() -> None:
    for check in (RECEIVED, USED, USED_BY):
        assert str(team(check, make_trial({}, lost_spans=3)).verdict) == UNKNOWN
    case = make_case(must=[USED], facts={"stockout_days": 4})
    assert str(assess(case, make_trial({}), origin="import").verdict) == UNKNOWN


@pytest.mark.parametrize("check", [RECEIVED, USED_BY, {"fact": "stockout_days", "received_by": "cmo"}])
def test_a_role_that_the_setup_lacks_is_not_applicable(check: dict[str, Any]) -> None:
    seat = TEAM if check["received_by" if "received_by" in check else "used_by"] == "cmo" else SINGLE
    card = assess(make_case(must=[check], facts=CASE["facts"]), make_trial({"x": 1}), seat=seat)
    assert card.not_applicable == 1
    assert card.verdict is Verdict.UNKNOWN and card.grades[0].check == "nothing was checked"


@pytest.mark.parametrize(
    ("output", "proof"),
    [
        ({"demand": "unknown", "evidence_used": ["stockout_days"]}, "found"),
        ({"demand": "unknown", "stockout_days": 4}, "found"),
        ({"why": "the shelf was out of stock"}, "found"),
        ({"why": "因为缺货四天"}, "found"),
        ({"why": "Stockout days: 4"}, "found"),
        ({"demand": "unknown"}, "declared"),
    ],
)
def test_a_use_is_found_in_what_was_said_or_declared(output: Any, proof: str) -> None:
    tape = Tape().add("use", "stockout_days", "ceo", proof="declared")
    grade = team(USED, make_trial(output, tape.spans))
    assert (str(grade.verdict), grade.proof) == (PASS, proof)


@pytest.mark.parametrize("output", [{"demand": 4}, {"why": "no stockouts"}, {"stockout_days": None}, {"why": "stockout_days_total"}])
def test_a_bare_number_or_another_word_is_no_use(output: Any) -> None:
    grade = team(USED, make_trial(output, Tape().add("message", "user", "ceo", text="hello").spans))
    assert (str(grade.verdict), grade.kind) == (FAIL, "fact_unused")


def test_only_what_the_decider_said_counts() -> None:
    tape = Tape().add("message", "ceo", "coo", text="stockout_days were 4")
    assert str(team(USED, make_trial({"demand": 5}, tape.spans)).verdict) == FAIL
    assert verdict_of({"fact": "stockout_days", "used_by": "coo"}, make_trial({}, tape.spans), seat=TEAM, **CASE) == PASS


def test_a_declared_use_is_contradicted_by_a_conclusion_the_case_forbids() -> None:
    tape = Tape().hand("coo", "ceo", {"stockout_days": 4}).add("use", "stockout_days", "ceo", proof="declared")
    trial = make_trial({"demand": 20, "evidence_used": ["stockout_days"]}, tape.spans)
    assert str(team(RECEIVED, trial).verdict) == PASS
    for check in (USED, USED_BY):
        grade = team(check, trial)
        assert (str(grade.verdict), grade.kind) == (FAIL, "fact_unused")
        assert "declared used, yet the answer concludes demand = 20" in grade.why
        assert (grade.evidence.span, grade.evidence.path) == ("3", "demand")


def test_a_missing_path_is_no_forbidden_conclusion() -> None:
    tape = Tape().add("use", "stockout_days", "ceo")
    assert str(team(USED, make_trial({"other": 1}, tape.spans)).verdict) == PASS


def test_an_answer_known_to_be_bad_contradicts_only_where_no_other_check_explains_it() -> None:
    bad = {"demand": "unknown", "spend": 120, "evidence_used": ["stockout_days"]}
    rule = {"limits": [{"rule": "output.spend <= 100"}]}
    raw = {"facts": CASE["facts"], "must": [USED], "known_bad": [bad]}
    assert [str(grade.verdict) for grade in assess(make_case(**raw), make_trial(bad)).grades] == [FAIL]
    assert [str(grade.verdict) for grade in assess(make_case(**raw, **rule), make_trial(bad)).grades] == [PASS, FAIL]


def test_the_asked_proof_must_be_there() -> None:
    declared = Tape().add("use", "stockout_days", "ceo").spans
    said = make_trial({"why": "out of stock"}, [])
    assert str(team({**USED, "proof": "found"}, make_trial({}, declared)).verdict) == FAIL
    assert str(team({**USED, "proof": "declared"}, make_trial({}, declared)).verdict) == PASS
    assert str(team({**USED, "proof": "declared"}, said).verdict) == FAIL
    assert str(team({**USED, "proof": "intervention"}, said).verdict) == UNKNOWN


def test_owed_handoffs_feed_the_chain_and_no_verdict() -> None:
    owed = (HandoffContract(source="coo", target="ceo", requires=("stockout_days", "not_in_case")),)
    case = make_case(must=[{"output": "x", "equals": 1}], facts=CASE["facts"])
    kept = make_trial({"x": 1}, Tape().hand("coo", "ceo", {"stockout_days": 4}).spans)
    lost = make_trial({"x": 1}, Tape().hand("coo", "ceo", {"stockout_days": None}).spans)
    cards = [assess(case, trial, seat=TEAM, handoffs=owed) for trial in (kept, lost, make_trial({"x": 1}, lost_spans=1))]
    assert [str(card.handoffs["coo->ceo"]) for card in cards] == [PASS, FAIL, UNKNOWN]
    assert {str(card.verdict) for card in cards} == {PASS}
    assert assess(case, kept, seat=SINGLE, handoffs=owed).handoffs == {}


def test_an_adjustment_is_applied_once() -> None:
    check = {"adjustment": "uplift", "applied": "once"}
    once = Tape().add("adjustment", "uplift", "cmo", factor="1.2")
    assert verdict_of(check, make_trial({}, once.spans), seat=TEAM) == PASS
    grade = grade_of(check, make_trial({}, once.add("adjustment", "uplift", "ceo").spans), seat=TEAM)
    assert (str(grade.verdict), grade.kind, grade.card) == (FAIL, "double_adjustment", "coordination")
    assert "cmo (span 1) and ceo (span 2)" in grade.why
    assert verdict_of(check, make_trial({}, []), seat=TEAM) == FAIL
    assert assess(make_case(must=[check]), make_trial({})).not_applicable == 1


def conflict(*events: dict[str, Any]) -> list[Any]:
    tape = Tape()
    for event in events:
        tape.add("conflict", "size", event.pop("role", None), **event)
    return tape.spans


RAISED: dict[str, Any] = {"event": "raised", "positions": {"cmo": 80, "cfo": 30}}


def test_an_open_conflict_fails_and_a_settled_or_escalated_one_does_not() -> None:
    check = {"conflict": "size", "ends": ["resolved", "escalated"]}
    grade = grade_of(check, make_trial({}, conflict({**RAISED})), seat=TEAM)
    assert (str(grade.verdict), grade.kind, grade.evidence and grade.evidence.seen) == (FAIL, "open_conflict", RAISED["positions"])
    for end in ({"event": "settled", "value": 30}, {"event": "escalated"}):
        assert verdict_of(check, make_trial({}, conflict({**RAISED}, {**end})), seat=TEAM) == PASS
    assert verdict_of({"conflict": "size", "ends": ["resolved"]}, make_trial({}, conflict({**RAISED}, {"event": "escalated"}))) == FAIL
    assert assess(make_case(must=[check]), make_trial({}), seat=TEAM).not_applicable == 1


def test_a_conflict_is_settled_by_the_right_role_on_the_right_facts() -> None:
    check = {"conflict": "size", "settled_by": "lead", "cites": ["cash"]}
    good = {"event": "settled", "role": "ceo", "value": 30, "cites": ["cash", "x"]}
    assert verdict_of(check, make_trial({}, conflict({**RAISED}, {**good})), seat=TEAM) == PASS
    assert verdict_of(check, make_trial({}, conflict({**RAISED}, {**good, "role": "cfo"})), seat=TEAM) == FAIL
    assert verdict_of(check, make_trial({}, conflict({**RAISED}, {**good, "cites": []})), seat=TEAM) == FAIL


def test_a_role_is_judged_by_what_it_decided() -> None:
    seat = Seat(setup="team", roles=(RoleSeat(name="router"), RoleSeat(name="planner")), lead="planner")
    tape = Tape().add("decision", "refund", "router", of="intent").add("decision", "plan", "planner", of="plan", steps=["look", "pay"])
    trial = make_trial({}, tape.spans)
    assert verdict_of({"role": "router", "intent": "refund"}, trial, seat=seat) == PASS
    assert verdict_of({"role": "router", "intent": {"in": ["order"]}}, trial, seat=seat) == FAIL
    assert verdict_of({"role": "planner", "steps": {"include": ["look"], "only": ["look", "pay"]}}, trial, seat=seat) == PASS
    assert verdict_of({"role": "planner", "steps": {"include": ["check"]}}, trial, seat=seat) == FAIL
    assert verdict_of({"role": "planner", "steps": {"only": ["look"]}}, trial, seat=seat) == FAIL
    assert verdict_of({"role": "planner", "slots": {"sku": "a"}}, trial, seat=seat) == FAIL
    assert assess(make_case(must=[{"role": "guard", "decision": "allow"}]), trial, seat=seat).not_applicable == 1


def test_a_role_tried_alone_is_judged_by_its_answer() -> None:
    trial = make_trial({"slots": {"order_item": "blue fan", "qty": 2}, "retrieved": [{"id": "doc-1"}]})
    assert verdict_of({"role": "exec", "slots": {"qty": 2}, "slots_present": ["order_item"]}, trial, role="exec") == PASS
    assert verdict_of({"role": "exec", "slots_present": ["colour"]}, trial, role="exec") == FAIL
    assert verdict_of({"role": "exec", "retrieved": "doc-1"}, trial, role="exec") == PASS
    assert verdict_of({"role": "exec", "retrieved": ["doc-2"]}, trial, role="exec") == FAIL


def test_a_role_that_said_nothing_of_it_fails_both_ways() -> None:
    seat = Seat(setup="team", roles=(RoleSeat(name="router"),), lead="router")
    for under in ("must", "must_not"):
        assert verdict_of({"role": "router", "intent": "refund"}, make_trial({}), under=under, seat=seat) == FAIL


def test_a_fact_passed_to_a_tool_by_the_one_who_decides_was_used() -> None:
    tape = found_by_coo().hand("coo", "ceo", {"stockout_days": 4}).call("judge_demand", {"stockout_days": 4}, role="ceo")
    grade = team(USED, make_trial({"demand": 40}, tape.spans))
    assert (str(grade.verdict), grade.proof) == (PASS, "found")


def test_a_fact_passed_to_a_tool_by_somebody_else_was_not_used_by_the_one_who_decides() -> None:
    tape = found_by_coo().hand("coo", "ceo", {"stockout_days": 4}).call("judge_demand", {"stockout_days": 4}, role="coo")
    assert str(team(USED, make_trial({"demand": 40}, tape.spans)).verdict) == FAIL
