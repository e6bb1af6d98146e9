"""Rules as checks: what breaks them, what excuses, what stays unknown."""

from decimal import Decimal
from typing import Any

import pytest

from fairtrial.records.budget import Spend
from fairtrial.records.errors import InputErrors
from tests.graders.making import FAIL, PASS, UNKNOWN, Ending, Tape, assess, both_ways, grade_of, make_case, make_trial, verdict_of

WITHIN = {"rule": "output.spend <= facts.cash"}
FACTS: dict[str, Any] = {"facts": {"cash": 100}}


def test_a_broken_rule_shows_the_values_it_saw() -> None:
    grade = grade_of(WITHIN, make_trial({"spend": 120}), under="limits", **FACTS)
    assert (str(grade.verdict), grade.card, grade.kind, grade.check) == (
        FAIL,
        "decision",
        "over_resource",
        "rule: output.spend <= facts.cash",
    )
    assert grade.why == "the rule does not hold: output.spend = 120, facts.cash = 100"
    assert grade.evidence is not None and grade.evidence.seen == {"output.spend": 120, "facts.cash": 100}


def test_rules_are_exact() -> None:
    assert verdict_of({"rule": "output.a + output.b == 0.3"}, make_trial({"a": 0.1, "b": 0.2})) == PASS
    assert verdict_of({"rule": "output.a == 0.3"}, make_trial({"a": 0.1 + 0.2})) == FAIL


def test_a_missing_value_or_a_wrong_type_breaks_a_rule_both_ways() -> None:
    assert both_ways(WITHIN, make_trial({"spent": 1}), **FACTS) == (FAIL, FAIL)
    assert both_ways(WITHIN, make_trial({"spend": "12"}), **FACTS) == (FAIL, FAIL)
    assert "number(...)" in grade_of(WITHIN, make_trial({"spend": "12"}), **FACTS).why


def test_a_turned_rule_fails_where_it_holds() -> None:
    assert both_ways(WITHIN, make_trial({"spend": 1}), **FACTS) == (PASS, FAIL)
    assert both_ways(WITHIN, make_trial({"spend": 101}), **FACTS) == (FAIL, PASS)


def test_what_the_case_does_not_state_is_unknown_rather_than_the_agents_fault() -> None:
    assert both_ways({"rule": "output.spend <= facts.credit"}, make_trial({"spend": 1}), **FACTS) == (UNKNOWN, UNKNOWN)


def test_an_unknown_cost_is_unknown_and_a_known_one_is_exact() -> None:
    rule = {"rule": "spend.usd <= 0.12"}
    assert verdict_of(rule, make_trial({}, spend=Spend(usd=Decimal("0.05")))) == UNKNOWN
    assert verdict_of(rule, make_trial({}, spend=Spend(usd=Decimal("0.12"), usd_complete=True))) == PASS
    assert grade_of(rule, make_trial({}, spend=Spend(usd=Decimal("0.13"), usd_complete=True))).kind == "over_budget"


def test_tokens_are_the_sum_of_both_kinds_and_unknown_where_some_are() -> None:
    rule = {"rule": "spend.tokens == 12 and spend.steps == 3"}
    known = Spend(input_tokens=10, output_tokens=2, tokens_complete=True, steps=3)
    assert verdict_of(rule, make_trial({}, spend=known)) == PASS
    assert verdict_of(rule, make_trial({}, spend=Spend(input_tokens=10, output_tokens=2, steps=3))) == UNKNOWN


def test_a_trace_that_is_not_whole_is_unknown() -> None:
    rule = {"rule": '"order" not in trace.tools and trace.tool_calls <= 3'}
    assert verdict_of(rule, make_trial({}, Tape().call("look").spans)) == PASS
    assert verdict_of(rule, make_trial({}, Tape().call("look").spans, lost_spans=1)) == UNKNOWN


def test_state_and_before_can_be_compared() -> None:
    trial = make_trial({}, before={"cash": 100}, after={"cash": 60})
    assert verdict_of({"rule": "before.cash - state.cash <= 40"}, trial) == PASS
    assert verdict_of({"rule": "state.cash > 0"}, make_trial({}, before=None, start_state="")) == UNKNOWN


def test_no_answer_is_not_a_broken_rule_and_state_rules_are_still_asked() -> None:
    trial = make_trial(ending=Ending.TIMEOUT, before={"cash": 5})
    card = assess(make_case(limits=[WITHIN, {"rule": "state.cash == 5"}], **FACTS), trial)
    assert [str(grade.verdict) for grade in card.grades] == [FAIL, UNKNOWN, PASS]


def test_a_value_rightly_left_open_does_not_break_a_rule_that_wants_a_number() -> None:
    raw: dict[str, Any] = {"unknown_ok": True, "must": [{"rule": "output.demand <= 80"}, {"question": "demand"}]}
    card = assess(make_case(**raw), make_trial({"demand": "unknown"}))
    assert [(str(grade.verdict), grade.excused) for grade in card.grades] == [(UNKNOWN, True), (UNKNOWN, True)]
    assert verdict_of({"rule": "output.demand <= 80"}, make_trial({"demand": "unknown"})) == FAIL
    assert verdict_of({"rule": "output.demand <= 80"}, make_trial({"demand": "many"}), unknown_ok=True) == FAIL


@pytest.mark.parametrize("rule", ["true", "1 == 1", "all([])", "null == null", "not true", "facts.cash > 0", "before.cash > facts.cash"])
@pytest.mark.parametrize("under", ["limits", "must_not"])
def test_a_rule_that_no_trial_could_break_is_refused(rule: str, under: str) -> None:
    with pytest.raises(InputErrors, match=r"whatever happens|no trial changes"):
        assess(make_case(**{under: [{"rule": rule}]}, facts={"cash": 1}), make_trial({"a": 1}))


def test_a_condition_on_the_facts_may_stand_beside_a_check_of_the_answer() -> None:
    check = {"any_of": [{"rule": "facts.kind != 'refund'"}, {"output": "amount", "min": 1}]}
    assert both_ways(check, make_trial({"amount": 0}), facts={"kind": "order"}) == (PASS, FAIL)
    assert both_ways(check, make_trial({"amount": 0}), facts={"kind": "refund"}) == (FAIL, PASS)


def test_a_turned_rule_says_what_it_found() -> None:
    grade = grade_of({"rule": "output.spend > facts.cash"}, make_trial({"spend": 120}), under="must_not", facts={"cash": 100})
    assert grade.why == "found at output.spend > facts.cash: {'output.spend': 120, 'facts.cash': 100}, which must not be"


def test_a_moment_outside_the_calendar_is_no_date_and_no_fault_of_ours() -> None:
    trial = make_trial({"due": "0001-01-01T00:00:00+14:00"})
    grade = grade_of({"rule": "date(output.due) > date('2026-01-01T00:00:00Z')"}, trial)
    assert (str(grade.verdict), "no such date" in grade.why) == ("FAIL", True)
