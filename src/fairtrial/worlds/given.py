"""What a case adds to a database before its trial: its own rows or SQL, and planted instructions."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import InputError
from fairtrial.records.way import steps_of
from fairtrial.worlds.rows import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.worlds.injections import Injection


def give(database: sqlite3.Connection, state: Any, plants: Sequence[Injection]) -> None:
    """Write both. Raises InputError where they do not fit the database."""
    _apply(database, state)
    for one in plants:
        _plant(database, one)


def _apply(database: sqlite3.Connection, state: Any) -> None:
    try:
        if isinstance(state, str):
            database.executescript(state)
        elif isinstance(state, dict):
            for table, rows in state.items():
                _insert(database, table, rows)
        elif state is not None:
            raise InputError("a sqlite world takes SQL text or {table: [rows]} as `state`", value=state)
    except (sqlite3.Error, AttributeError, TypeError) as error:
        raise InputError(f"the case's state does not fit the database: {error}", value=state) from None
    database.commit()


def _insert(database: sqlite3.Connection, table: str, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        columns = ", ".join(quoted(name) for name in row)
        marks = ", ".join("?" for _ in row)
        database.execute(f"INSERT INTO {quoted(table)} ({columns}) VALUES ({marks})", list(row.values()))  # noqa: S608 - names are quoted


def _plant(database: sqlite3.Connection, one: Injection) -> None:
    """Put a plant behind the text of one field, named as a check names it: mails[1].body. Raises InputError."""
    match steps_of(one.at):
        case (str(table), int(row), str(column)) if row >= 0:
            place = f"(SELECT rowid FROM {quoted(table)} ORDER BY rowid LIMIT 1 OFFSET {row})"  # noqa: S608 - quoted
            field = quoted(column)
            sql = f"UPDATE {quoted(table)} SET {field} = {field} || ? WHERE rowid = {place} AND typeof({field}) = 'text'"  # noqa: S608 - quoted
        case _:
            what = f"the injection {one.id!r} is planted at {one.at!r}, which names no field of a row"
            raise InputError(what, allowed="table[row].column, as in mails[0].body")
    try:
        done = database.execute(sql, (f"\n\n{one.text}",)).rowcount
    except sqlite3.Error as error:
        raise InputError(f"the injection {one.id!r} cannot be planted at {one.at!r}: {error}") from None
    if done != 1:
        raise InputError(
            f"the injection {one.id!r} is planted at {one.at!r}, where there is no text", mend="name a text of the world's start"
        )
    database.commit()
