"""Open and held-out cases apart on a run's page: whose score is unseen, who had opened what, and how much is not shown.

Reads the decided report and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import MISSING, percent, whole
from fairtrial.report.run_tables import interval
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.heldout import HeldOut
    from fairtrial.records.report import Rate, RunReport
    from fairtrial.report.words import Words

MOST = 5
COLUMNS = ("open", "held_out", "unopened", "opened")


def held_out(sheet: Sheet, report: RunReport, words: Words) -> None:
    """Nothing where the run has no held-out case."""
    split = report.held_out
    if split is None:
        return
    tone = "bad" if split.opened else "good"
    sheet.head(words("held_out.title"), words("held_out.aside"))
    rows: list[list[Text]] = [[said(name, "strong"), *map(_rate, _figures(split, name))] for name in split.setups]
    sheet.grid([(words("col.setup"), "l"), *((words(f"col.split.{name}"), "r") for name in COLUMNS)], rows)
    state = words("held_out.opened" if split.opened else "held_out.unseen", n=whole(len(split.cases)), opened=whole(len(split.opened)))
    sheet.line(Part(state, tone), indent=2)
    for one in split.opened[:MOST]:
        after = words("held_out.after") if one.after_run else ""
        sheet.line(said(one.case), "  ", said(one.who), "  ", said(one.verb), "  ", one.first, Part(after, "dim"), indent=4)
    if len(split.opened) > MOST:
        sheet.line(
            Part(words("more", n=whole(len(split.opened) - MOST)), "dim"), said("  fairtrial library SUITE --ledger", "dim"), indent=4
        )
    withheld = {case.id for case in report.cases if case.withheld}
    if withheld:
        sheet.line(Part(words("held_out.withheld", n=whole(len(withheld)), run=report.run), "dim"), indent=2)


def _figures(split: HeldOut, setup: str) -> list[Rate | None]:
    rates = split.setups[setup]
    return [rates.open, rates.held_out, rates.unopened, rates.opened]


def _rate(rate: Rate | None) -> Text:
    if rate is None or rate.value is None:
        return Part(MISSING, "dim")
    return f"{percent(rate.value)} ({interval(rate)}; {whole(rate.n)} / {whole(rate.cases)})"
