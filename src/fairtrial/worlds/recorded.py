"""A large SQLite world: loaded once, shared by all trials of a worker, its changes recorded as they happen.

The loaded database is never given to anybody. A slot is a second one in memory, on which trials work one after the other: under
`fork` each child has it as it was, for a write copies the page; in a shared worker what a trial touched is put back row by row,
since a tool that commits, as nearly every one does, would end any savepoint. Every trial has a connection of its own, so that
no setting and no late call reaches the next. Kept out: what a row's change is called (`rowdiff.py`).
"""

from __future__ import annotations

import os
import sqlite3
from array import array
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.edits import applied, between
from fairtrial.records.start import Start
from fairtrial.worlds.changes import diff
from fairtrial.worlds.copying import copied
from fairtrial.worlds.rowdiff import Side, compare
from fairtrial.worlds.rows import Row, dump, encoded, peeked, plainly, quoted, written
from fairtrial.worlds.triggers import Triggers, Unwatchable, Watched, watchable
from fairtrial.worlds.world import encode_state, state_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairtrial.records.edits import Edit
    from fairtrial.records.trial import Change, TrialBody
    from fairtrial.worlds.starts import Starts
    from fairtrial.worlds.triggers import Table

_numbers = count(1)


class Template:
    """A loaded database and the slots made of it. Raises Unwatchable where its changes cannot be recorded."""

    def __init__(self, database: sqlite3.Connection, starts: Starts) -> None:
        self.database = plainly(database)
        self.tables = watchable(database)
        self.base = starts.write(encoded(database))
        self.keys = [_keys(database, table) for table in self.tables]
        self._free: list[Slot] = []
        self.process = os.getpid()

    def open(self, apply: Callable[[sqlite3.Connection], None] | None = None) -> LiveRecorded:
        """A trial's own; `apply` writes the case's own state on top. Raises Unwatchable where that cannot be recorded."""
        slot = self._free.pop() if self._free else Slot(self)
        try:
            return LiveRecorded(self, slot, apply)
        except BaseException:
            slot.close()
            raise

    def image(self) -> bytes:
        return self.database.serialize()

    def take_back(self, slot: Slot, touched: list[set[int]] | None) -> None:
        """A slot after its trial; `touched` are the keys to put right (none: nobody was there; None: nobody knows)."""
        if os.getpid() != self.process:
            return  # a forked trial ends here, and all it had with it
        if touched is None or not slot.put_right(touched):
            slot.close()
        else:
            self._free.append(slot)

    def close(self) -> None:
        for slot in self._free:
            slot.close()
        self._free.clear()
        self.database.close()


class Slot:
    """A database in memory, and the connection on it that is ready for the next trial."""

    def __init__(self, template: Template) -> None:
        self._template = template
        self._name = f"file:/fairtrial-{os.getpid()}-{next(_numbers)}?vfs=memdb"
        self.keeper = self._connect(sqlite3.Connection)
        template.database.backup(self.keeper)
        self._ready: tuple[Watched, Triggers] | None = None
        self._lent: Watched | None = None

    def _connect(self, kind: type[sqlite3.Connection]) -> Any:
        # Nobody is waited for: whoever still holds a lock is a trial that is over.
        return sqlite3.connect(self._name, uri=True, check_same_thread=False, factory=kind, timeout=0)

    def take(self) -> tuple[Watched, Triggers]:
        """A connection under watch, for one trial."""
        ready, self._ready = self._ready, None
        if ready is None:
            live: Watched = self._connect(Watched)
            ready = live, Triggers(live, self._template.tables)
        self._lent = ready[0]
        return ready

    def keep(self, live: Watched, watch: Triggers) -> None:
        """A connection that nobody has used."""
        self._ready = live, watch

    def put_right(self, touched: list[set[int]]) -> bool:
        """Put every touched row back to what it was; False where that could not be done."""
        if not any(touched):
            return True
        source, target = self._template.database, self.keeper
        try:
            source.text_factory = str  # strictly: text of odd bytes would come back as another
            with target:
                target.execute("BEGIN")
                for table, keys in zip(self._template.tables, touched, strict=True):
                    if keys:
                        _put_back(source, target, table, sorted(keys))
                _put_back_counters(source, target)
        except sqlite3.Error:
            return False
        finally:
            plainly(source)
        return True

    def close(self) -> None:
        for database in (self._ready and self._ready[0], self._lent, self.keeper):
            if database is not None:
                database.close()


class LiveRecorded:
    """One trial's database. What it holds at the end is told by the rows that were touched."""

    kind = ""
    patch = ""

    def __init__(self, template: Template, slot: Slot, apply: Callable[[sqlite3.Connection], None] | None) -> None:
        self._template, self._slot = template, slot
        self.live: Any
        self.live, self._triggers = slot.take()
        self._copies: list[sqlite3.Connection] = []
        self._start = Side(template.database, template.tables, template.keys)
        self._given: list[Edit] = []
        self._given_keys: list[set[int]] = [set() for _ in template.tables]
        if apply is not None:
            self._apply(apply)
        given = template.base[:16] if not self._given else state_hash(encode_state([template.base, self._given]))
        self.start_hash = given

    def _apply(self, apply: Callable[[sqlite3.Connection], None]) -> None:
        apply(self.live)
        if why := self._triggers.distrust():
            raise Unwatchable(f"with the case's own state, {why}")
        plainly(self.live)
        found = compare(self._start, self.live, self._triggers.touched)
        self._given, self._start = found.edits, self._start.moved(found.rows)
        self._given_keys = [set(keys) for keys in self._triggers.touched]
        self.live.row_factory, self.live.text_factory = None, str
        self._triggers.restart()

    @property
    def before(self) -> Any:
        """The whole start. Large: nothing that runs for every trial asks for it."""
        return applied(dump(self._template.database), self._given)

    def after(self) -> Any:
        self._settle()
        found = dump(self.live)
        return msgspec.UNSET if found == self.before else found

    def changes(self, after: Any) -> list[Change]:
        return diff(self.before, after)

    def tell_start(self, body: TrialBody) -> None:
        body.start = Start(self._template.base, self._given)

    def tell_end(self, body: TrialBody) -> None:
        """By the record of what was touched; where that may not be whole, by comparing both states."""
        self._settle()
        why = self._triggers.distrust()
        if not why:
            found = compare(self._start, self.live, self._triggers.touched)
            body.changes, body.end = found.changes, found.edits
            return
        before, after = self.before, dump(self.live)
        body.changes, body.end = diff(before, after), between(before, after)
        body.world_note = f"the whole database was read and compared, and loaded anew for the next trial: {why}"

    def _settle(self) -> None:
        """An open transaction is rolled back, since nobody else would ever see it."""
        self.live.rollback()
        plainly(self.live)

    def mark(self) -> object:
        return written(self.live)

    def peek(self, part: str | None = None) -> Any:
        return peeked(self.live, part)

    def scratch(self) -> sqlite3.Connection:
        """A copy of its own, what is not committed yet included, for a tool would see it."""
        made = copied(self.live)
        self._copies.append(made)
        return made

    def forget(self) -> None:
        """In the process that forked: nobody has used it here."""
        if any(self._given_keys):
            self.close()
        else:
            self._slot.keep(self.live, self._triggers)
            self._template.take_back(self._slot, [])

    def close(self) -> None:
        touched: list[set[int]] | None = None
        try:
            self.live.rollback()
            if not self._triggers.distrust():
                touched = [given | keys for given, keys in zip(self._given_keys, self._triggers.touched, strict=True)]
        except sqlite3.Error:
            pass  # a tool has closed it, or left it in a way that cannot be looked at
        for database in (self.live, *self._copies):
            database.close()
        self._template.take_back(self._slot, touched)


def _keys(database: sqlite3.Connection, table: Table) -> array[int]:
    if not table.key:
        return array("q")
    rows = database.execute(f"SELECT {table.key} FROM main.{quoted(table.name)} ORDER BY {table.key}")  # noqa: S608 - quoted
    return array("q", (row[0] for row in rows))


def _put_back(source: sqlite3.Connection, target: sqlite3.Connection, table: Table, keys: Sequence[int]) -> None:
    name, names = quoted(table.name), ", ".join(map(quoted, table.columns))
    target.executemany(f"DELETE FROM {name} WHERE {table.key} = ?", [(key,) for key in keys])  # noqa: S608 - quoted
    marks = ", ".join("?" for _ in range(len(table.columns) + 1))
    read = f"SELECT {table.key}, {names} FROM {name} WHERE {table.key} = ?"  # noqa: S608 - quoted
    rows = [row for key in keys if (row := source.execute(read, (key,)).fetchone()) is not None]
    target.executemany(f"INSERT INTO {name} ({table.key}, {names}) VALUES ({marks})", rows)  # noqa: S608 - quoted


def _put_back_counters(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """AUTOINCREMENT remembers the highest number ever given."""
    if source.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'sqlite_sequence'").fetchone():
        target.execute("DELETE FROM sqlite_sequence")
        target.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", source.execute("SELECT name, seq FROM sqlite_sequence"))


__all__ = ["LiveRecorded", "Row", "Template"]
