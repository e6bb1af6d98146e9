"""A cage for graders written in Python: each grading in a process of its own, with a time limit.

A grader is the user's code and runs beside the store; one that hangs, exits or crashes must cost its own check and nothing
else. Where a process cannot be forked it runs in place, caged only against what it raises.
"""

from __future__ import annotations

import contextlib
import functools
import os
import select
import signal
import time
import traceback
from typing import TYPE_CHECKING, Any

from fairtrial.records.plain import plain
from fairtrial.records.strictjson import encode, reread

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT_S = 30.0
MOST = 8 << 20
"""Bytes of a result; no verdict needs more."""


class GraderLost(Exception):
    """The grader gave no result: it ran too long, or its process ended."""


class GraderRaised(Exception):
    """The grader raised; the message begins with what and ends with where."""


def caged(grader: Callable[..., Any], limit_s: float = LIMIT_S) -> Callable[..., Any]:
    """The grader, called in a process of its own. Raises GraderLost or GraderRaised where it gives no result."""
    if not hasattr(os, "fork"):
        return grader

    @functools.wraps(grader)
    def call(given: Any) -> Any:
        return _call(grader, given, limit_s)

    return call


def _call(grader: Callable[..., Any], given: Any, limit_s: float) -> Any:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        _live(grader, given, writer)
    os.close(writer)
    try:
        told = _read(reader, limit_s)
    finally:
        os.close(reader)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    if told is None:
        raise GraderLost(f"no verdict within {limit_s:g} s")
    if not told:
        raise GraderLost(f"its process ended without a verdict (code {os.waitstatus_to_exitcode(status)})")
    answer = reread(told)
    if "raised" in answer:
        raise GraderRaised(answer["raised"])
    return answer["result"]


def _read(reader: int, limit_s: float) -> bytes | None:
    """All that is written until the end; None where the time is up first, or far too much is written."""
    end = time.monotonic() + limit_s
    parts: list[bytes] = []
    size = 0
    while size <= MOST:
        ready, _, _ = select.select([reader], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return None
        part = os.read(reader, 1 << 16)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
    return None


def _live(grader: Callable[..., Any], given: Any, writer: int) -> None:
    """In the child: grade, tell, end. Never returns, and leaves the parent's connections untouched."""
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        try:
            told = encode({"result": plain(grader(given))})
        except BaseException as error:  # noqa: BLE001 - a grader is caged: whatever it raises is its own
            story = "".join(traceback.format_exception(error, limit=-12))[-4000:]
            told = encode({"raised": plain(f"{type(error).__name__}: {str(error)[:200]}\n{story}")})
        view = memoryview(told)
        while view:
            view = view[os.write(writer, view) :]
    finally:
        os._exit(0)
