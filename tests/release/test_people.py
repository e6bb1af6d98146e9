"""The gate on people's score: it holds, fails or is open by its bounds, and never rests on trials that were chosen for a reason."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from fairtrial.records.decision import GateResult
from fairtrial.records.review import SETTLED
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.release.decide import decide
from fairtrial.release.ground import Side
from fairtrial.study.humanscore import people_of
from fairtrial.study.settled import Settled
from tests.release.making import many, policy, side

CASES = many("P", 30)
Scores = Mapping[str, float]


def heard(found: Side, scores: Scores, *, drawn: bool = True) -> Side:
    """With these scores by case, of trials that were drawn, or chosen."""
    keys = {case: TrialKey(case, found.setup, 1) for case in found.lane.rows}
    settled = {keys[case]: Settled(state=SETTLED, people=2, score=score, label=Verdict.PASS) for case, score in scores.items()}
    sampled = list(keys.values()) if drawn else []
    people = people_of(found.lane, settled, sampled, list(keys.values()))
    return msgspec.structs.replace(found, people={found.setup: people})


def gate(rule: dict[str, Any], scores: Scores | None, base: Scores | None = None, *, drawn: bool = True) -> GateResult:
    new = side("new", {"base": CASES, "new": CASES})
    old = Side(table=new.table, setup="base")
    new = new if scores is None else heard(new, scores, drawn=drawn)
    old = old if base is None else heard(old, base, drawn=drawn)
    (found, *_) = decide(policy(rule), new, old).gates
    return found


def all_at(score: float, number: int = 30) -> dict[str, float]:
    return {case: score for case, _ in zip(CASES, range(number), strict=False)}


LEAST = {"human_score": "overall", "min": "4.0"}


@pytest.mark.parametrize(("scores", "state"), [(all_at(5.0), "holds"), (all_at(1.0), "fails"), (all_at(4.2), "open"), (None, "open")])
def test_a_bar_is_met_missed_or_open(scores: Scores | None, state: str) -> None:
    assert gate(LEAST, scores).state == state


def test_nobody_and_no_draw_are_open_with_what_to_type() -> None:
    nobody, chosen = gate(LEAST, None), gate(LEAST, all_at(5.0, 12), drawn=False)
    assert nobody.why == "no person has scored a trial of r1:new; type: fairtrial review r1:new"
    assert (chosen.state, chosen.value, chosen.low) == ("open", 5.0, None)
    assert "chosen for a reason" in chosen.why


def test_an_open_gate_on_people_ends_with_the_review_that_would_close_it() -> None:
    new = side("new", {"base": CASES, "new": CASES})
    for found in (new, heard(new, all_at(5.0, 12), drawn=False), heard(new, all_at(5.0, 12))):
        decision = decide(policy(LEAST), found)
        assert (decision.next_why, decision.next) == ("review", "fairtrial review r1:new")


def test_every_trial_settled_needs_no_draw() -> None:
    assert gate(LEAST, all_at(5.0), drawn=False).state == "holds"


def test_trials_of_the_draw_that_nobody_settled_count_both_ways() -> None:
    found = gate(LEAST, all_at(5.0, 15))
    assert found.state == "open" and "label the 15 trials" in found.why
    assert "15 undecided counted both ways" in found.seen


def test_a_slice_looks_at_its_cases_alone() -> None:
    found = gate({"human_score": {"tier": "unit"}, "min": "4.0"}, all_at(5.0))
    assert (found.state, found.seen) == ("open", "no case")


VERSUS = {"human_score": "overall", "not_below": "baseline", "margin": "0.5"}


@pytest.mark.parametrize(
    ("new", "base", "state"),
    [
        (all_at(4.0), all_at(4.0), "holds"),
        (all_at(2.0), all_at(5.0), "fails"),
        (all_at(4.0, 3), all_at(4.0, 3), "open"),
        (all_at(4.0), None, "open"),
        (None, all_at(4.0), "open"),
    ],
)
def test_a_candidate_is_paired_with_its_baseline(new: Scores | None, base: Scores | None, state: str) -> None:
    assert gate(VERSUS, new, base).state == state


def test_better_than_the_baseline_takes_a_lower_bound_above_it() -> None:
    better = {"human_score": "overall", "better_than": "baseline"}
    assert gate(better, all_at(5.0), all_at(3.0)).state == "holds"
    assert gate(better, all_at(4.0), all_at(4.0)).state != "holds"


def test_a_comparison_over_chosen_trials_is_open() -> None:
    found = gate(VERSUS, all_at(5.0, 12), all_at(1.0, 12), drawn=False)
    assert (found.state, found.seen) == ("open", "no random draw")
