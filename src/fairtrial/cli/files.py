"""Runs written in other formats, to files or as text: writing one can only make the exit code worse, never better."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fairtrial.cli.codes import REFUSED
from fairtrial.records.errors import FairtrialError, InputError
from fairtrial.records.text import utf8, write_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.cli.out import Out

MARKDOWN = "markdown"
"""The one format that is a page of ours; all others are the border's."""


def exported(out: Out, run: str, form: str) -> str:
    """A run in a format, as text. Raises InputError for a format that does not exist, or a run that is not there."""
    from fairtrial import workflow

    if form != MARKDOWN:
        return workflow.export(out.store, run, form)
    from fairtrial.report.markdown import markdown
    from fairtrial.report.run_view import run_sheet

    return markdown(run_sheet(workflow.show_run(out.store, run), out.words))


def write(file: str, text: str) -> None:
    """Writes a file whole. Raises InputError where the place cannot be written."""
    try:
        write_text(file, text)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be written: {why}", place=file, mend="name a file in a folder that exists and may be written") from None


def save(out: Out, form: str, file: str | None, made: Callable[[], str], code: int, *, add: bool = False) -> int:
    """Write what is `made` where a file was asked for, or with `add` to the end of it. A failure is told on standard error.

    Returns the exit code that follows.
    """
    if file is None:
        return code
    try:
        if add and os.path.exists(file):
            _append(file, made())
        else:
            write(file, made())
    except FairtrialError as error:
        out.warn(f"the {form} report was not written: {error}")
        return code or REFUSED
    return code


def _append(file: str, text: str) -> None:
    try:
        with open(file, "ab") as end:
            end.write(b"\n" + utf8(text))  # a blank line, so that what stands there cannot swallow the heading
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", place=file, mend="name a file that may be written") from None
