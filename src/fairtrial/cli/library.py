"""`fairtrial library SUITE`: where each case stands between capability and regression, what moves, and who opened what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.codes import REFUSED
from fairtrial.cli.options import as_path, suite_or_here, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("library")
@click.argument("suite", required=False)
@click.option("--setup", help="The setup whose runs count (else the suite's candidate).")
@click.option("--apply", "apply", is_flag=True, help="Write the moves into the case files and into the log.")
@click.option("--ledger", is_flag=True, help="Show who opened which held-out case, and when.")
@click.option("--health", "healthy", is_flag=True, help="Show what every case still tells, not only the summary.")
@click.option("--all", "everyone", is_flag=True, help="List every case, also those that stay as they are.")
@click.option("--labels", metavar="FILE", type=as_path, help="People's ratings by case (JSONL): where two disagree, a case is ambiguous.")
def library(out: Out, suite: str | None, setup: str | None, **asked: Any) -> int:
    """Read the runs of SUITE as batches, and say which cases graduate to the regression library and which go back; and how fit the
    suite is to measure with: cases that always or never pass, flaky ones, the stage it is at, answers that leaked.

    The rule stands in suite.yaml; without one, five batches in a row above 4.0 of 5 graduate a case and one below 4.0 brings it
    back:

    \b
      library: {graduate: {batches: 5, above: "4.0"}, demote: {batches: 1, below: "4.0"}}

    Nothing is changed without --apply. Ends 2 where a move could not be written.
    """
    from fairtrial import workflow
    from fairtrial.report.library_view import library_sheet

    named = suite_or_here(suite) or "."
    out.keep_store_of(workflow.folder_of(named))
    every = any([asked.pop("healthy"), asked.pop("everyone")])
    found = workflow.library(named, setup=setup, store=out.store, **asked)
    out.tell(found, lambda: library_sheet(found, named, out.words, every=every))
    return REFUSED if found.refused else 0
