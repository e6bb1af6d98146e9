"""The formats at the border, by name: which function reads or writes each. They are opened when they are used.

Kept out: the formats themselves; one file each.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fairtrial.exchange.imported import Imported, Refusal
from fairtrial.records.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["EXPORTERS", "IMPORTERS", "Imported", "Refusal", "exporter", "importer"]

IMPORTERS = {
    "tau": "fairtrial.exchange.tau:read",
    "csv": "fairtrial.exchange.tables:read_csv",
    "jsonl": "fairtrial.exchange.tables:read_jsonl",
}
EXPORTERS = {
    "junit": "fairtrial.exchange.junit:write",
    "csv": "fairtrial.exchange.tables_out:write_csv",
    "jsonl": "fairtrial.exchange.tables_out:write_jsonl",
}


def importer(name: str) -> Callable[..., Imported]:
    """The reader of a format, called as reader(path, setup=None, planned=None). Raises InputError naming the nearest one."""
    found: Callable[..., Imported] = _open(name, IMPORTERS, "imported")
    return found


def exporter(name: str) -> Callable[..., str]:
    """The writer of a format, called as writer(report, rows, cases=()): the RunReport, its (TrialHead, Scorecard | None) rows
    and the manifest's CaseInfos. Gives the text. Raises InputError naming the nearest format."""
    found: Callable[..., str] = _open(name, EXPORTERS, "exported")
    return found


def _open(name: str, table: dict[str, str], what: str) -> Any:
    target = table.get(name)
    if target is None:
        near = nearest(name, table)
        mend = f"did you mean {near!r}?" if near else None
        raise InputError(f"the format {name!r} cannot be {what}", allowed=listed(table), mend=mend)
    module, _, function = target.partition(":")
    return getattr(import_module(module), function)


def listed(table: Iterable[str]) -> str:
    """Names as an error shows them."""
    return ", ".join(table)
