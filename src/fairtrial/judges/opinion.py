"""What the answers of a judge come to: a mean score and a verdict, or why there is none.

Never lenient: a repeat that cannot be used is counted at both ends of the scale, and the verdict stands only where it is the same
either way; a judge that disagrees with itself beyond its limit has none; and of several models a quorum must agree.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fairtrial.judges.reply import plain
from fairtrial.records.opinion import Answer, Opinion
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.rubric import Rubric


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """How a judge is asked. `spread` is the limit of its disagreement with itself: how far repeats may lie apart as a share of
    the scale, and what share of them may stand against the rest. `quorum`: how many of several models must vote for a verdict
    (None: more than half). `room`: characters that are shown at most."""

    repeats: int = 1
    quorum: int | None = None
    spread: Decimal = Decimal("0.25")
    timeout_s: float = 60.0
    room: int = 200_000

    def needed(self, models: int) -> int:
        """The quorum among so many models."""
        return self.quorum if self.quorum is not None else models // 2 + 1


class Vote(NamedTuple):
    """What one model's repeats come to; `why` where that is no verdict."""

    verdict: Verdict
    why: str = ""


def conclude(opinion: Opinion, rubric: Rubric, terms: Terms, answers: Sequence[Answer]) -> Opinion:
    """The opinion with all that follows from its answers, which are those of each model in turn."""
    usable = [answer for answer in answers if not answer.problem]
    models = list(dict.fromkeys(answer.model for answer in answers))
    votes = [vote(rubric, terms, [answer for answer in answers if answer.model == model]) for model in models]
    verdict, why = (votes[0].verdict, votes[0].why) if len(votes) == 1 else count(votes, terms.needed(len(votes)))
    mean = _mean([_score(answer) for answer in usable]) if usable else None
    if verdict is not Verdict.UNKNOWN and mean is not None and (mean >= rubric.passes) != (verdict is Verdict.PASS):
        verdict, why = Verdict.UNKNOWN, f"the votes say {verdict}, and the mean score, {_short(mean)}, says the opposite"
    scores = [_score(answer) for answer in usable]
    return msgspec.structs.replace(
        opinion,
        verdict=verdict,
        why=why,
        score=float(mean) if mean is not None else None,
        by_dimension={name: float(_mean([_exact(one.marks[name]) for one in usable])) for name in rubric.dimensions} if usable else {},
        spread=float(max(scores) - min(scores)) if scores else None,
        answers=tuple(answers),
    )


def vote(rubric: Rubric, terms: Terms, answers: Sequence[Answer]) -> Vote:
    """One model's verdict by its repeats."""
    usable = [answer for answer in answers if not answer.problem]
    if len(usable) * 2 <= len(answers):
        return Vote(Verdict.UNKNOWN, _unusable(answers, len(usable)))
    scores = [_score(answer) for answer in usable]
    low, high = rubric.scale
    apart = (max(scores) - min(scores)) / (high - low)
    if apart > terms.spread:
        return Vote(Verdict.UNKNOWN, _apart(scores, terms.spread * (high - low)))
    mean = _mean(scores)
    verdict = Verdict.PASS if mean >= rubric.passes else Verdict.FAIL
    against = sum(answer.passed != (verdict is Verdict.PASS) for answer in usable)
    if against and (Decimal(against) / len(usable) > terms.spread or against * 2 >= len(usable)):
        return Vote(Verdict.UNKNOWN, f"it disagrees with itself: {against} of {len(usable)} repeats do not pass as their mean does")
    missing = len(answers) - len(usable)
    worst, best = ((sum(scores, Decimal(0)) + missing * end) / len(answers) for end in (low, high))
    if (worst >= rubric.passes) != (best >= rubric.passes):
        told = f"{missing} of {len(answers)} repeats cannot be used, and what they might have said decides: {first_problem(answers)}"
        return Vote(Verdict.UNKNOWN, told)
    return Vote(verdict)


def count(votes: Sequence[Vote], quorum: int) -> tuple[Verdict, str]:
    """What several models decide together: a verdict takes `quorum` votes, and more votes than the other."""
    passes = sum(one.verdict is Verdict.PASS for one in votes)
    fails = sum(one.verdict is Verdict.FAIL for one in votes)
    decided = passes + fails
    told = f"of {len(votes)} models {passes} say PASS, {fails} say FAIL, {len(votes) - decided} have no verdict; {quorum} must agree"
    if max(passes, fails) < quorum or passes == fails:
        reasons = list(dict.fromkeys(one.why for one in votes if one.why))
        return Verdict.UNKNOWN, "; ".join([told, *reasons])
    return (Verdict.PASS if passes > fails else Verdict.FAIL), ""


def first_problem(answers: Sequence[Answer]) -> str:
    """Why the first unusable answer is so."""
    return next((answer.problem for answer in answers if answer.problem), "")


def _unusable(answers: Sequence[Answer], usable: int) -> str:
    model = answers[0].model
    if all(answer.outage for answer in answers):
        return f"{model} could not be reached: {first_problem(answers)}"
    number = "its answer" if len(answers) == 1 else f"{len(answers) - usable} of {len(answers)} answers"
    return f"{number} cannot be used: {first_problem(answers)}"


def _apart(scores: Sequence[Decimal], most: Decimal) -> str:
    told = f"from {_short(min(scores))} to {_short(max(scores))}"
    return f"it disagrees with itself: {len(scores)} repeats lie {told}, and {_short(most)} apart is the limit"


def _mean(numbers: Sequence[Decimal]) -> Decimal:
    return sum(numbers, Decimal(0)) / len(numbers)


def _score(answer: Answer) -> Decimal:
    return _exact(answer.score if answer.score is not None else 0.0)


def _exact(number: float) -> Decimal:
    return Decimal(repr(number))


def _short(number: Decimal) -> str:
    return plain(round(number, 3))
