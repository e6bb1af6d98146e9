"""Ending processes for good: a trial's whole family, whatever it did to get away.

On Linux a trial's process is made the reaper of its descendants, so that even a daemon it left behind stays in its tree
and can be found; and it dies with its supervisor. Elsewhere only the process group is ended, and the run says so.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_prctl = None


def prepare() -> None:
    """Load what `adopt` and `die_with_parent` need; called once before any fork, since loading is not free."""
    global _prctl  # noqa: PLW0603 - one C function, found once
    if LINUX and _prctl is None:
        import ctypes

        _prctl = ctypes.CDLL(None, use_errno=True).prctl


def adopt() -> None:
    """Make this process the reaper of all its descendants."""
    if _prctl is not None:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent dies."""
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def children(pid: int) -> list[int]:
    """The direct children of a process (Linux; elsewhere none can be seen)."""
    found: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return found
    for thread in threads:
        with contextlib.suppress(OSError):
            found.extend(int(word) for word in Path(f"/proc/{pid}/task/{thread}/children").read_bytes().split())
    return found


def kill(pid: int) -> None:
    """Send SIGKILL to a process and to its group, if it leads one. A process that is gone already is fine."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def kill_descendants(pid: int) -> None:
    """End everything below a process, round by round, until nothing is left that could fork again."""
    for _ in range(100):
        found = [child for child in children(pid) if not _is_dead(child)]
        if not found:
            return
        for child in found:
            _stop(child)
        for child in found:
            kill_descendants(child)
            kill(child)


def kill_children(pid: int) -> None:
    """End the direct children of a process."""
    for child in children(pid):
        kill(child)


def kill_tree(pid: int) -> None:
    """End a process and everything below it. It is stopped first, so that it cannot start anything new meanwhile."""
    _stop(pid)
    kill_descendants(pid)
    kill(pid)


def _stop(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGSTOP)


def _is_dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except (OSError, IndexError):
        return True


def sweep(known: set[int]) -> None:
    """End children of this process that are none of `known`: what a dead trial left to its adopter."""
    for child in children(os.getpid()):
        if child not in known:
            kill_tree(child)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


MARK = "FAIRTRIAL_WORKER"
"""The environment variable that all descendants of a worker carry."""


def kill_marked(mark: str) -> None:
    """End every process that carries a worker's mark: what a worker that died unexpectedly left behind."""
    needle = f"{MARK}={mark}".encode("ascii")
    if not Path("/proc").exists():
        return
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            with contextlib.suppress(OSError):
                if needle in Path(f"/proc/{entry}/environ").read_bytes().split(b"\0"):
                    kill_tree(int(entry))
