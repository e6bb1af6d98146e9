"""The life of a forked child: one trial, in a process of its own, that ends with it.

The child has its own session, folder and environment; the process that made it is single-threaded and has imported the
agent, so nothing of an earlier trial can be in its memory.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import selectors
import signal
import sys
from typing import TYPE_CHECKING, Any

from fairtrial.records.strictjson import encode
from fairtrial.trials import home, reap
from fairtrial.trials.conduct import Act, Deadline, perform, perform_sync, stillborn
from fairtrial.trials.order import SELF_SIGNAL, Order, Result, pack

if TYPE_CHECKING:
    import socket
    from types import FrameType

    from fairtrial.trials.blackbox import BlackBox
    from fairtrial.trials.stage import Stage

WHOLE = 96 * 1024
"""Results above this size travel by file: a message on a local socket has a bound."""


def live(order: Order, stage: Stage, box: BlackBox, out: socket.socket, folder: str) -> None:
    """Run one trial and end this process. `folder` becomes the trial's own. Never returns."""
    code = 70
    try:
        _settle_in(order, folder, box.printed)
        os.environ.update(stage.env_of(order.key.setup))
        head, body = _run(order, stage, box)
        send(out, order, (encode(head), body), folder + ".result")
        code = 0
    except BaseException as error:  # noqa: BLE001 - nothing may escape into the supervisor's code, which this process is a copy of
        sys.stderr.write(f"fairtrial: the trial's process failed: {type(error).__name__}: {error}\n")
    finally:
        os._exit(code)


def _settle_in(order: Order, folder: str, printed: int) -> None:
    os.setsid()
    reap.die_with_parent()
    reap.adopt()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    home.move_in(folder)
    random.seed(order.seed)
    sys.addaudithook(SelfSignal(os.getpid()))
    gc.enable()  # the supervisor had it off; with its own memory frozen, this process collects only what it makes


def _run(order: Order, stage: Stage, box: BlackBox) -> tuple[Any, bytes]:
    try:
        act = Act(order, stage, box=box, run_async=asyncio.run)
    except Exception as error:  # noqa: BLE001 - opening a world runs the case's own seed
        return stillborn(order, error)
    signal.signal(signal.SIGALRM, _alarm)
    if act.agent.is_sync:
        signal.setitimer(signal.ITIMER_REAL, order.timeout_s)
        perform_sync(act)
    else:
        # The loop's own limit comes first; the alarm is for a loop that never yields.
        signal.setitimer(signal.ITIMER_REAL, order.timeout_s + 0.1)
        try:
            _loop().run_until_complete(perform(act))
        except Deadline:
            act.timed_out()
    signal.setitimer(signal.ITIMER_REAL, 0)
    return act.finish()


def _loop() -> asyncio.AbstractEventLoop:
    """A loop for this process's one trial. It is never closed: the process ends, and ending it in order costs a millisecond."""
    loop = asyncio.SelectorEventLoop(selectors.PollSelector() if hasattr(selectors, "PollSelector") else None)
    asyncio.set_event_loop(loop)
    return loop


def _alarm(_number: int, _frame: FrameType | None) -> None:
    raise Deadline


class SelfSignal:
    """Notes that the trial's process is about to kill itself, so that it is not taken for a victim of the machine."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if event in ("os.kill", "os.killpg") and abs(args[0]) in (self._pid, 0) and os.getpid() == self._pid:
            os.write(2, f"\n{SELF_SIGNAL}\n".encode("ascii"))


def send(out: socket.socket, order: Order, record: tuple[bytes, bytes], spill: str) -> None:
    """Deliver one result in one message, by way of a file where it is too large for one."""
    head, body = record
    if len(head) + len(body) > WHOLE:
        with open(spill, "wb") as file:
            file.write(encode([len(head)]) + b"\n" + head + body)
        out.send(pack("R", [Result(order.ticket, order.token, b"", b"", spill)]))
    else:
        out.send(pack("R", [Result(order.ticket, order.token, head, body)]))
