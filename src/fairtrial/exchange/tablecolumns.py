"""The columns of a table from elsewhere: which are ours, which are renamed or left out on request, and what was probably meant.

A column that nobody knows ends the import, with all of them named at once. Kept out: what a row says (`tablerow.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.exchange.tablefile import Record, TableFile
from fairtrial.exchange.tablerow import COLUMNS, LABELS, TAG
from fairtrial.records.errors import InputError, InputErrors, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fairtrial.exchange.imported import Refusal

DOCUMENTED = "docs/importing.md tells the columns"
OFTEN = {
    "setup": ("version", "agent", "model", "variant", "system", "config"),
    "case": ("id", "task", "task_id", "case_id", "question", "example"),
    "passed": ("success", "correct", "result", "pass", "ok"),
    "trial": ("attempt", "repeat", "epoch", "sample"),
    "cost_usd": ("cost", "price", "usd"),
    "latency_ms": ("latency", "duration_ms", "time_ms"),
}
"""What others call our columns. Only named in an error: a column is taken for another by nobody but the user."""
SEPARATORS = {";": "a semicolon", "\t": "a tab", "|": "a bar"}


class Columns(msgspec.Struct, frozen=True, kw_only=True):
    """What the user says of the columns: `renamed` maps the file's name to ours, `ignored` are left out."""

    renamed: dict[str, str] = {}
    ignored: frozenset[str] = frozenset()


def columns_of(renamed: Iterable[str], ignored: Iterable[str]) -> Columns:
    """From `--map THEIRS=OURS` and `--ignore NAME`. Raises InputError for a pair that is none, or a name of ours that is not there."""
    pairs: dict[str, str] = {}
    for pair in renamed:
        theirs, _, ours = pair.rpartition("=")
        if not theirs:
            raise InputError("a column is mapped as THEIRS=OURS", value=pair, mend="for example: --map version=setup")
        if not known(ours):
            raise InputError(f"there is no column {ours!r} to map {theirs!r} to", allowed=_allowed(), mend=_meant(ours) or None)
        pairs[theirs] = ours
    return Columns(renamed=pairs, ignored=frozenset(ignored))


def known(name: str) -> bool:
    """Whether a column is one of ours."""
    return name in COLUMNS or (name.startswith(TAG) and len(name) > len(TAG))


def arranged(file: TableFile, columns: Columns, path: str) -> TableFile:
    """The file by our names. Raises InputError where what is mapped is not there, or two columns come to one name."""
    named = {name: columns.renamed.get(name, name) for name in file.columns if name not in columns.ignored}
    for name in columns.renamed:
        if name not in file.columns:
            near = nearest(name, file.columns)
            mend = f"did you mean {near!r}?" if near else None
            raise InputError(f"the table has no column {name!r}", place=path, allowed=", ".join(file.columns), mend=mend)
    if len(set(named.values())) < len(named):
        raise InputError("two columns come to the same name", place=path, mend="leave one of them out: --ignore NAME")
    return TableFile(tuple(named.values()), _renamed(file.records, columns))


def _renamed(records: Iterable[Record | Refusal], columns: Columns) -> Iterator[Record | Refusal]:
    for record in records:
        if isinstance(record, Record):
            cells = {columns.renamed.get(name, name): cell for name, cell in record.cells.items() if name not in columns.ignored}
            yield Record(record.line, cells)
        else:
            yield record


def check_columns(columns: tuple[str, ...], path: str) -> None:
    """Raises InputError for unknown columns, and where the case or every verdict is missing."""
    if len(columns) == 1 and (other := next((mark for mark in SEPARATORS if mark in columns[0]), None)):
        mend = f'save it with commas, or convert it: csv.reader(…, delimiter="{other!r:.4}") in Python; {DOCUMENTED}'.replace("'", "")
        raise InputError(f"the columns are separated by {SEPARATORS[other]}, not by a comma", place=path, value=columns[0], mend=mend)
    check_names(columns, path)
    if "case" not in columns:
        raise InputError("the table has no column `case`", place=path, allowed=_allowed(), mend="name each row's case")
    if not {"passed", "verdict", "ending"} & set(columns):
        raise InputError("the table has no verdicts", place=path, mend="give a column `passed` (true, false or empty) or `verdict`")


def check_names(columns: Iterable[str], place: str) -> None:
    """Raises InputError with every column that is not known, what may have been meant, and how it is mapped or left out."""
    errors = [_unknown(name, place) for name in columns if not known(name)]
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise InputErrors(errors)


def _unknown(name: str, place: str) -> InputError:
    meant = _meant(name)
    mend = f"{meant}; else leave it out: --ignore {name}, or make a label of it: --map {name}={TAG}{name}"
    return InputError(f"unknown key {name!r}", place=place, allowed=_allowed(), mend=mend.removeprefix("; else "))


def _meant(name: str) -> str:
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    near = next((ours for ours, theirs in OFTEN.items() if plain in theirs), None) or nearest(plain, COLUMNS)
    return f"did you mean {near!r}? --map {name}={near}" if near else ""


def _allowed() -> str:
    return ", ".join([*COLUMNS, *(TAG + label for label in LABELS), f"{TAG}NAME for any other label"])
