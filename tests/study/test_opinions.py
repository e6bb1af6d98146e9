"""Scores by judges over the trials of a setup: whom they leave out is said."""

from fairtrial.records.grade import Scorecard
from fairtrial.records.opinion import Answer, Opinion
from fairtrial.records.verdict import Verdict
from fairtrial.study.opinions import Opinions


def card(score: float | None, verdict: Verdict = Verdict.PASS) -> Scorecard:
    """A trial that the judge quality marked; None: one that code failed before."""
    if score is None:
        return Scorecard(verdict=Verdict.FAIL, cards={}, grades=[], grader="4", unasked={"quality": "not asked: a check failed by code"})
    opinion = Opinion(
        judge="quality", identity="id", rubric="r", scale=(1.0, 5.0), verdict=verdict, score=score,
        answers=(Answer(model="m", repeat=1, score=score),),
    )  # fmt: skip
    return Scorecard(verdict=verdict, cards={}, grades=[], grader="4", opinions=[opinion])


def test_a_mean_over_what_code_left_says_so() -> None:
    """A setup of which code fails the worse half is marked on the better half alone."""
    found = Opinions()
    for row, score in enumerate((4.5, None, 4.5, None)):
        found.add(row, card(score))
    found.add(4, card(2.9, Verdict.UNKNOWN))
    told = found.judges["quality"].read()
    assert (told.mean, told.n, told.not_asked, told.unknown) == (4.5, 2, 2, 1)
    assert told.reasons["mean"].startswith("over 2 trials alone; 2 were not asked about (code failed them")


def test_a_mean_over_all_trials_needs_no_word() -> None:
    found = Opinions()
    for row in range(3):
        found.add(row, card(4.0))
    assert "mean" not in found.judges["quality"].read().reasons
