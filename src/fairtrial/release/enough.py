"""What an open estimated gate would take: how many cases like those that were run would bring its bound to the bar.

The figure is read again over the same cases taken several times, so that every way of counting keeps its own rule. Kept out: the
gates themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.release.words import count

if TYPE_CHECKING:
    from collections.abc import Callable

BETWEEN = "the bar lies between the lower and the upper bound"
MOST = 2_000
"""Cases up to which it is computed."""


def short(holds: Callable[[int], bool], cases: int, *, clustered: bool, on_its_side: bool, undecided: int) -> str:
    """Why a figure whose bar lies between its bounds is open. `holds(times)`: whether it would with each case taken so often;
    `on_its_side`: whether the figure as seen meets the bar."""
    most = MOST // max(cases, 1)
    able = on_its_side and not clustered and most > 1
    enough = able and holds(most)
    if undecided and not enough and (able or not on_its_side):
        return f"{BETWEEN}; decide the trials that are undecided first"
    if not on_its_side:
        return f"{BETWEEN}; as seen it is not beyond the bar, so more cases like these would not do"
    if not able:
        return BETWEEN
    if not enough:
        return f"{BETWEEN}; more than {count(most * cases, 'case')} like these would be needed, here {cases:,}"
    low, high = 1, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return f"{BETWEEN}; about {count(high * cases, 'case')} like these would do, here {cases:,}"
