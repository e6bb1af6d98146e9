"""`fairtrial import FORMAT FILE…`: results from elsewhere, as runs of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
@click.option("--map", "renamed", multiple=True, metavar="THEIRS=OURS", help="A table's column under another name: --map version=setup.")
@click.option("--ignore", "ignored", multiple=True, metavar="COLUMN", help="A column of a table to leave out.")
def bring_in(out: Out, form: str, files: tuple[str, ...], **options: Any) -> int:
    """Bring in results from elsewhere: tau, csv or jsonl.

    \b
      fairtrial import csv results.csv --map version=setup --ignore comment

    Ends 0 when anything was imported; what was refused is listed with its line. 2 when nothing could be.
    """
    import msgspec

    from fairtrial import workflow
    from fairtrial.report.list_view import import_sheet

    asked = {name: value for name, value in options.items() if value}
    done = msgspec.to_builtins(workflow.import_runs(out.store, form, list(files), **asked))
    out.tell(done, lambda: import_sheet(done, out.words))
    return 0 if done.get("runs") else NOTHING
