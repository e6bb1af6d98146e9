"""Tables of labels from elsewhere as ratings: which column is the item, which holds whose label. CSV, JSONL, or a JSON list of objects.

A row that cannot be read is refused alone. Kept out: published shapes that are no table (`labelshapes.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.exchange.imported import Refusal
from fairtrial.exchange.tablefile import Record, TableFile, read_csv_file, read_jsonl_file
from fairtrial.records.errors import InputError, unknown_name
from fairtrial.records.rating import Rating
from fairtrial.records.text import loads, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

TABLES = ("csv", "jsonl", "json")
JOINT = "/"
"""What stands between the parts of an item's or a cluster's name that is made of several columns."""


class Columns(msgspec.Struct, frozen=True, kw_only=True):
    """Which column is what. `raters` maps a rater's name to the column with its labels; a table with one rating a row names the columns
    `rater` and `label` instead. `renamed` maps labels as they are written to what they shall be called."""

    item: tuple[str, ...]
    cluster: tuple[str, ...] = ()
    severity: str | None = None
    slices: tuple[str, ...] = ()
    raters: Mapping[str, str] = msgspec.field(default_factory=dict)
    rater: str | None = None
    label: str | None = None
    renamed: Mapping[str, str] = msgspec.field(default_factory=dict)

    def named(self) -> list[str]:
        """Every column that is named."""
        single = [name for name in (self.severity, self.rater, self.label) if name is not None]
        return [*self.item, *self.cluster, *self.slices, *self.raters.values(), *single]


Taken = tuple[list[Rating], list[tuple[str, Refusal]]]
"""The ratings, and what was refused by file."""


def read_tables(form: str, files: Iterable[str], columns: Columns) -> Taken:
    """The ratings of several tables that share their items. A file may lack some columns; one that no file has is an error."""
    ratings: list[Rating] = []
    refused: list[tuple[str, Refusal]] = []
    seen: dict[str, None] = {}
    for file in files:
        table = _opened(form, file)
        records = list(table.records)
        there = dict.fromkeys(name for record in records if isinstance(record, Record) for name in record.cells) or dict.fromkeys(
            table.columns
        )
        seen |= there
        for column in columns.item:
            if column not in there:
                raise unknown_name(f"no column {column!r}", column, there, place=file, mend="name the columns of the item: --item COLUMN")
        for record in records:
            if isinstance(record, Refusal):
                refused.append((file, record))
                continue
            try:
                ratings += _ratings(record.cells, columns, there)
            except ValueError as error:
                refused.append((file, Refusal(record.line, str(error))))
    for column in columns.named():
        if column not in seen:
            raise unknown_name(f"no column {column!r} in any file", column, seen)
    return ratings, refused


def _opened(form: str, file: str) -> TableFile:
    if form == "csv":
        return read_csv_file(file)
    if form == "jsonl":
        return read_jsonl_file(file)
    value = loads(read_text(file), source=file)
    if not isinstance(value, list):
        raise InputError("expected a list of objects", place=file, mend="name the format: csv, jsonl, json")
    return TableFile((), _listed(value))


def _listed(rows: list[Any]) -> Iterator[Record | Refusal]:
    for place, row in enumerate(rows, start=1):
        yield Record(place, row) if isinstance(row, dict) else Refusal(place, f"a row must be an object, not {type(row).__name__}")


def _ratings(cells: dict[str, Any], columns: Columns, there: Mapping[str, Any]) -> list[Rating]:
    """All ratings of one row; a column that this file lacks says nothing."""
    whose = {rater: column for rater, column in columns.raters.items() if column in there}
    if columns.rater is not None and columns.label is not None and columns.label in there:
        name = word(cells.get(columns.rater))
        if not name:
            raise ValueError(f"{columns.rater} is empty: whose label is it?")
        whose[name] = columns.label
    item = _joined(cells, columns.item)
    if not item:
        raise ValueError(f"{', '.join(columns.item)} is empty: which item is it?")
    slices = {name: text for name in columns.slices if (text := word(cells.get(name))) is not None}
    severity = word(cells.get(columns.severity)) if columns.severity else None
    cluster = _joined(cells, columns.cluster) if columns.cluster else None
    made = []
    for rater, column in whose.items():
        said = word(cells.get(column))
        label = said if said is None else columns.renamed.get(said, said)
        made.append(Rating(item=item, rater=rater, label=label, cluster=cluster, severity=severity, slice=slices))
    return made


def _joined(cells: dict[str, Any], names: tuple[str, ...]) -> str | None:
    parts = [word(cells.get(name)) for name in names]
    return None if any(part is None for part in parts) else JOINT.join(part or "" for part in parts)


def word(cell: Any) -> str | None:
    """A cell as a label or a name: text, whole numbers and truth values; raises ValueError for what is neither."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int):
        return str(cell)
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    raise ValueError(f"{cell!r:.60} is no label: write text or a whole number")
