"""The nursery: a clean, single-threaded process that begins each trial in a process of its own and sees to its end.

It reads orders from the run, starts, kills at the deadline, reaps, and tells the run how each trial's process ended: on a
socket that trials do not have, so that none can speak for another. It runs no trial itself and holds no answers. When the run
goes away, it ends every trial and then itself. How a trial is begun is said by `forking.py` and `spawning.py`.
Run as `python -m fairtrial.trials.nursery CONTROL OUT ROOT LEVEL` with two inherited sockets.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import msgspec

from fairtrial.records.errors import FairtrialError
from fairtrial.setups.lines import closing
from fairtrial.trials import reap
from fairtrial.trials.order import OPENING_S, SELF_SIGNAL, Ended, Hello, Order, Problem, StageSpec, pack
from fairtrial.trials.wire import Reader, frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.trials.blackbox import BlackBox
    from fairtrial.trials.limits import Limits

GRACE_S = 0.5
"""A trial gets this long after its deadline to end by itself (cancelled, or interrupted by its alarm)."""
_KEPT_OUTPUT = 8192
_MOST_OUTPUT = 16 << 20
"""What a trial prints is kept in memory up to about this much; beyond it only the end stays."""
_LOOK_S = 1.0
_WATCH_S = 0.05
"""How often what a trial takes is measured, where it is limited."""


class Starter(Protocol):
    """One way to begin a trial."""

    limits: Limits | None
    leaves_orphans: bool

    def seats(self) -> bytes: ...

    def settle(self) -> None: ...

    def box(self) -> BlackBox: ...

    def start(self, order: Order, box: BlackBox, out: socket.socket, private: Sequence[int]) -> tuple[int, int | None]:
        """The trial's process, and a descriptor that is closed at the other end once the agent begins (None: it has begun)."""

    def kill(self, pid: int) -> None: ...

    def exit_code(self, status: int) -> int: ...

    def clear(self, order: Order, box: BlackBox | None) -> None: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class Child:
    order: Order
    pid: int
    box: BlackBox
    born: float
    kill_at: float
    begins: int | None
    asked: bool = False
    excess: str = ""


class Nursery:
    """Starts, watches and buries. Everything in it happens in one thread."""

    def __init__(self, starter: Starter, reader: Reader, sockets: tuple[socket.socket, socket.socket]) -> None:
        self._starter = starter
        self._control, self._out = sockets
        self._children: dict[int, Child] = {}
        self._reader = reader
        self._look_at = 0.0
        self._watch_at = 0.0
        self._wake, wake_write = socket.socketpair()
        self._wake.setblocking(False)
        wake_write.setblocking(False)
        self._wake_write = wake_write
        self._selector = selectors.DefaultSelector()
        signal.set_wakeup_fd(wake_write.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        """Work until the run closes its end."""
        self._selector.register(self._control, selectors.EVENT_READ)
        self._selector.register(self._wake, selectors.EVENT_READ)
        self._obey(self._reader.pending())
        while True:
            keys = [key for key, _ in self._selector.select(self._patience())]
            awake = {key.fileobj for key in keys}
            for key in keys:
                if isinstance(key.data, Child):
                    self._begin(key.data)
            if self._wake in awake:
                self._wake.recv(4096)
            self._bury()
            if self._control in awake:
                frames = self._reader.read()
                if frames is None:
                    self._leave()
                self._obey(frames or [])
            self._look()

    def _obey(self, frames: list[bytes]) -> None:
        for packed in frames:
            for order in ORDERS.decode(packed):
                self._start(order)

    def _patience(self) -> float | None:
        if not self._children:
            return None
        soonest = min(self._look_at, *(child.kill_at for child in self._children.values()))
        if self._starter.limits is not None:
            soonest = min(soonest, self._watch_at)
        return max(0.0, soonest - time.monotonic())

    def _start(self, order: Order) -> None:
        box = self._starter.box()
        now = time.monotonic()
        pid, begins = self._starter.start(order, box, self._out, self._private())
        kill_at = now + (order.timeout_s + GRACE_S if begins is None else OPENING_S)
        child = self._children[pid] = Child(order, pid, box, now, kill_at, begins)
        if begins is not None:
            self._selector.register(begins, selectors.EVENT_READ, child)

    def _private(self) -> list[int]:
        """What is the nursery's and what is other trials': nothing may be written or read there by a trial."""
        numbers = [self._control.fileno(), self._wake.fileno(), self._wake_write.fileno(), self._selector.fileno()]
        return numbers + [child.box.printed for child in self._children.values()]

    def _begin(self, child: Child) -> None:
        """The agent begins, or its process is gone: from now on its own time counts."""
        if child.begins is not None:
            self._selector.unregister(child.begins)
            os.close(child.begins)
            child.begins = None
            child.born = time.monotonic()
            child.kill_at = child.born + child.order.timeout_s + GRACE_S

    def _bury(self) -> None:
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            child = self._children.pop(pid, None)
            if child is None:
                continue
            self._begin(child)
            if status or child.asked or child.box.family or self._starter.leaves_orphans:
                reap.sweep(set(self._children))
            self._report(child, status)
            self._starter.clear(child.order, child.box)

    def _report(self, child: Child, status: int) -> None:
        code = self._starter.exit_code(status)
        output = b"" if code == 0 else child.box.output(_KEPT_OUTPUT)
        spans = b"" if code == 0 else msgspec.msgpack.encode(child.box.read())
        by_itself = code >= 0 or SELF_SIGNAL.encode() in output or -code in _OWN_SIGNALS
        ended = Ended(
            (child.order.ticket,),
            max(code, 0),
            max(-code, 0),
            child.asked,
            by_itself,
            _whole_words(output),
            spans,
            (time.monotonic() - child.born) * 1000,
            child.box.lost,
            child.excess,
        )
        self._tell("E", ended)

    def _tell(self, kind: str, message: object) -> None:
        try:
            self._control.sendall(frame(pack(kind, message)))
        except OSError:
            self._leave()

    def _look(self) -> None:
        """What time brings: output to be cut, limits to be measured, deadlines that have passed."""
        now = time.monotonic()
        if now >= self._look_at:
            self._look_at = now + _LOOK_S
            for child in self._children.values():
                child.box.trim(_MOST_OUTPUT, _KEPT_OUTPUT)
        if self._starter.limits is not None and now >= self._watch_at:
            self._watch_at = now + _WATCH_S
            self._measure(self._starter.limits)
        for child in list(self._children.values()):
            if now >= child.kill_at and not child.asked and not child.excess:
                if child.begins is not None:
                    child.excess = f"its code was still being imported after {OPENING_S:g} s"
                else:
                    child.asked = True
                self._kill(child)

    def _measure(self, limits: Limits) -> None:
        for child in self._children.values():
            if not child.asked and not child.excess:
                child.excess = limits.excess(child.pid)
                if child.excess:
                    self._kill(child)

    def _kill(self, child: Child) -> None:
        child.kill_at = time.monotonic() + 5
        self._starter.kill(child.pid)

    def _leave(self) -> None:
        for child in self._children.values():
            self._starter.kill(child.pid)
        for child in self._children.values():
            self._starter.clear(child.order, None)
        reap.kill_descendants(os.getpid())
        self._starter.close()
        os._exit(0)


def _whole_words(output: bytes) -> str:
    text = output.decode("utf-8", "replace")
    return closing(text, len(text) - 1) if len(output) == _KEPT_OUTPUT else text


ORDERS = msgspec.msgpack.Decoder(list[Order])
_OWN_SIGNALS = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGALRM, signal.SIGPIPE, signal.SIGXCPU}


def starter(spec: StageSpec, root: str, level: str) -> Starter:
    """The way of an isolation level. What the other one needs is not imported: every child of a fork would map it."""
    if level == "fork":
        from fairtrial.trials.forking import Forks

        return Forks(spec, root)
    from fairtrial.trials.spawning import Spawns

    return Spawns(spec, root, sandboxed=level == "sandbox")


def main(arguments: list[str]) -> None:
    """Open the stage named by the first message, say hello, serve."""
    control = socket.socket(fileno=int(arguments[0]))
    out = socket.socket(fileno=int(arguments[1]))
    reader = Reader(control)
    spec = msgspec.msgpack.decode(reader.wait(), type=StageSpec)
    reap.prepare()
    reap.adopt()
    try:
        begins = starter(spec, arguments[2], arguments[3])
        seats = begins.seats()
    except FairtrialError as error:
        control.sendall(frame(pack("P", Problem.of(error))))
        return
    control.sendall(frame(pack("H", Hello(seats))))
    begins.settle()
    Nursery(begins, reader, (control, out)).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
