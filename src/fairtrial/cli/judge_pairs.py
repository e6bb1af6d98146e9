"""`fairtrial judge pairs BASE NEW`: two setups side by side before a judge, always in both orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import verb
from fairtrial.records.errors import InputError

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("pairs")
@click.argument("base")
@click.argument("new")
def pairs(out: Out, base: str, new: str) -> int:
    """Put the answers of BASE and NEW side by side before a judge, case by case, each pair in both orders."""
    raise InputError("pairs cannot be judged yet", value=f"{base} {new}")
