"""The form in which a trial's evidence is kept: strict JSON of the body, pressed by zstd where that pays.

A stored blob tells by its first byte what it is, so short bodies are kept as readable JSON. Nothing here raises for what a
trial contains. Kept out: covering and shortening (`door.py`), and where blobs lie (`sql.py`).
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import StoreError
from fairtrial.records.text import encode, plain, reread
from fairtrial.records.trace import Span
from fairtrial.records.trial import Change, TrialBody

if TYPE_CHECKING:
    from zstandard import ZstdCompressor, ZstdDecompressor

PRESSED_FROM = 400
"""Bytes below which a frame saves less than it costs."""
LEVEL = -1
"""For bodies of a few KB level 1 needs twice the time of level -1 and saves a fifth, level 3 no more than level 1."""
MOST = 1 << 30
"""No body is larger when it is unpressed: a damaged or hostile frame must not fill the memory."""
_ZSTD = b"\x28\xb5\x2f\xfd"

_OWN = "fairtrial.records."
"""Records within a body (spans, changes) become lists when they are written, and are no news to anybody."""

_FIELDS = {"spans": Span.__struct_fields__, "changes": Change.__struct_fields__}

_ENCODER = msgspec.json.Encoder(enc_hook=plain)
_BODY = msgspec.json.Decoder(TrialBody)
_own = threading.local()


def write_record(record: msgspec.Struct) -> bytes:
    """One of our records as strict JSON in UTF-8, never raising. What cannot be encoded is replaced as `plain` does it."""
    try:
        return _ENCODER.encode(record)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return encode(plain(_builtins(record)))


def write_body(body: TrialBody) -> bytes:
    """As `write_record`, for a trial's body: the paths of what was replaced are named in `altered`."""
    return written_body(body)[0]


def written_body(body: TrialBody) -> tuple[bytes, TrialBody]:
    """The body as JSON, and as a reader will see it: the same object, but where something in it could not be written."""
    try:
        return _ENCODER.encode(body), body
    except (ValueError, TypeError, OverflowError, RecursionError):
        notes: dict[str, str] = {}
        made = from_builtins(plain(_builtins(body), notes))
        made.altered = {**_named(notes), **made.altered}
        return _ENCODER.encode(made), made


def _named(notes: dict[str, str]) -> dict[str, str]:
    """What `plain` noted, with the fields of spans and changes by their names."""
    named = {}
    for path, what in notes.items():
        if not what.startswith(_OWN):
            parts = path.split(".")
            fields = _FIELDS.get(parts[0])
            if fields is not None and len(parts) > 2:
                parts[2] = fields[int(parts[2])]
            named[".".join(parts)] = what
    return named


def _builtins(record: msgspec.Struct) -> Any:
    return {name: value for name in record.__struct_fields__ if (value := getattr(record, name)) is not msgspec.UNSET}


def read_body(body_json: bytes) -> TrialBody:
    """The body from its JSON. Half surrogates are replaced by U+FFFD, and their paths named in `altered`.

    Raises StoreError for what is no trial's body.
    """
    try:
        return _BODY.decode(body_json)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return mended_body(body_json)


def mended_body(body_json: bytes) -> TrialBody:
    """As `read_body`, the slow way: text that cannot be encoded is replaced and its path noted."""
    try:
        notes: dict[str, str] = {}
        body = msgspec.convert(plain(reread(body_json), notes), TrialBody)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"not the body of a trial: {error}") from None
    body.altered = {**_named(notes), **body.altered}
    return body


def pack(body_json: bytes) -> bytes:
    """What is kept: a zstd frame, or the JSON itself where it is short."""
    return body_json if len(body_json) < PRESSED_FROM else _compressor().compress(body_json)


def unpack(blob: bytes) -> bytes:
    """The JSON of a kept body. Raises StoreError for a damaged frame."""
    if not blob.startswith(_ZSTD):
        return blob
    import zstandard

    try:
        if zstandard.get_frame_parameters(blob).content_size > MOST:
            raise StoreError("a stored trial is larger than any that is written here", mend="the store may be damaged")
        return _decompressor().decompress(blob)
    except zstandard.ZstdError as error:
        raise StoreError(f"a stored trial cannot be unpacked: {error}", mend="the store may be damaged") from None


def from_builtins(value: Any) -> TrialBody:
    """A body from plain data. Raises StoreError where a part has the wrong type."""
    try:
        return msgspec.convert(value, TrialBody)
    except ValueError as error:
        raise StoreError(f"not the body of a trial: {error}") from None


def _compressor() -> ZstdCompressor:
    """One a thread, made once: a new one costs more than the work."""
    made: ZstdCompressor | None = getattr(_own, "compressor", None)
    if made is None:
        from zstandard import ZstdCompressor

        made = _own.compressor = ZstdCompressor(level=LEVEL)
    return made


def _decompressor() -> ZstdDecompressor:
    made: ZstdDecompressor | None = getattr(_own, "decompressor", None)
    if made is None:
        from zstandard import ZstdDecompressor

        made = _own.decompressor = ZstdDecompressor()
    return made
