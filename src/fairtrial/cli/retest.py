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
def retest(out: Out, run: str, case: str) -> int:
    """After a mend: run CASE alone, then the whole suite, and show what else moved since RUN.

    Ends 0 when nothing got worse, 1 when something did.
    """
    from fairtrial import workflow
    from fairtrial.report.retest_view import retest_sheet

    with Progress(out.words, quiet=out.quiet) as progress:
        found = workflow.retest(out.store, run, case, progress=progress)
    out.tell(found, lambda: retest_sheet(found, out.words))
    return 1 if found.broken else 0
