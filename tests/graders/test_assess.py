"""From grades to a verdict: endings, declining, questions, excuses, cards, groups, and the known ways to be fooled."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.assess import Assessor
from fairtrial.graders.contract import Contract
from fairtrial.graders.fold import fold
from fairtrial.records.errors import InputErrors
from fairtrial.records.grade import CARDS, Grade
from fairtrial.records.trial import FATES, Change, Ending
from fairtrial.records.verdict import Verdict
from tests.graders.making import FAIL, PASS, TEAM, UNKNOWN, Tape, assess, grade_of, make_case, make_trial, verdict_of

ONE: dict[str, Any] = {"output": "x", "equals": 1}


@pytest.mark.parametrize("ending", list(Ending))
def test_every_ending_has_the_verdict_of_the_table(ending: Ending) -> None:
    fate = FATES[ending].verdict
    card = assess(make_case(must=[ONE]), make_trial({"x": 1}, ending=ending, note="why it ended"))
    if fate is None:
        assert str(card.verdict) == (PASS if ending is Ending.FINISHED else FAIL)
    else:
        assert card.verdict is fate and card.grades[0].check == f"ending: {ending}" and card.grades[0].why == "why it ended"
    if fate is Verdict.FAIL:
        assert card.grades[0].kind and card.grades[0].fix and card.grades[0].evidence


def test_a_fault_of_the_harness_asks_no_check() -> None:
    card = assess(make_case(must_not=[ONE]), make_trial({"x": 1}, ending=Ending.PROVIDER_OUTAGE))
    assert (card.verdict, len(card.grades), card.severe) == (Verdict.UNKNOWN, 1, 0)


def test_a_failed_ending_still_shows_what_was_done_wrong() -> None:
    case = make_case(must=[ONE], must_not=[{"tool": "pay", "called": True}])
    card = assess(case, make_trial(spans=Tape().call("pay").spans, ending=Ending.TIMEOUT))
    assert [str(grade.verdict) for grade in card.grades] == [FAIL, UNKNOWN, FAIL]
    assert card.severe == 1 and not card.grades[1].excused


def test_declining_rightly_passes_with_the_question_left_unknown() -> None:
    case = make_case(
        must=[{"question": "demand"}, {"output": "demand", "max": 5}], must_not=[{"output": "demand", "equals": 20}], unknown_ok=True
    )
    for output in (msgspec.UNSET, None, {}, {"demand": "unknown"}):
        card = assess(case, make_trial(output, decline="not enough evidence"))
        assert str(card.verdict) == PASS
        assert any(grade.check == "declined where that is right" for grade in card.grades)
        assert any(str(grade.verdict) == UNKNOWN and grade.excused for grade in card.grades)


def test_declining_where_the_answer_can_be_had_fails() -> None:
    card = assess(make_case(must=[ONE]), make_trial(decline="too hard"))
    grade = next(grade for grade in card.grades if grade.check == "declined")
    assert (str(card.verdict), grade.kind) == (FAIL, "premature_stop")


def test_leaving_a_question_open_without_declining_is_judged_the_same() -> None:
    check = {"question": "demand"}
    answered = assess(make_case(must=[check, ONE]), make_trial({"demand": 5, "x": 1}))
    assert [grade.check for grade in answered.grades] == ["output x == 1"]
    assert verdict_of(check, make_trial({"demand": "unknown"})) == FAIL
    grade = grade_of(check, make_trial({"demand": None}), unknown_ok=True)
    assert (str(grade.verdict), grade.excused) == (UNKNOWN, True)
    assert verdict_of(check, make_trial({"deman": 3}), unknown_ok=True) == FAIL
    assert verdict_of({**check, "unknown_values": ["?"]}, make_trial({"demand": "?"})) == FAIL


def test_a_demand_on_an_open_answer_is_excused_only_where_a_question_asks_it() -> None:
    check = {"output": "demand", "min": 1}
    open_one = make_trial({"demand": "unknown"})
    assert verdict_of(check, open_one, unknown_ok=True) == FAIL
    card = assess(make_case(must=[check, {"question": "demand"}], unknown_ok=True), open_one)
    assert [(str(grade.verdict), grade.excused) for grade in card.grades] == [(UNKNOWN, True), (UNKNOWN, True)]
    assert str(card.verdict) == UNKNOWN


def test_words_and_state_are_judged_apart(shared: Path) -> None:
    """Five runs with fitting words: only the one whose state is right too passes, and each other names what is wrong."""
    known = json.loads((shared / "known-faults/inputs/G25_state_vs_words.json").read_text(encoding="utf-8"))
    must = [{"output": "$", "as": "number", "equals": int(word)} for word in known["case"]["expect_say"]]
    case = make_case(must=must, expect_state=known["case"]["expect_state"])
    says = {
        "said-not-done": "said done, not done",
        "wrong-user": "bills[0].user",
        "twice": "the same again",
        "done-not-said": "done, not said",
    }
    start: dict[str, Any] = {"bills": []}
    for run in known["runs"]:
        changed = run["state"] != start
        changes = [Change("bills[0]", "added", None, run["state"]["bills"][0])] if changed else []
        card = assess(case, make_trial(run["say"], before=start, after=run["state"] if changed else None, changes=changes))
        failed = [grade for grade in card.grades if str(grade.verdict) == FAIL]
        assert str(card.verdict) == (PASS if run["want"] == "pass" else FAIL), run["name"]
        if failed:
            assert [says[run["name"]] in grade.why for grade in failed] == [True]
    assert {"said-not-done", "wrong-user", "twice", "done-not-said"} < {run["name"] for run in known["runs"]}


def test_imported_verdicts_stand_as_they_came() -> None:
    for verdict in Verdict:
        card = assess(make_case(), make_trial({"x": 2}, imported=verdict), origin="import")
        assert card.verdict is verdict and [grade.source for grade in card.grades] == ["import"]
    assert assess(make_case(), make_trial({"x": 2}), origin="import").verdict is Verdict.UNKNOWN


def test_a_case_without_checks_never_passes() -> None:
    card = assess(make_case(), make_trial({"x": 1}))
    assert card.verdict is Verdict.UNKNOWN and card.grades[0].why == "the case has no check"


def test_suite_checks_are_asked_of_every_case() -> None:
    suite = make_case(must=[{"output": "y", "equals": 2}]).key.must
    assert str(assess(make_case(must=[ONE]), make_trial({"x": 1, "y": 3}), checks=suite).verdict) == FAIL


def test_cards_are_kept_apart() -> None:
    case = make_case(must=[ONE, {"tool": "look", "called": True}], limits=[{"rule": "output.x < 1"}])
    card = assess(case, make_trial({"x": 1}, Tape().call("look").spans))
    assert {name: str(verdict) for name, verdict in card.cards.items()} == {"outcome": PASS, "process": PASS, "decision": FAIL}


def test_subtasks_have_verdicts_of_their_own_and_decide_nothing() -> None:
    case = make_case(
        must=[ONE],
        subtasks=[
            {"id": "a", "checks": [ONE]},
            {"id": "b", "checks": [{"output": "x", "equals": 2}]},
            {"id": "c", "checks": [{"fact": "f", "received_by": "lead"}]},
        ],
    )
    card = assess(case, make_trial({"x": 1}))
    assert ({name: str(verdict) for name, verdict in card.subtasks.items()}, str(card.verdict)) == ({"a": PASS, "b": FAIL}, PASS)


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        ({"all_of": [ONE, {"output": "y", "equals": 2}]}, PASS),
        ({"all_of": [ONE, {"output": "y", "equals": 3}]}, FAIL),
        ({"any_of": [{"output": "x", "equals": 9}, {"output": "y", "equals": 2}]}, PASS),
        ({"any_of": [{"output": "x", "equals": 9}, {"output": "y", "equals": 3}]}, FAIL),
        ({"not": {"output": "x", "equals": 9}}, PASS),
        ({"not": ONE}, FAIL),
        ({"not": {"output": "z", "equals": 9}}, FAIL),
        ({"not": {"not": ONE}}, PASS),
        ({"not": {"all_of": [ONE, {"output": "z", "equals": 1}]}}, FAIL),
        ({"any_of": [{"rule": "spend.usd < 1"}, ONE]}, PASS),
        ({"all_of": [{"rule": "spend.usd < 1"}, ONE]}, UNKNOWN),
        ({"all_of": [{"rule": "spend.usd < 1"}, {"output": "x", "equals": 9}]}, FAIL),
        ({"not": {"rule": "spend.usd < 1"}}, UNKNOWN),
        ({"any_of": [{"fact": "f", "used_by": "cmo"}, ONE]}, PASS),
    ],
)
def test_joined_checks_follow_three_valued_logic(check: dict[str, Any], verdict: str) -> None:
    assert verdict_of(check, make_trial({"x": 1, "y": 2}), seat=TEAM) == verdict


def test_each_failure_keeps_its_own_evidence_over_repeats() -> None:
    assessor = Assessor(make_case(must=[ONE]), Contract())
    cards = [assessor.assess(make_trial({"x": n})) for n in (1, 2, 3)]
    seen = [grade.evidence.seen for card in cards for grade in card.grades if grade.evidence]
    assert seen == [2, 3]
    assert str(assessor.assess(make_trial({"x": 1})).verdict) == PASS


def test_every_failure_has_evidence_and_a_mend() -> None:
    checks: list[dict[str, Any]] = [ONE, {"tool": "t", "called": True}, {"fact": "f", "used": True}, {"fact": "f", "received_by": "lead"}]
    checks += [{"rule": "output.x == 1"}, {"state": "s", "equals": 1}, {"citations": "c", "fetched": True}, {"ui_card": "u", "shown": True}]
    checks += [{"adjustment": "a", "applied": "once"}, {"text": "t", "contains": "x"}, {"question": "q"}, {"role": "ceo", "intent": "x"}]
    card = assess(make_case(must=checks, facts={"f": 1}, expect_state={"s": 1}, required_tools=["r"]), make_trial({"x": 2}), seat=TEAM)
    assert len(card.grades) == len(checks) + 2
    for grade in card.grades:
        assert str(grade.verdict) == FAIL
        assert grade.fix and grade.why and grade.evidence is not None, grade
        assert grade.evidence.span or grade.evidence.path, grade
        assert grade.card in CARDS


def test_the_checks_own_mend_goes_before_ours() -> None:
    grade = grade_of({**ONE, "fix": "ask Ann", "why": "law"}, make_trial({"x": 2}))
    assert grade.fix == "ask Ann" and grade.why.endswith("(law)")


def test_evidence_is_kept_to_a_size_that_can_be_read() -> None:
    grade = grade_of({"output": "$", "equals": "short"}, make_trial({"text": "x" * 100_000, "list": list(range(10_000))}))
    assert len(msgspec.json.encode(grade)) < 10_000


def test_a_scorecard_is_plain_json() -> None:
    card = assess(make_case(must=[ONE], expect_state={"a": 1}), make_trial({"x": {"deep": [1, None]}}, before={"b": 2}))
    assert json.loads(msgspec.json.encode(card))["verdict"] == FAIL


def test_all_faults_of_a_case_are_told_at_once() -> None:
    case = make_case(must=[{"rule": "1 +"}, {"output": "a..b", "equals": 1}], limits=[{"rule": "x"}])
    with pytest.raises(InputErrors) as caught:
        Assessor(case, Contract())
    assert len(caught.value.errors) == 3


grades = st.builds(
    Grade,
    check=st.just("c"),
    card=st.sampled_from(CARDS),
    verdict=st.sampled_from(Verdict),
    severity=st.sampled_from(["minor", "major", "critical"]),
    excused=st.booleans(),
)


@given(st.lists(grades, max_size=6))
def test_the_verdict_follows_the_stated_rule(listed: list[Grade]) -> None:
    verdict, cards, severe = fold(listed)
    verdicts = [grade.verdict for grade in listed]
    unexcused = any(grade.verdict is Verdict.UNKNOWN and not grade.excused for grade in listed)
    passed = Verdict.PASS in verdicts and not unexcused
    assert verdict is (Verdict.FAIL if Verdict.FAIL in verdicts else Verdict.PASS if passed else Verdict.UNKNOWN)
    assert severe == sum(grade.verdict is Verdict.FAIL and grade.severity == "critical" for grade in listed)
    assert cards.keys() == {grade.card for grade in listed}


@given(st.lists(grades, min_size=1, max_size=6), st.data())
def test_losing_a_grade_to_unknown_never_turns_a_trial_green(listed: list[Grade], data: st.DataObject) -> None:
    before, _, _ = fold(listed)
    at = data.draw(st.integers(0, len(listed) - 1))
    changed = [*listed[:at], msgspec.structs.replace(listed[at], verdict=Verdict.UNKNOWN, excused=False), *listed[at + 1 :]]
    after, _, _ = fold(changed)
    assert after is not Verdict.PASS
    assert before is not Verdict.PASS or after is Verdict.UNKNOWN
