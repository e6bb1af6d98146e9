"""Ways through plain data, and copies of it with one thing changed; nothing is ever changed in place.

Kept out: what is worth changing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Way = tuple[str | int, ...]
MOST = 2000
"""Leaves that are looked at of one value: enough for any answer, and a large world costs no more."""


class Leaf(NamedTuple):
    """A scalar and where it stands. `name`: the last key on the way to it, in lower case; of a bare value nothing."""

    way: Way
    value: Any

    @property
    def name(self) -> str:
        return next((str(step).lower() for step in reversed(self.way) if isinstance(step, str)), "")


def leaves(value: Any, way: Way = ()) -> Iterator[Leaf]:
    """Every scalar of plain data, at most `MOST`."""
    for number, leaf in enumerate(_leaves(value, way)):
        if number >= MOST:
            return
        yield leaf


def _leaves(value: Any, way: Way) -> Iterator[Leaf]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*way, str(key)))
    elif isinstance(value, (list, tuple)):
        for place, inner in enumerate(value):
            yield from _leaves(inner, (*way, place))
    else:
        yield Leaf(way, value)


def at(value: Any, way: Way) -> Any:
    """What stands at the end of a way. Raises LookupError or TypeError where nothing does."""
    for step in way:
        value = value[step]
    return value


def put(value: Any, way: Way, new: Any) -> Any:
    """A copy with another value at the end of the way."""
    if not way:
        return new
    step, rest = way[0], way[1:]
    if isinstance(value, dict):
        return {**value, step: put(value.get(step), rest, new)}
    copied = list(value)
    copied[step] = put(copied[step], rest, new)  # type: ignore[index]
    return copied


def without(value: Any, way: Way) -> Any:
    """A copy that has nothing at the end of the way."""
    step, rest = way[0], way[1:]
    if rest:
        return put(value, (step,), without(value[step], rest))
    if isinstance(value, dict):
        return {key: inner for key, inner in value.items() if key != step}
    return [inner for place, inner in enumerate(value) if place != step]


def renamed(value: Any, new: Callable[[str, Any], Any], name: str = "") -> Any:
    """A copy in which every scalar is what `new(its name, it)` says."""
    if isinstance(value, dict):
        return {key: renamed(inner, new, str(key).lower()) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [renamed(inner, new, name) for inner in value]
    return new(name, value)


def number(value: Any) -> bool:
    """Whether it is a number, and not a truth value."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def written(way: Way) -> str:
    """The way as people write it: orders[0].amount; $ for the whole."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in way).lstrip(".")
    return text or "$"


def short(value: Any, most: int = 60) -> str:
    """A value in a sentence."""
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"
