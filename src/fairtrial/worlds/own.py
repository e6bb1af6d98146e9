"""A world that the user writes: "module:Name", whose `open(scene)` gives an object with live, before, after() and close().

It is checked at the door, and whatever its code raises, even an exit, becomes an error that says in which of its steps.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import Deadline, InputError
from fairtrial.records.plain import plain
from fairtrial.worlds.world import Whole, encode_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.records.case import Scene
    from fairtrial.worlds.starts import Starts

PARTS = ("live", "before", "after", "close")
SHAPE = "an object with live, before, after() and close()"


class OwnWorld:
    """`made` is what the suite's "module:Name" names: a class that is made without arguments, or an object. Raises InputError."""

    def __init__(self, name: str, made: Any, starts: Starts | None = None) -> None:
        self._name = name
        self._starts = starts
        self._made = _called(f"world {name!r}: making it", made) if isinstance(made, type) else made
        opener = getattr(self._made, "open", None)
        if not callable(opener):
            raise InputError(f"world {name!r} has no open(scene)", value=type(self._made).__name__, mend=f"open(scene) returns {SHAPE}")
        if inspect.iscoroutinefunction(opener):
            raise InputError(f"world {name!r}: open(scene) is async", mend="write it with def")

    def quiet(self, scene: Scene) -> bool:
        return False

    def open(self, scene: Scene, folder: str | None = None) -> LiveOwn:
        """A trial's own; runs the user's code. Raises InputError."""
        live = _called(f"world {self._name!r}: open(scene)", lambda: self._made.open(scene))
        missing = [part for part in PARTS if not hasattr(live, part)]
        missing += [f"{part}()" for part in PARTS[2:] if part not in missing and not callable(getattr(live, part))]
        if missing:
            what = f"world {self._name!r}: what open(scene) returned lacks {', '.join(missing)}"
            raise InputError(what, value=type(live).__name__, mend=f"return {SHAPE}")
        return LiveOwn(self._name, live, self._starts)

    def close(self) -> None:
        """There is nothing to let go of."""


class LiveOwn(Whole):
    def __init__(self, name: str, own: Any, starts: Starts | None) -> None:
        self._called = name
        self._own = own
        encoded = encode_state(_called(f"world {name!r}: before", lambda: plain(own.before)))
        super().__init__(msgspec.json.decode(encoded), encoded, starts)  # as it is now: the trial may go on to change the user's own
        self.live = own.live

    def after(self) -> Any:
        encoded = encode_state(_called(f"world {self._called!r}: after()", lambda: plain(self._own.after())))
        return msgspec.UNSET if encoded == self._encoded else msgspec.json.decode(encoded)

    def mark(self) -> object:
        """Asked of the user's own world, where it has a mark(); one that fails tells nothing."""
        own = getattr(self._own, "mark", None)
        try:
            return _called(f"world {self._called!r}: mark()", own) if callable(own) else None
        except InputError:
            return None

    def peek(self, part: str | None = None) -> Any:
        return _called(f"world {self._called!r}: after()", lambda: plain(self._own.after()))

    def scratch(self) -> Any:
        """Asked of the user's own world. Raises InputError where it has no scratch()."""
        copy = getattr(self._own, "scratch", None)
        if not callable(copy):
            what = f"world {self._called!r}: a call cannot be rolled back, for what open(scene) returned has no scratch()"
            raise InputError(what, mend="let scratch() return a copy of `live` as it is now")
        return _called(f"world {self._called!r}: scratch()", copy)

    def close(self) -> None:
        """Raises InputError where the user's own close does."""
        self.live = None
        _called(f"world {self._called!r}: close()", self._own.close)


def _called(what: str, act: Callable[[], Any]) -> Any:
    try:
        return act()
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, Deadline)):  # not the user's own
            raise
        raise InputError(f"{what} failed: {type(error).__name__}: {error}") from error
