"""The one text layer: bytes become text, and text bytes, here and nowhere else.

Files are read as UTF-8 with or without a byte-order mark and end their lines at LF; a wrong encoding is an error that says
how to mend it, never mojibake. What leaves is valid UTF-8, and each way out (file, XML, terminal, file name) has its one
sanitiser. The JSON parts of the layer stand in `strictjson.py`, `plain.py` and `shorten.py` and are named here for all.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from fairtrial.records.errors import InputError
from fairtrial.records.plain import plain
from fairtrial.records.shorten import Cut, cut_text, shorten
from fairtrial.records.strictjson import canonical, content_hash, dumps, encode, key_lines, loads, reread

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Cut",
    "canonical",
    "content_hash",
    "cut_text",
    "decode_text",
    "dumps",
    "encode",
    "file_name",
    "key_lines",
    "loads",
    "plain",
    "read_text",
    "reread",
    "shorten",
    "split_lines",
    "terminal_safe",
    "utf8",
    "write_new",
    "write_text",
    "xml_safe",
]

_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_TURNS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Direction marks: with them a text can be shown as another."""
_NOT_XML = re.compile(f"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[{_TURNS}]")
_NOT_TERMINAL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufff9-\ufffb]")
_LINE_BREAKS = re.compile("[\t\n]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_NAME = re.compile(r"[^a-z0-9]+")


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file, read as UTF-8; a byte-order mark is dropped, all else is kept as it stands.

    Raises InputError where the file cannot be read or is in another encoding, naming file, encoding and the way to convert.
    """
    shown = os.fspath(path)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise InputError("no such file", place=shown, mend="check the path and the folder it is given from") from None
    except IsADirectoryError:
        raise InputError("this is a folder, not a file", place=shown, mend="name a file in it") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", place=shown) from None
    return decode_text(data, shown)


def decode_text(data: bytes, source: str) -> str:
    """UTF-8 bytes as text. `source` names them in the error."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None) or _wide(data)
    if encoding:
        raise InputError(
            f"the file is in {encoding}, not UTF-8",
            place=source,
            allowed="UTF-8, with or without a byte-order mark",
            mend=f"save it as UTF-8, or: iconv -f {encoding} -t UTF-8 OLD > NEW",
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        start = error.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
        line = data.count(b"\n", 0, start) + 1
        raise InputError(
            f"not UTF-8: the byte 0x{data[start]:02x} at offset {start}",
            place=f"{source}:{line}",
            allowed="UTF-8, with or without a byte-order mark",
            mend="save it as UTF-8, or: iconv -f ITS_ENCODING -t UTF-8 OLD > NEW (often GB18030, CP1252 or SHIFT_JIS)",
        ) from None


def _wide(data: bytes) -> str | None:
    """UTF-16 and UTF-32 without a mark show as NUL in every other byte, or more, of what is plain ASCII."""
    head = data[:64]
    half = len(head) // 2
    even, odd = head[::2].count(0), head[1::2].count(0)
    if half < 2 or max(even, odd) * 2 < half:
        return None
    if min(even, odd) * 4 >= half:
        return "UTF-32"
    return "UTF-16LE" if odd > even else "UTF-16BE"


def read_lines(path: str | os.PathLike[str]) -> list[str | InputError]:
    """The lines of a file as `split_lines` has them, one that is not UTF-8 as its error. Raises InputError where none can be read."""
    try:
        return list(split_lines(read_text(path)))
    except InputError:
        if not os.path.isfile(path):
            raise
        with open(path, "rb") as file:
            data = file.read()
        if _wide(data) or any(data.startswith(mark) for mark, _ in _MARKS):
            raise
    found: list[str | InputError] = []
    for line in data.removesuffix(b"\n").split(b"\n"):
        try:
            found.append(decode_text(line, os.fspath(path)).removesuffix("\r"))
        except InputError as error:
            found.append(error)
    if all(isinstance(line, InputError) for line in found):
        raise found[0] if isinstance(found[0], InputError) else InputError("not UTF-8", place=os.fspath(path))
    return found


def split_lines(text: str) -> list[str]:
    """The lines of a text: split at LF only, one CR before it dropped; no empty line after the last LF."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line[:-1] if line.endswith("\r") else line for line in lines]


def utf8(text: str) -> bytes:
    """Valid UTF-8, always: half a surrogate pair becomes U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Writes a file as UTF-8, whole or not at all: readers see the old content or the new, never a part.

    Line ends are written as they stand. Raises OSError where the place cannot be written.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as device:  # a pipe or a device cannot be replaced
            device.write(utf8(text))
        return
    with _drafted(target, text) as draft:
        if os.path.exists(target):
            os.chmod(draft, os.stat(target).st_mode & 0o777)
        os.replace(draft, target)


def write_new(path: str | os.PathLike[str], text: str) -> None:
    """Writes a file that is not there yet as UTF-8, whole or not at all. Raises FileExistsError where it is there, nothing touched."""
    with _drafted(os.path.abspath(path), text) as draft:
        try:
            os.link(draft, path)
            os.unlink(draft)
        except FileExistsError:
            raise
        except OSError:  # a place without links: taken first, so that nobody else's file is replaced
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            os.replace(draft, path)


@contextmanager
def _drafted(target: str, text: str) -> Iterator[str]:
    """The text in a file beside the target, on the disk; gone if it was not put to use."""
    draft = os.path.join(os.path.dirname(target), f".{os.getpid()}-{os.urandom(6).hex()}.part")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            file.write(utf8(text))
            file.flush()
            os.fsync(file.fileno())
        yield draft
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        raise


def _visible(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def xml_safe(text: str) -> str:
    """Text that XML 1.0 can hold: control characters, direction marks, half surrogates and non-characters become visible
    escapes.

    Markup (& and <) is left to the XML writer.
    """
    return _NOT_XML.sub(_visible, text)


def terminal_safe(text: str, *, one_line: bool = False) -> str:
    """Text that cannot steer a terminal: control characters, direction marks and half surrogates become visible escapes.

    Tab and line feed stay, unless `one_line` asks for them to be shown as well.
    """
    safe = _NOT_TERMINAL.sub(_visible, text)
    return _LINE_BREAKS.sub(lambda found: "\\n" if found.group() == "\n" else "\\t", safe) if one_line else safe


def file_name(text: str) -> str:
    """A name for disk that stands for any text: readable in part, unique by hash, the same on every file system.

    Only a-z, 0-9 and "-": no separators, no reserved names, no two texts that differ in case or form alone.
    """
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    words = _NOT_NAME.sub("-", text.lower())[:40].strip("-")
    return f"{words}-{digest}" if words else digest
