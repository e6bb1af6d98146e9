"""A copy of a SQLite database as its own connection sees it, what is not committed yet included.

Neither an image nor a backup holds that, so tables are made anew and their rows bound as values: no name, no NUL, no endless
number and no text of odd bytes is written as SQL. Kept out: when a copy is asked for (`sqlite.py`, `recorded.py`).
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from fairtrial.worlds.rows import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Odd(bytes):
    """A text that is not UTF-8; a plain `bytes` is a blob."""


def copied(live: sqlite3.Connection) -> sqlite3.Connection:
    """A database of its own in memory, read with the connection's settings and left with them. Raises sqlite3.Error."""
    factories = live.row_factory, live.text_factory
    made = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        live.row_factory, live.text_factory = None, _text
        if live.in_transaction:
            _fill(live, made)
        else:
            live.backup(made)
    except BaseException:
        made.close()
        raise
    finally:
        live.row_factory, live.text_factory = factories
    made.row_factory, made.text_factory = factories
    return made


def _fill(live: sqlite3.Connection, made: sqlite3.Connection) -> None:
    kinds = {name: kind for schema, name, kind, *_ in live.execute("PRAGMA main.table_list") if schema == "main"}
    parts = live.execute("SELECT type, name, sql FROM main.sqlite_master WHERE sql IS NOT NULL ORDER BY type <> 'table'").fetchall()
    # What a virtual table stores lies in shadow tables, which it makes itself; what it shows is no content of its own.
    parts.sort(key=lambda part: (part[0] != "table", kinds.get(part[1]) != "virtual"))
    for kind, name, sql in parts:
        if kind == "table" and kinds.get(name) != "shadow" and not name.startswith("sqlite_"):
            made.execute(sql)
    for kind, name, _ in parts:
        if kind == "table" and kinds.get(name) != "virtual":
            _rows(live, made, name)
    for kind, _, sql in parts:
        if kind != "table":
            made.execute(sql)
    for setting in ("user_version", "application_id"):
        made.execute(f"PRAGMA {setting} = {live.execute(f'PRAGMA main.{setting}').fetchone()[0]:d}")
    made.commit()


def _rows(live: sqlite3.Connection, made: sqlite3.Connection, table: str) -> None:
    found = live.execute(f"PRAGMA main.table_xinfo({quoted(table)})").fetchall()
    names = [quoted(row[1]) for row in found if row[6] == 0]
    if not any(row[5] for row in found) and "rowid" not in {row[1].lower() for row in found}:
        names.insert(0, "rowid")  # where a key is declared it is the rowid, or the table has none that anybody relies on
    made.execute(f"DELETE FROM {quoted(table)}")  # noqa: S608 - quoted
    columns = ", ".join(names)
    for row in live.execute(f"SELECT {columns} FROM main.{quoted(table)}"):  # noqa: S608 - quoted
        marks = ", ".join("CAST(? AS TEXT)" if isinstance(value, _Odd) else "?" for value in row)
        made.execute(f"INSERT INTO {quoted(table)} ({columns}) VALUES ({marks})", _bound(row))  # noqa: S608 - quoted


def _bound(row: Sequence[object]) -> list[object]:
    return [bytes(value) if isinstance(value, _Odd) else value for value in row]


def _text(data: bytes) -> str | _Odd:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _Odd(data)
