"""What in a failed trial points where: the rules, one small trial each."""

from typing import Any

from fairtrial.records.diagnosis import NOTICED, SHOWS, WRONG
from fairtrial.records.grade import Evidence, Grade, Scorecard
from fairtrial.records.remark import Met, Remark
from fairtrial.records.trace import Span
from fairtrial.records.trial import Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.study.factsigns import Wanted
from fairtrial.study.factwalk import trace_facts
from fairtrial.study.signals import first_wrong, signals


def span(number: int, kind: str, name: str = "", role: str | None = None, **attributes: Any) -> Span:
    return Span(str(number), None, kind, name, role, number, number + 1, attributes)


def trial(*spans: Span, ending: Ending = Ending.FINISHED, note: str = "") -> Trial:
    head = TrialHead(key=TrialKey("c", "s", 1), seed=1, ending=ending, note=note)
    return Trial(head=head, body=TrialBody(output={"x": 1}, spans=list(spans)))


def failed(kind: str = "goal_drift", card: str = "outcome", at: str | None = None, **more: Any) -> Scorecard:
    grade = Grade(check="check", card=card, verdict=Verdict.FAIL, kind=kind, why="why", evidence=Evidence(span=at, path="x"))
    return Scorecard(verdict=Verdict.FAIL, grades=[grade], **more)


def test_a_wrong_answer_alone_shows_at_the_answer_and_no_more() -> None:
    first = first_wrong(signals(trial(span(1, "model", "m")), failed()))
    assert first is not None
    assert (first.kind, first.step, first.name, first.strength) == ("goal_drift", 2, "answer", SHOWS)


def test_a_fact_left_out_of_a_hand_off_comes_before_the_answer_that_lacks_it() -> None:
    told = trial(
        span(1, "tool", "read", "coo", args={}, result={"days": 4}, outcome="ok"),
        span(2, "handoff", "coo->ceo", "coo", **{"event": "sent", "from": "coo", "to": "ceo", "facts": {"sales": 20}, "parcel": 1}),
        span(3, "decision", "final", "ceo"),
    )
    walks = trace_facts(told, [Wanted(name="days")])
    first = first_wrong(signals(told, failed(), walks, "ceo"))
    assert first is not None
    assert (first.kind, first.role, first.step, first.strength) == ("handoff_loss", "coo", 2, WRONG)


def test_a_failure_that_was_gone_on_from_comes_before_what_it_led_to() -> None:
    told = trial(span(1, "tool", "read", args={}, result=None, outcome="ok"), span(2, "tool", "write", args={}, outcome="ok"))
    card = failed("wrong_state", at="2", met=[Met(fault="stale", tool="read", span="1", how="went_on")])
    first = first_wrong(signals(told, card))
    assert first is not None
    assert (first.kind, first.step) == ("no_recovery", 1)


def test_a_failure_that_was_handled_points_nowhere() -> None:
    told = trial(span(1, "tool", "read", args={}, outcome="failed"), span(2, "tool", "read", args={}, outcome="ok"))
    found = signals(told, failed(met=[Met(fault="timeout", tool="read", span="1", how="retried")]))
    assert [sign.kind for sign in found] == ["goal_drift"]


def test_a_wrong_state_is_traced_to_the_only_act_that_changed_the_world() -> None:
    told = trial(span(1, "tool", "look", wrote=False, outcome="ok"), span(2, "tool", "put", "clerk", wrote=True, outcome="ok"))
    first = first_wrong(signals(told, failed("wrong_state")))
    assert first is not None
    assert (first.step, first.role, first.strength) == (2, "clerk", WRONG)
    twice = trial(*told.body.spans, span(3, "tool", "put", "clerk", wrote=True, outcome="ok"))
    again = first_wrong(signals(twice, failed("wrong_state")))
    assert again is not None and again.step is None


def test_of_two_signs_at_one_act_the_one_that_says_more_goes_first() -> None:
    told = trial(span(1, "tool", "order", "ceo", wrote=True, outcome="ok"))
    card = failed("wrong_state")
    card.grades.append(Grade(check="no orders", card="decision", verdict=Verdict.FAIL, kind="unsafe_act", evidence=Evidence(span="1")))
    found = signals(told, card)
    assert [sign.kind for sign in found] == ["unsafe_act", "wrong_state"]


def test_a_required_tool_that_was_called_and_failed_is_no_wrong_choice_of_tool() -> None:
    told = trial(span(1, "tool", "register", args={}, outcome="failed"))
    assert [sign.kind for sign in signals(told, failed("tool_selection", "process", "1"))] == ["no_recovery"]


def test_a_planned_fault_is_told_at_the_call_it_came_to() -> None:
    fault = Span("2", "1", "fault", "read", None, 2, 3, {"fault": "stale", "call": 1, "fired": True})
    found = signals(trial(span(1, "tool", "read", outcome="ok"), fault), failed("false_success", "recovery", "2"))
    assert [(sign.step, sign.name) for sign in found] == [(1, "tool read")]


def test_a_crash_is_at_the_act_that_was_never_over() -> None:
    opened = Span("1", None, "tool", "slow", "cfo", 1, None, {"args": {}})
    late = span(2, "message", "note")
    found = signals(trial(opened, late, ending=Ending.TIMEOUT, note="60 s passed"), None)
    assert [(sign.kind, sign.step, sign.role, sign.what) for sign in found] == [("timeout", 1, "cfo", "60 s passed")]


def test_repeats_matter_only_where_the_trial_ran_out() -> None:
    remark = Remark(name="useless_repeat", spans=["1"], why="again")
    told = [span(1, "tool", "read", outcome="ok")]
    assert [sign.kind for sign in signals(trial(*told), failed(remarks=[remark]))] == ["goal_drift"]
    spent = signals(trial(*told, ending=Ending.OVER_BUDGET), failed(remarks=[remark]))
    assert "over_execution" in [sign.kind for sign in spent]
    assert {sign.strength for sign in spent if sign.kind == "over_execution"} == {NOTICED}


def test_arguments_that_never_came_to_fit_are_a_wrong_parameter() -> None:
    wrong = Span("1", None, "tool", "book", None, 1, 2, {"outcome": "refused"}, {"kind": "arguments", "message": "day: missing"})
    assert [sign.kind for sign in signals(trial(wrong), None)] == ["tool_parameter"]
    assert signals(trial(wrong, span(2, "tool", "book", outcome="ok")), None) == []


def test_a_trial_without_a_trace_has_signs_but_no_place() -> None:
    found = signals(trial(), failed())
    assert [(sign.kind, sign.step) for sign in found] == [("goal_drift", None)]


def test_declining_is_not_an_unused_fact() -> None:
    told = trial(span(1, "decision", "decline"), ending=Ending.DECLINED)
    walks = trace_facts(told, [Wanted(name="cash", value="plenty of it")])
    assert [sign.kind for sign in signals(told, failed("premature_stop"), walks)] == ["premature_stop"]
