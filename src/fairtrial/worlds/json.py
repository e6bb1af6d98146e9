"""The JSON world: a live value (usually a dict) copied fresh from the case's `state`."""

from __future__ import annotations

import copy
from math import isfinite
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.plain import plain
from fairtrial.worlds.injections import in_world, planted_at
from fairtrial.worlds.world import Whole, encode_state

if TYPE_CHECKING:
    from fairtrial.records.case import Scene
    from fairtrial.worlds.starts import Starts

CHEAP = 16 * 1024
"""Bytes up to which a whole state is encoded after every call, to see whether the call changed it."""


class JsonWorld:
    """Opens trials on a copy of the scene's state; {} where the case states none."""

    def __init__(self, starts: Starts | None = None) -> None:
        self._starts = starts

    def quiet(self, scene: Scene) -> bool:
        return True

    def open(self, scene: Scene, folder: str | None = None) -> LiveJson:
        state = {} if scene.state is None else scene.state
        for one in in_world(scene) if scene.injections else ():
            state = planted_at(state, one)
        return LiveJson(state, self._starts)

    def close(self) -> None:
        """There is nothing to let go of."""


class LiveJson(Whole):
    def __init__(self, state: Any, starts: Starts | None) -> None:
        super().__init__(state, encode_state(state), starts)
        self.live = msgspec.json.decode(self._encoded)

    def after(self) -> Any:
        try:
            encoded = encode_state(self.live)
            if b"null" in encoded and _has_no_number(self.live):  # written as null, which is another value
                encoded = encode_state(plain(self.live))
        except (TypeError, ValueError, RecursionError):
            encoded = encode_state(plain(self.live))
        return msgspec.UNSET if encoded == self._encoded else msgspec.json.decode(encoded)

    def mark(self) -> object:
        if len(self._encoded) > CHEAP:
            return None
        try:
            return encode_state(self.live)
        except (TypeError, ValueError, RecursionError):
            return None

    def peek(self, part: str | None = None) -> Any:
        return plain(self.live)

    def scratch(self) -> Any:
        return copy.deepcopy(self.live)


def _has_no_number(state: Any) -> bool:
    """Whether an endless number, or one that is none, stands in it. What contains itself was refused before."""
    left = [state]
    while left:
        value = left.pop()
        if isinstance(value, float):
            if not isfinite(value):
                return True
        elif isinstance(value, dict):
            left += value.values()
        elif isinstance(value, (list, tuple, set, frozenset)):
            left += value
    return False
