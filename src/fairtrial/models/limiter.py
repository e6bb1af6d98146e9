"""How many calls may be under way at one provider at once, learned from what the provider says.

All models at one address share one limiter. It starts wide, so that nobody waits without need. A refusal (429, 503) halves the
number under way and keeps everybody back as long as the provider asks; each answer widens it again by a little. A call that was not
answered in its time cuts as well: to half of those that were answered since the last cut. A burst counts once: only a call that
began after the last cut may cut again. Kept out: asking, and how often one call is tried.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDEST = 256
FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 8.0
LONGEST_ASKED_S = 120.0
"""A provider that asks for more is asked again after this time all the same."""
PATIENCE_S = 15.0
"""A provider that has refused everybody for so long is away."""


class NoTurn(Exception):
    """There is no turn within the time there is, and why."""


class Busy(Exception):
    """The provider refused because it has too much to do. `wait_s` is what it asks to wait; None where it does not say."""

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class Slow(Exception):
    """The provider has not answered within the time of one call."""


class Limiter:
    """Safe under threads. `width` is how many calls may be under way, `under_way` how many are."""

    def __init__(self, widest: int = WIDEST) -> None:
        self.width = float(widest)
        self.under_way = 0
        self._widest = widest
        self._gate = threading.Condition()
        self._opens = 0.0
        self._cuts = 0
        self._in_vain = 0
        self._in_vain_since = 0.0
        self._why = ""
        self._served = 0
        """Answers since the last cut."""
        self._slow_since = 0.0

    @contextmanager
    def turn(self, until: float) -> Iterator[None]:
        """Wait for a turn and hold it; a Busy or Slow that escapes narrows the limiter.

        Raises NoTurn once `until` (monotonic) cannot be kept.
        """
        began_after = self._enter(until)
        try:
            yield
        except Busy as busy:
            self._narrow(busy, began_after)
            raise
        except Slow:
            self._slow_down(began_after)
            raise
        finally:
            with self._gate:
                self.under_way -= 1
                self._gate.notify()

    def served(self) -> None:
        """A call was answered: all is well, and one more may be under way after as many answers as are under way now."""
        with self._gate:
            self._in_vain = 0
            self._slow_since = 0.0
            self._served += 1
            self.width = min(self._widest, self.width + 1 / self.width)

    def is_away(self) -> bool:
        """Whether nobody was answered for so long that waiting is no use."""
        return self._in_vain > 0 and time.monotonic() - self._in_vain_since >= PATIENCE_S

    def is_silent(self, seconds: float) -> bool:
        """Whether calls run out of their time and nobody was answered for so long."""
        return self._slow_since > 0 and time.monotonic() - self._slow_since >= seconds

    def _enter(self, until: float) -> int:
        with self._gate:
            while True:
                now = time.monotonic()
                closed = self._opens - now
                if closed > 0 and (self._opens > until or self.is_away()):
                    raise NoTurn(f"{self._why}; nobody is to ask again for {closed:.1f} s")
                if closed <= 0 and self.under_way < max(1, int(self.width)):
                    self.under_way += 1
                    return self._cuts
                if now >= until:
                    raise NoTurn(f"no turn came in time, {self.under_way} calls are under way" + (f"; {self._why}" if self._why else ""))
                self._gate.wait(min(until - now, closed if closed > 0 else until - now))

    def _narrow(self, busy: Busy, began_after: int) -> None:
        with self._gate:
            now = time.monotonic()
            self._why = f"{busy} (it asks everybody to wait {busy.wait_s:g} s)" if busy.wait_s else str(busy)
            if began_after == self._cuts:
                self._cuts += 1
                self.width = max(1.0, min(self.width, self.under_way) / 2)
                self._in_vain_since = self._in_vain_since if self._in_vain else now
                self._in_vain += 1
                self._served = 0
                if self._in_vain == 1 and (busy.wait_s or 0.0) > PATIENCE_S:
                    self._in_vain_since += min(busy.wait_s or 0.0, LONGEST_ASKED_S)  # it has said itself that it will not answer before
            # A provider that says "at once" and refuses again is not taken at its word a second time.
            doubled = FIRST_PAUSE_S * 2 ** (self._in_vain - 1 if busy.wait_s is None else self._in_vain - 2)
            pause = max(busy.wait_s or 0.0, min(doubled, LONGEST_PAUSE_S) if busy.wait_s is None or self._in_vain > 1 else 0.0)
            self._opens = max(self._opens, now + min(pause, LONGEST_ASKED_S))
            self._gate.notify_all()

    def _slow_down(self, began_after: int) -> None:
        with self._gate:
            self._slow_since = self._slow_since or time.monotonic()
            if began_after == self._cuts:
                self._cuts += 1
                self.width = max(1.0, min(self.width, self.under_way, self._served) / 2)
                self._served = 0
            self._gate.notify_all()


_limiters: dict[str, Limiter] = {}
_lock = threading.Lock()


def limiter_of(address: str) -> Limiter:
    """The one limiter of a provider in this process."""
    with _lock:
        return _limiters.setdefault(address, Limiter())


def _begin_anew() -> None:
    """In a process that was forked: the calls of its parent are not under way here, and its locks may be held by nobody."""
    global _lock  # noqa: PLW0603 - a lock of the parent's may be held for ever
    _lock = threading.Lock()
    _limiters.clear()


os.register_at_fork(after_in_child=_begin_anew)
