"""The functions that a rule may call, and what counts as true, as a list, as a number.

Kept out: operators (`rule_values.py`), and loops, all and any, which belong to the grammar.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal, DecimalException
from typing import Any

from fairtrial.graders.compare import exact, is_number, kind
from fairtrial.graders.numbers import Ambiguous, read_number
from fairtrial.graders.rule_values import COMPARISONS, MATH, SHOWN, RuleError, RuleUnknown, add_numbers, shown


def truth(value: Any, what: str) -> bool:
    """and, or, not and the rule itself take true and false only: an empty list is not false, 0 is not false."""
    if type(value) is bool:
        return value
    raise RuleError(f"{what} takes true or false, not {shown(value)}; compare it with something")


def entries(value: Any, what: str) -> list[Any] | tuple[Any, ...]:
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, dict):
        return list(value)
    raise RuleError(f"{what} takes a list, not {shown(value)}")


def length(value: Any) -> int:
    if isinstance(value, (str, list, tuple, dict)):
        return len(value)
    raise RuleError(f"len takes text, a list or an object, not {shown(value)}")


def total(value: Any) -> Any:
    result: Any = 0
    for entry in entries(value, "sum"):
        result = add_numbers(result, entry)
    return result


def least(*values: Any) -> Any:
    return _extreme("min", "Lt", values)


def greatest(*values: Any) -> Any:
    return _extreme("max", "Gt", values)


def _extreme(name: str, symbol: str, values: tuple[Any, ...]) -> Any:
    among = entries(values[0], name) if len(values) == 1 else values
    if not among:
        raise RuleError(f"{name} of an empty list has no value")
    best = among[0]
    for entry in among[1:]:
        if COMPARISONS[symbol](entry, best):
            best = entry
    return best


def absolute(value: Any) -> Any:
    if not is_number(value):
        raise RuleError(f"abs takes a number, not {shown(value)}")
    return abs(value) if type(value) is int else exact(value).copy_abs()


def rounded(value: Any, places: Any = 0) -> Any:
    """Half away from zero, as amounts are rounded on paper. `places` from 0 to 20."""
    if not is_number(value) or type(places) is not int or not 0 <= places <= 20:
        raise RuleError(f"round takes a number and 0 to 20 places, not {shown(value)} and {shown(places)}")
    number = Decimal(exact(value))
    try:
        return number.quantize(Decimal(1).scaleb(-places), "ROUND_HALF_UP", MATH)
    except DecimalException:
        raise RuleError(f"{shown(value)} cannot be rounded") from None


def as_number(value: Any) -> Any:
    """A number, or the number that a text consists of ("0.12", "3,200.00")."""
    if is_number(value):
        return value
    read = read_number(value, whole=True) if isinstance(value, str) else None
    if isinstance(read, Ambiguous):
        raise RuleUnknown(f"number({shown(value)}): {read.why}")
    if read is None:
        raise RuleError(f"number({shown(value)}): {kind(value)}, not a number")
    return read


def as_date(value: Any) -> date:
    """ "2026-11-20" is a day; with a time of day it is a moment, in UTC where it ends in Z or an offset."""
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or len(value) > SHOWN:
        raise RuleError(f"date takes text such as 2026-11-20, not {shown(value)}")
    text = value.strip()
    try:
        if len(text) == 10:
            return date.fromisoformat(text)
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        raise RuleError(f"date({shown(value)}): no such date; write YYYY-MM-DD") from None


FUNCTIONS: dict[str, tuple[Callable[..., Any], int, int]] = {
    "len": (length, 1, 1),
    "sum": (total, 1, 1),
    "min": (least, 1, 10),
    "max": (greatest, 1, 10),
    "abs": (absolute, 1, 1),
    "round": (rounded, 1, 2),
    "number": (as_number, 1, 1),
    "date": (as_date, 1, 1),
}
"""Name -> function, fewest and most arguments. all and any belong to the grammar."""
