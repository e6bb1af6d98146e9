"""Memory that outlives a killed trial: the spans written so far, kept where the supervisor can read them.

A box is a file without a name, for what the trial prints, and a piece of anonymous shared memory, both made before the
fork. The trial appends length-prefixed records; the supervisor reads whole records only, so a write that was cut short costs
that record and nothing else.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import struct
import tempfile

import msgspec

from fairtrial.records.trace import Span

SIZE = 1 << 20
_LENGTH = struct.Struct("<I")
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Span)


def _scratch() -> int:
    """A descriptor of a file that has no name and ends with its last holder. Appending, as two streams write to it."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("fairtrial-output")
    else:
        descriptor, path = tempfile.mkstemp()
        os.unlink(path)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_APPEND)
    return descriptor


class BlackBox:
    """`write` in the trial, `read` in the supervisor, `clear` between trials."""

    def __init__(self, size: int = SIZE) -> None:
        self.printed = _scratch()
        self._memory = mmap.mmap(-1, size)
        self._size = size
        self._at = _LENGTH.size

    def write(self, span: Span) -> None:
        """Append the span as it is now; a full box drops it (the trial's own record still has it)."""
        record = _ENCODER.encode(span)
        end = self._at + _LENGTH.size + len(record)
        if end >= self._size:
            return
        self._memory[self._at : end] = _LENGTH.pack(len(record)) + record
        self._at = end
        # The length of what is whole comes last: a kill before this line leaves the box as it was.
        self._memory[: _LENGTH.size] = _LENGTH.pack(end)

    def read(self) -> list[Span]:
        """The spans as last written, in the order they began."""
        (filled,) = _LENGTH.unpack(self._memory[: _LENGTH.size])
        found: dict[str, Span] = {}
        at = _LENGTH.size
        while at < filled:
            (length,) = _LENGTH.unpack(self._memory[at : at + _LENGTH.size])
            at += _LENGTH.size
            try:
                span = _DECODER.decode(self._memory[at : at + length])
            except msgspec.DecodeError:
                break  # the agent's own code can reach this memory; what it spoilt is lost, the rest stands
            found[span.id] = span
            at += length
        return list(found.values())

    def output(self, kept: int) -> bytes:
        """The end of what the trial printed."""
        length = os.fstat(self.printed).st_size
        return os.pread(self.printed, kept, max(0, length - kept))

    def note_family(self) -> None:
        """The trial is about to start a process of its own, so somebody may be left behind."""
        self._memory[-1:] = b"\x01"

    @property
    def family(self) -> bool:
        return self._memory[-1:] == b"\x01"

    def clear(self) -> None:
        if os.fstat(self.printed).st_size:
            os.ftruncate(self.printed, 0)
        self._memory[: _LENGTH.size] = _LENGTH.pack(_LENGTH.size)
        self._memory[-1:] = b"\x00"
        self._at = _LENGTH.size
