"""`query: SQL`: a read-only question to the end state, put to a database rebuilt from what was stored.

The stored state {table: [row, …]} becomes an in-memory SQLite database for the time of the check. Nothing but SELECT is
authorised: no ATTACH, no PRAGMA, no extension, and time, rows and value sizes are limited. Kept out: how the result is
compared (`matchers.py`).
"""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from typing import Any

from fairtrial.graders.finding import Finding, broken, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.kept import untold
from fairtrial.graders.matchers import compile_matcher
from fairtrial.graders.values import Probe, claimed, end_place, misfit
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind
from fairtrial.records.text import dumps

SECONDS = 2.0
MOST_ROWS = 10_000
MOST_BYTES = 10_000_000
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_NO_COLUMN = re.compile(r"no such column: (?:\w+\.)?(\w+)")
_FREE = "·"
"""The name of the one column of a table whose columns nobody knows."""


class QueryFailed(Exception):
    """The query could not be answered from this state."""


def compile_query(check: Check, ground: Ground) -> Probe:
    """One row with one column is compared as that value (and, failing that, as the list of rows)."""
    match = compile_matcher(check.expect, place=check.place)
    exists = check.expect.get("exists")
    sql = str(check.target)

    def probe(view: View) -> Finding:
        if not view.state_kept:
            return unknown("the end of the world was not kept")
        covered = untold(view, end_place(view), "part of the state")
        if covered is not None:
            return covered
        try:
            rows = ask(sql, view.state, view.before)
        except QueryFailed as error:
            return broken(f"the query could not be answered: {error}", path=sql)
        if exists is not None and bool(rows) is not exists:
            found = f"{len(rows)} rows" if rows else "no row"
            return fails(f"{found}: {sql}", path=sql, expected={"exists": exists}, seen=rows[:5], kind=FailureKind.WRONG_STATE)
        scalar = next(iter(rows[0].values())) if len(rows) == 1 and len(rows[0]) == 1 else rows
        mismatch = match(scalar)
        if mismatch is not None and scalar is not rows and match(rows) is None:
            mismatch = None
        if mismatch is None:
            return holds(path=sql, seen=scalar, kind=FailureKind.WRONG_STATE)
        misfitting = misfit(mismatch, "the result", FailureKind.WRONG_STATE)
        misfitting.path = sql
        return misfitting

    return probe if check.under in ("must_not", "not") else claimed(probe)


def ask(sql: str, state: Any, before: Any) -> list[dict[str, Any]]:
    """The rows of a SELECT over {table: [row, …]}. `before` helps to know the columns of tables that are empty now.

    Raises QueryFailed.
    """
    columns = _columns(state, before)
    for _ in range(20):
        with closing(sqlite3.connect(":memory:")) as database:
            _fill(database, columns, state)
            try:
                return _select(database, sql)
            except QueryFailed as error:
                unknown_column = _NO_COLUMN.search(str(error))
                bare = [names for names in columns.values() if _FREE in names and unknown_column and unknown_column[1] not in names]
                if not unknown_column or not bare:
                    raise
                for names in bare:  # an empty table of unknown shape may have any column: no row would show it
                    names.append(unknown_column[1])
    raise QueryFailed("it names too many columns of tables that are empty")


def _columns(state: Any, before: Any) -> dict[str, list[str]]:
    """The tables of a state and their columns; what is no list of rows is no table."""
    found: dict[str, list[str]] = {}
    for table, rows in state.items() if isinstance(state, dict) else ():
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            earlier = before.get(table) if isinstance(before, dict) else None
            known = [*rows, *(row for row in (earlier if isinstance(earlier, list) else []) if isinstance(row, dict))]
            found[str(table)] = list(dict.fromkeys(str(name) for row in known for name in row)) or [_FREE]
    if not found:
        raise QueryFailed("the state has no tables ({table: [row, …]})")
    return found


def _fill(database: sqlite3.Connection, columns: dict[str, list[str]], state: Any) -> None:
    try:
        for table, names in columns.items():
            database.execute(f"CREATE TABLE {_quoted(table)} ({', '.join(map(_quoted, names))})")
            marks = ", ".join("?" for _ in names)
            rows = ([_plain(row.get(name)) for name in names] for row in state[table])
            database.executemany(f"INSERT INTO {_quoted(table)} VALUES ({marks})", rows)  # noqa: S608 - names are quoted
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        raise QueryFailed(f"the state does not fit into tables: {error}") from None


def _select(database: sqlite3.Connection, sql: str) -> list[dict[str, Any]]:
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    read: set[str] = set()

    def authorise(action: int, table: str | None, *_: Any) -> int:
        if action == sqlite3.SQLITE_READ and table:
            read.add(table)
        return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY

    database.set_authorizer(authorise)
    until = time.monotonic() + SECONDS
    database.set_progress_handler(lambda: time.monotonic() > until, 10_000)
    try:
        cursor = database.execute(sql)
        names = [entry[0] for entry in cursor.description or ()]
        rows = _bounded(cursor, until)
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        late = f" (it took longer than {SECONDS:g} s)" if "interrupted" in str(error) else ""
        raise QueryFailed(f"{error}{late}") from None
    if not read - {"sqlite_master", "sqlite_schema"}:
        raise QueryFailed("it reads no table of the state, so it says nothing of the trial")
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise QueryFailed(f"two columns of its result are called {twice!r}: tell them apart with AS")
    return [dict(zip(names, row, strict=True)) for row in rows]


def _bounded(cursor: sqlite3.Cursor, until: float) -> list[tuple[Any, ...]]:
    """All rows, one by one: a few large values a row are many in all, and the database's own clock ticks between steps only."""
    rows: list[tuple[Any, ...]] = []
    size = 0
    for row in cursor:
        rows.append(row)
        size += sum(len(value) for value in row if isinstance(value, (str, bytes)))
        if len(rows) > MOST_ROWS:
            raise QueryFailed(f"more than {MOST_ROWS} rows")
        if size > MOST_BYTES:
            raise QueryFailed(f"more than {MOST_BYTES} bytes")
        if time.monotonic() > until:
            raise QueryFailed(f"it took longer than {SECONDS:g} s")
    return rows


def _plain(value: Any) -> Any:
    """Nested values are kept as JSON text, which SQLite's own JSON functions read."""
    return dumps(value) if isinstance(value, (dict, list)) else value


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
