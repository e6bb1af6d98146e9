"""How a run hears that it is to end: SIGINT or SIGTERM ask for a clean end, a second one within two seconds ends the process at once.

Kept out: what a clean end is (`running.py`).
"""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FrameType


class Interrupts:
    """While entered, SIGINT and SIGTERM ask for a clean end; a second one within two seconds ends the process at once.

    Elsewhere than in the main thread signals cannot be had, and the caller's own handling stands.
    """

    def __init__(self) -> None:
        self.asked = False
        self._at = 0.0
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self.asked and time.monotonic() - self._at < 2:
            os._exit(130)
        self.asked = True
        self._at = time.monotonic()
