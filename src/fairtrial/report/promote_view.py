"""A failure that became a case, on one page: where it stands, what holds it fast, what is left to do, and how to mend it.

Reads the decided object and nothing else.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fairtrial.report.excerpt import value_text
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, said

if TYPE_CHECKING:
    from fairtrial.records.promotion import Promotion
    from fairtrial.report.words import Words

LONG = 4_000
SUITES = ("suite.yaml", "suite.yml", "suite.json")


def promote_sheet(made: Promotion, reference: str, words: Words) -> Sheet:
    """The page of one promotion."""
    sheet = Sheet()
    done = words("promote.written" if made.written else "promote.dry")
    sheet.line(said(made.id, "strong"), "  ", Part(done, "good" if made.written else "unsure"), " ", said(made.file), f"  {made.library}")
    sheet.line(Part(words("promote.from"), "dim"), " ", said(f"{made.run}:{made.setup} {made.case} {made.attempt}"), f"  {made.verdict}")
    if made.held_out:
        sheet.line(Part(words("promote.held_out"), "unsure"))
    if not made.written:
        sheet.verbatim(value_text(made.draft, LONG), indent=2)
    _list(sheet, words("promote.pinned"), [words.echo(one) for one in made.pinned])
    _list(sheet, words("promote.todo"), [words.echo(one) for one in made.todo])
    _list(sheet, words("promote.findings"), [f"{words.finding(one.message)} [{one.code}]" for one in made.findings])
    if made.included is False:
        folder = os.path.dirname(made.suite)
        pattern = os.path.join(os.path.relpath(os.path.dirname(os.path.abspath(made.file)), folder), "*" + os.path.splitext(made.file)[1])
        sheet.line(Part(words("promote.add"), "unsure"), " ", said(pattern))
    _next(sheet, made, reference, words)
    return sheet


def _list(sheet: Sheet, title: str, lines: list[str]) -> None:
    if lines:
        sheet.head(title)
    for line in lines:
        sheet.line(said(line), indent=2)


def _next(sheet: Sheet, made: Promotion, reference: str, words: Words) -> None:
    """After the mend the case alone, then the suite, and what else moved; a trial from elsewhere has no run to go back to."""
    if made.suite:
        sheet.next(words("next.retest"), f"fairtrial retest {shell_word(reference)} {shell_word(made.case)}")
    elif any(os.path.isfile(name) for name in SUITES):
        sheet.next(words("next.check_here"), "fairtrial check .")
    else:
        sheet.next(words("next.make_suite"), "fairtrial init my-suite")
