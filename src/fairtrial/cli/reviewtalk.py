"""`review RUN` on a terminal: one item after the other, a key for each answer. Kept out: what a person may see (`steps/labelling.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairtrial.cli.out import Out
    from fairtrial.steps.reviewing import Asked


def talk(out: Out, asked: Asked, *, adjudicate: bool) -> int:
    """Not there yet: shows the queue."""
    from fairtrial import workflow
    from fairtrial.report.review_view import review_sheet

    found = workflow.review(out.store, asked, add=not adjudicate)
    out.show(review_sheet(found, asked.reference, out.words, asked.rater))
    return 0
