"""Figures that were reckoned from what was given: only where a check asks for it, and only from what can be seen.

Seen are the figures that the same answer names and that are borne out themselves: two of them added, subtracted, multiplied or
divided (a share, a change in percent), or several of one statement added up. Beside them stand the total, the mean and the
number of what was returned in one list. Anything may be reckoned from enough numbers, so the rest of what was given is not tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

from fairtrial.graders.figures import Figure, Reading, readings_of
from fairtrial.graders.given import Source

MOST_NAMED = 80
"""Figures of an answer that are tried as operands: the last ones that it names."""
MOST_ADDED = 10
"""Figures of one statement of which any selection may be added up."""
MOST_COLUMNS = 2_000
_LEAST = 10


def reckoned(figure: Figure, named: Sequence[Decimal], beside: Sequence[Decimal], totals: Iterable[Decimal]) -> bool:
    """Whether a figure follows from those that the answer names, those of its own statement, or the totals of what was returned."""
    readings = [reading for reading in figure.readings if reading.value not in (0, 1)]
    operands = list(dict.fromkeys(abs(value) for value in named[-MOST_NAMED:] if value not in (0, 1)))
    return any(
        _of_two(reading, operands) or _added(reading, beside[-MOST_ADDED:]) or any(_same(reading, total) for total in totals)
        for reading in readings
    )


def _same(reading: Reading, value: Decimal) -> bool:
    return abs(abs(reading.value) - abs(value)) <= reading.step / 2


def _of_two(reading: Reading, operands: Sequence[Decimal]) -> bool:
    return any(_same(reading, value) for a, b in combinations(operands, 2) for value in _results(a, b))


def _results(a: Decimal, b: Decimal) -> Iterator[Decimal]:
    if (a >= _LEAST or a % 1) and (b >= _LEAST or b % 1):  # with small numbers anything is a sum
        yield a + b
        yield a - b
        for top, bottom in ((a, b), (b, a)):
            yield (top - bottom) / bottom
            yield (top - bottom) / bottom * 100
    yield a * b
    for top, bottom in ((a, b), (b, a)):
        yield top / bottom
        yield top / bottom * 100


def _added(reading: Reading, beside: Sequence[Decimal]) -> bool:
    values = list(map(abs, beside))
    return any(_same(reading, sum(chosen, Decimal(0))) for size in range(3, len(values) + 1) for chosen in combinations(values, size))


def totals_of(sources: Iterable[Source]) -> list[Decimal]:
    """Of every list that was returned: how many entries it has, and of each of its columns the sum and the mean."""
    found: list[Decimal] = []
    for source in sources:
        for column in _columns(source.value):
            if len(found) > MOST_COLUMNS:
                return found
            found += column
    return found


def _columns(value: Any) -> Iterator[list[Decimal]]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _columns(inner)
    elif isinstance(value, (list, tuple)) and value:
        yield [Decimal(len(value))]
        by_key: dict[str, list[Decimal]] = {}
        for entry in value:
            for key, inner in entry.items() if isinstance(entry, dict) else (("", entry),):
                number = _number(inner)
                if number is not None:
                    by_key.setdefault(str(key), []).append(number)
            yield from _columns(entry)
        for numbers in by_key.values():
            if len(numbers) > 1:
                yield [sum(numbers, Decimal(0)), sum(numbers, Decimal(0)) / len(numbers)]


def _number(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    read = readings_of(str(value)) if len(str(value)) < 40 else ()
    return read[0].value if read else None
