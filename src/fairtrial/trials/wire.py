"""Length-prefixed frames on a stream socket, each behind a mark.

Agent code can reach the socket of a shared worker. What it writes there is not taken for a frame: a reader that misses the
mark says so, and the stream is given up.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

_MARK = 0x46A7C91D
_HEADER = struct.Struct("<II")


class Spoilt(Exception):
    """There is something on the stream that none of ours wrote."""


def frame(message: bytes) -> bytes:
    return _HEADER.pack(_MARK, len(message)) + message


class Reader:
    """Reads whole frames; keeps what is not whole yet."""

    def __init__(self, source: socket.socket) -> None:
        self._source = source
        self._kept = bytearray()

    def wait(self) -> bytes:
        """The next frame, waiting for it. Raises EOFError where the other end is gone."""
        while True:
            frames = self._take(one=True)
            if frames:
                return frames[0]
            piece = self._source.recv(1 << 16)
            if not piece:
                raise EOFError
            self._kept += piece

    def pending(self) -> list[bytes]:
        """Whole frames that arrived together with one already handed out."""
        return self._take()

    def read(self) -> list[bytes] | None:
        """The frames that have arrived, after one read; None where the other end is gone. Raises Spoilt."""
        try:
            piece = self._source.recv(1 << 18)
        except BlockingIOError:
            return []
        except ConnectionError:
            return None
        if not piece:
            return None
        self._kept += piece
        return self._take()

    def _take(self, *, one: bool = False) -> list[bytes]:
        frames: list[bytes] = []
        at = 0
        kept = self._kept
        while len(kept) - at >= _HEADER.size:
            mark, length = _HEADER.unpack_from(kept, at)
            if mark != _MARK:
                raise Spoilt
            end = at + _HEADER.size + length
            if len(kept) < end:
                break
            frames.append(bytes(kept[at + _HEADER.size : end]))
            at = end
            if one:
                break
        del kept[:at]
        return frames
