"""Ways into plain data: orders[0].amount, lines[*].qty, ["a.b"].c, and $ for the whole.

A path is compiled once to a function; what is not there is ABSENT, which no value is. Keys of mappings and positions of
lists are all a path can follow, never attributes of objects. Kept out: what is done with the value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fairtrial.graders.compare import ABSENT, kind, step
from fairtrial.records.errors import InputError

ALL = object()
"""The step [*]: every entry of a list."""

Step = Any
"""A key (text), a position (int) or ALL."""

_STEP = re.compile(
    r"""\[(?P<index>-?[0-9]{1,9})\] | \[(?P<all>\*)\]
    | \[\s*(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^'\\]|\\.)*)')\s*\]
    | (?P<dot>\.?)(?P<key>[^\[\].\s"'*$]+)""",
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\\(.)")
LONGEST = 500


class Path:
    """A compiled path. `read(root)` gives the value or ABSENT; `text` is the path as written."""

    __slots__ = ("read", "steps", "text")

    def __init__(self, text: str, steps: tuple[Step, ...]) -> None:
        self.text = text
        self.steps = steps
        self.read: Callable[[Any], Any] = _reader(steps)

    def why_absent(self, root: Any, name: str = "the output") -> str:
        """In words: how far the path leads, and what is there instead."""
        value, here = root, ""
        for at, key in enumerate(self.steps):
            if key is ALL and isinstance(value, list):
                gaps = [index for index, entry in enumerate(value) if _reader(self.steps[at + 1 :])(entry) is ABSENT]
                place = f"{here}[{gaps[0]}]" if gaps else here
                return f"{name} has nothing at {place.lstrip('.') or '$'} for the rest of {self.text}"
            following = _follow(value, key)
            if following is ABSENT:
                return f"{name} has no {_shown(key)} at {here.lstrip('.') or '$'}, {_instead(value)}"
            value, here = following, here + (f"[{key}]" if isinstance(key, int) else step(key))
        return f"{name} has a value at {self.text}"


def compile_path(text: str, place: str | None = None) -> Path:
    """Read a path; raises InputError naming where it cannot be read."""
    stripped = text.strip()
    rest = stripped[1:] if stripped.startswith("$") else stripped
    steps: list[Step] = []
    at = 0
    while at < len(rest):
        found = _STEP.match(rest, at)
        if found is None or (found["key"] and bool(found["dot"]) is (at == 0 and rest == stripped)) or len(text) > LONGEST:
            raise InputError(
                f"not a path: {text[:80]!r} cannot be read from {rest[at : at + 20]!r} on",
                place=place,
                allowed='keys and positions: orders[0].amount, lines[*].qty, ["a.b"].c, $ for the whole',
                mend="put keys with dots, spaces or brackets in quotes: " + '["a b"]',
            )
        steps.append(_step_of(found))
        at = found.end()
    if not steps and stripped != "$":
        raise InputError("an empty path", place=place, mend="write $ for the whole")
    return Path(stripped, tuple(steps))


def _step_of(found: re.Match[str]) -> Step:
    if found["index"] is not None:
        return int(found["index"])
    if found["all"]:
        return ALL
    if found["key"]:
        return found["key"]
    quoted = found["double"] if found["double"] is not None else found["single"]
    return _ESCAPED.sub(r"\1", quoted)


def _reader(steps: tuple[Step, ...]) -> Callable[[Any], Any]:
    if not steps:
        return lambda root: root
    if len(steps) == 1 and isinstance(steps[0], str):
        only: str = steps[0]
        return lambda root: root.get(only, ABSENT) if type(root) is dict else _follow(root, only)
    if ALL in steps:
        at = steps.index(ALL)
        return _over_all(_reader(steps[:at]), _reader(steps[at + 1 :]))

    def read(root: Any) -> Any:
        for key in steps:
            root = _follow(root, key)
            if root is ABSENT:
                return ABSENT
        return root

    return read


def _over_all(before: Callable[[Any], Any], after: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The list of what stands at the rest of the path in every entry; ABSENT where one entry has nothing there."""

    def read(root: Any) -> Any:
        entries = before(root)
        if not isinstance(entries, (list, tuple)):
            return ABSENT
        found = [after(entry) for entry in entries]
        return ABSENT if any(value is ABSENT for value in found) else found

    return read


def _follow(value: Any, key: Step) -> Any:
    if isinstance(key, str):
        return value.get(key, ABSENT) if isinstance(value, dict) else ABSENT
    if key is ALL or not isinstance(value, (list, tuple)):
        return ABSENT
    return value[key] if -len(value) <= key < len(value) else ABSENT


def _shown(key: Step) -> str:
    return f"position {key}" if isinstance(key, int) else "list of entries" if key is ALL else f"key {key!r}"


def _instead(value: Any) -> str:
    if isinstance(value, dict):
        keys = ", ".join(map(str, list(value)[:8])) + (", …" if len(value) > 8 else "")
        return f"which has {keys}" if value else "which is empty"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    return f"which is {kind(value)}"
