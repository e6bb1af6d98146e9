"""One HTTP request by the standard library, within a deadline that holds for every byte of it.

Connections are kept while calls are under way at an address; at rest only encrypted ones are, for opening those takes long.
No redirect is followed, so that a key never goes to another host, and no proxy of the environment is asked: who wants one names its
address. Kept out: what is sent and what the answer means.
"""

from __future__ import annotations

import atexit
import http.client
import io
import os
import select
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ssl
    from email.message import Message

MOST_BYTES = 4 * 1024 * 1024
LONGEST_REST_S = 20.0
MOST_AT_REST = 256
NEAR_S = 0.02
"""How much longer than its time a single read may take."""
_PIECE = 65_536


class TooMuch(Exception):
    """The answer has more bytes than anybody will read."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers (by name in any case) and the whole body."""

    status: int
    headers: Message
    body: bytes


class _Reader(io.RawIOBase):
    """The bytes of a connection, none of them later than its deadline."""

    def __init__(self, wire: _Wire) -> None:
        self._wire = wire

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._wire.hurried().recv_into(buffer)


class _Wire:
    """One connection; what http.client needs of a socket is `makefile`."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._until = 0.0
        self.rested = 0.0

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self))

    def send(self, data: bytes, until: float) -> None:
        self._until = until
        self.hurried().sendall(data)

    def hurried(self) -> socket.socket:
        """The socket, whose next act may take no longer than there is time."""
        seconds, last = left(self._until), self._line.gettimeout()
        if last is None or not 0 <= last - seconds < NEAR_S:  # to set it costs more than to look
            self._line.settimeout(seconds)
        return self._line

    def is_idle(self) -> bool:
        """Whether it can be used again: nobody closed it, and nothing unasked waits in it."""
        if time.monotonic() - self.rested > LONGEST_REST_S:
            return False
        poll = select.poll()
        poll.register(self._line, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        self._line.close()


def left(until: float) -> float:
    """Seconds until then. Raises TimeoutError where there are none."""
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("the answer did not end in time")
    return seconds


@dataclass(slots=True)
class Address:
    """Where a service listens, and the connections to it that rest. Safe under threads."""

    host: str
    port: int
    encrypted: bool
    _resting: list[_Wire] = field(default_factory=list)
    _under_way: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def post(self, head: bytes, body: bytes, until: float) -> Answer:
        """Send and read. Raises OSError, http.client.HTTPException or TooMuch; the connection is closed then."""
        with self._lock:
            self._under_way += 1
        kept: _Wire | None = None
        try:
            wire = self._take() or self._open(until)
            try:
                wire.send(head + body, until)
                answer, goes_on = _read(wire)
                kept = wire if goes_on else None
            finally:
                if kept is None:
                    wire.close()
        finally:
            self._rest(kept)
        return answer

    def _open(self, until: float) -> _Wire:
        line = socket.create_connection((self.host, self.port), left(until))
        try:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.encrypted:
                line.settimeout(left(until))
                line = _context().wrap_socket(line, server_hostname=self.host)
        except BaseException:
            line.close()
            raise
        return _Wire(line)

    def _take(self) -> _Wire | None:
        while True:
            with self._lock:
                if not self._resting:
                    return None
                wire = self._resting.pop()
            if wire.is_idle():
                return wire
            wire.close()

    def _rest(self, wire: _Wire | None) -> None:
        """No more connections rest than calls are under way, but for encrypted ones."""
        with self._lock:
            self._under_way -= 1
            if wire is not None:
                wire.rested = time.monotonic()
                self._resting.append(wire)
            most = MOST_AT_REST if self.encrypted else self._under_way
            over = [self._resting.pop(0) for _ in range(len(self._resting) - most)]
        for one in over:
            one.close()

    def close(self) -> None:
        for wire in self._resting:
            wire.close()
        self._resting.clear()


def _read(wire: _Wire) -> tuple[Answer, bool]:
    """The answer, and whether the connection can be used again."""
    response = http.client.HTTPResponse(wire, method="POST")  # type: ignore[arg-type]  # it asks for makefile alone
    try:
        response.begin()
        body = bytearray()
        while piece := response.read1(_PIECE):
            body += piece
            if len(body) > MOST_BYTES:
                raise TooMuch(f"more than {MOST_BYTES} bytes")
        if response.length:  # read piece by piece it does not complain of this itself
            raise http.client.IncompleteRead(bytes(body), response.length)
        return Answer(response.status, response.headers, bytes(body)), not response.will_close
    finally:
        response.close()


_places: dict[tuple[str, int, bool], Address] = {}
_lock = threading.Lock()
_tls: list[ssl.SSLContext] = []


def address(host: str, port: int, *, encrypted: bool) -> Address:
    """The one such address of this process."""
    with _lock:
        return _places.setdefault((host, port, encrypted), Address(host, port, encrypted))


def _context() -> ssl.SSLContext:
    import ssl  # whoever asks only at loopback need not load it

    if not _tls:
        _tls.append(ssl.create_default_context())
    return _tls[0]


def _hang_up() -> None:
    for place in list(_places.values()):
        place.close()


def _begin_anew() -> None:
    """In a process that was forked: what its parent says to a service is not for two to read."""
    global _lock  # noqa: PLW0603 - a lock of the parent's may be held for ever
    _lock = threading.Lock()
    for place in _places.values():
        place._lock = threading.Lock()
        place._under_way = 0
        place.close()


atexit.register(_hang_up)
os.register_at_fork(after_in_child=_begin_anew)
