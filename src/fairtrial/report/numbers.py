"""How a number is written for people, so that what is shown is what was decided.

Rounding never crosses 0, 100 % or a bar: where the usual digits would, more are shown, and where even those would not do,
`<` or `>` says on which side of it the number lies. What cannot be had is `–`, never 0. Kept out: which numbers there are.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MISSING = "–"
MOST_DIGITS = 4
"""Decimals shown at the very most; beyond them `<` or `>` takes over: `<100%`, `>0%`."""
_EXACT = Context(prec=60, rounding=ROUND_HALF_EVEN)

_NOISE = Decimal("1e-13")

Number = int | float | Decimal


def exact(value: Number) -> Decimal:
    """The number as it is written: 0.1 is 0.1, not the double beside it."""
    return value if isinstance(value, Decimal) else Decimal(repr(value))


def fixed(value: Number, digits: int) -> Decimal:
    """Rounded to `digits` decimals, half to even."""
    return exact(value).quantize(Decimal(1).scaleb(-digits), context=_EXACT)


def apart(value: Number, bars: Iterable[Number], digits: int) -> str:
    """`value` with at least `digits` decimals, and with as many more as keep it on its own side of every bar."""
    edges = [exact(bar) for bar in bars]
    number = _settled(value, edges)
    for places in range(digits, max(digits, MOST_DIGITS) + 1):
        shown = fixed(number, places)
        if all(_side(shown, edge) == _side(number, edge) for edge in edges):
            return _plain(shown)
    edge = min(edges, key=lambda edge: abs(edge - number))
    return f"{'>' if number > edge else '<'}{_plain(edge.normalize(_EXACT))}"


def _settled(value: Number, edges: list[Decimal]) -> Decimal:
    """The number, or the edge it means: a double that misses an edge by its own rounding error is that edge."""
    number = exact(value)
    if isinstance(value, float):
        return next((edge for edge in edges if abs(edge - number) < _NOISE * max(abs(edge), Decimal(1))), number)
    return number


def _side(number: Decimal, edge: Decimal) -> int:
    return (number > edge) - (number < edge)


def _plain(number: Decimal) -> str:
    return f"{number:,f}" if number else f"{abs(number):,f}"


def percent(share: Number | None, bar: Number | None = None, digits: int = 1) -> str:
    """A share of 1 as percent: 0.9996 is `99.96%`, never `100.0%`; likewise for `bar`, itself a share."""
    if share is None:
        return MISSING
    bars = [Decimal(0), Decimal(1), *([] if bar is None else [exact(bar)])]
    settled = _settled(share, bars)
    return f"{apart(settled * 100, [edge * 100 for edge in bars], digits)}%"


def points(difference: Number | None) -> str:
    """A difference of two shares in percentage points, with its sign; a true zero has none."""
    if difference is None:
        return MISSING
    value = _settled(difference, [Decimal(0)]) * 100
    text = apart(value, [Decimal(0)], 1).replace("-", "−")
    return f"+{text}" if value > 0 and text[0] != ">" else text


def detect(difference: Number | None) -> str:
    """The difference that was seen, as a share that `plan --detect` takes: to the hundredth, at least 0.01; 0.05 where none was."""
    return f"{max(fixed(abs(exact(difference)), 2), Decimal('0.01')):f}" if difference else "0.05"


def against(value: Number | None, bar: Number, digits: int = 2) -> str:
    """A value beside its bar: 3.4977 under 3.5 never shows as 3.50, and 3.5 never as more."""
    return MISSING if value is None else apart(value, [exact(bar)], digits)


def whole(value: int | None) -> str:
    """A count with thousands apart."""
    return MISSING if value is None else f"{value:,}"


def figure(value: Number | None, digits: int = 3) -> str:
    """Any other figure, to `digits` decimals, trailing zeros dropped; what is not zero never shows as zero."""
    if value is None:
        return MISSING
    text = apart(value, [Decimal(0)], digits)
    return text.rstrip("0").rstrip(".") if "." in text and text[0] not in "<>" else text


def mark(value: Number | None) -> str:
    """A score from 1 to 5 to two decimals; one below the bar of 3 never shows as 3.00."""
    return MISSING if value is None else apart(value, [Decimal(3)], 2)


def probability(value: Number | None) -> str:
    """A p-value with its sign of equality: `= 0.508`, `< 0.0001`; 1 only where it is 1."""
    if value is None:
        return MISSING
    number = exact(value)
    if 0 < number < Decimal("0.0001"):
        return "< 0.0001"
    text = apart(number, [Decimal(0), Decimal(1)], 3 if number >= Decimal("0.01") else 4)
    return f"= {text.rstrip('0').rstrip('.')}" if text[0] not in "<>" else f"{text[0]} {text[1:]}"


def money(amount: Decimal | None) -> str:
    """US dollars: exact where five significant digits do, at least two decimals, and never nothing for something."""
    if amount is None:
        return MISSING
    if not amount:
        return "$0.00"
    digits = max(2, 4 - amount.adjusted())
    text = f"{fixed(amount, digits):,f}"
    head, _, tail = text.partition(".")
    tail = tail.rstrip("0").ljust(2, "0")
    return f"{'−' if head.startswith('-') else ''}${head.lstrip('-')}.{tail}"


def duration(milliseconds: Number | None) -> str:
    """A time that was given in milliseconds, in the unit that reads best: `600 ms`, `12.3 s`, `4 min 05 s`."""
    if milliseconds is None:
        return MISSING
    value = exact(milliseconds)
    if abs(value) < 10_000:
        return f"{apart(value, [Decimal(0)], 0)} ms"
    if abs(value) < 120_000:
        return f"{fixed(value / 1000, 1):f} s"
    minutes, seconds = divmod(int(value / 1000), 60)
    return f"{minutes:,} min {seconds:02d} s"
