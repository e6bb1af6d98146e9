"""Planted instructions: what the case hides in outside content, and how a text is put into a value. Decides, and does nothing.

A plant is data all the way: it is joined to a text, never formatted into one. Kept out: when an agent is shown one
(`trials/plants.py`), and whether it obeyed (the graders).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.text import dumps, loads
from fairtrial.records.way import GONE, follow, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.case import Scene

UNSET = msgspec.UNSET
DEEPEST = 50
"""Below this no text is looked for: a result may be nested without end."""

Way = tuple[str | int, ...]


class Injection(msgspec.Struct, frozen=True, kw_only=True, rename={"where": "in"}):
    """One plant, as the case states it. `call` is a number or "every"; `field` the name of the text that carries it."""

    id: str
    where: str
    at: str
    text: str
    field: str = ""
    call: int | str = "every"


def turn_of(at: str, turns: int) -> int:
    """Which turn of the conversation so far `history` or `history[N]` means: its place, the last one where none is named."""
    place = steps_of(at)[1:]
    return int(place[0]) if place else turns - 1


def in_world(scene: Scene) -> list[Injection]:
    """The plants that stand in the world from the start: in a file, a row, a value."""
    return [msgspec.convert(one, Injection) for one in scene.injections if one["in"] == "file"]


def planted_at(state: Any, one: Injection) -> Any:
    """The state with the plant behind the text at its path. Raises InputError where no text stands there."""
    way = steps_of(one.at)
    value = follow(state, way)
    if not isinstance(value, str):
        seen = "nothing" if value is GONE else type(value).__name__
        what = f"the injection {one.id!r} is planted at {one.at!r}, where there is no text"
        raise InputError(what, value=seen, mend="name a text of the world's start")
    return _with(state, way, one.text)


def planted(value: Any, text: str, field: str = "") -> Any:
    """A copy of `value` with `text` behind its longest text, or behind the first one named `field`; UNSET where there is none.

    A text that is JSON stays JSON: the plant goes into it. Only objects, lists and texts are looked into.
    """
    if isinstance(value, str):
        inner = _json(value)
        if inner is not UNSET:
            found = planted(inner, text, field)
            return UNSET if found is UNSET else dumps(found)
        return UNSET if field else joined(value, text)
    way = _carrier(value, field)
    return UNSET if way is None else _with(value, way, text)


def joined(one: str, text: str) -> str:
    """The text with the plant as its last paragraph."""
    return f"{one}\n\n{text}" if one else text


def _json(value: str) -> Any:
    if not value.lstrip().startswith(("{", "[")):
        return UNSET
    try:
        found = loads(value)
    except InputError:
        return UNSET
    return found if isinstance(found, (dict, list)) else UNSET


def _carrier(value: Any, field: str) -> Way | None:
    """The way to the text that takes the plant."""
    texts = [(way, text) for way, text in _texts(value, ()) if not field or (way and way[-1] == field)]
    if not texts:
        return None
    return texts[0][0] if field else max(texts, key=lambda found: len(found[1]))[0]


def _texts(value: Any, way: Way) -> Iterator[tuple[Way, str]]:
    if isinstance(value, str):
        yield way, value
    elif len(way) < DEEPEST and isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*way, key))
    elif len(way) < DEEPEST and type(value) in (list, tuple):
        for place, inner in enumerate(value):
            yield from _texts(inner, (*way, place))


def _with(value: Any, way: Way, text: str) -> Any:
    """The value copied along the way; what does not lead there is shared."""
    if not way:
        return joined(value, text)
    if isinstance(value, dict):
        return {**value, way[0]: _with(value[way[0]], way[1:], text)}
    entries = list(value)
    entries[int(way[0])] = _with(entries[int(way[0])], way[1:], text)
    return type(value)(entries)


class Sought:
    """A text looked for in what tools return, however it is broken into lines or written as JSON."""

    __slots__ = ("_forms",)

    def __init__(self, text: str) -> None:
        written = dumps(text)[1:-1]
        escaped = "".join(sign if sign.isascii() else ascii(sign)[1:-1] for sign in written)
        self._forms = {_flat(form) for form in (text, written, escaped)}

    def within(self, value: Any) -> bool:
        """Whether the whole text stands in the value's texts, read one after the other."""
        texts = _flat(" ".join(text for _, text in _texts(value, ())))
        return any(form in texts for form in self._forms)


def _flat(text: str) -> str:
    return " ".join(text.split())
