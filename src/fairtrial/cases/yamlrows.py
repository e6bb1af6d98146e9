"""Rows of YAML 1.2, read without guessing.

Only the core schema's own words count as null, true, false and numbers; `no`, `on`, dates and times are text. Refused:
keys given twice, tags (nothing is ever built from a file), numbers with leading zeros, anchors that unfold beyond reason,
a file that asks for YAML 1.1. The parser's events are read one by one, so that every key keeps its line.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from fairtrial.cases.rows import Path, Row, check_row
from fairtrial.records.errors import InputError, InputErrors
from fairtrial.records.strictjson import BadValue, exact_float

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_UNFOLDED = 10_000
"""Values that all aliases of a file together may add."""
MAX_DEPTH = 100

_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+", re.ASCII)
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", re.ASCII)
_BREAKS = "\x85\u2028\u2029"
"""Ordinary characters in YAML 1.2; the parser takes them for line ends, so they pass it in disguise."""


def yaml_rows(text: str, file: str) -> list[Row]:
    """The one object of the file, or each object of its list."""
    document = yaml_document(text, file)
    if document is None:
        return []
    if not isinstance(document.value, list):
        rows = [document]
    else:
        rows = [Row(item, file, document.lines[place,], document.lines, (place,)) for place, item in enumerate(document.value)]
    errors = [fault for fault in map(check_row, rows) if fault]
    if errors:
        raise InputErrors(errors)
    return rows


def yaml_document(text: str, file: str) -> Row | None:
    """The file's one document with the line of every key; None for a file that holds nothing but comments."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    hidden = disguise(text)
    parser = YAML(typ="safe", pure=True)
    try:
        events = parser.parse(text.translate(hidden))
        return _Builder(file, {new: old for old, new in hidden.items()}).document(events)
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).split("\n", maxsplit=1)[0]
        raise InputError(
            f"not valid YAML: {problem}", place=f"{file}:{mark.line + 1}" if mark else file, mend="check indentation, quotes and brackets"
        ) from None
    except RecursionError:
        raise InputError("nested too deep to be read", place=file, mend="flatten the data") from None


def disguise(text: str) -> dict[int, int]:
    """For each separator in the text that is no line end, a character of private use that the text does not hold."""
    found = [mark for mark in _BREAKS if mark in text]
    free = (code for code in range(0xE000, 0xF8FF) if chr(code) not in text)
    return {ord(mark): next(free) for mark in found}


class _Builder:
    """Builds one document from parser events, keeping the line of every key and the count of what aliases add."""

    def __init__(self, file: str, reveal: dict[int, int]) -> None:
        self.file = file
        self.reveal = reveal
        self.lines: dict[Path, int] = {}
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.open: set[str] = set()
        self.built = 0
        self.unfolded = 0

    def document(self, events: Iterator[Any]) -> Row | None:
        found: Row | None = None
        for event in events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                if found:
                    raise self._error("the file holds more than one document", event, mend="make it one list, or one file each")
                if event.version not in (None, (1, 2)):
                    raise self._error("only YAML 1.2 is read", event, value=f"%YAML {event.version}", mend="remove the %YAML line")
            elif kind not in ("StreamStartEvent", "StreamEndEvent", "DocumentEndEvent"):
                self.lines[()] = event.start_mark.line + 1
                found = Row(self._value(event, events, ()), self.file, event.start_mark.line + 1, self.lines)
        return found

    def _error(self, what: str, event: Any, *, value: Any = None, mend: str | None = None) -> InputError:
        return InputError(what, place=f"{self.file}:{event.start_mark.line + 1}", value=value, mend=mend)

    def _value(self, event: Any, events: Iterator[Any], path: Path) -> Any:
        kind = type(event).__name__
        if kind == "AliasEvent":
            return self._alias(event)
        if event.tag is not None:
            raise self._error("tags are not read", event, value=str(event.tag), mend="write the plain value; quotes make it text")
        self.built += 1
        before = self.built
        if event.anchor is not None:
            self.open.add(event.anchor)
        if kind == "ScalarEvent":
            value = self._scalar(event)
        elif len(path) >= MAX_DEPTH:
            raise self._error("nested too deep to be read", event, mend="flatten the data")
        else:
            value = self._list(events, path) if kind == "SequenceStartEvent" else self._mapping(events, path)
        if event.anchor is not None:
            self.open.discard(event.anchor)
            self.anchors[event.anchor] = (value, self.built - before + 1)
        return value

    def _alias(self, event: Any) -> Any:
        if event.anchor in self.open or event.anchor not in self.anchors:
            what = "refers to itself" if event.anchor in self.open else "is defined nowhere above"
            raise self._error(f"the alias *{event.anchor} {what}", event, mend="write the value out")
        value, size = self.anchors[event.anchor]
        self.built += size
        self.unfolded += size
        if self.unfolded > MAX_UNFOLDED:
            raise self._error(f"aliases unfold into more than {MAX_UNFOLDED} values", event, mend="write the values out")
        return deepcopy(value)

    def _list(self, events: Iterator[Any], path: Path) -> list[Any]:
        made: list[Any] = []
        for event in events:
            if type(event).__name__ == "SequenceEndEvent":
                break
            here = (*path, len(made))
            self.lines[here] = event.start_mark.line + 1
            made.append(self._value(event, events, here))
        return made

    def _mapping(self, events: Iterator[Any], path: Path) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for event in events:
            if type(event).__name__ == "MappingEndEvent":
                break
            key = self._key(event)
            here = (*path, key)
            if key in made:
                first = self.lines[here]
                raise self._error(f"the key {key!r} is given twice, first on line {first}", event, value=key, mend="keep one of them")
            self.lines[here] = event.start_mark.line + 1
            made[key] = self._value(next(events), events, here)
        return made

    def _key(self, event: Any) -> str:
        """Keys are text, as in JSON, and stay as they are written."""
        if type(event).__name__ != "ScalarEvent" or event.tag is not None:
            raise self._error("a key must be plain text", event, mend="write the key out as text")
        key = self._text(event.value)
        if not event.style and key in ("", "<<"):
            mend = "YAML 1.2 has no merge key: write the keys out" if key else "name the key"
            raise self._error("a key must be plain text", event, value=key, mend=mend)
        return key

    def _text(self, text: str) -> str:
        text = text.translate(self.reveal) if self.reveal else text
        return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    def _scalar(self, event: Any) -> Any:
        text = event.value
        if event.style:
            return self._text(text)
        if text in _NULL:
            return None
        if text in _BOOL:
            return _BOOL[text]
        try:
            return _number(text) if text[0] in "+-.0123456789" else self._text(text)
        except BadValue as error:
            raise self._error(str(error), event, value=text, mend=error.mend) from None


def _number(text: str) -> Any:
    """The number that the core schema sees in a plain text, else the text itself."""
    if _BASED.fullmatch(text):
        return int(text, 0)
    whole = _INT.fullmatch(text)
    if not whole and not _FLOAT.fullmatch(text):
        if _NOT_FINITE.fullmatch(text):
            raise BadValue("not a finite number", "write null, or the text in quotes", text)
        return text
    digits = text.lstrip("+-")
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
        raise BadValue("a number with leading zeros could be meant as text", "put it in quotes for text, or drop the zeros", text)
    if not whole:
        return exact_float(text)
    if len(text) > 4000:
        raise BadValue("this number cannot be kept exactly", "write it as text, in quotes", text[:60])
    return int(text)
