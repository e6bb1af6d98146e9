"""One item of a review as a person judges it: the task, the truth, what was done, the answer, and the question.

All of it is text of others. Kept out: any verdict, but for somebody who settles what two people see differently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.sheet import Part, Sheet, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.review import Review, Shown
    from fairtrial.report.words import Words

PARTS = ("task", "facts", "history", "expected", "reference", "done", "answer")


def item_sheet(shown: Shown, place: tuple[int, int], about: Review, others: Sequence[tuple[str, str]], words: Words) -> Sheet:
    """`place`: the number of the item, of how many; `about` has the question."""
    number, total = place
    sheet = Sheet()
    sheet.line("")
    sheet.head(words("review.item", n=number, total=total))
    for name in PARTS:
        if text := getattr(shown, name):
            sheet.line(Part(words(f"review.part.{name}"), "strong"))
            sheet.verbatim(text, indent=2)
    if not shown.answer:
        sheet.line(Part(words("review.no_answer", ending=shown.ending), "unsure"))
    if others:
        sheet.head(words("review.others"))
    for who, told in others:
        sheet.line(said(who, "strong"), "  ", said(told), indent=2)
    sheet.head(words.echo(about.asked))
    for line in about.rubric:
        sheet.line(said(words.echo(line)), indent=2)
    return sheet


def line_sheet(words: Words, key: str, **values: object) -> Sheet:
    """One line of ours, with what it names."""
    sheet = Sheet()
    sheet.line(said(words(key, **values)))
    return sheet
