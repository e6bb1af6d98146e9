"""The rows of a SQLite database as plain data, read in one way whatever a tool set on its connection."""

from __future__ import annotations

import base64
import sqlite3
from math import isinf
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = dict[str, Any]
_CHUNK = 2000


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def plainly(database: sqlite3.Connection) -> sqlite3.Connection:
    """The connection, set to give tuples and text of any bytes, those that are none staying visible."""
    database.row_factory = None
    database.text_factory = _text
    return database


def written(database: sqlite3.Connection) -> object:
    """How many rows were written so far, be it without effect; None where a tool has closed the connection."""
    try:
        return database.total_changes
    except sqlite3.ProgrammingError:
        return None


def dump(database: sqlite3.Connection, names: list[str] | None = None) -> dict[str, list[Row]]:
    """Every table's rows as plain data, tables by name, rows in rowid order where there is one. `names`, where they are known."""
    return {name: list(_rows(database, name)) for name in (table_names(database) if names is None else names)}


def schema_version(database: sqlite3.Connection) -> int:
    """A number that changes with the schema."""
    found: int = database.execute("PRAGMA main.schema_version").fetchone()[0]
    return found


def peeked(database: sqlite3.Connection, table: str | None) -> dict[str, list[Row]]:
    """The rows of one table (or of all) in the middle of a trial, with the connection left as it was. Raises InputError."""
    try:
        rows, text = database.row_factory, database.text_factory
        plainly(database)
        try:
            return {name: list(_rows(database, name)) for name in table_names(database) if table in (None, name)}
        finally:
            database.row_factory, database.text_factory = rows, text
    except sqlite3.Error as error:
        raise InputError(f"the database cannot be read: {error}") from None


def table_names(database: sqlite3.Connection) -> list[str]:
    found = database.execute("SELECT name FROM main.sqlite_master WHERE type = 'table' ORDER BY name")
    return [row[0] for row in found if not row[0].lower().startswith("sqlite_")]


def encoded(database: sqlite3.Connection) -> Iterator[bytes]:
    """The same as JSON, in parts, so that a large database is never held in memory as objects."""
    between = b"{"
    for name in table_names(database):
        yield between + msgspec.json.encode(name) + b":["
        between, first = b",", True
        for part in _parts(_rows(database, name)):
            yield part if first else b"," + part
            first = False
        yield b"]"
    yield b"{}" if between == b"{" else b"}"


def _parts(rows: Iterator[Row]) -> Iterator[bytes]:
    chunk: list[Row] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == _CHUNK:
            yield msgspec.json.encode(chunk)[1:-1]
            chunk = []
    if chunk:
        yield msgspec.json.encode(chunk)[1:-1]


def _rows(database: sqlite3.Connection, table: str) -> Iterator[Row]:
    try:
        cursor = database.execute(f"SELECT * FROM main.{quoted(table)} ORDER BY rowid")  # noqa: S608 - quoted
    except sqlite3.OperationalError:  # a table WITHOUT ROWID is in primary-key order by itself
        cursor = database.execute(f"SELECT * FROM main.{quoted(table)}")  # noqa: S608 - quoted
    columns = [entry[0] for entry in cursor.description]
    for row in cursor:
        yield as_row(columns, row)


def as_row(columns: list[str], values: tuple[Any, ...]) -> Row:
    """Blobs become base64 text, and an endless number, which JSON lacks, its name."""
    return {name: _plain(value) for name, value in zip(columns, values, strict=True)}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, float) and isinf(value):  # what is no number at all SQLite keeps as NULL
        return "Infinity" if value > 0 else "-Infinity"
    return value
