"""What a sandboxed trial may take, and how much it takes: its memory and its processes, all of them together.

The kernel holds what it can hold for each process (`hold`, called inside before any of the user's code); the sum over a
trial's processes is measured from outside, many times a second, and a trial that exceeds it is ended. Linux only.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from fairtrial.trials import reap

MB = 1 << 20
_PAGE = os.sysconf("SC_PAGE_SIZE")
_ROOM = 8
"""The kernel's own bound on processes counts threads as well, so it is this much wider; it does not hold for root."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`wrapping` is how many processes at the top of a trial's tree are the sandbox's own."""

    memory_mb: int
    processes: int
    wrapping: int = 0

    def excess(self, pid: int) -> str:
        """What the tree below a process takes too much of, in words; nothing where it keeps to its limits."""
        family = _family(pid, self.processes + self.wrapping)
        if len(family) - self.wrapping > self.processes:
            return f"it had more than {self.processes} processes"
        if sum(map(_resident, family)) > self.memory_mb * MB and sum(map(_own_share, family)) > self.memory_mb * MB:
            return f"it took more than {self.memory_mb} MB of memory"
        return ""


def hold(memory_mb: int, processes: int) -> None:
    """Bound this process and all that it will start. What is lowered here cannot be raised again without rights."""
    import resource

    for what, most in (
        (resource.RLIMIT_DATA, memory_mb * MB),
        (resource.RLIMIT_FSIZE, memory_mb * MB),
        (resource.RLIMIT_NPROC, processes * _ROOM),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (bound, bound))


def _family(pid: int, enough: int) -> list[int]:
    """A process and all below it; no more than just above `enough`."""
    found = [pid]
    for member in found:
        found += reap.children(member)
        if len(found) > enough:
            break
    return found


def _resident(pid: int) -> int:
    """Bytes in memory, shared ones included; 0 for a process that is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _own_share(pid: int) -> int:
    """Bytes in memory, what is shared divided among those who share it: exact, and too slow to ask for each time."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines()
    except OSError:
        return _resident(pid)
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(b"Pss:"))
