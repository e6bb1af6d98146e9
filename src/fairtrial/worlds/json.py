"""The JSON world: a live value (usually a dict) copied fresh from the case's `state`."""

from __future__ import annotations

import copy
from typing import Any

import msgspec

from fairtrial.records.case import Scene
from fairtrial.records.plain import plain
from fairtrial.records.trial import Change
from fairtrial.worlds.changes import diff
from fairtrial.worlds.injections import in_world, planted_at
from fairtrial.worlds.world import encode_state, state_hash

CHEAP = 16 * 1024
"""Bytes up to which a whole state is encoded after every call, to see whether the call changed it."""


class JsonWorld:
    """Opens trials on a copy of the scene's state; {} where the case states none."""

    quiet = True

    def open(self, scene: Scene, folder: str | None = None) -> LiveJson:
        state = {} if scene.state is None else scene.state
        for one in in_world(scene) if scene.injections else ():
            state = planted_at(state, one)
        return LiveJson(state)

    def close(self) -> None:
        """There is nothing to let go of."""


class LiveJson:
    kind = ""
    patch = ""
    __slots__ = ("_encoded", "before", "live", "start_hash")

    def __init__(self, state: Any) -> None:
        self._encoded = encode_state(state)
        self.before = state
        self.live: Any = msgspec.json.decode(self._encoded)
        self.start_hash = state_hash(self._encoded)

    def after(self) -> Any:
        try:
            encoded = encode_state(self.live)
        except (TypeError, ValueError, RecursionError):
            encoded = encode_state(plain(self.live))
        return msgspec.UNSET if encoded == self._encoded else msgspec.json.decode(encoded)

    def changes(self, after: Any) -> list[Change]:
        return diff(self.before, after)

    def mark(self) -> object:
        if len(self._encoded) > CHEAP:
            return None
        try:
            return encode_state(self.live)
        except (TypeError, ValueError, RecursionError):
            return None

    def scratch(self) -> Any:
        return copy.deepcopy(self.live)

    def close(self) -> None:
        self.live = None
