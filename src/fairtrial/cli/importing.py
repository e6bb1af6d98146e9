"""`fairtrial import FORMAT FILE…`: results from elsewhere, as runs of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import Count, as_path, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out

NOTHING = 2


@verb("import")
@click.argument("form", metavar="FORMAT")
@click.argument("files", nargs=-1, required=True, type=as_path, metavar="FILE…")
@click.option("--setup", metavar="NAME", help="The name of the setup, where the file has none.")
@click.option("--planned", type=Count(), metavar="N", help="Trials planned a case, where fewer are in the file.")
def bring_in(out: Out, form: str, files: tuple[str, ...], setup: str | None, planned: int | None) -> int:
    """Bring in results from elsewhere: tau, csv or jsonl.

    Ends 0 when anything was imported; what was refused is listed with its line. 2 when nothing could be.
    """
    import msgspec

    from fairtrial import workflow
    from fairtrial.report.list_view import import_sheet

    done = msgspec.to_builtins(workflow.import_runs(out.store, form, list(files), setup=setup, planned=planned))
    out.tell(done, lambda: import_sheet(done, out.words))
    return 0 if done.get("runs") else NOTHING
