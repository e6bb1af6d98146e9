"""The way to a value in plain data, as people write it: orders[0].amount, ["a.b"].c, $ for the whole.

Keys of mappings and positions of lists are all it can follow. Kept out: what the graders ask beyond that (`graders/paths.py`).
"""

from __future__ import annotations

import re
from typing import Any

from fairtrial.records.errors import InputError

Step = str | int
GONE = object()
"""What stands at a place that is not there; no value is it."""
LONGEST = 500

_STEP = re.compile(
    r"""\[(?P<index>-?[0-9]{1,9})\] | \[\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')\s*\] | (?P<dot>\.?)(?P<key>[^\[\].\s"'*$]+)""",
    re.VERBOSE,
)


_PLAIN = re.compile(r"""[^\[\].\s"'*$/\\]+""")
_QUOTED = r'\["((?:[^"\\]|\\.)*)"\]'
_FIRST = re.compile(rf"{_QUOTED}|([^.\[]+)")
_LAST = re.compile(rf"{_QUOTED}\Z")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def stepped(way: str, key: str) -> str:
    """The way one key further: .name, or ["a.b"] where the plain form would be read as another way."""
    if _PLAIN.fullmatch(key):
        return f"{way}.{key}" if way else key
    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'{way}["{escaped}"]'


def first_key(way: str) -> str:
    """The key that a way begins with, as `stepped` writes it."""
    found = _FIRST.match(way)
    return "" if found is None else found[2] or unquoted(found[1])


def last_key(way: str) -> str:
    """The key that a way ends with; after a position, with the position."""
    found = _LAST.search(way)
    return way.rpartition(".")[2] if found is None else unquoted(found[1])


def unquoted(text: str) -> str:
    """What stands between the quotes of a step, without the signs that kept it apart."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def steps_of(text: str, place: str | None = None) -> tuple[Step, ...]:
    """The steps of a written way; none for `$`. Raises InputError naming where it cannot be read."""
    rest = text.strip().removeprefix("$")
    steps: list[Step] = []
    at = 0
    while at < len(rest):
        found = _STEP.match(rest, at)
        if found is None or len(text) > LONGEST:
            raise InputError(
                f"not a path: {text[:80]!r} cannot be read from {rest[at : at + 20]!r} on",
                place=place,
                allowed='keys and positions: orders[0].amount, ["a.b"].c, $ for the whole',
            )
        steps.append(next(_step(found, name) for name in ("index", "double", "single", "key") if found[name] is not None))
        at = found.end()
    if not steps and text.strip() != "$":
        raise InputError("an empty path", place=place, mend="write $ for the whole")
    return tuple(steps)


def _step(found: re.Match[str], name: str) -> Step:
    return int(found[name]) if name == "index" else found[name]


def follow(value: Any, steps: tuple[Step, ...]) -> Any:
    """What stands there, or GONE."""
    for step in steps:
        if isinstance(step, str):
            value = value.get(step, GONE) if isinstance(value, dict) else GONE
        else:
            value = value[step] if isinstance(value, (list, tuple)) and -len(value) <= step < len(value) else GONE
        if value is GONE:
            return GONE
    return value
