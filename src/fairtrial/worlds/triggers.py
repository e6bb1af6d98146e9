"""Which rows of a SQLite database were touched, told by triggers as it happens, and whether that can be trusted.

TEMP triggers on one connection call back with the keys of each row that is inserted, updated or deleted; what stands there is
read later, so a rollback or a second change does no harm. The record is not trusted where something could have passed it by:
another schema, a setting that silences triggers, writes that no trigger sees. Then both states have to be compared whole.
"""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple

from fairtrial.worlds.rows import quoted, schema_version

NOTE = "fairtrial_note"
_EVENTS = {"INSERT": "NEW", "DELETE": "OLD", "UPDATE": "OLD NEW"}
_BLINDING = frozenset({"recursive_triggers", "writable_schema", "schema_version", "trusted_schema", "temp_store"})
"""Settings by which a trigger could be silenced, or its absence hidden."""
_STAYING = frozenset({"user_version", "application_id", "default_cache_size", "journal_mode", "encoding", "auto_vacuum", "page_size"})
"""Settings of the database and not of the connection: no row tells of them, and the next trial would find them set."""


class Unwatchable(Exception):
    """Triggers cannot cover this database; the message says why."""


class Table(NamedTuple):
    """`key` is a name by which its rowid can be asked for; "" for a table WITHOUT ROWID, of which only is told that it was
    touched. `columns` are those that can be written."""

    name: str
    key: str
    columns: tuple[str, ...]


def watchable(database: sqlite3.Connection) -> list[Table]:
    """The tables of a database, in the order of their names. Raises Unwatchable."""
    own = database.execute("SELECT name FROM main.sqlite_master WHERE type = 'trigger'").fetchone()
    if own is not None:  # REPLACE tells of the rows it removes only where triggers may fire each other, which would change its own
        raise Unwatchable(f"it has triggers of its own ({own[0]})")
    listed = database.execute("PRAGMA main.table_list").fetchall()
    if not listed:
        raise Unwatchable(f"SQLite {sqlite3.sqlite_version} cannot list tables by their kind")
    tables = []
    for _, name, kind, _, keyless, *_ in sorted(row for row in listed if row[0] == "main"):
        if kind in ("virtual", "shadow"):
            raise Unwatchable(f"it has a virtual table ({name})")
        if kind == "table" and not name.lower().startswith("sqlite_"):
            tables.append(_table(database, name, bool(keyless)))
    return tables


def _table(database: sqlite3.Connection, name: str, keyless: bool) -> Table:
    found = database.execute(f"PRAGMA main.table_xinfo({quoted(name)})").fetchall()
    columns = {row[1].lower() for row in found}
    key = "" if keyless or "rowid" in columns else "rowid"
    return Table(name, key, tuple(row[1] for row in found if row[6] == 0))


class Watched(sqlite3.Connection):
    """A connection that says when a tool used what no trigger sees."""

    unseen = ""

    def _unseen(self, method: str, *args: Any, **named: Any) -> Any:
        self.unseen = f"a tool used {method}(), which leaves no record"
        return getattr(super(), method)(*args, **named)

    def blobopen(self, *args: Any, **named: Any) -> Any:
        return self._unseen("blobopen", *args, **named)

    def deserialize(self, *args: Any, **named: Any) -> Any:
        return self._unseen("deserialize", *args, **named)

    def set_authorizer(self, *args: Any, **named: Any) -> Any:
        return self._unseen("set_authorizer", *args, **named)

    def enable_load_extension(self, *args: Any, **named: Any) -> Any:
        return self._unseen("enable_load_extension", *args, **named)

    def setconfig(self, *args: Any, **named: Any) -> Any:
        return self._unseen("setconfig", *args, **named)


class Triggers:
    """The triggers on one connection, from now on. `touched` has the keys for each table by its place in the list."""

    def __init__(self, database: Watched, tables: list[Table]) -> None:
        self._database, self._tables = database, tables
        self.touched: list[set[int]] = [set() for _ in tables]
        self._unkeyed = ""
        self._calls = 0
        self._noted = ""
        database.create_function(NOTE, -1, self._note)
        database.execute("PRAGMA recursive_triggers = 1")  # else REPLACE says nothing of the rows it removes
        for number, table in enumerate(tables):
            for event, rows in _EVENTS.items():
                keys = "".join(f", {row}.{table.key}" for row in rows.split()) if table.key else ""
                name = quoted(f"fairtrial {number} {event}")
                on = f"AFTER {event} ON main.{quoted(table.name)}"
                database.execute(f"CREATE TEMP TRIGGER {name} {on} BEGIN SELECT {NOTE}({number}{keys}); END")
        self._schema = schema_version(self._database)
        sqlite3.Connection.set_authorizer(database, self._authorise)
        self.restart()

    def restart(self) -> None:
        """Forget what was touched so far."""
        for keys in self.touched:
            keys.clear()
        self._unkeyed, self._calls, self._before = "", 0, self._database.total_changes

    def distrust(self) -> str:
        """Why the record may not be whole; nothing where it is."""
        if why := self._noted or self._database.unseen:
            return why
        if schema_version(self._database) != self._schema:
            return "its schema was changed"
        if self._unkeyed:
            return f"the table {self._unkeyed} was changed, whose rows have no rowid to tell them by"
        if not self._one("PRAGMA recursive_triggers"):
            return "a tool switched recursive_triggers off"
        there = self._one("SELECT count(*) FROM temp.sqlite_master WHERE type = 'trigger' AND name LIKE 'fairtrial %'")
        if there != len(self._tables) * len(_EVENTS):
            return "the triggers that keep the record were dropped"
        if self._database.total_changes - self._before > self._calls:
            return "more rows were written than the record has"
        return ""

    def _note(self, number: int, *keys: int) -> None:
        self._calls += 1
        if keys:
            self.touched[number].update(keys)
        else:
            self._unkeyed = self._tables[number].name

    def _authorise(self, action: int, what: str | None, value: str | None, *_: Any) -> int:
        """Everything is allowed; what could blind the watch is noted."""
        if action == sqlite3.SQLITE_DROP_TEMP_TRIGGER:
            self._noted = "a temporary trigger was dropped"
        elif action == sqlite3.SQLITE_PRAGMA and value is not None and str(what).lower() in _BLINDING | _STAYING:
            self._noted = f"a tool set PRAGMA {what}"
        return sqlite3.SQLITE_OK

    def _one(self, sql: str) -> Any:
        return self._database.execute(sql).fetchone()[0]
