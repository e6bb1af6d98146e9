"""`fairtrial grade RUN`: grade what is stored again, without running anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import as_path, verb
from fairtrial.cli.progress import Progress

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("grade")
@click.argument("run")
@click.option("--suite", type=as_path, metavar="SUITE", help="Grade by the checks of this suite, in place of those of the run.")
def grade(out: Out, run: str, suite: str | None) -> int:
    """Grade the stored trials of RUN again, with today's graders and checks. The trials themselves are not touched."""
    from fairtrial import workflow
    from fairtrial.report.run_view import Detail, run_sheet

    with Progress(out.words, quiet=out.quiet) as progress:
        outcome = workflow.grade(out.store, run, suite=suite, progress=progress)
    out.tell(outcome.report, lambda: run_sheet(outcome.report, out.words, Detail(suite=suite or "")))
    code: int = outcome.exit_code
    return code
