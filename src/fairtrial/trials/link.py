"""The run's end of one worker process: start it, send it frames, read its messages, end it.

Writing never blocks: what a socket does not take is kept until it does, so that the run and a worker can never wait for
each other.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from fairtrial.trials import reap
from fairtrial.trials.order import OPENING_S, Hello, unpack
from fairtrial.trials.wire import Reader, Spoilt, frame

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fairtrial.trials.order import Ended, Order, Problem, Result, Retiring, StageSpec

    Message = list[Result] | Ended | Problem | Hello | Retiring

MAX_MESSAGE = 1 << 18
MOST_PRINTED = 16 << 20
TRIM_S = 1.0
SLACK_S = 5.0
"""Beyond the deadlines of its trials, a process that holds some gets this long to be heard."""
MANY = 4096
"""More packets than the socket between a trial and the run can hold."""


class Link:
    """One worker process. `datagrams` adds a second socket on which its children report, one whole message a packet.

    The children can write to that one only, so nothing but results is believed there: how a trial's process ended, and
    whether the stage could be opened, is said on the first, which they do not have. `spoilt` tells that agent code wrote to
    a channel that was not its own.
    """

    def __init__(self, module: str, spec: StageSpec, words: Sequence[str], *, datagrams: bool, log: str) -> None:
        self.control, theirs = socket.socketpair()
        given = [theirs]
        self.out: socket.socket | None = None
        if datagrams:
            self.out, their_out = socket.socketpair(socket.AF_UNIX, _PACKETS)
            for end in (self.out, their_out):
                with contextlib.suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
            given.append(their_out)
            self.out.setblocking(False)
        numbers = [str(end.fileno()) for end in given]
        self.log = log
        self.mark = secrets.token_hex(8)
        with open(log, "ab") as printed:
            self.process = subprocess.Popen(
                [sys.executable, "-m", module, *numbers, *words],
                pass_fds=[end.fileno() for end in given],
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=printed,
                env=_environment() | {reap.MARK: self.mark},
                start_new_session=True,
            )
        for end in given:
            end.close()
        self.control.setblocking(False)
        self._reader = Reader(self.control)
        self._unsent = b""
        self.gone = False
        self.spoilt = False
        self.open = False
        self.slack_s = SLACK_S
        self._trim_at = 0.0
        self._heard = time.monotonic()
        self.send(msgspec.msgpack.encode(spec))

    def give(self, orders: bytes) -> None:
        """Send orders: from now on something is to be heard of them."""
        self._heard = time.monotonic()
        self.send(orders)

    def is_silent(self, held: Iterable[Order]) -> bool:
        """Whether nothing was heard for longer than any trial that the process holds may take, so that it must hang."""
        longest = max((order.timeout_s for order in held), default=None)
        return longest is not None and time.monotonic() - self._heard > longest + (self.slack_s if self.open else OPENING_S)

    def send(self, message: bytes) -> None:
        """Queue one frame and send what can be sent now."""
        self._unsent += frame(message)
        self.flush()

    @property
    def waits_to_write(self) -> bool:
        return bool(self._unsent) and not self.gone

    def flush(self) -> None:
        while self._unsent:
            try:
                sent = self.control.send(self._unsent)
            except BlockingIOError:
                return
            except OSError:
                self.gone = True
                return
            self._unsent = self._unsent[sent:]

    def read(self) -> list[Message]:
        """Every message that has arrived. `gone` is set where the process has closed its end."""
        said = self._read_frames()
        if said:
            self._heard = time.monotonic()
            self.open = self.open or any(isinstance(message, Hello) for message in said)
        if self.out is None:
            return said
        # A trial sends its result before it ends: what is said of an end that was just read must come behind the result.
        return [*self._read_packets(self.out, MANY if said else 256), *said]

    def _read_packets(self, out: socket.socket, most: int) -> list[Message]:
        found: list[Message] = []
        for _ in range(most):
            try:
                packet = out.recv(MAX_MESSAGE)
            except BlockingIOError:
                break
            except OSError:
                packet = b""
            if not packet:
                self.gone = True
                break
            found += [message for message in _understood(packet) if isinstance(message, list)]
        return found

    def _read_frames(self) -> list[Message]:
        try:
            frames = self._reader.read()
        except Spoilt:
            self.spoilt, frames = True, None
        if frames is None:
            self.gone = True
            return []
        return [message for packet in frames for message in _understood(packet)]

    def trim(self) -> None:
        """Keep what the process printed within bounds; only the end of it is of use."""
        if (now := time.monotonic()) >= self._trim_at:
            self._trim_at = now + TRIM_S
            with contextlib.suppress(OSError):
                if os.path.getsize(self.log) > MOST_PRINTED:
                    os.truncate(self.log, 0)

    def last_words(self) -> str:
        """The end of what the process printed: why it could not start."""
        with contextlib.suppress(OSError):
            return Path(self.log).read_bytes()[-2000:].decode("utf-8", "replace").strip()
        return ""

    def close(self) -> None:
        """Close the sockets, which ends the worker, and make sure that it did end, with all below it."""
        self.control.close()
        if self.out is not None:
            self.out.close()
        try:
            self.process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            self.kill()
        with contextlib.suppress(OSError):
            os.unlink(self.log)

    def kill(self) -> None:
        """End the process, all below it, and what a dead one left behind."""
        reap.kill_tree(self.process.pid)
        self.process.wait()
        reap.kill_marked(self.mark)


_PACKETS = getattr(socket, "SOCK_SEQPACKET", socket.SOCK_DGRAM) if sys.platform == "linux" else socket.SOCK_DGRAM


def _understood(packet: bytes) -> list[Message]:
    try:
        return [unpack(packet)]
    except (msgspec.DecodeError, KeyError):
        return []  # not one of ours: agent code can reach the socket, and what it writes there is noise


def _environment() -> dict[str, str]:
    env = dict(os.environ)
    env.setdefault("PYTHONUTF8", "1")
    env.setdefault("OPENBLAS_NUM_THREADS", "1")
    ours = str(Path(__file__).resolve().parents[2])
    paths = [ours, *(path for path in env.get("PYTHONPATH", "").split(os.pathsep) if path)]
    env["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(paths))
    return env
