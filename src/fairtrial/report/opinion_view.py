"""What model judges said: their figures on a run's page, and each opinion on a trial's.

What a judge replied is foreign text like any agent's. Kept out: success that rests on a judge (`judged_view.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fairtrial.report.excerpt import excerpt
from fairtrial.report.numbers import MISSING, duration, figure, mark, money, whole
from fairtrial.report.sheet import Part, said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairtrial.records.judging import JudgingCost, RubricScore
    from fairtrial.records.report import RunReport
    from fairtrial.report.sheet import Sheet, Text
    from fairtrial.report.words import Words

TONES = {"PASS": "good", "FAIL": "bad", "UNKNOWN": "unsure"}
LONGEST_REPLY = 300


def rubrics(sheet: Sheet, report: RunReport, words: Words) -> None:
    """The scores of every judge by setup, apart from the result of the task, and what asking took. Nothing where no judge was in it."""
    rows = [(name, judge, told) for name, setup in report.setups.items() for judge, told in setup.rubrics.items()]
    if not rows:
        return
    sheet.head(words("rubrics.title"), words("rubrics.aside"))
    columns = [(words("col.setup"), "l"), (words("col.judge"), "l")]
    keys = ("score", "spread", "judged_trials", "without_score", "not_asked")
    sheet.grid([*columns, *((words(f"col.{key}"), "r") for key in keys), (words("col.by_dimension"), "l")], [_row(*row) for row in rows])
    for name, judge, told in rows:
        if told.unfit:
            sheet.line(
                said(name), ": ", Part(words("rubrics.unfit", judge=judge, why=words.echo(told.unfit)), "unsure", said=True), indent=2
            )
    if report.judging is not None:
        sheet.line(Part(took(report.judging, words), "dim"), indent=2)


def _row(setup: str, judge: str, told: RubricScore) -> list[Text]:
    low, high = told.scale or (None, None)
    score = MISSING if told.mean is None else f"{mark(told.mean)} ({mark(told.min)}–{mark(told.max)}) / {figure(low, 0)}–{figure(high, 0)}"
    sides = ", ".join(f"{name} {mark(value)}" for name, value in told.by_dimension.items())
    return [
        said(setup, "strong"),
        said(judge),
        score,
        MISSING if told.spread is None else f"{mark(told.spread)} ({mark(told.spread_max)})",
        whole(told.n),
        Part(whole(told.unknown), "unsure" if told.unknown else "dim"),
        Part(whole(told.not_asked), "dim"),
        said(sides),
    ]


def took(spent: JudgingCost, words: Words) -> str:
    """Calls, tokens, money and time of judging, apart from the agents'."""
    cost = MISSING if spent.usd is None else money(spent.usd)
    if not spent.complete and spent.usd is not None:
        cost = f"{words('at_least')} {cost}"
    tokens = f"{whole(spent.input_tokens)} / {whole(spent.output_tokens)}"
    return words("judging.took", calls=whole(spent.calls), cached=whole(spent.cached), tokens=tokens, cost=cost, ms=duration(spent.ms))


def opinions(sheet: Sheet, trial: Mapping[str, Any], words: Words) -> None:
    """Each opinion of one trial: the score, the marks, the reason, and the raw replies, cut."""
    told = trial.get("opinions") or []
    if not told and not trial.get("unasked"):
        return
    sheet.head(words("opinions.title"))
    for one in told:
        _opinion(sheet, one, words)
    for name, why in (trial.get("unasked") or {}).items():
        sheet.line(said(name, "strong"), "  ", Part(words.echo(str(why)), "dim", said=True), indent=2)


def _opinion(sheet: Sheet, one: Mapping[str, Any], words: Words) -> None:
    verdict = str(one.get("verdict", ""))
    low, high = one.get("scale") or (None, None)
    line: list[Text] = [Part(f"{verdict:<7}", TONES.get(verdict, "")), "  ", said(one.get("judge", ""), "strong"), "  "]
    line.append(f"{mark(one.get('score'))} / {figure(low, 0)}–{figure(high, 0)}")
    sides = ", ".join(f"{name} {mark(value)}" for name, value in (one.get("by_dimension") or {}).items())
    sheet.line(*line, Part(f"  {sides}", "dim", said=True), indent=2)
    if one.get("why"):
        sheet.line(said(one["why"]), indent=11)
    for answer in one.get("answers") or []:
        _answer(sheet, answer, words)


def _answer(sheet: Sheet, answer: Mapping[str, Any], words: Words) -> None:
    paid = words("opinions.cached") if answer.get("cached") else _paid(answer.get("usd"))
    head = f"{answer.get('model', '')} #{answer.get('repeat', 1)}  {mark(answer.get('score'))}  {paid}".rstrip()
    sheet.line(Part(head, "dim", said=True), indent=11)
    if answer.get("problem"):
        sheet.line(Part(str(answer["problem"]), "unsure", said=True), indent=13)
    if answer.get("reason"):
        sheet.line(said(answer["reason"]), indent=13)
    for reply in answer.get("replies") or []:
        sheet.line(Part(f"{words('opinions.reply')} ", "dim"), said(excerpt(str(reply), LONGEST_REPLY), "dim"), indent=13)


def _paid(usd: Any) -> str:
    return "" if usd is None else money(Decimal(str(usd)))
