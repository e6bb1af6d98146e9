"""How the trials of a run went on their way: what was noticed about it, and what came of the failures of tools that they met.

A setup without any is left out, and so is the table in which no setup stands. Kept out: verdicts and figures (`run_tables.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.remark import HANDLED, HOW
from fairtrial.report.numbers import whole
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.report import RunReport
    from fairtrial.report.words import Words


def recovery(sheet: Sheet, report: RunReport, words: Words) -> None:
    """Failures met, by what came of them; words that none has are left out."""
    setups = {name: setup.recoveries for name, setup in report.setups.items() if setup.recoveries.met or setup.recoveries.unfired}
    if not setups:
        return
    shown = [how for how in HOW if any(getattr(found, how) for found in setups.values())]
    rows: list[list[Text]] = []
    for name, found in setups.items():
        cells: list[Text] = [Part(whole(getattr(found, how)), _tone(how) if getattr(found, how) else "dim") for how in shown]
        if found.met:
            rows.append([said(name, "strong"), whole(found.met), *cells])
    sheet.head(words("recovery.title"))
    if rows:
        sheet.grid([(words("col.setup"), "l"), (words("col.met"), "r"), *((words(f"how.{how}"), "r") for how in shown)], rows)
    for name, found in setups.items():
        if found.unfired:
            sheet.line(said(name), ": ", Part(words("recovery.unfired", n=found.unfired), "unsure"), indent=2)


def _tone(how: str) -> str:
    return "good" if how in HANDLED else "unsure" if how == "unknown" else "bad"


def process(sheet: Sheet, report: RunReport, words: Words) -> None:
    """Process findings by name: in how many trials, and how often."""
    rows: list[list[Text]] = [
        [said(name, "strong"), words.known(f"remark.{finding}", finding), whole(noted.trials), whole(noted.times)]
        for name, setup in report.setups.items()
        for finding, noted in setup.process.items()
    ]
    if rows:
        sheet.head(words("process.title"), words("process.aside"))
        sides = zip(("setup", "finding", "trials", "times"), "llrr", strict=True)
        sheet.grid([(words(f"col.{key}"), side) for key, side in sides], rows)
