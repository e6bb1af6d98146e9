"""Reports written to files beside the page: writing one can only make the exit code worse, never better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.errors import FairtrialError

if TYPE_CHECKING:
    from fairtrial.cli.out import Out

NOT_WRITTEN = 2


def write_report(out: Out, run: str, form: str, file: str | None, code: int) -> int:
    """Export a run where a file was asked for; a failure is told on standard error. Returns the exit code that follows."""
    if file is None:
        return code
    from fairtrial import workflow

    try:
        workflow.export(out.store, run, form, file)
    except (FairtrialError, OSError) as error:
        out.warn(f"{form} was not written to {file}: {error}")
        return code or NOT_WRITTEN
    return code
