"""The bar of an exam: read strictly, and held against the figures. A figure that could not be had meets none.

A bar is met by the figure itself; whoever wants to be sure of it states the lower end of its interval as well: `kappa_low`. Kept out:
the figures.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import InputError, unknown_key
from fairtrial.records.exam import BarRow
from fairtrial.records.grade import SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fairtrial.records.exam import Exam, Figure

PLAIN = ("agreement", "kappa", "precision", "recall", "specificity", "f1")
MEANS = ("macro_precision", "macro_recall", "macro_f1", "fleiss_kappa", "alpha")
LOW = "_low"
"""What a name ends with that means the lower end of the interval."""


def known(severities: Iterable[str] = ()) -> list[str]:
    """Every name that a bar may have; `severities` are those of the file beside our own."""
    names = [*PLAIN, *MEANS, *(f"recall_{name}" for name in dict.fromkeys([*reversed(SEVERITIES), *severities]))]
    return [*names, *(name + LOW for name in names)]


def read_bar(written: Mapping[str, Any], place: str, severities: Iterable[str] = ()) -> dict[str, Decimal]:
    """A bar as it is written, with its numbers exact. Raises InputError for a name that is no figure and for what is no share."""
    names = known(severities)
    found: dict[str, Decimal] = {}
    for name, value in written.items():
        if name not in names:
            raise unknown_key(str(name), names, place=place, value=value)
        found[name] = _number(name, value, place)
    return found


def _number(name: str, value: Any, place: str) -> Decimal:
    try:
        number = Decimal("NaN") if isinstance(value, bool) else Decimal(str(value))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or not -1 <= number <= 1:
        raise InputError(f"{name} is no bar", place=place, value=value, allowed="a number from -1 to 1, such as 0.6")
    return number


def held(exam: Exam, bar: Mapping[str, Decimal]) -> list[BarRow]:
    """Each line of the bar against the exam's figures."""
    return [_row(exam, name, least) for name, least in bar.items()]


def _row(exam: Exam, name: str, least: Decimal) -> BarRow:
    found = _figure(exam, name.removesuffix(LOW))
    seen = None if found is None else found.low if name.endswith(LOW) else found.value
    met = seen is not None and Decimal(repr(seen)) >= least
    why = "" if seen is not None else "no item of this severity" if found is None else found.reason or "it has no interval"
    return BarRow(figure=name, least=str(least), value=seen, low=None if found is None else found.low, met=met, why=why)


def _figure(exam: Exam, name: str) -> Figure | None:
    if name in PLAIN:
        found: Figure = getattr(exam, name)
        return found
    if name in MEANS:
        return exam.intervals.get(name)
    part = exam.by_severity.get(name.removeprefix("recall_"))
    return None if part is None else part.recall
