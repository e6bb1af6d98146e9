"""Tables of results from files, line by line: one line is one record, so a broken one never takes its neighbours with it.

Cells of CSV are text; JSONL keeps its types. Kept out: what the columns mean (`tablerow.py`).
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from fairtrial.exchange.imported import Refusal
from fairtrial.records.errors import FairtrialError, InputError
from fairtrial.records.text import loads, read_lines, read_text, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_CELL = re.compile(r'(?:"((?:[^"]|"")*)"|([^",]*))(,|\Z)')
_GUARDED = re.compile(r"'+[=+\-@\t\r]")
"""A text that a spreadsheet would take for a formula is written with an apostrophe before it; it is taken off again."""


class Record(NamedTuple):
    """The stated cells of one line, by column. Cells that are empty in CSV, or null in JSONL, are None."""

    line: int
    cells: dict[str, Any]


class TableFile(NamedTuple):
    """The columns that the file has, and its lines, read once."""

    columns: tuple[str, ...]
    records: Iterator[Record | Refusal]


def read_csv_file(path: str) -> TableFile:
    """A CSV file with a header. Raises InputError where the header cannot be read; a bad line is a Refusal among the records."""
    lines = split_lines(read_text(path))
    if not lines:
        raise InputError("the file is empty", place=path, mend="the first line names the columns: case,setup,trial,passed")
    try:
        header = [cell or "" for cell in split_cells(lines[0])]
    except ValueError as error:
        raise InputError(f"the header cannot be read: {error}", place=f"{path}:1") from None
    columns = tuple(name.strip() for name in header)
    for name in columns:
        if not name:
            raise InputError("a column has no name", place=f"{path}:1", mend="name every column in the first line")
        if columns.count(name) > 1:
            raise InputError(f"the column {name!r} is there twice", place=f"{path}:1", mend="keep one of them")
    return TableFile(columns, _csv_records(lines, columns))


def _csv_records(lines: list[str], columns: tuple[str, ...]) -> Iterator[Record | Refusal]:
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        try:
            cells = split_cells(line)
        except ValueError as error:
            yield Refusal(number, str(error))
            continue
        if len(cells) != len(columns):
            yield Refusal(number, f"{len(cells)} cells, but the header has {len(columns)} columns")
        else:
            yield Record(number, dict(zip(columns, cells, strict=True)))


def split_cells(line: str) -> list[str | None]:
    """The cells of one line; None for an empty one. Raises ValueError for a quote that is not closed, or stands in a bare cell."""
    cells: list[str | None] = []
    at = 0
    while True:
        found = _CELL.match(line, at)
        if found is None:
            raise ValueError(f"cell {len(cells) + 1}: a quote is not closed on its line, or is not doubled inside a quoted cell")
        quoted, bare, end = found.groups()
        text = bare if quoted is None else quoted.replace('""', '"')
        cells.append((text[1:] if _GUARDED.match(text) else text) or None)
        at = found.end()
        if not end:
            return cells


def read_jsonl_file(path: str) -> TableFile:
    """A file of one JSON object a line; its first object shows the columns. A bad line is a Refusal among the records."""
    records = _jsonl_records(read_lines(path))
    first: list[Record | Refusal] = []
    for record in records:
        first.append(record)
        if isinstance(record, Record):
            return TableFile(tuple(record.cells), chain(first, records))
    why = f": line {first[0].line}: {first[0].why}" if first and isinstance(first[0], Refusal) else ""
    raise InputError(f"no line of the file is a JSON object{why}", place=path, mend="write one object a line")


def _jsonl_records(lines: list[str | InputError]) -> Iterator[Record | Refusal]:
    for number, line in enumerate(lines, start=1):
        if isinstance(line, InputError):
            yield Refusal(number, line.what)
            continue
        if not line.strip():
            continue
        try:
            value = loads(line)
        except FairtrialError as error:
            yield Refusal(number, error.what)
            continue
        if isinstance(value, dict):
            yield Record(number, value)
        else:
            yield Refusal(number, f"a line must be one JSON object, not {type(value).__name__}")
