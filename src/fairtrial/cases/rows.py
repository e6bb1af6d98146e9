"""One record as it stands in a file, with the way back to its line.

Every reader of this room (JSONL, JSON, YAML, CSV) ends in rows; what a case may hold is decided later, in `load.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from fairtrial.records.errors import InputError

Path = tuple[str | int, ...]
"""Keys and positions from the top of a row."""

Keep = Callable[[Path], bool]
"""For CSV: whether an empty cell at a path is an empty text (True) or not stated at all (False)."""


class Row(NamedTuple):
    """`value` as read; `line` is where it begins; `lines` tells the line of inner keys where the format can."""

    value: Any
    file: str
    line: int
    lines: Mapping[Path, int] = {}
    above: Path = ()
    """Where the row stands in its file: the start of its paths in `lines`."""

    def place(self, *path: str | int) -> str:
        """file:line of the value at a path, or of the nearest thing around it."""
        for end in range(len(path), -1, -1):
            line = self.lines.get((*self.above, *path[:end]))
            if line is not None:
                return f"{self.file}:{line}"
        return f"{self.file}:{self.line}"


def shown(path: str | os.PathLike[str]) -> str:
    """A path as people want to read it: from the folder they stand in where it lies below that, else whole."""
    whole = os.path.abspath(path)
    below = os.path.relpath(whole) if os.path.splitdrive(whole)[0] == os.path.splitdrive(os.getcwd())[0] else whole
    return whole if below.startswith(os.pardir) else below


def check_row(row: Row) -> InputError | None:
    """What no format may hand on: something that is no object, or half a surrogate pair."""
    if not isinstance(row.value, dict):
        return InputError(
            f"expected one object, not {kind_of(row.value)}", place=row.place(), value=row.value, mend="write {key: value, …}"
        )
    try:
        msgspec.json.encode(row.value)
    except UnicodeEncodeError:
        return InputError("holds half a surrogate pair, which is no character", place=row.place(), mend="write the whole character")
    except RecursionError:
        return InputError("nested too deep", place=row.place(), mend="flatten the data")
    return None


def kind_of(value: Any) -> str:
    """What a person would call the value's type."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a whole number", float: "a number"}
    return "null" if value is None else names.get(type(value), type(value).__name__)
