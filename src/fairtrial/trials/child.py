"""The life of a forked child: one trial, in a process of its own, that ends with it.

Whatever runs none of the user's code is prepared in the supervisor just before the fork: every page that a child touches has
to be copied, so the less it does itself the cheaper a trial is. The child has its own session, folder and environment.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import selectors
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import Deadline
from fairtrial.records.strictjson import encode
from fairtrial.trials import home, reap
from fairtrial.trials.conduct import Act, perform, perform_sync, stillborn
from fairtrial.trials.order import SELF_SIGNAL, Order, Result, pack

if TYPE_CHECKING:
    import socket
    from types import FrameType

    from fairtrial.trials.blackbox import BlackBox
    from fairtrial.trials.stage import Stage

WHOLE = 96 * 1024
"""Results above this size travel by file: a message on a local socket has a bound."""


@dataclass(slots=True)
class Ready:
    """A trial that only has to be forked. `act` is None where its world is opened by its own process, and where it could not be
    opened, for the reason in `failed`."""

    order: Order
    stage: Stage
    folder: str
    box: BlackBox
    act: Act | None
    loop: asyncio.AbstractEventLoop | None
    failed: Exception | None = None

    def forget(self) -> None:
        """In the supervisor, after the fork: let go of what is the child's."""
        if self.loop is not None:
            self.loop.close()
        if self.act is not None:
            self.act.floor.world.forget()


def ready(order: Order, stage: Stage, box: BlackBox, folder: str) -> Ready:
    """Make everything that needs none of the user's code: the folder, the environment, the world, the desk, the loop."""
    try:
        home.move_in(folder)
        os.environ.update(stage.env_of(order.key.setup))
        random.seed(order.seed)
        act = _act(order, stage, box, folder) if stage.world.quiet(order.scene) else None
    except Exception as error:  # noqa: BLE001 - opening a world runs the case's own seed, and a disk may be full
        return Ready(order, stage, folder, box, None, None, error)
    return Ready(order, stage, folder, box, act, None if stage.agent(order.key.setup, order.scene).is_sync else new_loop())


def _act(order: Order, stage: Stage, box: BlackBox, folder: str) -> Act:
    return Act(order, stage, folder=folder, box=box, run_async=asyncio.run)


def prepare_supervisor() -> None:
    """Once, before any fork: what every child inherits as it is."""
    signal.signal(signal.SIGALRM, _alarm)
    sys.addaudithook(_notice)


def live(trial: Ready, out: socket.socket) -> None:
    """In a fork: run one trial and end this process. Never returns."""
    try:
        os.setsid()
        os.dup2(trial.box.printed, 1)
        os.dup2(trial.box.printed, 2)
        gc.enable()  # the supervisor had it off; with its own memory frozen, this process collects only what it makes
        settle(trial.box)
        play(trial, out, trial.folder + ".result")
    except BaseException as error:  # noqa: BLE001 - nothing may escape into the supervisor's code, which this process is a copy of
        _say(error)
    finally:
        os._exit(70)


def settle(box: BlackBox) -> None:
    """Make this process the head of its own family, that dies with its supervisor and is watched for signals to that."""
    global _box, _supervisor
    reap.die_with_parent()
    reap.adopt()
    _box, _supervisor = box, os.getppid()


def play(trial: Ready, out: socket.socket, spill: str) -> None:
    """Run one trial, send its record and end this process. Never returns."""
    code = 70
    try:
        head, body = _run(trial)
        send(out, trial.order, (encode(head), body), spill)
        code = 0
    except BaseException as error:  # noqa: BLE001 - whatever a trial does, its process ends here
        _say(error)
    finally:
        os._exit(code)


def _say(error: BaseException) -> None:
    os.write(2, f"fairtrial: the trial's process failed: {type(error).__name__}: {error}\n".encode("utf-8", "replace"))


def _run(trial: Ready) -> tuple[Any, bytes]:
    timeout_s = trial.order.timeout_s
    try:
        act = trial.act or _opened(trial)
    except Exception as error:  # noqa: BLE001 - opening a world runs the user's code
        return stillborn(trial.order, error)
    signal.setitimer(signal.ITIMER_REAL, timeout_s)
    if trial.loop is None:
        perform_sync(act)
    else:
        asyncio.set_event_loop(trial.loop)
        try:
            trial.loop.run_until_complete(perform(act))
        except Deadline:  # the alarm rang while the loop itself was waiting
            act.timed_out()
        except BaseException as error:  # noqa: BLE001 - a task beside the agent's own may end the loop: by SystemExit, or by stopping it
            act.raised(error)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return act.finish()


def _opened(trial: Ready) -> Act:
    """Open a world that copies files or runs the user's code: here, where nobody else waits for it, and not for ever."""
    if trial.failed is not None:
        raise trial.failed
    signal.setitimer(signal.ITIMER_REAL, trial.order.timeout_s)
    try:
        return _act(trial.order, trial.stage, trial.box, trial.folder)
    except Deadline:
        raise TimeoutError(f"its world was not open within {trial.order.timeout_s:g} s") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def new_loop() -> asyncio.AbstractEventLoop:
    """A loop for one process's one trial. The child never closes it: it ends, and ending a loop in order costs a millisecond."""
    return asyncio.SelectorEventLoop(selectors.PollSelector() if hasattr(selectors, "PollSelector") else None)


def _alarm(_number: int, _frame: FrameType | None) -> None:
    raise Deadline


_STARTS_PROCESSES = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn"})
_box: BlackBox | None = None
"""In a trial's process: its own black box."""
_supervisor = 0
"""In a trial's process: whoever runs it. A signal there would end the trial's neighbours."""


def _notice(event: str, args: tuple[Any, ...]) -> None:
    """Keeps on record what a supervisor must know of a trial's process: that it starts others, or is about to kill itself."""
    if event in _STARTS_PROCESSES or (event == "import" and args[0] == "multiprocessing"):
        if _box is not None:
            _box.note_family()
    elif event in ("os.kill", "os.killpg"):
        if abs(args[0]) in (os.getpid(), 0):
            os.write(2, f"\n{SELF_SIGNAL}\n".encode("ascii"))
        elif _supervisor and (args[0] == -1 or abs(args[0]) == _supervisor):
            raise PermissionError("a trial may not signal the process that runs it")


def watch_signals() -> None:
    """For a shared worker: what it runs may signal neither the run nor all there is, and a signal to itself is noted."""
    global _supervisor  # noqa: PLW0603 - as above
    _supervisor = os.getppid()
    sys.addaudithook(_notice)


def send(out: socket.socket, order: Order, record: tuple[bytes, bytes], spill: str) -> None:
    """Deliver one result in one message, by way of a file where it is too large for one."""
    head, body = record
    if len(head) + len(body) > WHOLE:
        with open(spill, "wb") as file:
            file.write(encode([len(head)]) + b"\n" + head + body)
        out.send(pack("R", [Result(order.ticket, order.token, b"", b"", spill)]))
    else:
        out.send(pack("R", [Result(order.ticket, order.token, head, body)]))
