"""JSON, read and written strictly.

Reading refuses what other readers would change in silence: a key given twice, NaN and Infinity, a number that does not
survive being read. Writing always yields valid UTF-8 that any reader takes. No other room calls a JSON library on what a
person wrote. Kept out: files (`text.py`) and what a case may hold (`cases/`).
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from hashlib import sha256
from math import isfinite
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.plain import json_form, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]
"""Where a value stands: keys and positions from the top."""

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SAFE_DIGITS = 15
"""As many decimal digits always survive the way through a double."""


class BadValue(ValueError):
    """A value that cannot be taken as it is written; `mend` says what to write instead, `key` is the text at fault."""

    def __init__(self, what: str, mend: str, key: str | None = None) -> None:
        super().__init__(what)
        self.mend = mend
        self.key = key


def loads(text: str, *, source: str = "", line: int = 1) -> Any:
    """The value of one JSON text. `source` and `line` are the file and the line where it begins, for the error's place.

    Raises InputError for bad syntax, a key given twice, NaN or Infinity, a number beyond what can be kept exactly.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"not valid JSON: {error.msg} (column {error.colno})",
            place=_place(source, line + error.lineno - 1),
            value=_near(text, error.pos),
            mend=_syntax_mend(text, error),
        ) from None
    except BadValue as error:
        at = _where(text, error)
        raise InputError(str(error), place=_place(source, line + at - 1), value=error.key, mend=error.mend) from None
    except RecursionError:
        raise InputError("nested too deep to be read", place=_place(source, line), mend="flatten the data") from None
    except ValueError as error:
        raise InputError(f"not valid JSON: {error}", place=_place(source, line), mend="write the number as text") from None


def loads_wire(data: bytes) -> Any:
    """The value of a body that a service sent, most of which nobody reads: numbers as near as a double comes, NaN and Infinity as what
    they are, a mark of byte order skipped. A key given twice is refused. Raises ValueError or RecursionError."""
    return _WIRE.decode(data.decode("utf-8-sig"))


def read_at(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at a place in a text, and where it ends; a double may be written with all of its 17 digits. Raises
    ValueError (BadValue for what is refused) or RecursionError."""
    value, end = _SPOKEN.raw_decode(text, start)
    return value, end


def exact_float(text: str) -> float:
    """The double that a decimal text names. Raises ValueError where the double would read back as another number."""
    value = float(text)
    if len(text) <= _SAFE_DIGITS and "e" not in text and "E" not in text:
        return value
    if not isfinite(value) or Decimal(text) != Decimal(repr(value)):
        raise BadValue("this number cannot be kept exactly", "write it as text, in quotes", text)
    return value


def _spoken_float(text: str) -> float:
    """As `exact_float`; 0.10000000000000001 is the double that others write so."""
    try:
        return exact_float(text)
    except BadValue:
        value = float(text)
        if isfinite(value) and Decimal(text) == Decimal(f"{value:.17g}"):
            return value
        raise


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BadValue(f"the key {key!r} is given twice", "keep one of them", key)
            seen.add(key)
    return made


def _constant(text: str) -> NoReturn:
    raise BadValue(f"{text} is not a number that JSON knows", "write null, or the text in quotes", text)


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=exact_float)
_SPOKEN = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_spoken_float)
_WIRE = json.JSONDecoder(object_pairs_hook=_pairs)


def _place(source: str, line: int) -> str:
    return f"{source}:{line}" if source else f"line {line}"


def _near(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    return text[max(start, position - 30) : position + 30].split("\n", maxsplit=1)[0]


def _syntax_mend(text: str, error: json.JSONDecodeError) -> str:
    if error.msg.startswith("Extra data"):
        return "one value only; many records, one a line, belong in a .jsonl file"
    if "'" in _near(text, error.pos)[:31] and "double quotes" in error.msg:
        return "JSON uses double quotes"
    before = text[: error.pos].rstrip()
    return "remove the comma before the bracket" if before.endswith(",") else "see the place named; a comma, quote or bracket is wrong"


def _where(text: str, error: BadValue) -> int:
    """The line, within the text, of what was refused."""
    seen: set[Path] = set()
    for path, line, token in tokens(text):
        again = token is None and path in seen
        if path[-1:] == (error.key,) if again else token == error.key:
            return line
        if token is None:
            seen.add(path)
    return 1


def tokens(text: str) -> Iterator[tuple[Path, int, str | None]]:
    """Walks valid JSON: for each key its path and line with None, for each list item and bare value its path, line and token.

    This is how a value of a file is traced to its line; the decoder itself keeps no positions.
    """
    path: list[str | int] = []
    in_list: list[bool] = []
    wants_key = False
    line, last = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", last, match.start())
        last, token = match.start(), match.group()
        if token in ("}", "]"):
            in_list.pop()
            path.pop()
            wants_key = False
        elif token == ",":
            wants_key = not in_list[-1]
            if in_list[-1]:
                path[-1] += 1  # type: ignore[operator]  # a position, as in_list says
        elif token != ":":
            if wants_key and token[0] == '"':
                path[-1] = json.loads(token)
                wants_key = False
                yield tuple(path), line, None
                continue
            yield tuple(path), line, token
            if token in ("{", "["):
                in_list.append(token == "[")
                path.append(0 if token == "[" else "")
                wants_key = token == "{"


def key_lines(text: str) -> dict[Path, int]:
    """For every key and every list item of a valid JSON text: its line, counted from 1."""
    found: dict[Path, int] = {}
    for path, line, _ in tokens(text):
        found.setdefault(path, line)
    return found


def encode(value: Any) -> bytes:
    """Strict JSON in UTF-8, one line, keys in their order. Never raises for what `plain` returns, nor for our records.

    Half a surrogate pair is written as an escape, so that the bytes are valid UTF-8. A float that is no number is null:
    the record that carries it says why. What JSON does not know is written as `plain` reads it.
    """
    try:
        return _ENCODER.encode(value)
    except (ValueError, RecursionError, TypeError, OverflowError):
        return _escaped(json.dumps(json_form(value), ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def dumps(value: Any, *, indent: int = 0) -> str:
    """As `encode`, as text; `indent` spreads it over lines for people."""
    data = encode(value)
    if not indent:
        return data.decode()
    try:
        return msgspec.json.format(data, indent=indent).decode()
    except msgspec.DecodeError:  # an escaped half of a surrogate pair
        return _escaped(json.dumps(json.loads(data), ensure_ascii=False, allow_nan=False, indent=indent)).decode()


def reread(data: bytes | str) -> Any:
    """What `encode` wrote, read back fast. For our own data only: it does not look for keys given twice."""
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError:
        return json.loads(data)  # an escaped half of a surrogate pair


def canonical(value: Any) -> bytes:
    """One byte form for equal data, whatever the order of keys: the ground of every content hash."""
    try:
        return _SORTED.encode(value)
    except (ValueError, RecursionError, TypeError, OverflowError):
        return _escaped(json.dumps(json_form(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True))


def content_hash(value: Any) -> str:
    """`sha256:` and the digest of the canonical form."""
    return "sha256:" + sha256(canonical(value)).hexdigest()


def _escaped(text: str) -> bytes:
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text).encode()


_ENCODER = msgspec.json.Encoder(enc_hook=plain)
_SORTED = msgspec.json.Encoder(enc_hook=plain, order="sorted")
