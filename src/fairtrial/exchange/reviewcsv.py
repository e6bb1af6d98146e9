"""CSV whose cells may hold line breaks, record by record: a broken one is refused by its line and takes no other with it.

A text that a spreadsheet would run as a formula is written with an apostrophe before it, which is taken off again when it is read.
Every text but one with half a surrogate pair comes back as it was. Kept out: what the columns mean (`reviewfile.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fairtrial.exchange.imported import Refusal
from fairtrial.exchange.tablefile import Record
from fairtrial.records.errors import InputError
from fairtrial.records.text import utf8

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 2_000
"""Lines that one record may have: an unclosed quote must not make a file slow to refuse."""
_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_GUARDED = re.compile("'+[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_QUOTED = re.compile('[",\r\n]|^\\s|\\s$')
_CELL = re.compile(r'(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\r?\Z)')


def write_records(columns: Sequence[str], rows: Sequence[dict[str, str | None]]) -> str:
    """CSV with a header, lines ended by LF. None is an empty cell; so is an empty text, for CSV knows no difference."""
    lines = [",".join(map(_cell, columns)), *(",".join(_cell(row.get(name)) for name in columns) for row in rows)]
    return "\n".join(lines) + "\n"


def _cell(value: str | None) -> str:
    text = utf8(value or "").decode()
    if _FORMULA.match(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def read_records(text: str, path: str) -> tuple[tuple[str, ...], list[Record | Refusal]]:
    """The columns, and the records with their first lines. Raises InputError for a header that cannot be read."""
    lines = text.split("\n")
    while lines and not lines[-1].strip("\r"):
        lines.pop()
    if not lines:
        raise InputError("the file is empty", place=path, mend="the first line names the columns: item,rater,label")
    header = split_record(lines[0])
    names = [] if header is None else [(cell or "").strip() for cell in header]
    if not names or not all(names) or len(set(names)) < len(names):
        mend = "name every column once in the first line: item,rater,label"
        raise InputError("the header cannot be read", place=f"{path}:1", value=lines[0], mend=mend)
    return tuple(names), list(_records(lines, tuple(names)))


def _records(lines: list[str], columns: tuple[str, ...]) -> Iterator[Record | Refusal]:
    at = 1
    while at < len(lines):
        end = _end(lines, at)
        cells = split_record("\n".join(lines[at:end]))
        if cells is not None and len(cells) == len(columns):
            if any(cell is not None for cell in cells):
                yield Record(at + 1, dict(zip(columns, cells, strict=True)))
            at = end
            continue
        if lines[at].strip():
            first = split_record(lines[at])
            said = "a quote is not closed, or is not doubled inside a quoted cell"
            yield Refusal(at + 1, said if first is None else f"{len(first)} cells, but the header has {len(columns)} columns")
        at += 1  # only this line: what follows is read for itself


def _end(lines: list[str], start: int) -> int:
    """The line behind the record that begins at `start`: it goes on while a quote is open."""
    quotes = 0
    for at in range(start, min(len(lines), start + LONGEST)):
        quotes += lines[at].count('"')
        if quotes % 2 == 0:
            return at + 1
    return start + 1


def split_record(record: str) -> list[str | None] | None:
    """The cells of one record, None for an empty one; None in their place where a quote is not closed or stands in a bare cell."""
    cells: list[str | None] = []
    at = 0
    while True:
        found = _CELL.match(record, at)
        if found is None:
            return None
        quoted, bare, end = found.groups()
        text = bare.removesuffix("\r") if quoted is None else quoted.replace('""', '"')
        cells.append((text[1:] if _GUARDED.match(text) else text) or None)
        at = found.end()
        if end != ",":
            return cells
