"""`fairtrial retest RUN CASE`: after a mend, the case alone, then the suite, and what else moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import verb
from fairtrial.cli.progress import Progress

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("retest")
@click.argument("run")
@click.argument("case")
@click.option("--setup", metavar="NAME", help="Run this setup alone: the mended one [default: that of RUN:SETUP, else all].")
def retest(out: Out, run: str, case: str, setup: str | None) -> int:
    """After a mend: run CASE alone, then the whole suite, and show what else moved since RUN.

    Ends 0 when nothing broke, 1 when a case that had passed in every trial now failed: fairtrial retest last stockout --setup team.
    A move that repeats show to be no more than chance would bring is named as such.
    """
    from fairtrial import workflow
    from fairtrial.report.retest_view import retest_sheet

    if setup is not None:
        run = f"{run.partition(':')[0]}:{setup}"
    with Progress(out.words, quiet=out.quiet) as progress:
        found = workflow.retest(out.store, run, case, progress=progress)
    out.tell(found, lambda: retest_sheet(found, out.words))
    return 1 if found.broken else 0
