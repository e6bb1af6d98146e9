"""What a sandboxed trial may take, and how much it takes: its memory and its processes, all of them together.

The kernel holds what it can hold for each process (`hold`, called inside before any of the user's code); the sum over a
trial's processes is measured from outside, many times a second, and a trial that exceeds it is ended. Linux only.
"""

from __future__ import annotations

import contextlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from fairtrial.trials import reap

MB = 1 << 20
_PAGE = os.sysconf("SC_PAGE_SIZE")
_KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219}
_JOIN_SESSION_KEYRING = 1
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
        family, most = _family(pid, self.processes + self.wrapping), self.memory_mb * MB
        if len(family) - self.wrapping > self.processes:
            return f"it had more than {self.processes} processes"
        held = _held(family)
        if sum(map(_resident, family)) + held > most:
            shares = [_shares(member) for member in family]
            # What is held open may be mapped as well, and is then no more memory than either figure says.
            if max(sum(whole for whole, _ in shares), held + sum(whole - shared for whole, shared in shares)) > most:
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


def leave_keyring() -> None:
    """Take an empty kernel keyring: a session's own, with the tickets and keys in it, is inherited through every wall."""
    number = _KEYCTL.get(os.uname().machine)
    if number is not None:
        import ctypes

        ctypes.CDLL(None).syscall(number, _JOIN_SESSION_KEYRING, None)


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


def _shares(pid: int) -> tuple[int, int]:
    """Bytes in memory, what is shared divided among those who share it, and how much of that is memory of files without a place.

    Exact, and too slow to ask for each time.
    """
    found = {}
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines()[1:]:
            name, _, size = line.partition(b":")
            found[name] = int(size.split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        return _resident(pid), 0
    return found.get(b"Pss", 0), found.get(b"Pss_Shmem", 0)


def _held(family: list[int]) -> int:
    """Bytes in files that have no place but memory (memfd) and are held open: they count for nobody otherwise."""
    sizes: dict[int, int] = {}
    for pid in family:
        try:
            numbers = os.listdir(f"/proc/{pid}/fd")
        except OSError:
            continue
        for number in numbers:
            with contextlib.suppress(OSError):
                file = os.stat(f"/proc/{pid}/fd/{number}")
                if file.st_nlink == 0 and stat.S_ISREG(file.st_mode):
                    sizes[file.st_ino] = file.st_blocks * 512
    return sum(sizes.values())
