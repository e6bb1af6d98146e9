"""What people say of each setup of a run: their score with its interval, and what it rests on. Kept out: the queue (`review_view.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import mark, whole
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.report import RunReport
    from fairtrial.report.words import Words

TONES = {"all": "good", "sample": "", "chosen": "unsure"}


def people(sheet: Sheet, report: RunReport, words: Words) -> None:
    """Setups that people looked at; nothing where they looked at none."""
    found = {name: setup.human for name, setup in report.setups.items() if setup.human is not None}
    if not found:
        return
    sheet.head(words("people.title"), words("people.aside"))
    rows: list[list[Text]] = []
    for name, one in found.items():
        span = words("people.none") if one.low is None or one.high is None else f"{mark(one.low)} – {mark(one.high)}"
        basis = Part(words(f"people.basis.{one.basis}"), TONES[one.basis])
        rows.append([said(name, "strong"), mark(one.value), span, basis, f"{whole(one.n)} / {whole(one.of)}", whole(one.cases)])
    columns = (("setup", "l"), ("score", "r"), ("interval", "r"), ("basis", "l"), ("settled", "r"), ("cases", "r"))
    sheet.grid([(words(f"col.{key}"), side) for key, side in columns], rows)
    for name, one in found.items():
        if one.reason:
            sheet.line(said(name), ": ", said(words.echo(one.reason), "dim"), indent=2)
