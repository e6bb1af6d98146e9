"""Several sides compared with one base: which of them no other dominates."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec

from fairtrial.records.report import Comparison
from fairtrial.report.compare_view import front_sheet
from fairtrial.report.words import Words
from fairtrial.study.front import front

Make = Callable[..., Comparison]


def _side(make: Make, name: str, difference: float | None, cost: str | None, latency: float) -> Comparison:
    found = make(new=name)
    price: dict[str, Any] = {"base": {"mean": Decimal("0.03")}, "new": {"mean": None if cost is None else Decimal(cost)}}
    times = {"base": {"mean": 600.0}, "new": {"mean": latency}}
    moved = msgspec.structs.replace(found.difference, value=difference)
    return msgspec.structs.replace(found, difference=moved, cost=price, latency=times)


def _marked(*found: Comparison) -> list[str]:
    return [place.name for place in front(found) if place.front]


def test_a_side_that_another_beats_in_everything_is_not_in_front(make_comparison: Make) -> None:
    better, dominated = _side(make_comparison, "a", 0.2, "0.06", 900), _side(make_comparison, "b", 0.1, "0.09", 900)
    assert _marked(better, dominated) == ["r1:single", "a"]


def test_a_dearer_side_that_passes_more_stays_in_front(make_comparison: Make) -> None:
    assert _marked(_side(make_comparison, "a", 0.1, "0.06", 900), _side(make_comparison, "b", 0.2, "0.09", 1600)) == ["r1:single", "a", "b"]


def test_equal_sides_do_not_dominate_each_other(make_comparison: Make) -> None:
    assert _marked(_side(make_comparison, "a", 0.0, "0.03", 600), _side(make_comparison, "b", 0.0, "0.03", 600)) == ["r1:single", "a", "b"]


def test_an_unknown_price_neither_dominates_nor_is_dominated(make_comparison: Make) -> None:
    assert _marked(_side(make_comparison, "a", 0.2, None, 10), _side(make_comparison, "b", -0.5, None, 9000)) == ["r1:single", "a", "b"]
    assert front([]) == []


def test_a_side_that_could_not_be_compared_is_never_in_front(make_comparison: Make) -> None:
    assert _marked(_side(make_comparison, "a", None, "0.01", 10), _side(make_comparison, "b", 0.2, "0.09", 900)) == ["r1:single", "b"]


def test_the_table_marks_those_in_front(make_comparison: Make, text_of: Callable[..., str]) -> None:
    sides = (_side(make_comparison, "a", 0.2, "0.06", 900), _side(make_comparison, "b", 0.1, None, 900))
    lines = text_of(front_sheet(front(sides), Words())).splitlines()
    assert lines[2:] == [
        "  r1:single     0.0         $0.03   600 ms  ●",
        "  a           +20.0         $0.06   900 ms  ●",
        "  b           +10.0             –   900 ms  ●",
    ]
