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
from typing import Any, NamedTuple

from fairtrial.graders.finding import Finding, broken, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.matchers import compile_matcher
from fairtrial.graders.rebuilt import FREE, QueryFailed, Shared, columns_of, fill
from fairtrial.graders.values import Probe, claimed, misfit
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind

SECONDS = 2.0
MOST_ROWS = 10_000
MOST_BYTES = 10_000_000
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_NO_COLUMN = re.compile(r"no such column: (?:\w+\.)?(\w+)")

Columns = set[tuple[str, str]]
"""(table, column) of what a query read; the column is "" where a table was only counted."""


class Answer(NamedTuple):
    rows: list[dict[str, Any]]
    read: Columns


def compile_query(check: Check, ground: Ground) -> Probe:
    """One row with one column is compared as that value (and, failing that, as the list of rows)."""
    match = compile_matcher(check.expect, place=check.place)
    exists = check.expect.get("exists")
    sql = str(check.target)

    def probe(view: View) -> Finding:
        if not view.state_kept:
            return unknown("the end of the world was not kept")
        covered = view.covered_columns
        try:
            rows, read = _ask_view(sql, view)
        except QueryFailed as error:
            return (unknown if covered else broken)(f"the query could not be answered: {error}", path=sql)
        if covered and (how := _leans_on(covered, read)):
            return unknown(how, path=sql)
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


def _leans_on(covered: dict[tuple[str, str], str], read: Columns) -> str:
    """What the query read of that was changed before it was stored; nothing where it did not."""
    for (table, column), how in covered.items():
        for one, name in read:
            if table in ("", one) and (not column or column == name or column.startswith(f"{name}.")):
                return f"{f'{table}.{column}'.strip('.') or 'part of the state'} was changed before it was stored ({how})"
    return ""


def _ask_view(sql: str, view: View) -> Answer:
    """As `ask`, of a trial's end. Where many trials share a start, its database is built once, and each end is put into it for the
    time of the question. Raises QueryFailed."""
    start, base = view.body.start, view.base
    if start is not None and base is not None and not base.kept.missing:
        shared: Shared = base.once("database", lambda: Shared(base.kept.state))
        if shared.takes(start.edits, view.body.end):
            with shared.end(start.edits, view.body.end) as database:
                return _select(database, sql)
    return _ask(sql, view.state, view.before)


def ask(sql: str, state: Any, before: Any) -> list[dict[str, Any]]:
    """The rows of a SELECT over {table: [row, …]}. `before` helps to know the columns of tables that are empty now.

    Raises QueryFailed.
    """
    return _ask(sql, state, before).rows


def _ask(sql: str, state: Any, before: Any) -> Answer:
    columns = columns_of(state, before)
    for _ in range(20):
        with closing(sqlite3.connect(":memory:")) as database:
            fill(database, columns, state)
            try:
                return _select(database, sql)
            except QueryFailed as error:
                unknown_column = _NO_COLUMN.search(str(error))
                bare = [names for names in columns.values() if FREE in names and unknown_column and unknown_column[1] not in names]
                if not unknown_column or not bare:
                    raise
                for names in bare:  # an empty table of unknown shape may have any column: no row would show it
                    names.append(unknown_column[1])
    raise QueryFailed("it names too many columns of tables that are empty")


def _select(database: sqlite3.Connection, sql: str) -> Answer:
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    read: Columns = set()

    def authorise(action: int, table: str | None, column: str | None, *_: Any) -> int:
        if action == sqlite3.SQLITE_READ and table and table not in ("sqlite_master", "sqlite_schema"):
            read.add((table, column or ""))
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
    if not read:
        raise QueryFailed("it reads no table of the state, so it says nothing of the trial")
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise QueryFailed(f"two columns of its result are called {twice!r}: tell them apart with AS")
    return Answer([dict(zip(names, row, strict=True)) for row in rows], read)


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
