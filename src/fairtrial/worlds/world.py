"""A world: where one trial happens. Fresh for every trial, read before and after, thrown away.

State is the truth: what an agent says it did proves nothing. A world is opened from a Scene, gives tools something live to
act on, and says afterwards what it holds.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from fairtrial.records.edits import between
from fairtrial.records.start import INLINE, Start
from fairtrial.worlds.changes import diff

if TYPE_CHECKING:
    from fairtrial.records.case import Scene
    from fairtrial.records.trial import Change, TrialBody
    from fairtrial.worlds.starts import Starts


class LiveWorld(Protocol):
    """One trial's world. `live` is what a tool's `world` parameter gets."""

    live: Any
    start_hash: str

    @property
    def before(self) -> Any:
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

    def peek(self, part: str | None = None) -> Any:
        """The state in the middle of a trial as plain data, where only what stands under the key `part` need be told. Nothing is
        changed by it, not even what is not committed yet. Raises InputError where it cannot be read."""

    def scratch(self) -> Any:
        """A copy of `live` as it is now, for a call whose effect must not stay. It lives no longer than this world."""

    def tell_start(self, body: TrialBody) -> None:
        """Write into a trial's record how the world began."""

    def tell_end(self, body: TrialBody) -> None:
        """Write into it how the world ended, and what differs."""

    def forget(self) -> None:
        """In the process that forked the trial's own: let go of what is the trial's."""

    def close(self) -> None: ...


class Whole:
    """A live world whose states are plain data and read whole: what it tells the record of them. A large start is laid down
    once for all trials, where the run has a place for that; the end is then told by what differs."""

    kind = ""
    patch = ""
    live: Any

    def __init__(self, before: Any, encoded: bytes, starts: Starts | None) -> None:
        self.before: Any = before
        self._encoded = encoded
        self._starts = starts
        self._name = sha256(encoded).hexdigest()
        self.start_hash = self._name[:16]

    def after(self) -> Any:
        """The end as plain data, or UNSET where nothing changed."""
        raise NotImplementedError

    def changes(self, after: Any) -> list[Change]:
        """What differs between the start and `after`."""
        return diff(self.before, after)

    def mark(self) -> object:
        return None

    def tell_start(self, body: TrialBody) -> None:
        body.kind = self.kind
        if self._starts is None or len(self._encoded) <= INLINE:
            body.before = self.before
        else:
            body.start = Start(self._starts.lay(self._encoded, self._name))

    def tell_end(self, body: TrialBody) -> None:
        after = self.after()
        if after is msgspec.UNSET:
            return
        body.changes = self.changes(after)
        body.patch = self.patch
        if body.start is None:
            body.after = after
        else:
            body.end = between(self.before, after)

    def forget(self) -> None:
        self.close()

    def close(self) -> None:
        """Let go of what is live."""
        self.live = None


class World(Protocol):
    """A kind of world, opened once in a worker; `open` makes a trial's own."""

    def quiet(self, scene: Scene) -> bool:
        """Whether opening a trial's own is quick and runs none of the user's code, so that it may be done before the fork."""

    def open(self, scene: Scene, folder: str | None = None) -> LiveWorld:
        """`folder` is the trial's own, where it has one."""

    def close(self) -> None: ...


def state_hash(encoded: bytes) -> str:
    """A short, stable hash of an encoded state."""
    return sha256(encoded).hexdigest()[:16]


_ENCODER = msgspec.json.Encoder()


def encode_state(state: Any) -> bytes:
    """State as JSON text. Values that JSON lacks must have been made plain before."""
    return _ENCODER.encode(state)
