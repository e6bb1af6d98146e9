"""`fairtrial init DIR`: a small suite to start from."""

from __future__ import annotations

import os
from importlib.resources import files
from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import as_path, verb
from fairtrial.records.errors import InputError

if TYPE_CHECKING:
    from fairtrial.cli.out import Out

FILES = ("suite.yaml", "cases.jsonl", "agents.py", "tools.py", "release.yaml")


@verb("init")
@click.argument("folder", metavar="DIR", type=as_path)
def init(out: Out, folder: str) -> int:
    """Write a small suite into DIR: three cases with a trap, two agents, their tools, a release policy. Nothing is overwritten."""
    from fairtrial.report.list_view import written_sheet

    there = [name for name in FILES if os.path.exists(os.path.join(folder, name))]
    if there:
        mend = "name another folder, or move these away"
        raise InputError("nothing was written, for these files are there already", place=folder, value=", ".join(there), mend=mend)
    written = _write(folder)
    out.tell({"folder": folder, "files": written}, lambda: written_sheet(folder, written, out.words))
    return 0


def _write(folder: str) -> list[str]:
    try:
        os.makedirs(folder, exist_ok=True)
        for name in FILES:
            target = os.path.join(folder, name)
            with open(target, "xb") as file:
                file.write((files("fairtrial") / "starter" / name).read_bytes())
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", place=folder) from None
    return [os.path.join(folder, name) for name in FILES]
