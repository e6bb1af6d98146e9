"""Of several sides compared with one base: which are not dominated, that is, beaten or matched in everything by another.

Looked at are the paired difference of success (more is better), cost and latency a trial (less is better). What is not known
on one of two sides cannot decide between them: an unknown price neither dominates nor is dominated. Kept out: whether a
difference is more than chance (`contrast.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from fairtrial.records.report import Comparison


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """One side: its difference of success to the base (0 for the base itself), its means a trial, and whether it stands in front."""

    name: str
    difference: float | None
    cost: Decimal | None
    latency_ms: float | None
    front: bool


def front(found: Sequence[Comparison]) -> list[Place]:
    """The base and every new side of comparisons with that base, each with whether no other dominates it."""
    if not found:
        return []
    first = found[0]
    places = [_place(first.base, 0.0, first, "base"), *(_place(one.new, one.difference.value, one, "new") for one in found)]
    return [msgspec.structs.replace(place, front=_leads(place, places)) for place in places]


def _place(name: str, difference: float | None, found: Comparison, side: str) -> Place:
    cost, latency = ((field.get(side) or {}).get("mean") for field in (found.cost, found.latency))
    return Place(name=name, difference=difference, cost=cost, latency_ms=latency, front=False)


def _leads(place: Place, places: Sequence[Place]) -> bool:
    """Whether no other dominates it; never said of a side whose success could not be compared."""
    return place.difference is not None and not any(_dominates(other, place) for other in places)


def _dominates(one: Place, two: Place) -> bool:
    """At least as good in all three and better in one; False where a figure is missing on either side."""
    pairs = ((one.difference, two.difference, 1), (one.cost, two.cost, -1), (one.latency_ms, two.latency_ms, -1))
    if any(a is None or b is None for a, b, _ in pairs):
        return False
    moves = [(a > b) - (a < b) if sign > 0 else (a < b) - (a > b) for a, b, sign in pairs if a is not None and b is not None]
    return min(moves) >= 0 and max(moves) > 0
