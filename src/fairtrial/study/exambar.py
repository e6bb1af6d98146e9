"""The bar of an exam held against the figures. A figure that could not be had meets none.

A bar is met by the figure itself; whoever wants to be sure of it states the lower end of its interval as well: `kappa_low`. Kept out:
the figures, and how a bar is written (`records/bar.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from fairtrial.records.bar import LOW, MEANS, PLAIN, RECALL
from fairtrial.records.exam import BarRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairtrial.records.exam import Exam, Figure


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
    part = exam.by_severity.get(name.removeprefix(RECALL))
    return None if part is None else part.recall
