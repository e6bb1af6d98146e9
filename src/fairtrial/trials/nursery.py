"""The nursery: a clean, single-threaded process that has imported the agent and forks one child a trial.

It reads orders from the run, forks, kills at the deadline, reaps, and tells the run how each child ended: on a socket that
the children do not have, so that none can speak for another. It runs no trial itself and holds no answers. When the run goes
away, it ends every child and then itself.
Run as `python -m fairtrial.trials.nursery CONTROL OUT ROOT` with two inherited sockets.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import sys
import time
from dataclasses import dataclass

import msgspec

from fairtrial.records.errors import FairtrialError
from fairtrial.records.strictjson import encode
from fairtrial.setups.lines import closing
from fairtrial.trials import home, reap
from fairtrial.trials.blackbox import BlackBox
from fairtrial.trials.child import live, prepare_supervisor, ready
from fairtrial.trials.order import SELF_SIGNAL, Ended, Hello, Order, Problem, StageSpec, pack
from fairtrial.trials.practice import practise
from fairtrial.trials.stage import Stage
from fairtrial.trials.wire import Reader, frame

GRACE_S = 0.5
"""A trial gets this long after its deadline to end by itself (cancelled, or interrupted by its alarm)."""
_KEPT_OUTPUT = 8192
_MOST_OUTPUT = 16 << 20
"""What a trial prints is kept in memory up to about this much; beyond it only the end stays."""
_LOOK_S = 1.0


@dataclass(slots=True)
class Child:
    order: Order
    pid: int
    box: BlackBox
    folder: str
    born: float
    kill_at: float
    asked: bool = False


class Nursery:
    """Forks, watches and buries. Everything in it happens in one thread."""

    def __init__(self, stage: Stage, reader: Reader, sockets: tuple[socket.socket, socket.socket], root: str) -> None:
        self._stage = stage
        self._control, self._out = sockets
        self._root = root
        self._children: dict[int, Child] = {}
        self._boxes: list[BlackBox] = []
        self._reader = reader
        self._look_at = 0.0
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
            awake = {key.fileobj for key, _ in self._selector.select(self._patience())}
            if self._wake in awake:
                self._wake.recv(4096)
            self._bury()
            if self._control in awake:
                frames = self._reader.read()
                if frames is None:
                    self._leave()
                self._obey(frames or [])
            self._kill_late()

    def _obey(self, frames: list[bytes]) -> None:
        for packed in frames:
            for order in ORDERS.decode(packed):
                self._fork(order)

    def _patience(self) -> float | None:
        if not self._children:
            return None
        soonest = min(self._look_at, *(child.kill_at for child in self._children.values()))
        return max(0.0, soonest - time.monotonic())

    def _fork(self, order: Order) -> None:
        box = self._boxes.pop() if self._boxes else BlackBox()
        box.clear()
        folder = f"{self._root}/t{order.ticket}"
        trial = ready(order, self._stage, box, folder)
        now = time.monotonic()
        pid = os.fork()
        if pid == 0:
            self._let_go(box)
            live(trial, self._out)
        trial.forget()
        self._children[pid] = Child(order, pid, box, folder, now, now + order.timeout_s + GRACE_S)

    def _let_go(self, own: BlackBox) -> None:
        """In the child: close what is the nursery's and what is other trials', so that nothing can be written or read there."""
        signal.set_wakeup_fd(-1)
        numbers = [self._control.fileno(), self._wake.fileno(), self._wake_write.fileno(), self._selector.fileno()]
        numbers += [child.box.printed for child in self._children.values()]
        numbers += [box.printed for box in self._boxes if box is not own]
        for number in numbers:
            os.close(number)

    def _bury(self) -> None:
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            child = self._children.pop(pid, None)
            if child is None:
                continue
            if status or child.asked or child.box.family:
                reap.sweep(set(self._children))
            self._report(child, status)
            home.move_out(child.folder)
            self._boxes.append(child.box)

    def _report(self, child: Child, status: int) -> None:
        code = os.waitstatus_to_exitcode(status)
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
        )
        self._tell("E", ended)

    def _tell(self, kind: str, message: object) -> None:
        try:
            self._control.sendall(frame(pack(kind, message)))
        except OSError:
            self._leave()

    def _kill_late(self) -> None:
        now = time.monotonic()
        if now >= self._look_at:
            self._look_at = now + _LOOK_S
            for child in self._children.values():
                child.box.trim(_MOST_OUTPUT, _KEPT_OUTPUT)
        for child in list(self._children.values()):
            if now >= child.kill_at and not child.asked:
                child.asked = True
                child.kill_at = now + 5
                reap.kill_tree(child.pid)

    def _leave(self) -> None:
        for child in self._children.values():
            reap.kill_tree(child.pid)
        for child in self._children.values():
            home.move_out(child.folder)
        reap.kill_descendants(os.getpid())
        self._stage.world.close()
        os._exit(0)


def _whole_words(output: bytes) -> str:
    text = output.decode("utf-8", "replace")
    return closing(text, len(text) - 1) if len(output) == _KEPT_OUTPUT else text


ORDERS = msgspec.msgpack.Decoder(list[Order])
_OWN_SIGNALS = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGALRM, signal.SIGPIPE, signal.SIGXCPU}


def main(arguments: list[str]) -> None:
    """Open the stage named by the first message, say hello, serve."""
    control = socket.socket(fileno=int(arguments[0]))
    out = socket.socket(fileno=int(arguments[1]))
    reader = Reader(control)
    spec = msgspec.msgpack.decode(reader.wait(), type=StageSpec)
    reap.prepare()
    prepare_supervisor()
    reap.adopt()
    try:
        stage = Stage(spec, arguments[2])
    except FairtrialError as error:
        control.sendall(frame(pack("P", Problem(str(error)))))
        return
    control.sendall(frame(pack("H", Hello(encode(stage.seats())))))
    practise()
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.disable()  # in the nursery only: a collection here would copy pages that all children share
    Nursery(stage, reader, (control, out), arguments[2]).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
