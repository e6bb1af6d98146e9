"""The opinions of model judges over the trials of a setup: scores by case and judge, and what asking took.

A score counts where the judge came to a verdict; one that disagreed with itself, or could not be read, has none, and that is counted.
Kept out: what a score is held against (`scores.py`), and the verdicts, which stand on the scorecards.
"""

from __future__ import annotations

from decimal import Context, Decimal
from typing import TYPE_CHECKING

from fairtrial.records.judging import JudgingCost, RubricScore
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.opinion import Answer, Opinion

_EXACT = Context(prec=60)


class OfJudge:
    """What one judge said. `scores`: by row those of its trials, on the rubric's scale."""

    def __init__(self) -> None:
        self.scale: tuple[float, float] = (0.0, 0.0)
        self.identities: set[str] = set()
        self.scores: dict[int, list[float]] = {}
        self.dimensions: dict[str, list[float]] = {}
        self.spreads: list[float] = []
        self.unknown = 0
        self.not_asked = 0
        self.failed_before: dict[int, int] = {}
        """By row the trials that had failed before it could be asked."""
        self.unfit = ""

    def add(self, row: int, opinion: Opinion) -> None:
        self.scale = opinion.scale
        self.identities.add(opinion.identity)
        if opinion.verdict is Verdict.UNKNOWN or opinion.score is None:
            self.unknown += 1
            return
        self.scores.setdefault(row, []).append(opinion.score)
        for name, mark in opinion.by_dimension.items():
            self.dimensions.setdefault(name, []).append(mark)
        if opinion.spread is not None and sum(1 for answer in opinion.answers if not answer.problem) > 1:
            self.spreads.append(opinion.spread)

    def read(self) -> RubricScore:
        """Its figures over all trials."""
        every = [score for own in self.scores.values() for score in own]
        told = RubricScore(
            mean=_mean(every), min=_mean(sorted(every)[:1]), max=_mean(sorted(every)[-1:]),
            by_dimension={name: round(sum(marks) / len(marks), 9) for name, marks in self.dimensions.items()},
            n=len(every), unknown=self.unknown, not_asked=self.not_asked,
            spread=_mean(self.spreads), spread_max=max(self.spreads, default=None),
            scale=self.scale if self.identities else None,
            identity=next(iter(self.identities)) if len(self.identities) == 1 else None, unfit=self.unfit,
        )  # fmt: skip
        if not every:
            told.reasons |= dict.fromkeys(("mean", "min", "max"), "no trial has a score from this judge")
        elif self.unknown or self.not_asked:
            left = (
                f"{self.not_asked:,} were not asked about (code failed them, or there was nothing to mark), {self.unknown:,} have no score"
            )
            told.reasons["mean"] = f"over {len(every):,} trials alone; {left}: beside another setup it may be a mean over other trials"
        if not self.spreads:
            told.reasons["spread"] = "no trial was marked more than once"
        return told


class Opinions:
    """Filled trial by trial. `judges`: by name."""

    def __init__(self) -> None:
        self.judges: dict[str, OfJudge] = {}
        self.trials = self.calls = self.cached = self.not_asked = 0
        self.usd: Decimal | None = None
        self.tokens: list[int | None] = [None, None]
        self.ms: float | None = None
        self.complete = True

    def add(self, row: int, card: Scorecard) -> None:
        """What judges said of one trial, and which were not asked."""
        for opinion in card.opinions:
            self._of(opinion.judge).add(row, opinion)
            for answer in opinion.answers:
                self._pay(answer)
        for name in card.unasked:
            one = self._of(name)
            one.not_asked += 1
            if card.verdict is Verdict.FAIL:
                one.failed_before[row] = one.failed_before.get(row, 0) + 1
        for name, why in card.unfit.items():
            self._of(name).unfit = why
        self.trials += bool(card.opinions)
        self.not_asked += bool(card.unasked) and not card.opinions
        heard = {opinion.judge for opinion in card.opinions}
        for name in card.unheard:
            if name not in heard:
                self._of(name).unknown += 1

    def _of(self, name: str) -> OfJudge:
        return self.judges.setdefault(name, OfJudge())

    def _pay(self, answer: Answer) -> None:
        if answer.cached:
            self.cached += 1
            return
        self.calls += max(len(answer.replies), 1)
        if answer.usd is not None:
            self.usd = _EXACT.add(self.usd or Decimal(0), answer.usd)
        for place, used in enumerate((answer.input_tokens, answer.output_tokens)):
            if used is not None:
                self.tokens[place] = (self.tokens[place] or 0) + used
        if answer.ms is not None:
            self.ms = (self.ms or 0.0) + answer.ms
        self.complete = self.complete and None not in (answer.usd, answer.input_tokens, answer.output_tokens)


def read_judging(found: Iterable[Opinions]) -> JudgingCost | None:
    """What the judging of all setups took; None where no judge had anything to do."""
    every = [one for one in found if one.judges]
    if not every:
        return None
    usd = [one.usd for one in every if one.usd is not None]
    total = None
    for part in usd:
        total = part if total is None else _EXACT.add(total, part)
    calls = sum(one.calls for one in every)
    return JudgingCost(
        trials=sum(one.trials for one in every), calls=calls, cached=sum(one.cached for one in every),
        not_asked=sum(one.not_asked for one in every), usd=total if calls else Decimal(0), complete=all(one.complete for one in every),
        input_tokens=_sum([one.tokens[0] for one in every], calls), output_tokens=_sum([one.tokens[1] for one in every], calls),
        ms=sum(known) if (known := [one.ms for one in every if one.ms is not None]) else (None if calls else 0.0),
    )  # fmt: skip


def most(calls: int) -> JudgingCost:
    """What a run that is only planned may take: so many calls at most."""
    return JudgingCost(
        trials=0, calls=calls, cached=0, not_asked=0, usd=None, complete=False, input_tokens=None, output_tokens=None, ms=None
    )  # fmt: skip


def _sum(parts: list[int | None], calls: int) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if known else None if calls else 0


def _mean(values: list[float]) -> float | None:
    """Rounded where binary fractions would show one mean as two."""
    return round(sum(values) / len(values), 9) if values else None
