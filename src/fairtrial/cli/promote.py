"""`fairtrial promote RUN CASE ATTEMPT`: a failure becomes the draft of a case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.options import Count, OneOf, as_path, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("promote")
@click.argument("run")
@click.argument("case")
@click.argument("attempt", type=Count(), default=1)
@click.option("--to", "library", type=OneOf(["capability", "regression"]), default="regression", help="The library of the new case.")
@click.option("--into", type=as_path, metavar="FILE", help="The file to write (else promoted/ID.yaml in the suite's folder).")
@click.option("--id", "ident", help="The id of the new case (else made from the trial).")
@click.option("--dry-run", is_flag=True, help="Show the draft; write nothing.")
def promote(out: Out, run: str, case: str, attempt: int, **options: Any) -> int:
    """Turn a trial that failed, or one that was imported, into a redacted draft of a case with its provenance.

    \b
      fairtrial promote last:team refund-twice 3

    What the trial was asked comes along, with the checks it failed and a check that pins the failure where that can be
    derived. What cannot be derived is marked TODO in the notes, and `fairtrial check` names it. No file is written over.
    """
    from fairtrial import workflow
    from fairtrial.report.promote_view import promote_sheet
    from fairtrial.steps.promoting import Asked

    asked = Asked(reference=run, case=case, attempt=attempt, **options)
    found = workflow.promote(out.store, asked)
    out.tell(found, lambda: promote_sheet(found, run, out.words))
    return 0
