"""Large JSON files from elsewhere, record by record: the file is held as bytes and only one record is opened at a time.

Kept out: what the records mean. Files of our own go through the strict reader of the text layer alone.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeVar

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.text import decode_text, loads

Record = TypeVar("Record")

_BOM = b"\xef\xbb\xbf"
_SURROGATES = re.compile(rb"\\(?:\\|u[dD][89abAB][0-9a-fA-F]{2}(\\u[dD][c-fC-F][0-9a-fA-F]{2})?|u[dD][c-fC-F][0-9a-fA-F]{2})")


def read_file(path: str) -> bytes:
    """The bytes of a JSON file, without a byte-order mark and without half surrogate pairs (they become U+FFFD).

    Raises InputError where it cannot be read.
    """
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", place=path, mend="check the path") from None
    data = data.removeprefix(_BOM)
    return _SURROGATES.sub(_whole, data) if b"\\ud" in data or b"\\uD" in data else data


def decode(data: bytes, form: type[Record], path: str) -> Record:
    """The file as `form`, a type whose large parts are `msgspec.Raw` and stay closed.

    Raises InputError with file and line for what is no strict JSON, or has another form.
    """
    try:
        return msgspec.json.decode(data, type=form)
    except msgspec.ValidationError as error:
        raise InputError(f"the file has another form: {error}", place=path, mend="check that this is the format named") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        loads(decode_text(data, path), source=path)  # says where, with line and mend
        raise InputError(f"not strict JSON: {error}", place=path) from None


def first_sign(data: bytes) -> str:
    """`[` or `{` or whatever the file begins with."""
    return data[:200].lstrip()[:1].decode("latin-1")


def record(raw: msgspec.Raw, form: type[Record]) -> Record:
    """One record opened. Raises ValueError with what is wrong with it."""
    return msgspec.json.decode(raw, type=form)


def _whole(found: re.Match[bytes]) -> bytes:
    text = found.group()
    return text if text == b"\\\\" or found.group(1) else b"\\ufffd"
