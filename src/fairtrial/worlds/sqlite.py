"""The SQLite world: a database built once from a seed script, a fresh in-memory copy for every trial.

A case's `state` adds to the seed: SQL text is run after it; {table: [row, …]} is inserted. The end state is read as
{table: [{column: value}, …]} in rowid order; blobs become base64 text.
"""

from __future__ import annotations

import base64
import sqlite3
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.case import Scene
from fairtrial.records.errors import InputError
from fairtrial.records.text import read_text
from fairtrial.records.trial import Change
from fairtrial.records.way import steps_of
from fairtrial.worlds.changes import diff
from fairtrial.worlds.injections import in_world
from fairtrial.worlds.world import encode_state, state_hash

if TYPE_CHECKING:
    from pathlib import Path

    from fairtrial.worlds.injections import Injection


class SqliteWorld:
    """Runs the seed script once; `open` loads its bytes and applies the scene's own state."""

    quiet = True

    def __init__(self, seed: Path | None) -> None:
        self._template = _build(seed)
        self._started: dict[bytes, tuple[bytes, Any, str]] = {}

    def open(self, scene: Scene, folder: str | None = None) -> LiveSqlite:
        """A fresh database for one trial; raises InputError where the scene's state does not fit the schema."""
        image, before, start = self._start(scene.state, in_world(scene) if scene.injections else [])
        return LiveSqlite(_load(image), before, start)

    def close(self) -> None:
        """Forget the starts that were built."""
        self._started.clear()

    def _start(self, state: Any, plants: list[Injection]) -> tuple[bytes, Any, str]:
        key = encode_state([state, plants] if plants else state)
        if key not in self._started:
            if len(self._started) > 64:
                self._started.clear()
            with _closing(_load(self._template)) as database:
                _apply(database, state)
                for one in plants:
                    _plant(database, one)
                before = dump(database)
                self._started[key] = (database.serialize(), before, state_hash(encode_state(before)))
        return self._started[key]


class LiveSqlite:
    kind = ""
    patch = ""
    __slots__ = ("_copies", "before", "live", "start_hash")

    def __init__(self, live: sqlite3.Connection, before: Any, start_hash: str) -> None:
        self._copies: list[sqlite3.Connection] = []
        self.live = live
        self.before = before
        self.start_hash = start_hash

    def after(self) -> Any:
        """What is committed; an open transaction is rolled back first, since nobody else would ever see it."""
        self.live.rollback()
        # However a tool likes its rows and its text: the record is read in one way, whatever bytes stand in it.
        self.live.row_factory = None
        self.live.text_factory = _text
        found = dump(self.live)
        return msgspec.UNSET if found == self.before else found

    def changes(self, after: Any) -> list[Change]:
        return diff(self.before, after)

    def mark(self) -> object:
        """How many rows were written so far, be it without effect."""
        try:
            return self.live.total_changes
        except sqlite3.ProgrammingError:  # a tool has closed it
            return None

    def scratch(self) -> sqlite3.Connection:
        """What is not committed yet is in the copy as well: a tool would see it. An image holds only what is committed."""
        live = self.live
        made = _replayed(live) if live.in_transaction else _load(live.serialize())
        made.row_factory, made.text_factory = live.row_factory, live.text_factory
        self._copies.append(made)
        return made

    def close(self) -> None:
        for database in (self.live, *self._copies):
            database.close()


class _closing:  # noqa: N801 - reads as a statement; contextlib is not needed for one method
    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> sqlite3.Connection:
        return self._database

    def __exit__(self, *_: object) -> None:
        self._database.close()


def _build(seed: Path | None) -> bytes:
    with _closing(_connect()) as database:
        if seed is not None:
            try:
                database.executescript(read_text(seed))
            except (sqlite3.Error, OSError) as error:
                raise InputError(f"the seed script cannot be run: {error}", place=str(seed), mend="try it with the sqlite3 shell") from None
        database.commit()
        return database.serialize()


def _connect() -> sqlite3.Connection:
    # A sync agent's tools run in a thread of their own; one trial owns the connection.
    return sqlite3.connect(":memory:", check_same_thread=False)


def _load(image: bytes) -> sqlite3.Connection:
    database = _connect()
    if image:
        database.deserialize(image)
    return database


def _replayed(live: sqlite3.Connection) -> sqlite3.Connection:
    """A copy made row by row, as the connection itself sees them."""
    factory, live.row_factory = live.row_factory, None
    try:
        script = "\n".join(live.iterdump())
    finally:
        live.row_factory = factory
    made = _connect()
    made.executescript(script)
    return made


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
        columns = ", ".join(_quoted(name) for name in row)
        marks = ", ".join("?" for _ in row)
        database.execute(f"INSERT INTO {_quoted(table)} ({columns}) VALUES ({marks})", list(row.values()))  # noqa: S608 - names are quoted


def _plant(database: sqlite3.Connection, one: Injection) -> None:
    """Put a plant behind the text of one field, named as a check names it: mails[1].body. Raises InputError."""
    match steps_of(one.at):
        case (str(table), int(row), str(column)) if row >= 0:
            place = f"(SELECT rowid FROM {_quoted(table)} ORDER BY rowid LIMIT 1 OFFSET {row})"  # noqa: S608 - quoted
            field = _quoted(column)
            sql = f"UPDATE {_quoted(table)} SET {field} = {field} || ? WHERE rowid = {place} AND typeof({field}) = 'text'"  # noqa: S608 - quoted
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


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def dump(database: sqlite3.Connection) -> dict[str, list[dict[str, Any]]]:
    """Every table's rows as plain data, tables by name, rows in rowid order where there is one."""
    names = [
        row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    ]
    return {name: _rows(database, name) for name in names}


def _rows(database: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    try:
        cursor = database.execute(f"SELECT * FROM {_quoted(table)} ORDER BY rowid")  # noqa: S608 - quoted
    except sqlite3.OperationalError:  # a table WITHOUT ROWID is in primary-key order by itself
        cursor = database.execute(f"SELECT * FROM {_quoted(table)}")  # noqa: S608 - quoted
    columns = [entry[0] for entry in cursor.description]
    return [{name: _plain(value) for name, value in zip(columns, row, strict=True)} for row in cursor]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _plain(value: Any) -> Any:
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value
