"""What the operators and functions of a rule do with values: exact decimals, dates, text, lists; never Python's own objects.

A wrong type is an error that names both values, never a guess: text is text until number(...) reads it, true is not 1.
Kept out: the grammar (`rule_grammar.py`) and the functions (`rule_functions.py`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Context, Decimal, DecimalException
from reprlib import Repr
from typing import Any

from fairtrial.graders.compare import exact, exactly_equal, is_number, kind

MATH = Context(prec=200)
"""Sums and products of amounts stay exact; division is rounded at 200 digits. Methods of a context are safe to share."""

LARGEST_INT_BITS = 12_000
SHOWN = 60
_BRIEF = Repr()
"""Looks at the first few entries only: what a rule meets may be large."""


class RuleError(Exception):
    """A rule that cannot be read, or whose values it cannot compute with. The text says which and why."""


class RuleMissing(RuleError):
    """A rule names something that is not there."""


class RuleUnknown(RuleError):
    """A rule names something whose value is not known, such as a cost nobody stated."""


def shown(value: Any) -> str:
    """A value as messages show it: short, with its type where that matters."""
    if isinstance(value, str):
        return f"text {value[:SHOWN]!r}"
    if isinstance(value, (Decimal, date)):
        return str(value)
    text = repr(value) if type(value) in (int, float) else _BRIEF.repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


# Comparison.


def same(left: Any, right: Any) -> bool:
    """==: by value, without any tolerance, for whole trees as well. Text is never a number, true never 1."""
    if is_number(left) and is_number(right):
        return bool(exact(left) == exact(right))
    if isinstance(left, (dict, list, tuple)) and isinstance(right, (dict, list, tuple)):
        return exactly_equal(left, right)
    return type(left) is type(right) and bool(left == right)


def different(left: Any, right: Any) -> bool:
    return not same(left, right)


def ordering(symbol: str, compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], bool]:
    """<, <=, >, >=: numbers with numbers, text with text, dates with dates."""

    def order(left: Any, right: Any) -> bool:
        kinds = type(left), type(right)
        if kinds == (int, int):
            return bool(compare(left, right))
        try:
            if is_number(left) and is_number(right):
                return bool(compare(exact(left), exact(right)))
            if kinds[0] is kinds[1] and kinds[0] in (str, date, datetime):
                return bool(compare(left, right))
        except TypeError:
            raise RuleError(f"{shown(left)} {symbol} {shown(right)}: one has a time zone, the other none") from None
        except DecimalException:
            raise RuleError(f"{shown(left)} {symbol} {shown(right)}: not a number") from None
        raise RuleError(_mismatch(left, symbol, right))

    return order


def _mismatch(left: Any, symbol: str, right: Any) -> str:
    hint = ""
    if {type(left), type(right)} & {str} and (is_number(left) or is_number(right)):
        hint = "; number(...) reads a number from text"
    elif isinstance(left, date) or isinstance(right, date):
        hint = "; date(...) reads a date from text"
    return f"{shown(left)} {symbol} {shown(right)}: {kind(left)} and {kind(right)} cannot be put in order or combined{hint}"


def within(left: Any, right: Any) -> bool:
    """in: an entry of a list, a key of a mapping, a part of a text."""
    if isinstance(right, str):
        if isinstance(left, str):
            return left in right
        raise RuleError(f"{shown(left)} in {shown(right)}: only text can be in text")
    if isinstance(right, (list, tuple)):
        return any(same(left, entry) for entry in right)
    if isinstance(right, dict):
        return isinstance(left, str) and left in right
    raise RuleError(f"{shown(left)} in {shown(right)}: nothing can be in {kind(right)}")


def not_within(left: Any, right: Any) -> bool:
    return not within(left, right)


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "Eq": same,
    "NotEq": different,
    "Lt": ordering("<", operator.lt),
    "LtE": ordering("<=", operator.le),
    "Gt": ordering(">", operator.gt),
    "GtE": ordering(">=", operator.ge),
    "In": within,
    "NotIn": not_within,
}

# Arithmetic.


def _numbers(left: Any, symbol: str, right: Any) -> tuple[Any, Any]:
    if is_number(left) and is_number(right):
        return exact(left), exact(right)
    raise RuleError(_mismatch(left, symbol, right))


def _exactly(symbol: str, whole: Callable[[int, int], int], decimal: Callable[[Any, Any], Decimal]) -> Callable[[Any, Any], Any]:
    def compute(left: Any, right: Any) -> Any:
        one, two = _numbers(left, symbol, right)
        try:
            if type(one) is int and type(two) is int:
                return _bounded(whole(one, two))
            return decimal(one, two)
        except (ZeroDivisionError, DecimalException):
            raise RuleError(f"{shown(left)} {symbol} {shown(right)} has no value") from None

    return compute


def _bounded(value: int) -> int:
    if value.bit_length() > LARGEST_INT_BITS:
        raise RuleError("a number grew too large")
    return value


add_numbers = _exactly("+", operator.add, MATH.add)
_subtract = _exactly("-", operator.sub, MATH.subtract)
multiply = _exactly("*", operator.mul, MATH.multiply)


def add(left: Any, right: Any) -> Any:
    """Numbers, or a date and a number of days."""
    if isinstance(left, date) and is_number(right):
        return _shift(left, right)
    return _shift(right, left) if isinstance(right, date) and is_number(left) else add_numbers(left, right)


def subtract(left: Any, right: Any) -> Any:
    """Numbers; a date minus days; the days between two dates."""
    if isinstance(left, date):
        if is_number(right):
            return _shift(left, negative(right))
        if type(left) is type(right):
            return _days(left, right)
        raise RuleError(_mismatch(left, "-", right))
    return _subtract(left, right)


def _days(left: Any, right: Any) -> Any:
    try:
        apart = left - right
    except TypeError:
        raise RuleError(f"{shown(left)} - {shown(right)}: one has a time zone, the other none") from None
    if not isinstance(left, datetime):
        return apart.days
    return MATH.divide(Decimal(apart // timedelta(microseconds=1)), Decimal(86_400_000_000))


def _shift(day: date, days: Any) -> date:
    number = exact(days)
    try:
        if not isinstance(day, datetime) and number != int(number):
            raise RuleError(f"{shown(day)} and {shown(days)}: a date moves by whole days")
        return day + timedelta(days=float(number))
    except (OverflowError, ValueError):
        raise RuleError(f"{shown(day)} moved by {shown(days)} days is no date") from None


def divide(left: Any, right: Any) -> Decimal:
    """Exact to 200 digits; dividing by 0 is an error."""
    one, two = _numbers(left, "/", right)
    try:
        return MATH.divide(Decimal(one), Decimal(two))
    except (ZeroDivisionError, DecimalException):
        raise RuleError(f"{shown(left)} / {shown(right)} has no value") from None


def remainder(left: Any, right: Any) -> Any:
    """The sign is that of the divisor, as Python's % has it for whole numbers."""
    one, two = _numbers(left, "%", right)
    try:
        if type(one) is int and type(two) is int:
            return one % two
        rest = MATH.remainder(Decimal(one), Decimal(two))
        return MATH.add(rest, two) if rest and (rest < 0) != (two < 0) else rest
    except (ZeroDivisionError, DecimalException):
        raise RuleError(f"{shown(left)} % {shown(right)} has no value") from None


def negative(value: Any) -> Any:
    if not is_number(value):
        raise RuleError(f"-{shown(value)}: {kind(value)} has no opposite")
    return -exact(value) if type(value) is not Decimal else value.copy_negate()


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": add,
    "Sub": subtract,
    "Mult": multiply,
    "Div": divide,
    "Mod": remainder,
}
