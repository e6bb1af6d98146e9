"""Any Python value, made into plain data that JSON can hold, without ever raising.

Agents hand over whatever they have: decimals, dates, sets, objects of their framework, structures that contain themselves.
What is recorded must be readable, must not change when the agent goes on working, and must not cost the agent its trial.
Kept out: writing it down (`strictjson.py`) and cutting what is too long (`shorten.py`).
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections import deque
from collections.abc import Callable, ItemsView, KeysView, Mapping, Set, ValuesView
from datetime import date, datetime, time, timedelta
from enum import Enum
from math import isfinite, isnan
from os import PathLike, fsdecode
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

import msgspec

MAX_DEPTH = 64
MAX_VALUES = 1_000_000
MAX_INT_BITS = 12_000
"""Python refuses to print longer whole numbers as decimals (4,300 digits)."""
MAX_REPR = 200

_SURROGATE = re.compile("[\ud800-\udfff]")
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_EXACT_TEXT = frozenset(("decimal.Decimal", "fractions.Fraction", "uuid.UUID"))
"""By name, so that the modules need not be imported to ask."""
_ATOMS = frozenset((str, int, bool, type(None)))
_probe = msgspec.json.Encoder().encode
"""Finds half surrogate pairs and endless whole numbers in plain data, quickly: it raises ValueError."""


class _Odd(RuntimeError):
    """The quick copy met something it has no rule for."""


def plain(value: Any, notes: dict[str, str] | None = None) -> Any:
    """A copy of `value` made of dict, list, str, int, finite float, bool and None only. Never raises.

    Decimals, dates, identifiers and paths become text, sets sorted lists, bytes base64, records and objects with declared
    fields mappings, keys text. Not-a-number and infinities become the texts "NaN", "Infinity" and "-Infinity". Half a
    surrogate pair becomes U+FFFD. What contains itself is cut there. All else becomes a short text.
    `notes`, where given, receives "path" -> the type that was there, for every value that was changed.
    """
    if value is None or type(value) is bool:
        return value
    try:
        made = _copy(value, MAX_DEPTH, [MAX_VALUES])
        _probe(made)
        return made
    except (RuntimeError, ValueError):
        return _Reader({} if notes is None else notes).read(value, "", MAX_DEPTH)


def json_form(value: Any) -> Any:
    """As `plain`, for a strict JSON writer of our own data: surrogates are kept, and a float that is no number is null."""
    return _Reader({}, own=True).read(value, "", MAX_DEPTH)


def _copy(value: Any, depth: int, left: list[int]) -> Any:
    """The quick way for data that is plain already; raises _Odd on any type it does not know. Texts are not looked into."""
    kind = type(value)
    if kind is float:
        if isfinite(value):
            return value
    elif kind is dict or kind is list:
        left[0] -= len(value)
        if depth and left[0] >= 0:
            below = depth - 1
            if kind is list:
                return [item if type(item) in _ATOMS else _copy(item, below, left) for item in value]
            made = {}
            for key, item in value.items():
                if type(key) is not str:
                    raise _Odd
                made[key] = item if type(item) in _ATOMS else _copy(item, below, left)
            return made
    elif kind in _ATOMS:
        return value
    raise _Odd


class _Reader:
    """One reading of one odd value: what is open above (for cycles), how much may still be read, what was noted."""

    def __init__(self, notes: dict[str, str], *, own: bool = False) -> None:
        self.notes = notes
        self.own = own
        self.open: set[int] = set()
        self.left = MAX_VALUES

    def read(self, value: Any, path: str, depth: int) -> Any:
        self.left -= 1
        if value is None or type(value) is bool:
            return value
        if type(value) is str:
            return self._text(value, path)
        if self.left < 0 or depth <= 0:
            return self._noted(path, type(value), "<cut: nested too deep or too many values>")
        if id(value) in self.open:
            return self._noted(path, type(value), "<cut: contains itself>")
        self.open.add(id(value))
        try:
            return self._read(value, path, depth)
        except (Exception, SystemExit, GeneratorExit) as error:  # noqa: BLE001 - the agent's own object: its methods may raise anything
            return self._noted(path, type(value), f"<{_type_name(type(value))}: unreadable, {type(error).__name__}>")
        finally:
            self.open.discard(id(value))

    def _read(self, value: Any, path: str, depth: int) -> Any:
        if isinstance(value, Enum):
            return self._noted(path, type(value), self.read(value.value, path, depth - 1))
        if isinstance(value, (str, int, float)):
            return self._scalar(value, path)
        if hasattr(value, "dtype") and hasattr(value, "tolist"):  # an array or number of the numpy kind
            return self._noted(path, type(value), self.read(value.tolist(), path, depth - 1))
        found = _mapping_of(value)
        if found is not None:
            if type(value) is not dict:
                self.notes[_shown(path)] = _type_name(type(value))
            return self._mapping(found, path, depth)
        items = _items_of(value)
        if items is not None:
            if type(value) is not list:
                self.notes[_shown(path)] = _type_name(type(value))
            read = [self.read(item, f"{path}.{place}" if path else str(place), depth - 1) for place, item in enumerate(items)]
            return sorted(read, key=_rank) if isinstance(value, Set) else read
        return self._noted(path, type(value), self._text(_as_text(value), path))

    def _scalar(self, value: str | int | float, path: str) -> Any:
        if isinstance(value, str):
            text = self._text(str.__str__(value), path)
            return text if type(value) is str else self._noted(path, type(value), text)
        if isinstance(value, float):
            number = float.__float__(value)
            if isfinite(number):
                return number if type(value) is float else self._noted(path, type(value), number)
            name = "NaN" if isnan(number) else "Infinity" if number > 0 else "-Infinity"
            return self._noted(path, float, None if self.own else name)
        whole = int.__index__(value)
        if whole.bit_length() >= MAX_INT_BITS:
            return self._noted(path, int, hex(whole))
        return whole if type(value) is int else self._noted(path, type(value), whole)

    def _mapping(self, found: list[tuple[Any, Any]], path: str, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, item in found:
            name = key if type(key) is str else self._key(key, path)
            name = _free(self._text(name, path), made)
            made[name] = self.read(item, f"{path}.{name}" if path else name, depth - 1)
        return made

    def _key(self, key: Any, path: str) -> str:
        read = _Reader({}, own=self.own).read(key, "", 3)
        self.notes[_shown(path)] = f"keys of type {_type_name(type(key))}"
        if isinstance(read, str):
            return read
        return str(key) if isinstance(key, (tuple, frozenset)) else msgspec.json.encode(read).decode()

    def _text(self, text: str, path: str) -> str:
        if self.own or text.isascii() or not _SURROGATE.search(text):
            return text
        self.notes[_shown(path)] = "text with half a surrogate pair"
        return _SURROGATE.sub("\ufffd", text)

    def _noted(self, path: str, kind: type, value: Any) -> Any:
        self.notes[_shown(path)] = _type_name(kind)
        return value


def _shown(path: str) -> str:
    return path or "$"


def _type_name(kind: type) -> str:
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _free(name: str, taken: Mapping[str, Any]) -> str:
    """The name, or the name with #2, #3 … where two keys read the same (1 and "1"), so that neither is lost."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}#{number}"
    return free


def _rank(value: Any) -> tuple[int, Any]:
    """Sets have no order: numbers by size, then texts, then the rest by their JSON text."""
    if isinstance(value, (int, float)):
        return (0, value)
    return (1, value) if isinstance(value, str) else (2, msgspec.json.encode(value))


def _mapping_of(value: Any) -> list[tuple[Any, Any]] | None:
    """The entries of a mapping, or of an object whose fields are declared; None for all else."""
    if isinstance(value, Mapping):
        return list(value.items())
    kind = type(value)
    names: list[str] | None = None
    if isinstance(value, msgspec.Struct):
        if kind.__struct_config__.array_like:
            return None
        names = [name for name in kind.__struct_fields__ if getattr(value, name) is not msgspec.UNSET]
    elif isinstance(getattr(kind, "__dataclass_fields__", None), dict):
        names = list(kind.__dataclass_fields__)
    elif isinstance(value, tuple) and isinstance(getattr(kind, "_fields", None), tuple):
        names = list(kind._fields)
    elif isinstance(getattr(kind, "__attrs_attrs__", None), tuple):
        names = [field.name for field in kind.__attrs_attrs__]
    if names is not None:
        return [(name, getattr(value, name)) for name in names]
    if isinstance(value, SimpleNamespace):
        return list(vars(value).items())
    if hasattr(kind, "__pydantic_fields__") or hasattr(kind, "model_fields"):
        return [*vars(value).items(), *(getattr(value, "__pydantic_extra__", None) or {}).items()]
    return None


def _items_of(value: Any) -> list[Any] | None:
    """The members of a finite collection; None for all else. Iterators are left alone: reading them would eat them."""
    if isinstance(value, (list, tuple, deque, KeysView, ValuesView, ItemsView, Set)):
        return list(value)
    if isinstance(value, range):
        return list(value[:MAX_VALUES])
    if isinstance(value, msgspec.Struct):  # one whose JSON form is a list, as in `_mapping_of`
        return [getattr(value, name) for name in type(value).__struct_fields__]
    return None


def _as_text(value: Any) -> str:
    for kinds, write in _WRITERS:
        if isinstance(value, kinds):
            return write(value)
    if any(_type_name(kind) in _EXACT_TEXT for kind in type(value).__mro__):
        return str(value)
    return _ADDRESS.sub("", repr(value))[:MAX_REPR]


def _span_text(value: timedelta) -> str:
    whole, micro = divmod(abs(value) // timedelta(microseconds=1), 1_000_000)
    return f"{'-' if value < timedelta(0) else ''}PT{whole}{f'.{micro:06d}' if micro else ''}S"


_WRITERS: tuple[tuple[type | tuple[type, ...], Callable[[Any], str]], ...] = (
    ((bytes, bytearray, memoryview), lambda value: b64encode(bytes(value)).decode()),
    ((datetime, date, time), lambda value: str(value.isoformat())),
    (timedelta, _span_text),
    (PathLike, fsdecode),
    (BaseException, lambda value: f"{type(value).__name__}: {value}"[:MAX_REPR]),
    (re.Pattern, lambda value: str(value.pattern)),
    ((type, FunctionType, BuiltinFunctionType, MethodType), lambda value: f"<{value.__qualname__}>"),
    (ModuleType, lambda value: f"<module {value.__name__}>"),
)
"""How the types that have one good text are written."""
