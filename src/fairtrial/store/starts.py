"""The starts that many trials of a run share, each stored once and read when it is first looked at.

Kept out: which trials began alike (`steps/starts.py`), and how a start stands in for a body's own (`records/start.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import StoreError
from fairtrial.records.start import Base
from fairtrial.store import schema
from fairtrial.store.codec import pack, unpack

if TYPE_CHECKING:
    from fairtrial.records.trial import TrialBody
    from fairtrial.store.catalogue import Catalogue

BASES_HELD = 8
"""Shared starts that are held decoded at once: they are large."""


class StoredStarts:
    """The starts of one store, through its face; `run` is a full id."""

    def __init__(self, face: Any, catalogue: Catalogue) -> None:
        self._face = face
        self._catalogue = catalogue
        self._bases: dict[tuple[str, str], Base] = {}

    def add(self, run: str, name: str, start_json: bytes) -> None:
        """Stores a start as `admit_start` gave it back, under its name (`Start.base`). What is there already stays."""
        with self._face.writing() as session:
            session.execute(schema.ADD_START, (self._number(run), name, pack(start_json)))

    def has(self, run: str, name: str) -> bool:
        """Whether the run has a start of that name."""
        with self._face.reading() as session:
            return session.execute(schema.HAS_START, (self._number(run), name)).fetchone() is not None

    def base(self, run: str, body: TrialBody) -> Base | None:
        """The start that a trial's body names, read when it is first looked at; None where the body holds its own."""
        if body.start is None:
            return None
        place = (run, body.start.base)
        if place not in self._bases:
            if len(self._bases) >= BASES_HELD:
                self._bases.clear()
            self._bases[place] = Base(lambda: self._read(*place))
        return self._bases[place]

    def _read(self, run: str, name: str) -> bytes:
        with self._face.reading() as session:
            found = session.execute(schema.READ_START, (self._number(run), name)).fetchone()
        if found is None:
            raise StoreError("the start of a trial is not in the store", place=run, value=name, mend="the store may be damaged")
        return unpack(found[0])

    def _number(self, run: str) -> int:
        return self._catalogue.index(run).number
