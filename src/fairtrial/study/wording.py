"""Figures and findings as the plain sentence a report leads with.

A shown figure never crosses what it was decided on: it gets as many digits as it takes to stay on its own side of 0, of
100 %, and of the level of a test. Keeps out the deciding itself.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def percent(share: float) -> str:
    """A share as per cent: 0.4211 gives 42.1 %; 0.9999 never shows as 100 %, nor 0.0001 as 0 %."""
    for digits in range(1, 12):
        shown = f"{100 * share:.{digits}f}"
        if float(shown) not in (0.0, 100.0) or share in (0.0, 1.0):
            return f"{shown.rstrip('0').rstrip('.')} %"
    return f"{100 * share!r} %"


def points(difference: float) -> str:
    """A difference of shares in percentage points, signed: +5, -0.04."""
    for digits in range(1, 12):
        shown = f"{100 * difference:+.{digits}f}"
        if float(shown) != 0.0 or difference == 0.0:
            return "0" if difference == 0.0 else shown.rstrip("0").rstrip(".")
    return f"{100 * difference:+.3g}"


def chance(p_value: float, level: float = 0.05) -> str:
    """A p-value: p = 0.508; as many digits as keep it on its side of the level."""
    if p_value < 0.0001:
        return "p < 0.0001"
    for digits in range(3, 16):
        shown = f"{p_value:.{digits}f}"
        if (float(shown) < level) == (p_value < level) and float(shown) > 0.0:
            return f"p = {shown.rstrip('0').rstrip('.')}"
    return f"p = {p_value!r}"


def dollars(amount: Decimal) -> str:
    """Money with four significant digits, cents at least, never 0 for what is not: 0.09 USD."""
    if not amount:
        return "0 USD"
    rounded = Context(prec=max(4, amount.adjusted() + 3)).plus(amount)
    return f"{rounded.normalize():f} USD"


def rounded_up(number: float) -> str:
    """A number to plan with, at two significant digits, never less than it is: 649 gives 650."""
    step = 10 ** max(0, len(str(math.ceil(number))) - 2)
    return f"{math.ceil(number / step) * step:,}"


def count(number: int, one: str, many: str = "") -> str:
    """1 case, 2 cases, 1,070 cases."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: Sequence[str], most: int = 10) -> str:
    """Names in a sentence, the rest as a number."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
