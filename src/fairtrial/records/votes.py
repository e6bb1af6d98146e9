"""What the answers of a judge come to at a bar: a verdict, or why there is none. The rubric's bar and a check's own are held alike.

Never lenient: a repeat that cannot be used is counted at both ends of the scale, and the verdict stands only where it is the same
either way; a judge that disagrees with itself beyond its limit has none; and of several models a quorum must agree. Kept out: how
answers are had (`judges/`), and what a check makes of the verdict (`graders/judge.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.opinion import Answer


class Vote(NamedTuple):
    """A verdict; `why` where there is none."""

    verdict: Verdict
    why: str = ""


class Terms(NamedTuple):
    """What answers are held to: the ends of the scale, the bar on it, how far repeats may lie apart as a share of the scale (and what
    share of them may stand against the rest), and how many of several models must vote for a verdict."""

    scale: tuple[Decimal, Decimal]
    bar: Decimal
    spread: Decimal
    quorum: int


def decide(answers: Sequence[Answer], terms: Terms) -> Vote:
    """What the answers of all models come to. There is one answer at least."""
    models = list(dict.fromkeys(answer.model for answer in answers))
    votes = [vote([answer for answer in answers if answer.model == model], terms) for model in models]
    found = votes[0] if len(votes) == 1 else _count(votes, terms.quorum)
    scores = scores_of(answers)
    if found.verdict is Verdict.UNKNOWN or _at(mean(scores), terms.bar) is found.verdict:
        return found
    told = f"the votes say {found.verdict}, and the mean score, {short(mean(scores))}, says the opposite"
    return Vote(Verdict.UNKNOWN, told)


def vote(answers: Sequence[Answer], terms: Terms) -> Vote:
    """One model's verdict by its repeats."""
    scores = scores_of(answers)
    if len(scores) * 2 <= len(answers):
        return Vote(Verdict.UNKNOWN, _unusable(answers, len(scores)))
    low, high = terms.scale
    if max(scores) - min(scores) > terms.spread * (high - low):
        return Vote(Verdict.UNKNOWN, _apart(scores, terms.spread * (high - low)))
    verdict = _at(mean(scores), terms.bar)
    against = sum(_at(score, terms.bar) is not verdict for score in scores)
    if against and (Decimal(against) / len(scores) > terms.spread or against * 2 >= len(scores)):
        return Vote(Verdict.UNKNOWN, f"it disagrees with itself: {against} of {len(scores)} repeats do not pass as their mean does")
    missing = len(answers) - len(scores)
    worst, best = ((sum(scores, Decimal(0)) + missing * end) / len(answers) for end in (low, high))
    if _at(worst, terms.bar) is not _at(best, terms.bar):
        told = f"{missing} of {len(answers)} repeats cannot be used, and what they might have said decides: {_first_problem(answers)}"
        return Vote(Verdict.UNKNOWN, told)
    return Vote(verdict)


def _count(votes: Sequence[Vote], quorum: int) -> Vote:
    """What several models decide together: a verdict takes `quorum` votes, and more votes than the other."""
    passes = sum(one.verdict is Verdict.PASS for one in votes)
    fails = sum(one.verdict is Verdict.FAIL for one in votes)
    if max(passes, fails) >= quorum and passes != fails:
        return Vote(Verdict.PASS if passes > fails else Verdict.FAIL)
    without = len(votes) - passes - fails
    told = f"of {len(votes)} models {passes} say PASS, {fails} say FAIL, {without} have no verdict; {quorum} must agree"
    return Vote(Verdict.UNKNOWN, "; ".join([told, *dict.fromkeys(one.why for one in votes if one.why)]))


def scores_of(answers: Sequence[Answer]) -> list[Decimal]:
    """The exact scores of the answers that can be used."""
    return [exact(answer.score) for answer in answers if not answer.problem and answer.score is not None]


def mean(numbers: Sequence[Decimal]) -> Decimal:
    """Of one number at least."""
    return sum(numbers, Decimal(0)) / len(numbers)


def exact(number: float) -> Decimal:
    """The decimal that a float is written as: 0.1 is 0.1."""
    return Decimal(repr(number))


def short(number: Decimal) -> str:
    """With three places at most, without an exponent."""
    return f"{round(number, 3).normalize():f}"


def _at(score: Decimal, bar: Decimal) -> Verdict:
    return Verdict.PASS if score >= bar else Verdict.FAIL


def _first_problem(answers: Sequence[Answer]) -> str:
    """Why the first unusable answer is so."""
    return next((answer.problem for answer in answers if answer.problem), "")


def _unusable(answers: Sequence[Answer], usable: int) -> str:
    model = answers[0].model
    if all(answer.outage for answer in answers):
        return f"{model} could not be reached: {_first_problem(answers)}"
    number = "its answer" if len(answers) == 1 else f"{len(answers) - usable} of {len(answers)} answers"
    return f"{number} cannot be used: {_first_problem(answers)}"


def _apart(scores: Sequence[Decimal], most: Decimal) -> str:
    told = f"from {short(min(scores))} to {short(max(scores))}"
    return f"it disagrees with itself: {len(scores)} repeats lie {told}, and {short(most)} apart is the limit"
