"""Expectations on one value, compiled to a function that says what does not fit.

They are what `output`, `state`, `query`, `text` and the arguments and results of tools have in common. What a value is not
fit for (a bound on text, a pattern on a number) is firm: it fails under `not` as well, so that no check passes for the wrong
type. Kept out: where the value comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from fairtrial.graders.compare import (
    ABSENT,
    Difference,
    compile_compare,
    contains,
    equal,
    exact,
    is_number,
    kind,
    subset_difference,
    unordered_difference,
)
from fairtrial.graders.normalise import normaliser
from fairtrial.graders.numbers import Ambiguous, plain_number, read_number
from fairtrial.graders.patterns import PatternTimeout, compile_pattern
from fairtrial.graders.schemas import TooDeep, compile_schema
from fairtrial.records.errors import InputError
from fairtrial.records.expectations import OPTIONS, is_matcher

RELATIVE, ABSOLUTE = Decimal("1e-6"), Decimal("1e-12")
"""What `approx` allows where it states neither `rel` nor `abs`: the larger of both."""


class Mismatch(NamedTuple):
    """What does not fit. `path` is below the value; `firm`: the value cannot be asked this; `unknown`: it cannot be told."""

    why: str
    expected: Any
    seen: Any
    path: str = "$"
    firm: bool = False
    unknown: bool = False


Match = Callable[[Any], Mismatch | None]


class Reading(NamedTuple):
    """How values are read before they are compared. `said`: words of an agent, where nothing said satisfies nothing."""

    fold: Callable[[Any], Any] | None
    numeric: bool
    locale: str | None
    percent: bool
    said: bool
    place: str | None


def compile_matcher(expect: Mapping[str, Any], *, said: bool = False, place: str | None = None) -> Match:
    """One function for all expectations (`exists` excepted, which is about the path). Raises InputError."""
    how = Reading(
        fold=normaliser(expect["normalise"]) if "normalise" in expect else None,
        numeric=expect.get("as") == "number",
        locale=expect.get("locale"),
        percent=expect.get("percent", False),
        said=said,
        place=place,
    )
    if how.numeric:
        expect = {key: _number_of(value, how) if key in _NUMERIC else value for key, value in expect.items()}
    keys = [key for key in expect if (key not in OPTIONS and key != "exists" and type(expect[key]) is not bool) or key in _ANYTHING]
    tests = [_MAKERS[key](expect[key], how) for key in keys if not (key == "equals" and expect.get("unordered") is True)]
    if expect.get("unordered") is True:
        tests.append(_unordered(expect["equals"], how))
    if not tests:
        return lambda value: None
    return _reading(tests[0] if len(tests) == 1 else _every(tests), how)


def compile_argument(value: Any, place: str | None = None) -> Match:
    """For arguments and results: an object of expectations, or the value itself."""
    return compile_matcher(value if is_matcher(value) else {"equals": value}, place=place)


def _every(tests: list[Match]) -> Match:
    def match(value: Any) -> Mismatch | None:
        for test in tests:
            found = test(value)
            if found:
                return found
        return None

    return match


def _reading(test: Match, how: Reading) -> Match:
    if how.numeric:

        def match_number(value: Any) -> Mismatch | None:
            read = read_number(value, how.locale, percent=how.percent) if isinstance(value, str) else value
            if isinstance(read, Ambiguous):
                return Mismatch(f"{read.text!r}: {read.why}", "a number", value, firm=True, unknown=True)
            if not is_number(read):
                return Mismatch("there is no number in it", "a number", value, firm=True)
            return test(read)

        return match_number
    if how.fold is not None:
        fold = how.fold
        return lambda value: test(fold(value))
    return test


_ANYTHING = ("equals", "not_equals", "contains", "not_contains")
"""Expectations for which true and false are values to compare with; for `unordered` and `exists` they are switches."""

_NUMERIC = ("equals", "not_equals", "in", "not_in")


def _number_of(value: Any, how: Reading) -> Any:
    """An expected number, which may be written as text ("3,200.00")."""
    if isinstance(value, list):
        return [_number_of(entry, how) for entry in value]
    read = read_number(value, how.locale, percent=how.percent, whole=True) if isinstance(value, str) else value
    if not is_number(read):
        raise InputError("`as: number` compares with numbers", place=how.place, value=value, mend="write a number")
    return read


def _folded(expected: Any, how: Reading) -> Any:
    return how.fold(expected) if how.fold else expected


def _below(found: Difference | None) -> Mismatch | None:
    if found is None:
        return None
    expected, seen = (None if side is ABSENT else side for side in (found.expected, found.seen))
    return Mismatch(found.why, expected, seen, found.path)


def _equals(given: Any, how: Reading) -> Match:
    expected = _folded(given, how)
    differ = compile_compare(expected)

    def match(value: Any) -> Mismatch | None:
        found = differ(value)
        return None if found is None else _below(found)

    return match


def _not_equals(given: Any, how: Reading) -> Match:
    expected = _folded(given, how)
    return lambda value: Mismatch("it is what it must not be", {"not": given}, value) if equal(expected, value) else None


def _in(given: Any, how: Reading) -> Match:
    allowed = [_folded(entry, how) for entry in given]
    return lambda value: None if contains(allowed, value) else Mismatch("not one of those allowed", {"in": given}, value)


def _not_in(given: Any, how: Reading) -> Match:
    banned = [_folded(entry, how) for entry in given]
    return lambda value: Mismatch("one of those not allowed", {"not_in": given}, value) if contains(banned, value) else None


def _bound(name: str, fits: Callable[[Any, Any], bool], why: str) -> Callable[[Any, Reading], Match]:
    def make(given: Any, how: Reading) -> Match:
        bound = Decimal(given) if isinstance(given, str) else exact(given)
        from_text = isinstance(given, str)

        def match(value: Any) -> Mismatch | None:
            number = _as_number(value, from_text)
            if number is None:
                return Mismatch(_no_number(value), {name: given}, value, firm=True)
            return None if fits(number, bound) else Mismatch(why, {name: given}, value)

        return match

    return make


def _as_number(value: Any, from_text: bool) -> Any:
    """Numbers as they are; exact decimals in text only where the case wrote its own bound as text."""
    if is_number(value):
        return exact(value)
    return plain_number(value) if from_text and isinstance(value, str) else None


def _no_number(value: Any) -> str:
    if isinstance(value, str):
        return "text, not a number; `as: number` reads numbers from text"
    return f"{kind(value)}, not a number"


_min = _bound("min", lambda value, bound: bool(value >= bound), "below the least allowed")
_max = _bound("max", lambda value, bound: bool(value <= bound), "above the most allowed")


def _between(given: Any, how: Reading) -> Match:
    low, high = given
    return _every([_min(low, how), _max(high, how)])


def _approx(given: Any, how: Reading) -> Match:
    stated = given if isinstance(given, dict) else {"value": given}
    target = Decimal(str(stated["value"]))
    margins = [Decimal(str(stated["abs"]))] if "abs" in stated else []
    margins += [abs(target) * Decimal(str(stated["rel"]))] if "rel" in stated else []
    margin = max(margins or [abs(target) * RELATIVE, ABSOLUTE])
    from_text = isinstance(stated["value"], str)

    def match(value: Any) -> Mismatch | None:
        number = _as_number(value, from_text)
        if number is None:
            return Mismatch(_no_number(value), {"approx": given}, value, firm=True)
        near = number == target or abs(number - target) <= margin
        return None if near else Mismatch(f"off by more than {margin.normalize()}", {"approx": given}, value)

    return match


def _matches(given: str, how: Reading) -> Match:
    pattern = compile_pattern(given, how.place)

    def match(value: Any) -> Mismatch | None:
        if not isinstance(value, str):
            return Mismatch(f"{kind(value)}, not text", {"matches": given}, value, firm=True)
        try:
            found = pattern.found(value)
        except PatternTimeout as error:
            return Mismatch(str(error), {"matches": given}, value, firm=True, unknown=True)
        if found is None:
            return Mismatch("does not match", {"matches": given}, value, firm=how.said and not value.strip())
        return None

    return match


def _contains(given: Any, how: Reading) -> Match:
    wanted = [_folded(entry, how) for entry in (given if isinstance(given, list) else [given])]

    def match(value: Any) -> Mismatch | None:
        unfit = _unfit(value, wanted)
        if unfit or (how.said and value in ("", [], {})):
            return Mismatch(unfit or "nothing is said there", {"contains": given}, value, firm=True)
        gone = next((entry for entry in wanted if not _holds(value, entry)), ABSENT)
        return None if gone is ABSENT else Mismatch(f"does not contain {gone!r:.80}", {"contains": given}, value)

    return match


def _not_contains(given: Any, how: Reading) -> Match:
    banned = [_folded(entry, how) for entry in (given if isinstance(given, list) else [given])]

    def match(value: Any) -> Mismatch | None:
        unfit = _unfit(value, banned)
        if unfit or (how.said and value in ("", [], {})):
            return Mismatch(unfit or "nothing is said there", {"not_contains": given}, value, firm=True)
        there = next((entry for entry in banned if _holds(value, entry)), ABSENT)
        return None if there is ABSENT else Mismatch(f"contains {there!r:.80}", {"not_contains": given}, value)

    return match


def _unfit(value: Any, entries: list[Any]) -> str:
    if isinstance(value, str):
        odd = next((entry for entry in entries if not isinstance(entry, str)), None)
        return "" if odd is None else f"{kind(odd)} is looked for in text; write it in quotes, or read the text `as: number`"
    return "" if isinstance(value, (list, tuple, dict)) else f"{kind(value)} contains nothing"


def _holds(value: Any, entry: Any) -> bool:
    if isinstance(value, str):
        return isinstance(entry, str) and entry in value
    if isinstance(value, dict):
        if isinstance(entry, dict):
            return subset_difference(value, entry) is None
        return isinstance(entry, str) and entry in value
    return contains(value, entry)


def _length(given: Any, how: Reading) -> Match:
    bounds = given if isinstance(given, dict) else {"equals": given}

    def match(value: Any) -> Mismatch | None:
        if not isinstance(value, (str, list, tuple, dict)):
            return Mismatch(f"{kind(value)} has no length", {"length": given}, value, firm=True)
        size = len(value)
        low, high = bounds.get("min", 0), bounds.get("max", size)
        fits = low <= size <= high and size == bounds.get("equals", size)
        return None if fits else Mismatch(f"its length is {size}", {"length": given}, size)

    return match


def _unordered(given: Any, how: Reading) -> Match:
    expected = _folded(given, how)
    if not isinstance(expected, list):
        raise InputError("`unordered` compares lists", place=how.place, value=given)
    return lambda value: _below(unordered_difference(expected, value))


def _subset_of(given: Any, how: Reading) -> Match:
    whole = _folded(given, how)
    return lambda value: _below(subset_difference(whole, value))


def _schema(given: Any, how: Reading) -> Match:
    check = compile_schema(given, how.place)

    def match(value: Any) -> Mismatch | None:
        try:
            return _below(check(value))
        except (PatternTimeout, TooDeep) as error:
            return Mismatch(str(error), given, value, firm=True, unknown=True)

    return match


_MAKERS: dict[str, Callable[[Any, Reading], Match]] = {
    "equals": _equals,
    "not_equals": _not_equals,
    "in": _in,
    "not_in": _not_in,
    "min": _min,
    "max": _max,
    "between": _between,
    "approx": _approx,
    "matches": _matches,
    "contains": _contains,
    "not_contains": _not_contains,
    "length": _length,
    "unordered": _unordered,
    "subset_of": _subset_of,
    "schema": _schema,
}
