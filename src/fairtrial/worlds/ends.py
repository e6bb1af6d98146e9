"""Whether a user's goal is reached: one expectation on one place of the world as it is now.

A small part of what graders may ask (`graders/values.py`), for it is asked in the middle of a trial and decides no grade.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fairtrial.records.way import GONE, follow, steps_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.worlds.world import LiveWorld


def reached(end: dict[str, Any], world: LiveWorld) -> bool:
    """Whether every expectation of `{state: PATH, equals: …}` holds now. A place that is not there meets none but `exists: false`."""
    way = steps_of(str(end["state"]))
    value = follow(world.peek(way[0] if way and isinstance(way[0], str) else None), way)
    return all(_TESTS[name](value, wanted) for name, wanted in end.items() if name in _TESTS)


def _number(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def _same(one: Any, two: Any) -> bool:
    first, second = _number(one), _number(two)
    if first is not None and second is not None:
        return first == second
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(_same, one, two))
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(_same(one[key], two[key]) for key in one)
    return type(one) is type(two) and bool(one == two)


def _at_least(value: Any, bound: Any) -> bool:
    found, wanted = _number(value), _number(bound)
    return found is not None and wanted is not None and found >= wanted


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "equals": _same,
    "not_equals": lambda value, wanted: value is not GONE and not _same(value, wanted),
    "in": lambda value, wanted: any(_same(value, one) for one in wanted),
    "contains": lambda value, wanted: wanted in value if isinstance(value, str) else any(_same(one, wanted) for one in _entries(value)),
    "min": _at_least,
    "max": lambda value, wanted: _at_least(wanted, value),
    "length": lambda value, wanted: isinstance(value, (list, dict, str)) and len(value) == wanted,
    "exists": lambda value, wanted: (value is not GONE) is wanted,
}


def _entries(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, dict)) else []
