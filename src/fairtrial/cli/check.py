"""`fairtrial check SUITE`: the suite checks itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import as_path, needed_suite, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("check")
@click.argument("suite", required=False, type=as_path)
@click.option("--static", is_flag=True, help="Read only; do not grade the solutions and the known-bad answers.")
def check(out: Out, suite: str | None, static: bool) -> int:
    """Let SUITE check itself: duplicates, missing must-nots, references that fail, known-bad answers that pass.

    SUITE is a suite.yaml or the folder of one; it may be left out in that folder. Ends 0 when nothing was found, 1 with findings;
    each names file, line and mend.
    """
    suite = needed_suite(suite)
    from fairtrial import workflow
    from fairtrial.report.list_view import findings_sheet

    found = workflow.check(suite, run_dynamic=not static, store=out.store)
    told = {"suite": suite, "cases": found.cases, "findings": found.findings, "notes": found.notes}
    out.tell(told, lambda: findings_sheet(suite, found.findings, found.cases, out.words, found.notes))
    return 1 if found.findings else 0
