"""A world of tables that are too large to copy for each trial: read once, and a record is copied when it is first taken.

What it shows of itself is what differs from the tables it was made from, whose hash it names; so a trial keeps kilobytes,
however large the tables are. Kept out: the tools (`retail_tools.py`).
"""

import hashlib
from collections.abc import Iterator, Mapping, ValuesView
from pathlib import Path
from typing import Any

import msgspec


class Table(Mapping[str, Any]):
    """Records by id. One that is taken by its id is the trial's own; `values()` is for looking only."""

    def __init__(self, start: dict[str, Any]) -> None:
        self._start = start
        self._own: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        if key not in self._own:
            self._own[key] = msgspec.json.decode(msgspec.json.encode(self._start[key]))
        return self._own[key]

    def __contains__(self, key: object) -> bool:
        return key in self._start

    def __iter__(self) -> Iterator[str]:
        return iter(self._start)

    def __len__(self) -> int:
        return len(self._start)

    def values(self) -> ValuesView[Any]:
        return ({**self._start, **self._own} if self._own else self._start).values()

    def changed(self) -> dict[str, Any]:
        """The records that are no longer as they were, by id."""
        return {key: record for key, record in sorted(self._own.items()) if record != self._start[key]}


class LiveTables:
    """One trial's own."""

    def __init__(self, start: dict[str, dict[str, Any]], digest: str) -> None:
        self.live = {name: Table(records) for name, records in start.items()}
        self._digest = digest
        self.before = self.after()

    def after(self) -> dict[str, Any]:
        return {"start": self._digest, **{name: table.changed() for name, table in self.live.items()}}

    def close(self) -> None:
        """The tables are nobody's to let go of."""


class Tables:
    """The world of a JSON file of tables, which is read in place."""

    def __init__(self, file: Path) -> None:
        data = file.read_bytes()
        self.digest = hashlib.sha256(data).hexdigest()[:16]
        self.start: dict[str, dict[str, Any]] = msgspec.json.decode(data)

    def open(self, scene: Any = None) -> LiveTables:
        return LiveTables(self.start, self.digest)
