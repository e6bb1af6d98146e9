"""Who executes a run just now: so that two commands never run the same one, and a run whose process died is free again.

A holder is a process, named so that a later process with the same number is not taken for it: machine, its boot, its space
of process numbers, number, and time of birth. On another machine only the heartbeat can be seen.
"""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

import msgspec

STALE_NS = 120 * 1_000_000_000
"""A holder that cannot be looked at is taken for gone after this long without a sign of life."""


class Holder(msgspec.Struct, frozen=True, array_like=True):
    """A process. `boot`, `space` and `born` are empty where the system does not tell them."""

    host: str
    boot: str
    space: str
    pid: int
    born: str

    def words(self) -> str:
        """The holder as the store keeps it."""
        return msgspec.json.encode(self).decode()


def myself() -> Holder:
    """This process."""
    return Holder(platform.node(), _line("/proc/sys/kernel/random/boot_id"), _space(), os.getpid(), _born(os.getpid()))


def alive(words: str | None, beat_ns: int | None) -> bool:
    """Whether the process that holds a run still lives. `beat_ns` is its last sign of life, in ns since the epoch."""
    if words is None:
        return False
    try:
        holder = msgspec.json.decode(words, type=Holder)
    except msgspec.DecodeError:
        return False
    me = myself()
    if holder.host == me.host and (holder.boot, holder.space) == (me.boot, me.space):
        return _runs(holder)
    if holder.host == me.host and holder.boot != me.boot:
        return False  # the machine was started anew since
    return beat_ns is not None and time.time_ns() - beat_ns < STALE_NS


def _runs(holder: Holder) -> bool:
    born = _born(holder.pid)
    if born or holder.born:
        return born == holder.born
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _born(pid: int) -> str:
    """When a process was started, in the system's own ticks. A dead process that nobody has reaped yet is none."""
    line = _line(f"/proc/{pid}/stat")
    fields = line.rpartition(")")[2].split()
    return "" if len(fields) < 20 or fields[0] in {"Z", "X"} else fields[19]


def _line(path: str) -> str:
    try:
        return Path(path).read_bytes().decode("ascii", "replace").strip()
    except OSError:
        return ""


def _space() -> str:
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
