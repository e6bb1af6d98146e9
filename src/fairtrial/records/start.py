"""A start that many trials share: stored once for a run, named by its content, and read when somebody looks.

A trial that began from a large state keeps only its name and what differs from it (`edits.py`). Kept out: where starts lie
(the store) and who made them (the worlds).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable

INLINE = 1 << 16
"""A start of up to this many bytes of JSON is kept within each trial, whole: that is no more work than to look it up."""


class Start(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a trial began: the state named `base` (the SHA-256 of its JSON, in hex), with the case's own edits on top."""

    base: str
    edits: list[Edit] = []


class Kept(msgspec.Struct, omit_defaults=True):
    """A start as it is stored. `altered`: place -> how it differs from what was there, as in a trial's body.

    `missing` says why there is no state here, where it was too large to be kept.
    """

    state: Any = None
    altered: dict[str, str] = {}
    missing: str = ""


class Base:
    """A shared start, read and decoded when it is first looked at; what is made of it is kept beside it."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        """`read` gives the JSON of a `Kept`."""
        self._read = read
        self._made: dict[str, Any] = {}

    @property
    def kept(self) -> Kept:
        """The start. Nobody may change it: other trials stand on it."""
        kept: Kept = self.once("kept", lambda: msgspec.json.decode(self._read(), type=Kept))
        return kept

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """`make()` at the first asking, the same again afterwards."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]
