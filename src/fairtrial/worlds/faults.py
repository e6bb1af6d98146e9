"""The fault plan of one trial: which call of which tool goes wrong, and how. Decides, and does nothing.

Calls are numbered for each tool from 1, under a lock and at the start of the call, so that calls which run side by side meet
the same faults each time. Chance is drawn from the trial's seed and the call's number, never from the order of threads.
Kept out: what a fault does to a call (`trials/trouble.py`).
"""

from __future__ import annotations

import hashlib
import threading
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One planned fault, as the case states it. `call` is a number, "every", "first N" or {"p": share}."""

    tool: str
    call: int | str | dict[str, float]
    fault: str
    result: Any = msgspec.UNSET
    message: str = ""
    seconds: float = 1.0


class FaultPlan:
    """The faults of one trial and its counters, which start at 0. Safe under threads."""

    def __init__(self, faults: Iterable[dict[str, Any]], seed: int) -> None:
        self.faults = [msgspec.convert(fault, Fault) for fault in faults]
        self._seed = seed
        self._calls: dict[str, int] = {}
        self._fired: set[int] = set()
        self._lock = threading.Lock()

    def concerns(self, tool: str, *kinds: str) -> bool:
        """Whether a fault (of one of these kinds) is planned for the tool."""
        return any(fault.tool == tool and (not kinds or fault.fault in kinds) for fault in self.faults)

    def begin(self, tool: str) -> tuple[int, Fault | None]:
        """The number of a call that starts now, and the fault it meets. Where several fit, the first one planned comes."""
        with self._lock:
            number = self._calls[tool] = self._calls.get(tool, 0) + 1
        for index, fault in enumerate(self.faults):
            if fault.tool == tool and self._meets(index, fault.call, number):
                return number, fault
        return number, None

    def fired(self, fault: Fault) -> None:
        """The fault was really done to a call."""
        with self._lock:
            self._fired.add(next(index for index, planned in enumerate(self.faults) if planned is fault))

    def seen(self, tool: str, fault: str, number: int) -> None:
        """A trace shows that this fault came to this call."""
        for index, planned in enumerate(self.faults):
            if planned.tool == tool and planned.fault == fault and self._meets(index, planned.call, number):
                self._fired.add(index)
                return

    def unfired(self) -> list[Fault]:
        """The planned faults that never came."""
        return [fault for index, fault in enumerate(self.faults) if index not in self._fired]

    def _meets(self, index: int, when: int | str | dict[str, float], number: int) -> bool:
        if isinstance(when, int):
            return number == when
        if isinstance(when, dict):
            return _draw(self._seed, index, number) < when["p"]
        return when == "every" or number <= int(when.removeprefix("first "))


def _draw(seed: int, index: int, number: int) -> float:
    """A number in [0, 1) that depends on nothing but the three."""
    digest = hashlib.blake2b(f"{seed}\0{index}\0{number}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
