"""Runs of the tau benchmark: the historical trajectories (one list of runs) and the run files of tau2 (one object)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.exchange import tau2, tau_bench
from fairtrial.exchange.jsonfile import first_sign, read_file
from fairtrial.records.errors import InputError
from fairtrial.records.text import decode_text

if TYPE_CHECKING:
    from fairtrial.exchange.imported import Imported


def read(path: str, *, setup: str | None = None, planned: int | None = None) -> Imported:
    """One file as one run. `setup` names the setup, `planned` the trials planned a case where the file has fewer.

    Raises InputError where the file is of neither kind.
    """
    data = read_file(path)
    sign = first_sign(data)
    if sign == "[":
        return tau_bench.read(data, path, setup or "agent", planned)
    if sign == "{":
        return tau2.read(data, path, setup, planned)
    decode_text(data, path)  # says so where it is text in another encoding
    raise InputError("neither a list of runs nor a run file of tau2", place=path, mend="name a file of trajectories in JSON")
