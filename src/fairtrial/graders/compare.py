"""The one deep comparison of plain data.

Mappings have no order, lists have one unless told otherwise, whole numbers and fractions compare by value, true is not 1,
"1" is not 1, large whole numbers are exact. Only where a binary fraction (float) takes part is there a tolerance, and it is
stated: TOLERANCE. It runs on every trial, so equal data is found equal by one C-level comparison plus a look at the few
places where Python calls two different types equal. Kept out: paths into data (`paths.py`) and what a check asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from decimal import Decimal
from math import isclose
from typing import Any, NamedTuple

TOLERANCE = 1e-12
"""Relative difference below which two binary fractions are the same number: noise of a few sums, never a written digit
of an amount with up to twelve digits."""

EXACT_INT = 2**53
"""Whole numbers beyond this cannot be told apart by a float, so against them there is no tolerance."""


class Difference(NamedTuple):
    """The first place where two trees differ. `path` is as in `paths.py` ("$" is the whole)."""

    path: str
    expected: Any
    seen: Any
    why: str


class Absent:
    """Stands for a value that is not there; null is a value."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "nothing"

    def __bool__(self) -> bool:
        return False


ABSENT = Absent()

Compare = Callable[[Any], Difference | None]


def compile_compare(expected: Any) -> Compare:
    """A function that gives the first difference from `expected`, or None. Made once, run on every trial."""
    wary = _risky(expected)
    if wary is None:

        def fast(seen: Any) -> Difference | None:
            return None if expected == seen else first_difference(expected, seen)

        return fast

    def careful(seen: Any) -> Difference | None:
        return None if expected == seen and _same_types(wary, expected, seen) else first_difference(expected, seen)

    return careful


def equal(expected: Any, seen: Any) -> bool:
    """Whether two trees are the same by the rules of this module."""
    return first_difference(expected, seen) is None


def first_difference(expected: Any, seen: Any) -> Difference | None:
    """The first place where `seen` is not what was expected, mappings in the expected order, lists by position."""
    found = _walk(expected, seen, "")
    return None if found is None else found._replace(path=found.path.lstrip(".") or "$")


def same_number(one: Any, two: Any) -> bool:
    """Numbers by value; a tolerance only where a float takes part and no whole number too large for one."""
    if bool(one == two):
        return True
    if type(one) is not float and type(two) is not float:
        return False
    try:
        if (type(one) is int and abs(one) > EXACT_INT) or (type(two) is int and abs(two) > EXACT_INT):
            return False
        if isinstance(one, Decimal) or isinstance(two, Decimal):
            return bool(exact(one) == exact(two))
        return isclose(one, two, rel_tol=TOLERANCE, abs_tol=0.0)
    except OverflowError:
        return False


def exact(value: Any) -> Any:
    """A number as an exact one: floats by their shortest decimal text, so that 0.1 is a tenth."""
    return Decimal(repr(value)) if type(value) is float else value


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def kind(value: Any) -> str:
    """The type of a value as people who write cases call it."""
    if value is ABSENT:
        return "nothing"
    if is_number(value):
        return "a number"
    names = {str: "text", bool: "true or false", dict: "an object", list: "a list", tuple: "a list", type(None): "null"}
    return names.get(type(value), type(value).__name__)


def _walk(expected: Any, seen: Any, path: str) -> Difference | None:
    if isinstance(expected, dict) and isinstance(seen, dict):
        return _walk_mapping(expected, seen, path)
    if isinstance(expected, (list, tuple)) and isinstance(seen, (list, tuple)):
        return _walk_list(expected, seen, path)
    if is_number(expected) and is_number(seen):
        return None if same_number(expected, seen) else Difference(path, expected, seen, "another number")
    if type(expected) is type(seen) and expected == seen:
        return None
    if type(expected) is type(seen):
        return Difference(path, expected, seen, "another value")
    return Difference(path, expected, seen, f"{kind(seen)} instead of {kind(expected)}")


def _walk_mapping(expected: dict[Any, Any], seen: dict[Any, Any], path: str) -> Difference | None:
    for key, value in expected.items():
        here = f"{path}{step(key)}"
        if key not in seen:
            return Difference(here, value, ABSENT, "missing")
        found = _walk(value, seen[key], here)
        if found:
            return found
    for key, value in seen.items():
        if key not in expected:
            return Difference(f"{path}{step(key)}", ABSENT, value, "not expected")
    return None


def _walk_list(expected: Any, seen: Any, path: str) -> Difference | None:
    for index, value in enumerate(expected[: len(seen)]):
        found = _walk(value, seen[index], f"{path}[{index}]")
        if found:
            return found
    if len(seen) < len(expected):
        return Difference(f"{path}[{len(seen)}]", expected[len(seen)], ABSENT, f"missing: {len(seen)} of {len(expected)} entries")
    if len(seen) > len(expected):
        extra = seen[len(expected)]
        again = ", the same again" if any(equal(extra, entry) for entry in seen[: len(expected)]) else ""
        return Difference(f"{path}[{len(expected)}]", ABSENT, extra, f"not expected: {len(seen)} entries, not {len(expected)}{again}")
    return None


def step(key: Any) -> str:
    """One key as the path of a value shows it: .name, or ["a.b"] where the plain form could be misread."""
    text = str(key)
    plain = text and all(char.isalnum() or char in "_-" for char in text)
    return f".{text}" if plain else '["' + text.replace("\\", "\\\\").replace('"', '\\"') + '"]'


# Where C-level equality is not enough: true == 1 and false == 0 for Python, at any depth. Only places that hold a truth value
# or a number equal to 0 or 1 can be mistaken, and they are known from the expected side alone.

_Risk = Any
"""True: look at this leaf's type. A tuple of (key or position, risk): go on there. None: nothing to look at."""


def _risky(expected: Any) -> _Risk:
    if isinstance(expected, dict):
        inner = tuple((key, risk) for key, value in expected.items() if (risk := _risky(value)) is not None)
        return inner or None
    if isinstance(expected, (list, tuple)):
        inner = tuple((index, risk) for index, value in enumerate(expected) if (risk := _risky(value)) is not None)
        return inner or None
    return True if isinstance(expected, (bool, int, float, Decimal)) and expected in (0, 1) else None


def _same_types(risk: _Risk, expected: Any, seen: Any) -> bool:
    if risk is True:
        return (type(expected) is bool) is (type(seen) is bool)
    return all(_same_types(inner, expected[key], seen[key]) for key, inner in risk)


class Pairing(NamedTuple):
    """Two lists matched as multisets, by position. `pairs` are (expected, seen) positions; the rest is missing or extra."""

    pairs: list[tuple[int, int]]
    missing: list[int]
    extra: list[int]


def pair_up(expected: Any, seen: Any, same: Callable[[Any, Any], bool] = equal) -> Pairing:
    """Match every expected entry with one seen entry of its own: two equal ones need two."""
    free: dict[int, Any] = dict(enumerate(seen))
    pairs: list[tuple[int, int]] = []
    missing: list[int] = []
    for position, value in enumerate(expected):
        at = next((place for place, entry in free.items() if same(value, entry)), None)
        if at is None:
            missing.append(position)
        else:
            del free[at]
            pairs.append((position, at))
    return Pairing(pairs, missing, list(free))


def unordered_difference(expected: Any, seen: Any) -> Difference | None:
    """The first difference between two lists whose order does not count (that of inner lists does)."""
    if not isinstance(seen, (list, tuple)):
        return Difference("$", expected, seen, f"{kind(seen)} instead of a list")
    missing, extra = _leftovers(expected, seen)
    if missing:
        return Difference("$", missing[0], ABSENT, f"missing: {len(missing)} of {len(expected)} entries")
    if extra:
        return Difference(f"[{extra[0]}]", ABSENT, seen[extra[0]], f"not expected: {len(extra)} more entries")
    return None


def _leftovers(expected: Any, seen: Any) -> tuple[list[Any], list[int]]:
    """(expected entries, positions of seen ones) without a partner. Exact partners first; a tolerance can only help where a
    float takes part, so that long lists of other things are not compared each with each."""
    places: dict[Hashable, list[int]] = {}
    for position in range(len(seen) - 1, -1, -1):
        places.setdefault(fingerprint(seen[position]), []).append(position)
    gone = [value for value in expected if not ((at := places.get(fingerprint(value))) and at.pop() >= 0)]
    extra = sorted(position for left in places.values() for position in left)
    near = extra if any(map(_has_float, gone)) else [position for position in extra if _has_float(seen[position])]
    paired = pair_up(gone, [seen[position] for position in near])
    taken = {near[at] for _, at in paired.pairs}
    return [gone[at] for at in paired.missing], [position for position in extra if position not in taken]


def _has_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_float, value.values()))
    return any(map(_has_float, value)) if isinstance(value, (list, tuple)) else type(value) is float


def exactly_equal(one: Any, two: Any) -> bool:
    """As `equal`, without any tolerance."""
    return bool(fingerprint(one) == fingerprint(two))


def fingerprint(value: Any) -> Hashable:
    """Equal for two values that are the same without any tolerance."""
    if isinstance(value, dict):
        return ("{}", frozenset((key, fingerprint(inner)) for key, inner in value.items()))
    if isinstance(value, (list, tuple)):
        return ("[]", tuple(map(fingerprint, value)))
    return ("#", exact(value)) if is_number(value) else (type(value).__name__, value)


def subset_difference(whole: Any, seen: Any) -> Difference | None:
    """What of `seen` is not in `whole`. Lists: every entry is one of those given, however often. Mappings: every key is
    there with the same value, inner mappings by the same rule."""
    if isinstance(whole, dict) and isinstance(seen, dict):
        return _beyond(whole, seen, "")
    if isinstance(whole, (list, tuple)) and isinstance(seen, (list, tuple)):
        for index, value in enumerate(seen):
            if not contains(whole, value):
                return Difference(f"[{index}]", ABSENT, value, "not one of those allowed")
        return None
    return Difference("$", whole, seen, f"{kind(seen)} instead of {kind(whole)}")


def _beyond(whole: dict[Any, Any], seen: dict[Any, Any], path: str) -> Difference | None:
    for key, value in seen.items():
        here = f"{path}{step(key)}"
        if key not in whole:
            return Difference(here.lstrip("."), ABSENT, value, "not one of those allowed")
        inner = whole[key]
        both = isinstance(inner, dict) and isinstance(value, dict)
        found = _beyond(inner, value, here) if both else _walk(inner, value, here)
        if found:
            return found._replace(path=found.path.lstrip("."))
    return None


def contains(entries: Iterable[Any], value: Any) -> bool:
    """Whether one of the entries is the same as `value`."""
    return any(equal(entry, value) for entry in entries)
