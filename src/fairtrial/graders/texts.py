"""All that is written in a piece of data, with where it stands. Kept out: what is looked for in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """(path, text) of every value that is a text."""
    if isinstance(value, str):
        yield path or "$", value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            yield from texts(inner, f"{path}[{index}]")


def all_written(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """The same with keys and numbers, as text."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield path or "$", str(key)
            yield from all_written(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            yield from all_written(inner, f"{path}[{index}]")
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        yield path or "$", str(value)
