"""Which trials people are to look at: every rule that holds is told, the gravest first, and the draw is the same each time."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.grade import Grade, Scorecard
from fairtrial.records.opinion import Answer, Opinion
from fairtrial.records.review import REASONS
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.study.review import drawn, reasons_of, stakes
from tests.study.tables import card, head, info

KEY = TrialKey("a", "solo", 1)


def opinion(judge: str, verdict: str, *passed: bool) -> Opinion:
    answers = tuple(Answer(model="m", repeat=n, score=3.0, passed=one) for n, one in enumerate(passed or (verdict == "PASS",)))
    return Opinion(judge=judge, identity="i", rubric="r", scale=(1.0, 5.0), verdict=Verdict(verdict), answers=answers)


def reasons(found: Scorecard, letter: str = "P", **labels: str) -> list[str]:
    return [reason for reason, why in reasons_of(head(KEY, letter), found, info("a", **labels)) if why]


def test_each_rule_is_told_and_nothing_is_where_none_holds() -> None:
    assert reasons(card("P")) == []
    assert reasons(card("U"), "U") == ["unknown"]
    assert reasons(card("P"), risk="high") == ["risk"]
    assert reasons(card("F", severe=1), "F", risk="high") == ["severe", "risk"]
    assert reasons(card("P", opinions=[opinion("q", "FAIL")])) == ["judge_code"]
    assert reasons(card("F", opinions=[opinion("q", "PASS")]), "F") == ["judge_code"]
    assert reasons(card("P", opinions=[opinion("q", "PASS", True, False, True)])) == ["judges"]
    assert reasons(card("P", opinions=[opinion("q", "PASS"), opinion("r", "FAIL")])) == ["judge_code", "judges"]
    assert reasons(card("P", opinions=[opinion("q", "UNKNOWN", True, False)])) == ["judges"]


def test_code_is_asked_without_the_grades_of_judges() -> None:
    found = card("P", opinions=[opinion("q", "FAIL")])
    found.grades.append(Grade(check="judge q", card="outcome", verdict=Verdict.FAIL, source="judge"))
    assert reasons(found) == ["judge_code"]


def test_the_gravest_reason_comes_first() -> None:
    order = [["severe", "sample"], ["severe"], ["risk"], ["judge_code"], ["unknown", "sample"], ["sample"], []]
    assert sorted(reversed(order), key=stakes) == order
    assert set(REASONS) >= {reason for found in order for reason in found}


KEYS = [TrialKey(f"c{case}", setup, attempt) for case in range(10) for setup in ("one", "two") for attempt in (1, 2)]


@given(st.integers(0, 25), st.integers(0, 25), st.integers())
def test_a_larger_draw_holds_the_smaller_and_pairs_the_setups(few: int, more: int, seed: int) -> None:
    small, large = drawn(KEYS, min(few, more), seed), drawn(reversed(KEYS), max(few, more), seed)
    assert small <= large
    assert len(large) == min(max(few, more), 20) * 2
    places = [{(key.case, key.attempt) for key in large if key.setup == setup} for setup in ("one", "two")]
    assert places[0] == places[1]


@pytest.mark.parametrize(("share", "number"), [("0.1", 2), ("0.11", 3), ("1", 20)])
def test_a_share_is_rounded_up(share: str, number: int) -> None:
    assert len(drawn(KEYS, Decimal(share), 7)) == number * 2


def test_another_seed_draws_others_and_every_trial_is_drawn_as_often() -> None:
    counts = dict.fromkeys(KEYS, 0)
    for seed in range(2_000):
        for key in drawn(KEYS, 5, seed):
            counts[key] += 1
    assert drawn(KEYS, 5, 1) != drawn(KEYS, 5, 2)
    assert all(400 < count < 600 for count in counts.values())  # 500 ± 5 standard deviations of 19
