"""What became of a run's canaries, in a line; and each one that its graders missed.

Reads the decided object and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import whole
from fairtrial.report.sheet import Part, said

if TYPE_CHECKING:
    from fairtrial.records.canary import CanaryReport
    from fairtrial.report.sheet import Sheet
    from fairtrial.report.words import Words

MOST = 6


def canaries(sheet: Sheet, found: CanaryReport | None, words: Words) -> None:
    """One line where all were caught; with the missed ones named below it where not. Nothing where none were planted."""
    if found is None:
        return
    tone = "bad" if found.missed else "unsure" if found.open or not found.planted else "dim"
    sheet.line(Part(f"{words('canaries')}: ", "dim"), said(words.echo(found.says), tone))
    for one in found.missed[:MOST]:
        sheet.line(said(one.case or one.by, "strong"), "  ", said(words.finding(one.why), "bad"), indent=2)
        sheet.line(Part(f"{words('mend')}: ", "dim"), said(words.finding(one.mend)), indent=4)
    if (rest := len(found.missed) - MOST) > 0:
        sheet.line(Part(words("canaries.more", n=whole(rest)), "dim"), indent=2)
    if found.left_out:
        sheet.line(Part(words("canaries.left_out", n=whole(found.left_out), cases=whole(found.cases)), "dim"), indent=2)
