"""Failures put together: kinds by weight, places, what cannot be told, and counts that add up."""

from decimal import Decimal

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.diagnosis import SHOWS, WRONG, Diagnosis, Signal
from fairtrial.records.failure import FIX_BY_KIND, FailureKind
from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import TrialHead, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.study.diagnosis import read_diagnosis
from fairtrial.study.failed import LOOKED, Failed
from tests.study.tables import Change, Setups, results, spent
from tests.study.tables import table as laid

LOST = Signal(kind="handoff_loss", what="left out", step=2, span="2", role="coo", name="handoff coo->ceo", strength=WRONG)
WORDS = Signal(kind="goal_drift", what="output: wrong", step=4, role="ceo", name="answer", strength=SHOWS)


def diagnosed(setups: Setups, signs: dict[str, list[Signal]], change: Change | None = None, setup: str | None = None) -> Diagnosis:
    """`signs` by case; every walked trial has three spans."""
    failed = Failed(setup)
    for head, card in results(setups, change).values():
        failed.add(head, card)
    return read_diagnosis(laid(setups, change), failed, lambda key: (signs.get(key.case, []), 3))


def priced(head: TrialHead, card: Scorecard) -> None:
    head.spend = spent("0.10" if head.key.case == "a" else "0.30")


def test_a_kind_is_counted_under_what_came_first_and_the_rest_stands_beside() -> None:
    found = diagnosed({"team": {"a": "FFP", "b": "FPP"}}, {"a": [LOST, WORDS], "b": [WORDS]})
    assert [(line.kind, line.trials, line.also, line.cases) for line in found.kinds] == [("handoff_loss", 2, 0, 1), ("goal_drift", 1, 2, 1)]
    assert (found.planned, found.passed, found.failed, found.unknown, found.not_run) == (6, 3, 3, 0, 0)


def test_frequency_cost_and_severity_make_the_order() -> None:
    found = diagnosed({"team": {"a": "FF", "b": "F"}}, {"a": [LOST], "b": [WORDS]}, priced)
    assert [line.kind for line in found.kinds] == ["goal_drift", "handoff_loss"]
    assert [line.cost_usd for line in found.kinds] == [Decimal("0.30"), Decimal("0.20")]
    plain = diagnosed({"team": {"a": "FF", "b": "F"}}, {"a": [LOST], "b": [WORDS]})
    assert [line.kind for line in plain.kinds] == ["handoff_loss", "goal_drift"]
    assert "weight" in plain.reasons and "weight" not in found.reasons


def test_a_severe_failure_outweighs_three_others() -> None:
    def severe(head: TrialHead, card: Scorecard) -> None:
        if head.key.case == "b" and card.verdict is Verdict.FAIL:
            card.severe = 1
            card.grades[0].severity = "critical"

    found = diagnosed({"team": {"a": "FFF", "b": "F"}}, {"a": [LOST], "b": [WORDS]}, severe)
    assert [(line.kind, line.severe) for line in found.kinds] == [("goal_drift", 1), ("handoff_loss", 0)]


def test_what_only_shows_at_the_end_is_not_called_the_first_wrong_act() -> None:
    found = diagnosed({"team": {"a": "F", "b": "F"}}, {"a": [LOST], "b": [WORDS]})
    places = {group.case: group.place for group in found.groups}
    assert places["a"].decidable and (places["a"].agent, places["a"].span) == ("coo", "2")
    assert not places["b"].decidable and places["b"].why
    assert found.undecidable == 1
    assert "in 1 the first wrong step cannot be told" in found.says


def test_without_a_trace_nothing_is_decidable() -> None:
    setups = {"team": {"a": "F"}}
    failed = Failed()
    for head, card in results(setups).values():
        failed.add(head, card)
    found = read_diagnosis(laid(setups), failed, lambda key: ([WORDS], 0))
    assert [(group.place.decidable, group.place.why) for group in found.groups] == [(False, "the trial has no trace")]


def test_trials_that_failed_alike_and_went_wrong_apart_are_told_so() -> None:
    setups = {"team": {"a": "FFF"}}
    failed = Failed()
    for head, card in results(setups).values():
        failed.add(head, card)
    found = read_diagnosis(laid(setups), failed, lambda key: ([LOST] if key.attempt == 2 else [WORDS], 3))
    assert [(group.kind, group.alike, group.looked) for group in found.groups] == [("goal_drift", 2, 3)]
    assert "different acts" in found.notes[0]


def test_unknown_and_unrun_trials_are_counted_and_in_no_line() -> None:
    found = diagnosed({"team": {"a": "FUE-"}}, {"a": [LOST]})
    assert (found.failed, found.unknown, found.not_run) == (1, 2, 1)
    assert sum(line.trials for line in found.kinds) == 1
    assert "UNKNOWN trials are in no line here: 2" in found.notes


def test_a_kind_that_nothing_speaks_for_is_said_to_be_none() -> None:
    def bare(_: TrialHead, card: Scorecard) -> None:
        card.grades = [msgspec.structs.replace(grade, check="imported verdict") for grade in card.grades]

    verdict = Signal(kind=None, what="imported verdict: line 2 says so")
    found = diagnosed({"team": {"a": "FFP", "b": "F"}}, {"a": [verdict], "b": [LOST]}, bare)
    assert [(line.kind, line.mend == "") for line in found.kinds] == [("handoff_loss", False), (None, True)]
    assert "kind not known: nothing is kept that says why: 2 failed trials" in found.notes
    alone = diagnosed({"team": {"a": "FFP"}}, {"a": [verdict]}, bare)
    assert alone.says == "2 of 3 trials failed; kind not known: nothing is kept that says why."


def test_what_a_case_says_itself_to_mend_goes_before_our_direction() -> None:
    def fixed(head: TrialHead, card: Scorecard) -> None:
        fix = "read the notice board before it books" if head.key.case == "a" else FIX_BY_KIND[FailureKind.UNSAFE_ACT]
        card.grades = [msgspec.structs.replace(grade, fix=fix) for grade in card.grades]

    unsafe = msgspec.structs.replace(LOST, kind="unsafe_act")
    (line,) = diagnosed({"team": {"a": "F", "b": "F"}}, {"a": [unsafe], "b": [unsafe]}, fixed).kinds
    assert line.mend == "read the notice board before it books"
    (line,) = diagnosed({"team": {"b": "F"}}, {"b": [unsafe]}, fixed).kinds
    assert line.mend == FIX_BY_KIND[FailureKind.UNSAFE_ACT]


def test_a_run_without_failures_says_so() -> None:
    assert diagnosed({"team": {"a": "PP"}}, {}).says == "None of 2 trials failed."
    assert diagnosed({"team": {"a": "-"}}, {}).says.startswith("No trial has been run")


def test_one_setup_can_be_looked_at_alone() -> None:
    found = diagnosed({"solo": {"a": "FF"}, "team": {"a": "F"}}, {"a": [LOST]}, setup="team")
    assert (found.setups, found.planned, found.failed) == (["team"], 1, 1)


def test_only_a_few_of_many_alike_are_walked() -> None:
    setups = {"team": {"a": "F" * 100}}
    failed, walked = Failed(), list[TrialKey]()
    for head, card in results(setups).values():
        failed.add(head, card)

    def walk(key: TrialKey) -> tuple[list[Signal], int]:
        walked.append(key)
        return [LOST], 3

    found = read_diagnosis(laid(setups), failed, walk)
    assert len(walked) == LOOKED and found.kinds[0].trials == 100


@given(st.dictionaries(st.sampled_from("abcd"), st.text("PFUE-", min_size=1, max_size=5), min_size=1))
def test_every_failed_trial_is_in_one_kind_and_one_group(cases: dict[str, str]) -> None:
    found = diagnosed({"team": cases}, {"a": [LOST, WORDS], "b": [WORDS]})
    total = sum(letters.count("F") for letters in cases.values())
    assert sum(line.trials for line in found.kinds) == sum(len(group.attempts) for group in found.groups) == found.failed == total
    assert sum(entry["trials"] for entry in found.rerun) == total
    assert found.planned == found.passed + found.failed + found.unknown + found.not_run
