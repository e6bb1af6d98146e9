"""`fairtrial export RUN FORMAT [FILE]`: a run in a format for others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.files import exported, write
from fairtrial.cli.options import as_path, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("export")
@click.argument("run")
@click.argument("form", metavar="FORMAT")
@click.argument("file", required=False, type=as_path)
def export(out: Out, run: str, form: str, file: str | None) -> int:
    """Write RUN as junit, markdown, csv or jsonl, to FILE or to standard output.

    Markdown is fit for a step summary of CI: fairtrial export last markdown >> "$GITHUB_STEP_SUMMARY"
    """
    text = exported(out, run, form)
    if file is not None:
        write(file, text)
        out.aside(f"{form}: {file}")
    if out.as_json:
        out.document({"run": run, "format": form, "file": file} if file else {"run": run, "format": form, "text": text})
    elif file is None:
        out.text(text)
    return 0
