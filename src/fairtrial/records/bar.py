"""The bar of an exam as it is written: figures by their names, and the least of each.

Kept out: what an exam's figures come to against it (`study/exambar.py`).
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import InputError, unknown_key
from fairtrial.records.grade import SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PLAIN = ("agreement", "kappa", "precision", "recall", "specificity", "f1")
MEANS = ("macro_precision", "macro_recall", "macro_f1", "fleiss_kappa", "alpha")
RECALL = "recall_"
"""What the name of a figure begins with that is of one severity alone: the share of its failures that the judge caught."""
LOW = "_low"
"""What a name ends with that means the lower end of the interval."""


def known(severities: Iterable[str] = ()) -> list[str]:
    """Every name that a bar may have; `severities` are those of the file beside our own."""
    names = [*PLAIN, *MEANS, *(f"{RECALL}{name}" for name in dict.fromkeys([*reversed(SEVERITIES), *severities]))]
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
