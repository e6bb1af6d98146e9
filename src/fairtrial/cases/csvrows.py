"""Rows of CSV: one case a row, keys from the header, cells that stay text unless the header says otherwise.

`name:int|decimal|bool|json|list` types a column and dots make nested objects (`facts.sales:int`). An empty cell of a typed
column is not stated; of an untyped one it is an empty text where the key may be one (see `Keep`). A CR before LF is dropped,
in quoted cells too. Written here because the standard reader has one limit for the whole host program and names no columns.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from fairtrial.cases.cells import TYPES, read_cell
from fairtrial.cases.rows import Keep, Path, Row, check_row
from fairtrial.records.errors import FairtrialError, InputError, InputErrors, nearest
from fairtrial.records.strictjson import BadValue

_QUOTED = re.compile(r'"[^"]*(?:""[^"]*)*"')
_BARE = re.compile(r"[^,\n]*")


class Column(NamedTuple):
    """`header` as written; `path` from its dots; `kind` one of TYPES or "" for text."""

    header: str
    path: Path
    kind: str


class Cell(NamedTuple):
    text: str
    quoted: bool
    line: int


class _BadQuote(Exception):
    """A quote where none may stand: `place` counts the cells of the record before it."""

    def __init__(self, what: str, line: int, place: int, seen: str) -> None:
        super().__init__(what)
        self.line, self.place, self.seen = line, place, seen


def csv_rows(text: str, file: str, keep: Keep = lambda _: True) -> list[Row]:
    """One row for each record below the header. Raises InputErrors naming every record that cannot be taken."""
    scanner = _Scanner(text)
    columns: list[Column] | None = None
    rows: list[Row] = []
    errors: list[FairtrialError] = []
    while scanner.more():
        try:
            cells = scanner.record()
        except _BadQuote as fault:
            errors.append(_quote_error(fault, file, columns))
            if not scanner.skip_line():
                break
            continue
        if len(cells) == 1 and not cells[0].text and not cells[0].quoted:
            continue  # a blank line
        if columns is None:
            columns = _header(cells, file)
            continue
        try:
            rows.append(_row(columns, cells, file, keep))
        except InputErrors as several:
            errors += several.errors
    if errors:
        raise InputErrors(errors)
    return rows


class _Scanner:
    """Walks the text record by record, counting lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1

    def more(self) -> bool:
        return self.at < len(self.text)

    def record(self) -> list[Cell]:
        cells: list[Cell] = []
        while True:
            cells.append(self._cell(len(cells)))
            end = self.text[self.at : self.at + 1]
            self.at += 1
            if end != ",":
                self.line += end == "\n"
                return cells

    def skip_line(self) -> bool:
        """Goes on after the line at fault; False where the rest of the file cannot be told apart."""
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end + 1
        self.line += 1
        return self.more()

    def _cell(self, place: int) -> Cell:
        if self.text.startswith('"', self.at):
            return self._quoted(place)
        match = _BARE.match(self.text, self.at)
        found = match.group() if match else ""
        if '"' in found:
            raise _BadQuote("a quote inside a cell that does not begin with one", self.line, place, found)
        self.at += len(found)
        bare = found[:-1] if found.endswith("\r") and not self.text.startswith(",", self.at) else found
        if "\r" in bare:
            raise _BadQuote("a line that ends in CR alone", self.line, place, bare)
        return Cell(bare, False, self.line)

    def _quoted(self, place: int) -> Cell:
        match = _QUOTED.match(self.text, self.at)
        if match is None:
            seen = self.text[self.at : self.at + 60]
            self.at = len(self.text)
            raise _BadQuote("a quoted cell that never ends", self.line, place, seen)
        body = match.group()[1:-1]
        start, self.line = self.line, self.line + body.count("\n")
        end = match.end() + self.text.startswith("\r\n", match.end())
        if self.text[end : end + 1] not in (",", "\n", "") and self.text[end:] != "\r":
            seen = self.text[self.at : end + 20].split("\n", maxsplit=1)[0]
            self.at = end
            raise _BadQuote("text after the closing quote of a cell", self.line, place, seen)
        self.at = min(end, len(self.text)) if self.text[end:] != "\r" else len(self.text)
        return Cell(body.replace('""', '"').replace("\r\n", "\n"), True, start)


def _quote_error(fault: _BadQuote, file: str, columns: list[Column] | None) -> InputError:
    column = columns[fault.place].header if columns and fault.place < len(columns) else None
    mend = 'put the cell in quotes and double every quote inside it: {"a": 1} becomes "{""a"": 1}"'
    if "CR" in str(fault):
        mend = "save the file with LF or CRLF line ends, or put the cell in quotes"
    return InputError(
        f"column {column!r}: {fault}" if column else str(fault), place=f"{file}:{fault.line}", value=fault.seen[:120], mend=mend
    )


def _header(cells: list[Cell], file: str) -> list[Column]:
    errors: list[FairtrialError] = []
    columns: list[Column] = []
    taken: dict[Path, str] = {}
    for cell in cells:
        column, fault = _column(cell, len(cells), file)
        for path, header in taken.items():
            short = min(len(path), len(column.path))
            if not fault and path[:short] == column.path[:short]:
                fault = InputError(f"the columns {header!r} and {column.header!r} name the same key", place=f"{file}:{cell.line}")
        if fault:
            errors.append(fault)
        taken[column.path] = column.header
        columns.append(column)
    if errors:
        raise InputErrors(errors)
    return columns


def _column(cell: Cell, count: int, file: str) -> tuple[Column, InputError | None]:
    name, _, kind = cell.text.partition(":")
    column = Column(cell.text, tuple(name.split(".")), kind)
    place = f"{file}:{cell.line}"
    if count == 1 and (";" in cell.text or "\t" in cell.text):
        return column, InputError("the columns are not separated by commas", place=place, value=cell.text, mend="save it with commas")
    if not all(column.path):
        return column, InputError("a column without a name", place=place, value=cell.text, mend="name it, or remove the column")
    if ":" in cell.text and kind not in TYPES:
        near = nearest(kind, TYPES)
        mend = f"did you mean {name}:{near}?" if near else "leave the type out for text"
        return column, InputError(f"unknown column type {kind!r}", place=place, value=cell.text, allowed=", ".join(TYPES), mend=mend)
    return column, None


def _row(columns: list[Column], cells: list[Cell], file: str, keep: Keep) -> Row:
    line = cells[0].line
    if len(cells) != len(columns):
        what = f"{len(cells)} cells where the header has {len(columns)}"
        raise InputErrors([InputError(what, place=f"{file}:{line}", mend="add the missing commas, or quote a cell that holds one")])
    value: dict[str, Any] = {}
    errors: list[FairtrialError] = []
    for column, cell in zip(columns, cells, strict=True):
        if not cell.text and not cell.quoted and (column.kind or not keep(column.path)):
            continue
        try:
            _put(value, column.path, read_cell(cell.text, column.kind))
        except (BadValue, InputError) as error:
            what = error.what if isinstance(error, InputError) else str(error)
            errors.append(
                InputError(f"column {column.header!r}: {what}", place=f"{file}:{cell.line}", value=cell.text[:120], mend=error.mend)
            )
    row = Row(value, file, line)
    fault = None if errors else check_row(row)
    if fault:
        errors.append(fault)
    if errors:
        raise InputErrors(errors)
    return row


def _put(value: dict[str, Any], path: Path, item: Any) -> None:
    *above, last = path
    for key in above:
        value = value.setdefault(str(key), {})
    value[str(last)] = item
