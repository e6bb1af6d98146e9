"""The database that a question is put to: built in memory from a stored state {table: [row, …]}.

A start that many trials share is built once; what a trial changed is put into it for one question and taken back. Kept out: the
question itself (`queries.py`).
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fairtrial.records.edits import ROWS, Edit
from fairtrial.records.text import dumps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FREE = "·"
"""The name of the one column of a table whose columns nobody knows."""
WIDE, NARROW = 1 << 30, 1 << 10
"""Between two rows of a start there is room for those that a case added, and between those for those of a trial."""
MOST_LENGTH = 1_000_000_000


class QueryFailed(Exception):
    """The query could not be answered from this state."""


def columns_of(state: Any, before: Any) -> dict[str, list[str]]:
    """The tables of a state and their columns; what is no list of rows is no table."""
    found: dict[str, list[str]] = {}
    for table, rows in state.items() if isinstance(state, dict) else ():
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            earlier = before.get(table) if isinstance(before, dict) else None
            known = [*rows, *(row for row in (earlier if isinstance(earlier, list) else []) if isinstance(row, dict))]
            found[str(table)] = list(dict.fromkeys(str(name) for row in known for name in row)) or [FREE]
    if not found:
        raise QueryFailed("the state has no tables ({table: [row, …]})")
    return found


def fill(database: sqlite3.Connection, columns: dict[str, list[str]], state: Any, keys: dict[str, str] | None = None) -> None:
    """Make the tables; with `keys`, the name of each one's row number, the rows get numbers with room between them."""
    try:
        for table, names in columns.items():
            database.execute(f"CREATE TABLE {quoted(table)} ({', '.join(map(quoted, names))})")
            key = keys[table] if keys else ""
            rows = ([_plain(row.get(name)) for name in names] for row in state[table])
            numbered = ([number * WIDE, *row] for number, row in enumerate(rows, 1)) if key else rows
            into = ", ".join([key, *map(quoted, names)] if key else map(quoted, names))
            marks = ", ".join("?" for _ in range(len(names) + bool(key)))
            database.executemany(f"INSERT INTO {quoted(table)} ({into}) VALUES ({marks})", numbered)  # noqa: S608 - names are quoted
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        raise QueryFailed(f"the state does not fit into tables: {error}") from None


def _key(names: list[str]) -> str:
    """A name for the row's number that no column has; nothing where all are taken."""
    taken = {name.lower() for name in names}
    return next((name for name in ("rowid", "_rowid_", "oid") if name not in taken), "")


class Shared:
    """A start in a database of its own, row n (from 0) under the number (n + 1) · WIDE."""

    def __init__(self, state: Any) -> None:
        self._columns = columns_of(state, None)
        self._database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._keys = {table: _key(names) for table, names in self._columns.items()}
        fill(self._database, self._columns, state, self._keys)

    def takes(self, given: Sequence[Edit], end: Sequence[Edit]) -> bool:
        """Whether these edits can be put into it: rows of known tables with known columns, and not too many of them."""
        return all(self._fits(edit, WIDE // NARROW) for edit in given) and all(self._fits(edit, NARROW) for edit in end)

    def _fits(self, edit: Edit, most: int) -> bool:
        names = self._columns.get(edit.steps[0]) if edit.kind == ROWS and len(edit.steps) == 1 else None
        if names is None or FREE in names or not self._keys[edit.steps[0]] or len(edit.value) >= most - 1:
            return False
        return all(isinstance(row, dict) and row.keys() <= set(names) for row in edit.value)

    @contextmanager
    def end(self, given: Sequence[Edit], end: Sequence[Edit]) -> Iterator[sqlite3.Connection]:
        """The database with the case's own edits and then a trial's, taken back on leaving."""
        database = self._database
        database.execute("BEGIN")
        try:
            for edit in given:
                self._put(edit, [], NARROW)
            for edit in end:
                self._put(edit, [other for other in given if other.steps == edit.steps], 1)
            yield database
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            raise QueryFailed(f"the state does not fit into tables: {error}") from None
        finally:
            database.set_authorizer(None)
            database.set_progress_handler(None, 0)
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_LENGTH)
            database.execute("ROLLBACK")

    def _put(self, edit: Edit, given: list[Edit], apart: int) -> None:
        table, names, key = edit.steps[0], self._columns[edit.steps[0]], self._keys[edit.steps[0]]
        if edit.gone:
            ends = _number(edit.at, given), _number(edit.at + edit.gone - 1, given)
            self._database.execute(f"DELETE FROM {quoted(table)} WHERE {key} BETWEEN ? AND ?", ends)  # noqa: S608 - quoted
        first = _number(edit.at - 1, given)
        marks = ", ".join("?" for _ in range(len(names) + 1))
        rows = [[first + number * apart, *(_plain(row.get(name)) for name in names)] for number, row in enumerate(edit.value, 1)]
        columns = ", ".join(map(quoted, names))
        self._database.executemany(f"INSERT INTO {quoted(table)} ({key}, {columns}) VALUES ({marks})", rows)  # noqa: S608 - quoted


def _number(place: int, given: list[Edit]) -> int:
    """The number of the row at a place, once the case's own edits are in."""
    shift = 0
    for edit in given:
        first = edit.at + shift
        if place < first:
            break
        if place < first + len(edit.value):
            return edit.at * WIDE + (place - first + 1) * NARROW
        shift += len(edit.value) - edit.gone
    return (place - shift + 1) * WIDE


def _plain(value: Any) -> Any:
    """Nested values are kept as JSON text, which SQLite's own JSON functions read."""
    return dumps(value) if isinstance(value, (dict, list)) else value


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
