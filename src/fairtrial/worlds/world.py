"""A world: where one trial happens. Fresh for every trial, read before and after, thrown away.

State is the truth: what an agent says it did proves nothing. A world is opened from a Scene, gives tools something live to
act on, and says afterwards what it holds.
"""

from __future__ import annotations

import hashlib
from typing import Any, Protocol

import msgspec

from fairtrial.records.case import Scene
from fairtrial.records.trial import Change


class LiveWorld(Protocol):
    """One trial's world. `live` is what a tool's `world` parameter gets."""

    live: Any
    start_hash: str
    before: Any
    """The start as plain data."""

    @property
    def kind(self) -> str:
        """How its state is to be read: "files" for {path: content}, else nothing."""

    @property
    def patch(self) -> str:
        """The changes as a unified diff, once `changes` was asked; nothing where there is none."""

    def after(self) -> Any:
        """The end as plain data, or UNSET where nothing changed."""

    def changes(self, after: Any) -> list[Change]:
        """What differs between the start and `after`."""

    def mark(self) -> object:
        """A value that differs from the last one if the world was changed since; None where that is not cheap to tell."""

    def scratch(self) -> Any:
        """A copy of `live` as it is now, for a call whose effect must not stay. It lives no longer than this world."""

    def close(self) -> None: ...


class World(Protocol):
    """A kind of world, opened once in a worker; `open` makes a trial's own."""

    @property
    def quiet(self) -> bool:
        """Whether opening a trial's own is quick and runs none of the user's code, so that it may be done before the fork."""

    def open(self, scene: Scene, folder: str | None = None) -> LiveWorld:
        """`folder` is the trial's own, where it has one."""

    def close(self) -> None: ...


def state_hash(encoded: bytes) -> str:
    """A short, stable hash of an encoded state."""
    return hashlib.sha256(encoded).hexdigest()[:16]


_ENCODER = msgspec.json.Encoder()


def encode_state(state: Any) -> bytes:
    """State as JSON text. Values that JSON lacks must have been made plain before."""
    return _ENCODER.encode(state)
