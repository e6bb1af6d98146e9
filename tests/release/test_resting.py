"""Gates on success that rests on model judges."""

from typing import Any

import pytest

from fairtrial.records.decision import Decision
from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import TrialHead
from fairtrial.records.verdict import Verdict
from fairtrial.release.decide import decide
from fairtrial.release.ground import Side
from fairtrial.study.calibration import Calibration, Errors
from tests.release.making import policy, side
from tests.study.judged import by_judge, errors, label

MIN = {"success_rate": "overall", "min": "0.8"}
VERSUS = {"success_rate": "overall", "not_below": "baseline", "margin": "0.05"}
GOOD = {f"c{n:03}": "P" for n in range(100)}
FAIR = {f"c{n:03}": "P" if n % 10 else "F" for n in range(100)}


def decided(
    gate: dict[str, Any], cases: dict[str, str], exam: Errors | None = None, labels: dict[str, str] | None = None, base: Any = None
) -> Decision:
    setups = {"new": cases} if base is None else {"base": base, "new": cases}
    new = side("new", setups, by_judge)
    for lane in new.table.lanes.values():
        if labels is None:
            lane.calibration = Calibration(errors=exam, why="" if exam else "quality was never examined")
        else:
            label(lane, labels if lane.setup == "new" else cases if base is None else base, exam)
    return decide(policy(gate), new, None if base is None else Side(table=new.table, setup="base"))


def test_verdicts_of_a_judge_that_was_never_examined_count_and_the_gate_says_so() -> None:
    found = decided(MIN, GOOD).gates[0]
    assert found.state == "holds"
    assert found.seen.endswith("; trials that rest on a judge (quality): 100 of 100; quality was never examined")
    assert found.corrected is not None and not found.corrected.known


def test_a_gate_that_only_the_verdicts_meet_does_not_hold() -> None:
    """A lenient judge passes 88 of 100 where 80 are right."""
    cases = {name: "P" if n < 88 else "F" for n, name in enumerate(GOOD)}
    assert decided(MIN, cases).gates[0].state == "holds"
    found = decided(MIN, cases, errors(0.99, 0.55, 60)).gates[0]
    assert found.state == "open"
    assert "corrected by the exam of 2026-11-30: " in found.seen
    assert found.low is not None and float(found.low) < 0.8


def test_it_holds_where_both_bounds_meet_the_bar() -> None:
    found = decided(MIN, GOOD, errors(0.99, 0.97, 400)).gates[0]
    assert found.state == "holds"
    labelled = decided(MIN, GOOD, labels=GOOD).gates[0]
    assert labelled.state == "holds"
    assert "corrected by 100 labels of people: 100 %" in labelled.seen


def test_a_calibration_lets_nothing_through_that_the_verdicts_do_not() -> None:
    """A strict judge: its verdicts miss the bar though people's labels meet it. Open, and no failure of the agent."""
    found = decided(MIN, FAIR | {f"c{n:03}": "F" for n in range(25)}, labels=GOOD).gates[0]
    assert found.value is not None and float(found.value) < 0.8
    assert found.state == "open"


def test_it_fails_where_the_corrected_bound_misses() -> None:
    found = decided(MIN, GOOD, labels={name: "F" if n % 2 else "P" for n, name in enumerate(GOOD)}).gates[0]
    assert found.state == "fails"
    assert float(str(found.high)) < 0.8


@pytest.mark.parametrize("cases", [GOOD, FAIR, {name: "F" for name in GOOD}])
def test_a_useless_judge_leaves_the_gate_open(cases: dict[str, str]) -> None:
    found = decided(MIN, cases, errors(0.5, 0.5)).gates[0]
    assert found.state == "open"
    assert "its verdicts tell nothing" in found.why


def test_a_comparison_with_the_baseline_is_corrected_as_well() -> None:
    plain = decided(VERSUS, GOOD, base=FAIR).gates[0]
    assert plain.state == "open"
    assert "trials that rest on a judge (quality): 100 of 100 of base, 100 of 100 of new" in plain.seen
    assert plain.why.endswith(
        "have people label trials of both sides that were drawn at random (fairtrial review), of 40 cases each or more"
    )
    false = {name: "F" if n % 5 == 0 else "P" for n, name in enumerate(GOOD)}
    found = decided(VERSUS, GOOD, labels=false, base=FAIR).gates[0]
    assert found.state != "holds"
    assert "corrected by 200 labels of people: " in found.seen


def test_a_run_that_code_decides_is_read_as_before() -> None:
    new = side("new", {"new": GOOD})
    found = decide(policy(MIN), new).gates[0]
    assert found.corrected is None
    assert "judge" not in found.seen


@pytest.mark.parametrize("exam", [None, errors(0.99, 0.97, 4000)])
def test_without_labels_a_gate_on_the_baseline_holds_only_where_code_shows_a_gain(exam: Errors | None) -> None:
    half = {name: "F" if n % 2 else "P" for n, name in enumerate(GOOD)}
    assert decided(VERSUS, GOOD, exam, base=half).gates[0].state == "open"
    assert decided(VERSUS, half, exam, base=GOOD).gates[0].state == "fails"

    def change(head: TrialHead, card: Scorecard) -> None:
        if head.key.setup == "new" or card.verdict is Verdict.PASS:
            by_judge(head, card)

    new = side("new", {"base": half, "new": GOOD}, change)
    for lane in new.table.lanes.values():
        lane.calibration = Calibration(errors=exam)
    found = decide(policy(VERSUS), new, Side(table=new.table, setup="base")).gates[0]
    assert found.state == "holds"
    assert found.corrected is not None and found.corrected.ways["code"].value == pytest.approx(0.5)
