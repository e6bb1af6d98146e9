"""The SQLite face of the store: one file, many readers and writers at once, valid after a kill at any byte.

Write-ahead log; short write transactions that take their turn (BEGIN IMMEDIATE) and wait for each other; every reading on a
connection of its own, so that it sees one moment and holds nobody up. Another database gets a file like this one, with the
same few methods. Kept out: every statement about runs and trials (`schema.py`, `sql.py`).
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

from fairtrial import __version__
from fairtrial.records.errors import StoreError
from fairtrial.store.schema import READ_VERSION, SQLITE_TYPES, STEPS, VERSION_TABLE, WRITE_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.store.schema import Session

WAIT_S = 60.0
"""How long a command waits for its turn. Transactions take milliseconds, so this is reached only where something hangs."""
PAGE = 8192
CHECKPOINT_PAGES = 2000

_open_faces: weakref.WeakSet[SQLite] = weakref.WeakSet()
_left_to_parent: list[sqlite3.Connection] = []


class SQLite:
    """One database file, opened. Safe under threads."""

    types = SQLITE_TYPES

    def __init__(self, path: str, *, create: bool = True) -> None:
        self.path = os.path.abspath(path)
        self.url = "sqlite:///" + quote(self.path)
        self._process = os.getpid()
        self._turn = threading.Lock()
        if not os.path.exists(self.path):
            if not create:
                raise StoreError("there is no store yet", place=path, mend="run a suite or import a file first, or name another store")
            _make_folder(self.path)
        with self._said():
            self._writer = self._connect()
        _open_faces.add(self)
        try:
            with self._said():
                _into_wal(self._writer)
                self._migrate()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file. In a forked child the parent's connection is left alone."""
        _open_faces.discard(self)
        if os.getpid() == self._process:
            self._writer.close()

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A write transaction: all of it is durable when the block ends, or none of it. Others wait meanwhile, so be quick."""
        self._check_process()
        with self._turn, self._said():
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """One consistent view, however long it is looked at; writers are not held up by it."""
        self._check_process()
        with self._said(), closing(self._connect()) as reader:
            reader.execute("PRAGMA query_only = 1")
            reader.execute("BEGIN")
            yield reader

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        return database

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise StoreError("the store was opened by another process", place=self.path, mend="open it after the fork, in each process")

    @contextmanager
    def _said(self) -> Iterator[None]:
        """What the database complains of, as an error with its place and mend."""
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"the store cannot be used: {error}", place=self.path, mend=_mend(error)) from error

    def _migrate(self) -> None:
        version = self._version()
        if version == len(STEPS):
            return
        if 0 < version < len(STEPS):
            self._back_up(version)
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            version = self._version()  # another command may have been quicker
            if version > len(STEPS):
                raise StoreError(
                    f"the store is newer than this program: its format is {version}, fairtrial {__version__} knows {len(STEPS)}",
                    place=self.path,
                    mend="use the fairtrial that wrote it, or a newer one",
                )
            if version == 0:
                self._writer.execute(VERSION_TABLE.format(**self.types._asdict()))
            for number, step in enumerate(STEPS[version:], start=version + 1):
                for statement in step:
                    self._writer.execute(statement.format(**self.types._asdict()))
                self._writer.execute(WRITE_VERSION, (number, time.time_ns(), f"fairtrial {__version__}"))
            self._writer.execute("COMMIT")
        except BaseException:
            if self._writer.in_transaction:  # a full disk has ended it already
                self._writer.execute("ROLLBACK")
            raise

    def _version(self) -> int:
        """The format that the file has; 0 for an empty file. Raises StoreError for another program's database."""
        tables = {row[0] for row in self._writer.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "schema_version" in tables and "runs" in tables:
            return int(self._writer.execute(READ_VERSION).fetchone()[0])
        if tables:
            raise StoreError("this is another program's database", place=self.path, mend="name another file as the store")
        return 0

    def _back_up(self, version: int) -> None:
        """A copy of the file before its format is changed."""
        with closing(sqlite3.connect(f"{self.path}.format-{version}")) as copy:
            self._writer.backup(copy)


def _make_folder(path: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError as error:
        raise StoreError(f"the store's folder cannot be made: {error.strerror}", place=path, mend="name another store") from None


def _into_wal(database: sqlite3.Connection) -> None:
    """Two commands may make the same store at the same moment; the change of mode does not wait by itself, so we do."""
    database.execute(f"PRAGMA page_size = {PAGE}")
    until = time.monotonic() + WAIT_S
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _mend(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return {
        sqlite3.SQLITE_BUSY: "another command holds it; wait for that to end, or end it",
        sqlite3.SQLITE_FULL: "make room on the disk; what is stored is whole",
        sqlite3.SQLITE_IOERR: "see that the disk has room and that files may grow; what is stored is whole",
        sqlite3.SQLITE_READONLY: "make the file and its folder writable, or name another store",
        sqlite3.SQLITE_CANTOPEN: "check that the path exists and may be written, or name another store",
        sqlite3.SQLITE_NOTADB: "this is not a store; name another file",
        sqlite3.SQLITE_CORRUPT: "the file is damaged; take a copy of it, then use `sqlite3 FILE .recover`",
    }.get(code, "see the message; name another store with --store")


def _leave_to_parent() -> None:
    """A connection must not be used, nor even closed, by a forked child: it is kept, untouched, until the child ends."""
    _left_to_parent.extend(face._writer for face in _open_faces)


os.register_at_fork(after_in_child=_leave_to_parent)
