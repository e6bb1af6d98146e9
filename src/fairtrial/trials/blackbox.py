"""Memory that outlives a killed trial: the spans written so far, kept where the supervisor can read them.

A box is a file without a name, for what the trial prints, and a piece of shared memory, both made before the trial begins; for
one that is a program of its own that memory is a file without a name as well, so that it can be handed on. The trial appends
length-prefixed records; the supervisor reads whole records only, so a write that was cut short costs that record and nothing
else.
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
_HEADER = struct.Struct("<II")
"""Where the next record goes, and how many spans found no room."""
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Span)


def scratch() -> int:
    """A descriptor of a file that has no name and ends with its last holder. Appending, as two streams write to it."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("fairtrial-output")
    else:
        descriptor, path = tempfile.mkstemp()
        os.unlink(path)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_APPEND)
    return descriptor


def _record(span: Span) -> bytes:
    """The span packed; values that this form has no place for (whole numbers beyond 64 bits) as text."""
    try:
        return _ENCODER.encode(span)
    except (OverflowError, ValueError, TypeError, RecursionError):
        shown = {name: str(value)[:200] for name, value in span.attributes.items()}
        return _ENCODER.encode(msgspec.structs.replace(span, attributes=shown))


class BlackBox:
    """`write` in the trial, `read` in the supervisor, `clear` between trials."""

    def __init__(self, size: int = SIZE, *, passable: bool = False) -> None:
        self.printed = scratch()
        self.memory: int | None = None
        """The descriptor under which another program can take this box; only where it is passable."""
        if passable:
            self.memory = scratch()
            os.ftruncate(self.memory, size)
        self._map(-1 if self.memory is None else self.memory, size)

    @classmethod
    def taken(cls, memory: int) -> BlackBox:
        """In a program that was handed a passable box: the same memory. Where it prints is its standard output."""
        box = cls.__new__(cls)
        box.printed, box.memory = 1, None
        box._map(memory, os.fstat(memory).st_size)
        os.close(memory)
        return box

    def _map(self, descriptor: int, size: int) -> None:
        self._memory = mmap.mmap(descriptor, size)
        self._size = size
        self._at = _HEADER.size
        self._lost = 0

    def write(self, span: Span) -> None:
        """Append the span as it is now; a full box drops it and counts it (the trial's own record still has it)."""
        record = _record(span)
        end = self._at + _LENGTH.size + len(record)
        if end >= self._size:
            if span.end_ns is None:
                self._lost += 1
                self._memory[: _HEADER.size] = _HEADER.pack(self._at, self._lost)
            return
        self._memory[self._at : end] = _LENGTH.pack(len(record)) + record
        self._at = end
        # The length of what is whole comes last: a kill before this line leaves the box as it was.
        self._memory[: _HEADER.size] = _HEADER.pack(end, self._lost)

    def read(self) -> list[Span]:
        """The spans as last written, in the order they began."""
        filled, _ = _HEADER.unpack(self._memory[: _HEADER.size])
        found: dict[str, Span] = {}
        at = _HEADER.size
        while at < min(filled, self._size - _LENGTH.size):
            (length,) = _LENGTH.unpack(self._memory[at : at + _LENGTH.size])
            at += _LENGTH.size
            try:
                span = _DECODER.decode(self._memory[at : at + length])
            except msgspec.DecodeError:
                break  # the agent's own code can reach this memory; what it spoilt is lost, the rest stands
            found[span.id] = span
            at += length
        return list(found.values())

    @property
    def lost(self) -> int:
        """How many spans found no room."""
        lost: int = _HEADER.unpack(self._memory[: _HEADER.size])[1]
        return lost

    def trim(self, most: int, kept: int) -> None:
        """Leave only the end of what was printed, where it is more than `most` bytes."""
        if os.fstat(self.printed).st_size > most:
            end = self.output(kept)
            os.ftruncate(self.printed, 0)
            os.write(self.printed, end)

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

    def close(self) -> None:
        """Give back the memory and the file; for a box that no trial will use again."""
        os.close(self.printed)
        if self.memory is not None:
            os.close(self.memory)
        self._memory.close()

    def clear(self) -> None:
        if os.fstat(self.printed).st_size:
            os.ftruncate(self.printed, 0)
        self._memory[: _HEADER.size] = _HEADER.pack(_HEADER.size, 0)
        self._memory[-1:] = b"\x00"
        self._at = _HEADER.size
        self._lost = 0
