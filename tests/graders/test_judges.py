"""What an opinion comes to at a check's own bar: by the rules of the judge's own, and never more lenient."""

from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.judge import verdict_at
from fairtrial.judges.judge import Judge
from fairtrial.judges.opinion import Terms
from fairtrial.records.opinion import Answer, Opinion
from fairtrial.records.verdict import Verdict
from tests.judges.asked import one_sided, saying, shown


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
        ({"a": [3.1, 2.9, 3.0, 3.2]}, 3.0, "PASS"),
        ({"a": [2.9999999999]}, 3.0, "FAIL"),
        ({"a": [4.0], "b": [4.5]}, 3.5, "PASS"),
        ({"a": [4.0], "b": [3.0]}, 3.5, "UNKNOWN"),
        ({"a": [4.0], "b": [4.0], "c": [3.0]}, 3.5, "PASS"),
    ],
)
def test_the_mean_is_held_to_the_checks_bar_and_split_models_decide(scores: dict[str, list[float]], bar: float, verdict: str) -> None:
    assert verdict_at(opinion(scores), Decimal(str(bar)))[0] == verdict


def test_an_opinion_that_came_to_nothing_comes_to_nothing_at_any_bar() -> None:
    verdict, why = verdict_at(opinion({"a": [1.0, 5.0]}, Verdict.UNKNOWN), Decimal("1.5"))
    assert verdict is Verdict.UNKNOWN and why.startswith("it disagrees with itself")
    assert verdict_at(opinion({}, Verdict.UNKNOWN, "too long"), Decimal(1)) == (Verdict.UNKNOWN, "too long")


MARK = st.floats(0, 1).map(lambda mark: round(mark, 2)) | st.none()


@given(
    st.lists(MARK, min_size=3, max_size=3) | st.lists(MARK, min_size=1, max_size=6),
    st.sampled_from(["0.25", "0.5", "0.75", "1"]),
    st.sampled_from(["0.05", "0.25", "1"]),
)
def test_a_checks_bar_decides_as_a_rubric_with_that_bar_would(marks: list[float | None], bar: str, spread: str) -> None:
    """Repeats that miss, that stand against their mean or lie too far apart count at every bar alike."""

    def heard(passes: str) -> Opinion:
        rubric = one_sided(passes=passes)
        replies = [said for mark in marks for said in (["no", "no"] if mark is None else [{"quality": mark}])]
        return Judge("q", rubric, [saying(*replies)], Terms(repeats=len(marks), spread=Decimal(spread))).opinion(shown())

    wanted = heard(bar)
    assert verdict_at(heard("0.3"), Decimal(bar))[0] is wanted.verdict


@pytest.mark.parametrize("quorum", [None, 1, 2, 3])
def test_a_quorum_counts_at_every_bar_alike(quorum: int | None) -> None:
    def heard(passes: str) -> Opinion:
        models = [saying(reply, name=f"python:m:{at}") for at, reply in enumerate(({"quality": 0.8}, {"quality": 0.7}, "no"))]
        return Judge("q", one_sided(passes=passes), models, Terms(quorum=quorum)).opinion(shown())

    for bar in ("0.6", "0.75", "0.9"):
        assert verdict_at(heard("0.5"), Decimal(bar))[0] is heard(bar).verdict


def test_a_score_just_below_the_bar_is_not_shown_as_the_bar() -> None:
    assert "2.9999999999 on 1 to 5, the bar is 3" in verdict_at(opinion({"a": [2.9999999999]}), Decimal("3.0"))[1]


def test_the_limits_of_an_opinion_are_kept_with_it() -> None:
    found = Judge("q", one_sided(), [saying({"quality": 0.8})], Terms(repeats=2, spread=Decimal("0.1"))).opinion(shown())
    again = msgspec.json.decode(msgspec.json.encode(found), type=Opinion)
    assert (again.limit, again.quorum) == (Decimal("0.1"), 1)


@pytest.mark.parametrize(("bar", "verdict"), [(3.0, "PASS"), (3.2, "UNKNOWN"), (4.0, "UNKNOWN"), (4.5, "FAIL")])
def test_a_lost_answer_counts_both_ways_at_a_checks_own_bar(bar: float, verdict: str) -> None:
    """Of three repeats 4, 4 and a lost one the mean may be 3 to 4.33."""
    found = opinion({"a": [4.0, 4.0]})
    lost = Answer(model="a", repeat=3, problem="no JSON")
    found = msgspec.structs.replace(found, answers=(*found.answers, lost))
    assert verdict_at(found, Decimal(str(bar)))[0] == verdict
