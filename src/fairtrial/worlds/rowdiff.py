"""What differs between two SQLite databases, found by looking at the touched rows alone.

It comes to the very changes that `diff` finds between the two states read whole: tables by name, rows by position. Where a row
was added or taken away before the end, all behind it have moved; they are then read in order, as far as the list of changes goes.
"""

from __future__ import annotations

import heapq
from array import array
from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from fairtrial.records.edits import ROWS, Edit
from fairtrial.records.trial import Change
from fairtrial.records.way import stepped
from fairtrial.worlds.changes import FAR, ends, limited, walk
from fairtrial.worlds.rows import Row, as_row, quoted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from fairtrial.worlds.triggers import Table

Overlay = dict[int, "Row | None"]
"""Rows by key that stand in place of those in the database; None for one that is not there."""


class Side:
    """A state: the rows of a database, with some of them replaced. `keys` are those of each table, in order."""

    def __init__(
        self, database: sqlite3.Connection, tables: list[Table], keys: list[array[int]], over: list[Overlay] | None = None
    ) -> None:
        self.database, self.tables, self.keys = database, tables, keys
        self.over = over or [{} for _ in tables]

    def row(self, number: int, key: int) -> Row | None:
        over = self.over[number]
        return over[key] if key in over else read(self.database, self.tables[number], key)

    def rows(self, number: int, key: int) -> Iterator[Row]:
        """All rows from a key on, in order."""
        over = self.over[number]
        stored = ((at, row) for at, row in _rows(self.database, self.tables[number], key) if at not in over)
        placed = sorted((at, row) for at, row in over.items() if at >= key and row is not None)
        return (row for _, row in heapq.merge(stored, placed, key=lambda entry: entry[0]))

    def moved(self, rows: dict[int, Overlay]) -> Side:
        """The state with other rows in some tables."""
        made = Side(self.database, self.tables, list(self.keys), list(self.over))
        for number, new in rows.items():
            keys = array("q", self.keys[number])
            for key, row in new.items():
                at, there = _place(keys, key)
                if there and row is None:
                    del keys[at]
                elif not there and row is not None:
                    keys.insert(at, key)
            made.keys[number] = keys
            made.over[number] = self.over[number] | new
        return made


class Found(NamedTuple):
    """`rows`: the differing rows as they are now, by the table's place."""

    changes: list[Change]
    edits: list[Edit]
    rows: dict[int, Overlay]


def compare(start: Side, live: sqlite3.Connection, touched: list[set[int]]) -> Found:
    """From a start to what a connection holds now, where only touched rows can differ."""
    found: list[Change] = []
    edits: list[Edit] = []
    rows: dict[int, Overlay] = {}
    for number, table in enumerate(start.tables):
        pairs = [(key, start.row(number, key), read(live, table, key)) for key in sorted(touched[number])]
        differing = [pair for pair in pairs if _differ(*pair[1:])]
        if differing:
            edits += _edits(table.name, start.keys[number], differing)
            _changes(start, live, (number, differing), found)
            rows[number] = {key: new for key, _, new in differing}
    return Found(limited(found), edits, rows)


Pair = tuple[int, "Row | None", "Row | None"]


def _edits(name: str, keys: array[int], differing: list[Pair]) -> list[Edit]:
    made: list[Edit] = []
    for key, old, new in differing:
        edit = Edit([name], ROWS, [] if new is None else [new], bisect_left(keys, key), 0 if old is None else 1)
        last = made[-1] if made else None
        if last is not None and last.at + last.gone == edit.at:
            made[-1] = Edit([name], ROWS, last.value + edit.value, last.at, last.gone + edit.gone)
        else:
            made.append(edit)
    return made


def _changes(start: Side, live: sqlite3.Connection, told: tuple[int, list[Pair]], found: list[Change]) -> None:
    if len(found) > FAR:
        return
    number, differing = told
    table, keys = start.tables[number], start.keys[number]
    name = stepped("", table.name)
    shift = next((key for key, old, new in differing if old is None or new is None), None)
    for key, old, new in differing:
        if shift is None or key < shift:
            walk(f"{name}[{bisect_left(keys, key)}]", old, new, found)
    if shift is None:
        return
    at = bisect_left(keys, shift)
    had = len(keys) - at
    has = had + sum((old is None) - (new is None) for _, old, new in differing)
    before, after = start.rows(number, shift), (row for _, row in _rows(live, table, shift))
    for place, (old, new) in enumerate(zip(islice(before, min(had, has)), islice(after, min(had, has)), strict=True), at):
        walk(f"{name}[{place}]", old, new, found)
        if len(found) > FAR:
            break
    ends(name, (at + had, at + has), (before, after), found)


def read(database: sqlite3.Connection, table: Table, key: int) -> Row | None:
    """One row by its key."""
    cursor = database.execute(f"SELECT * FROM main.{quoted(table.name)} WHERE {table.key} = ?", (key,))  # noqa: S608 - quoted
    found = cursor.fetchone()
    return None if found is None else as_row([entry[0] for entry in cursor.description], found)


def _rows(database: sqlite3.Connection, table: Table, key: int) -> Iterator[tuple[int, Row]]:
    asked = f"SELECT {table.key}, * FROM main.{quoted(table.name)} WHERE {table.key} >= ? ORDER BY {table.key}"  # noqa: S608 - quoted
    cursor: Iterable[Any] = database.execute(asked, (key,))
    columns = [entry[0] for entry in cursor.description][1:]  # type: ignore[attr-defined]
    for at, *values in cursor:
        yield at, as_row(columns, tuple(values))


def _differ(old: Row | None, new: Row | None) -> bool:
    found: list[Change] = []
    walk("", old, new, found)
    return bool(found)


def _place(keys: array[int], key: int) -> tuple[int, bool]:
    """Where a key stands, or would, and whether it does."""
    at = bisect_left(keys, key)
    return at, at < len(keys) and keys[at] == key
