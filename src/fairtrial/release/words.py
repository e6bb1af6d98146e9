"""Figures of a gate in words. A shown number never crosses its bar: it gets as many digits as keep it on its own side.

Kept out: what the figures are, and what follows from them.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MISSING = "–"
MOST = 18
_EXACT = Context(prec=80, rounding=ROUND_HALF_EVEN)

Number = float | Decimal


def exact(value: Number) -> Decimal:
    """The number as it is written: 0.1 is 0.1, not the double beside it."""
    return value if isinstance(value, Decimal) else Decimal(repr(value))


def beside(value: Number, bars: Sequence[Decimal], digits: int) -> str:
    """The value with as many decimals as keep it apart from every bar that it is apart from."""
    number = exact(value)
    for places in range(digits, MOST):
        shown = number.quantize(Decimal(1).scaleb(-places), context=_EXACT)
        if all((shown > bar) - (shown < bar) == (number > bar) - (number < bar) for bar in bars):
            return _trimmed(shown)
    return f"{number:f}"


def _trimmed(number: Decimal) -> str:
    text = f"{number:,f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def share(value: Number | None, bar: Decimal | None = None) -> str:
    """0.88 as 88 %."""
    if value is None:
        return MISSING
    bars = [Decimal(0), Decimal(100), *([] if bar is None else [bar * 100])]
    return f"{beside(exact(value) * 100, bars, 1)} %"


def points(value: Number | None, bar: Decimal | None = None) -> str:
    """A difference of shares in percentage points, with its sign."""
    if value is None:
        return MISSING
    text = beside(exact(value) * 100, [Decimal(0), *([] if bar is None else [bar * 100])], 1)
    return text if text.startswith("-") or text == "0" else f"+{text}"


def milliseconds(value: Number | None, bar: Decimal | None = None) -> str:
    """12,300 ms."""
    return MISSING if value is None else f"{beside(value, [] if bar is None else [bar], 0)} ms"


def dollars(value: Number | None, bar: Decimal | None = None) -> str:
    """0.0833 USD."""
    return MISSING if value is None else f"{beside(value, [Decimal(0), *([] if bar is None else [bar])], 4)} USD"


def score(value: Number | None, bar: Decimal | None = None) -> str:
    """3.4977 under a bar of 3.5 is never 3.5."""
    return MISSING if value is None else beside(value, [] if bar is None else [bar], 2)


def count(number: int, one: str, many: str = "") -> str:
    """1 case, 2 cases."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """The first names, the rest as a number."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
