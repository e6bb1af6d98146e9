"""The SQLite world: a database built once from a seed script, fresh for every trial.

A case's `state` adds to the seed: SQL text is run after it; {table: [row, …]} is inserted. The end state is read as
{table: [{column: value}, …]} in rowid order; blobs become base64 text. A small database is copied in memory for each trial and
read whole; a large one is loaded once and its changes are recorded (`recorded.py`), or, where that cannot be, copied as well.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.start import INLINE
from fairtrial.records.text import read_text
from fairtrial.worlds.copying import copied
from fairtrial.worlds.given import give
from fairtrial.worlds.injections import in_world
from fairtrial.worlds.recorded import LiveRecorded, Template
from fairtrial.worlds.rows import dump, encoded, peeked, plainly, schema_version, written
from fairtrial.worlds.triggers import Unwatchable
from fairtrial.worlds.world import Whole, encode_state

if TYPE_CHECKING:
    from pathlib import Path

    from fairtrial.records.case import Scene
    from fairtrial.records.trial import TrialBody
    from fairtrial.worlds.injections import Injection
    from fairtrial.worlds.starts import Starts

STARTS_HELD = 64
LARGE_HELD = 2
"""Databases that cases build by themselves and that are too large to be copied: so many are held at once."""


class SqliteWorld:
    """Runs the seed script once. Without `starts` a large database is copied for each trial as well."""

    def __init__(self, seed: Path | None, starts: Starts | None = None) -> None:
        self._starts = starts
        self._built: dict[bytes, Template | Copied] = {}
        self._seeded = self._origin(_build(seed))

    def quiet(self, scene: Scene) -> bool:
        return isinstance(self._seeded, Copied) or _is_bare(scene)

    def open(self, scene: Scene, folder: str | None = None) -> LiveRecorded | LiveSqlite:
        """A fresh database for one trial; raises InputError where the scene's state does not fit the schema."""
        if _is_bare(scene):
            return self._seeded.open()
        plants = in_world(scene)
        if isinstance(self._seeded, Template):
            try:
                return self._seeded.open(lambda database: give(database, scene.state, plants))
            except Unwatchable as error:
                return Copied(self._with(scene.state, plants), self._starts, str(error)).open()
        return self._with_state(scene.state, plants).open()

    def close(self) -> None:
        """Forget what was built."""
        for built in (self._seeded, *self._built.values()):
            built.close()
        self._built.clear()

    def _with_state(self, state: Any, plants: list[Injection]) -> Template | Copied:
        """The seed with a case's own state, built once for all its trials."""
        key = encode_state([state, plants])
        if key not in self._built:
            large = [name for name, built in self._built.items() if isinstance(built, Template) or built.note]
            for name in large if len(large) >= LARGE_HELD else list(self._built) if len(self._built) >= STARTS_HELD else []:
                self._built.pop(name).close()
            self._built[key] = self._origin(self._with(state, plants))
        return self._built[key]

    def _with(self, state: Any, plants: list[Injection]) -> sqlite3.Connection:
        database = _load(self._seeded.image())
        try:
            give(database, state, plants)
        except BaseException:
            database.close()
            raise
        return database

    def _origin(self, database: sqlite3.Connection) -> Template | Copied:
        if self._starts is None or not _is_large(database):
            return Copied(database, self._starts)
        try:
            return Template(database, self._starts)
        except Unwatchable as error:
            return Copied(database, self._starts, str(error))


class Copied:
    """A start whose image is loaded anew for each trial. `note`: why it is copied although it is large."""

    def __init__(self, database: sqlite3.Connection, starts: Starts | None, why: str = "") -> None:
        with closing(plainly(database)):
            # An empty one has no image.
            self._image = database.serialize() if database.execute("PRAGMA page_count").fetchone()[0] else b""
            self._before = dump(database)
            self._schema = schema_version(database)
        self._encoded = encode_state(self._before)
        self._starts = starts
        self.note = f"the database was copied and read whole: {why}" if why else ""

    def image(self) -> bytes:
        return self._image

    def open(self) -> LiveSqlite:
        return LiveSqlite(self._image, self._schema, (self._before, self._encoded, self._starts), self.note)

    def close(self) -> None:
        """There is nothing to let go of."""


class LiveSqlite(Whole):
    """A trial's own copy. `start`: the state, its JSON, and where large ones are laid."""

    def __init__(self, image: bytes, schema: int, start: tuple[Any, bytes, Starts | None], note: str) -> None:
        super().__init__(*start)
        self.live = _load(image)
        self._schema = schema
        self._note = note
        self._copies: list[sqlite3.Connection] = []

    def tell_start(self, body: TrialBody) -> None:
        super().tell_start(body)
        body.world_note = self._note

    def after(self) -> Any:
        """What is committed; an open transaction is rolled back first, since nobody else would ever see it."""
        self.live.rollback()
        plainly(self.live)
        found = dump(self.live, list(self.before) if schema_version(self.live) == self._schema else None)
        # Equal for Python is 1 and 1.0 as well: only the text tells.
        return msgspec.UNSET if found == self.before and encode_state(found) == self._encoded else found

    def mark(self) -> object:
        return written(self.live)

    def peek(self, part: str | None = None) -> Any:
        return peeked(self.live, part)

    def scratch(self) -> sqlite3.Connection:
        """What is not committed yet is in the copy as well: a tool would see it. An image holds only what is committed."""
        made = copied(self.live)
        self._copies.append(made)
        return made

    def close(self) -> None:
        for database in (self.live, *self._copies):
            database.close()


def _is_bare(scene: Scene) -> bool:
    return scene.state is None and not scene.injections


def _build(seed: Path | None) -> sqlite3.Connection:
    database = _connect()
    if seed is not None:
        try:
            database.executescript(read_text(seed))
        except (sqlite3.Error, OSError) as error:
            database.close()
            raise InputError(f"the seed script cannot be run: {error}", place=str(seed), mend="try it with the sqlite3 shell") from None
    database.commit()
    return database


def _is_large(database: sqlite3.Connection) -> bool:
    size = 0
    for part in encoded(plainly(database)):
        size += len(part)
        if size > INLINE:
            return True
    return False


def _connect() -> sqlite3.Connection:
    # A sync agent's tools run in a thread of their own; one trial owns the connection.
    return sqlite3.connect(":memory:", check_same_thread=False)


def _load(image: bytes) -> sqlite3.Connection:
    database = _connect()
    if image:
        database.deserialize(image)
    return database
