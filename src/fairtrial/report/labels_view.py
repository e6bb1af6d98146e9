"""What was made of labels from elsewhere, on one page. Reads the decided object and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.rating import human
from fairtrial.report.numbers import whole
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.rating import LabelFile
    from fairtrial.report.words import Words

MOST_LINES = 20


def labels_sheet(made: LabelFile, words: Words) -> Sheet:
    """The page of one file of labels."""
    sheet = Sheet()
    sheet.line(said(made.file or "", "strong"), "  ", words("labels.made", n=whole(made.ratings), items=whole(made.items)))
    rows: list[list[Text]] = [[said(name), whole(count)] for name, count in made.raters.items()]
    sheet.grid([(words("labels.rater"), "l"), (words("labels.ratings"), "r")], rows)
    if made.refused:
        sheet.line(Part(words("labels.refused", n=whole(len(made.refused))), "bad"))
    for one in made.refused[:MOST_LINES]:
        sheet.line(said(f"{one.file}:{one.line}: {one.why}", "dim"), indent=2)
    judge = next((name for name in made.raters if not human(name)), "NAME")
    sheet.next(words("labels.next"), f"fairtrial judge exam {shell_word(made.file or 'FILE')} --judge {shell_word(judge)}")
    return sheet
