"""What an opinion comes to at a check's own bar: never more lenient than the judge itself, and split answers decide nothing."""

import msgspec
import pytest

from fairtrial.graders.judge import verdict_at
from fairtrial.records.opinion import Answer, Opinion
from fairtrial.records.verdict import Verdict


def opinion(scores: dict[str, list[float]], verdict: Verdict = Verdict.PASS, why: str = "") -> Opinion:
    every = [score for own in scores.values() for score in own]
    answers = tuple(Answer(model=name, repeat=n, score=score) for name, own in scores.items() for n, score in enumerate(own, 1))
    return Opinion(
        judge="quality", identity="sha256:j", rubric="sha256:r", scale=(1.0, 5.0), verdict=verdict, why=why,
        score=sum(every) / len(every) if every else None, answers=answers,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("scores", "bar", "verdict"),
    [
        ({"a": [4.0]}, 3.0, "PASS"),
        ({"a": [4.0]}, 4.0, "PASS"),
        ({"a": [3.9]}, 4.0, "FAIL"),
        ({"a": [2.9, 3.1, 3.0]}, 3.0, "UNKNOWN"),
        ({"a": [3.0, 3.1, 3.2]}, 3.0, "PASS"),
        ({"a": [2.7, 2.9, 2.8]}, 3.0, "FAIL"),
        ({"a": [4.0], "b": [4.5]}, 3.5, "PASS"),
        ({"a": [4.0], "b": [3.0]}, 3.5, "UNKNOWN"),
    ],
)
def test_the_mean_is_held_to_the_checks_bar_and_split_answers_decide_nothing(
    scores: dict[str, list[float]], bar: float, verdict: str
) -> None:
    assert verdict_at(opinion(scores), bar)[0] == verdict


@pytest.mark.parametrize(("bar", "verdict"), [(3.0, "PASS"), (3.2, "UNKNOWN"), (4.0, "UNKNOWN"), (4.5, "FAIL")])
def test_a_lost_answer_counts_both_ways_at_a_checks_own_bar(bar: float, verdict: str) -> None:
    """Of three repeats 4, 4 and a lost one the mean may be 3 to 4.33."""
    found = opinion({"a": [4.0, 4.0]})
    lost = Answer(model="a", repeat=3, problem="no JSON")
    found = msgspec.structs.replace(found, answers=(*found.answers, lost))
    assert verdict_at(found, bar)[0] == verdict


def test_a_lower_bar_mends_no_opinion_that_came_to_nothing() -> None:
    verdict, why = verdict_at(opinion({"a": [1.0, 5.0]}, Verdict.UNKNOWN, "it disagrees with itself"), 1.5)
    assert verdict is Verdict.UNKNOWN and why == "it disagrees with itself"
    assert verdict_at(opinion({}, Verdict.UNKNOWN), 1.0)[0] is Verdict.UNKNOWN
