"""What an opinion comes to at a check's own bar: never more lenient than the judge itself, and split models decide nothing."""

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
        ({"a": [2.9, 3.1, 3.0]}, 3.0, "PASS"),
        ({"a": [4.0], "b": [4.5]}, 3.5, "PASS"),
        ({"a": [4.0], "b": [3.0]}, 3.5, "UNKNOWN"),
    ],
)
def test_the_mean_is_held_to_the_checks_bar_and_split_models_decide(scores: dict[str, list[float]], bar: float, verdict: str) -> None:
    assert verdict_at(opinion(scores), bar)[0] == verdict


def test_a_lower_bar_mends_no_opinion_that_came_to_nothing() -> None:
    verdict, why = verdict_at(opinion({"a": [1.0, 5.0]}, Verdict.UNKNOWN, "it disagrees with itself"), 1.5)
    assert verdict is Verdict.UNKNOWN and why == "it disagrees with itself"
    assert verdict_at(opinion({}, Verdict.UNKNOWN), 1.0)[0] is Verdict.UNKNOWN
