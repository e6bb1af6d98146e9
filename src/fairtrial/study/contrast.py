"""The difference between two sides over their shared cases: how large, how sure, and how far UNKNOWN could move it.

One function gives the figure and its interval together, so that they are always of one estimator. What the difference
means (better, worse, cannot tell) is decided here too, from the same object; the sentence is written in wording.py.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.report import Difference
from fairtrial.stats import paired, permutation, power

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from fairtrial.study.lane import Lane

CONFIDENCE = 0.95
ALPHA = 0.05
EVEN = 0.02
"""Shares of undecided trials that differ by no more than this count as equal."""
FEWEST = 6
"""Independent cases below which no difference can be told from chance at 0.05: five that all move one way are p = 2 / 2^5."""

Rows = tuple[list[int], list[int]]
"""The rows of the shared cases, in one order: of the base, of the new side."""


Passes = list[tuple[int, int]]


class Bound(msgspec.Struct, frozen=True):
    """The difference with its interval and test, were every undecided trial to come out one way."""

    value: float
    low: float
    high: float
    p_value: float


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """`base` and `new` are mean success rates over the pairs with run trials on both sides.

    `against` and `favour` are what it comes to were every UNKNOWN and unrun trial counted against the new side, or for it, and
    `least` and `most` their values;
    `undecided` is their number on each side, of which `not_run` were never run, `decided` that of the others. `independent` are
    the pairs, those of one cluster counted once.
    """

    base: float | None
    new: float | None
    difference: Difference
    p_value: float | None
    test: str
    detectable: float | None
    least: float | None
    most: float | None
    against: Bound | None
    favour: Bound | None
    undecided: tuple[int, int]
    not_run: tuple[int, int]
    decided: tuple[int, int]
    independent: int
    reasons: dict[str, str]
    alike: tuple[Bound, ...] = ()
    """What it comes to were every undecided trial of both sides to pass, or none of them to."""
    anytime: bool = False
    """The interval decides alone, for it holds however often it was looked at (lookedat.py)."""


def contrast(base: Lane, new: Lane, rows: Rows) -> Contrast:
    """Lay the new side beside the base, case by case."""
    counts = base.passes(rows[0]), new.passes(rows[1])
    clusters = clusters_of(base, new, rows)
    found = paired.paired_rates(*counts, CONFIDENCE, clusters)
    flips = permutation.sign_flip_rates(*counts, clusters)
    detectable = _detectable(counts, found.n)
    both = paired.tried_on_both(*counts)
    sums = base.sums(rows[0]), new.sums(rows[1])
    undecided = sums[0].open, sums[1].open
    against = _bound(base.settled(rows[0], passed=True), new.settled(rows[1], passed=False), clusters)
    favour, alike = against, []
    if any(undecided):
        favour = _bound(base.settled(rows[0], passed=False), new.settled(rows[1], passed=True), clusters)
        alike = [_bound(base.settled(rows[0], passed=way), new.settled(rows[1], passed=way), clusters) for way in (True, False)]
    least, most = (None if bound is None else bound.value for bound in (against, favour))
    told = {"difference": found.reason, "p_value": flips.reason, "detectable": detectable.reason}
    return Contrast(
        base=_mean(counts[0], both),
        new=_mean(counts[1], both),
        difference=Difference(
            value=found.value,
            low=found.low,
            high=found.high,
            method=found.method,
            n=found.pairs,
            worst=least,
            best=most,
        ),
        p_value=flips.p_value,
        test=flips.method,
        detectable=detectable.value,
        least=least,
        most=most,
        against=against,
        favour=favour,
        alike=tuple(bound for bound in alike if bound is not None),
        undecided=undecided,
        not_run=(sums[0].not_run, sums[1].not_run),
        decided=(sums[0].passed + sums[0].failed, sums[1].passed + sums[1].failed),
        independent=found.n,
        reasons={name: reason for name, reason in told.items() if reason},
    )


def clusters_of(base: Lane, new: Lane, rows: Rows) -> list[str | None] | None:
    """The cluster of each pair, from whichever side knows it; None where every case stands alone."""
    one, two = base.clusters(rows[0]), new.clusters(rows[1])
    if one is None or two is None:
        return two if one is None else one
    return [a if a is not None else b for a, b in zip(one, two, strict=True)]


def _detectable(counts: tuple[Passes, Passes], independent: int) -> power.Detectable:
    """What these pairs could have shown; nothing where so few are independent that no test could tell them from chance."""
    tried = [min(a, b) for (_, a), (_, b) in zip(*counts, strict=True) if a and b]
    found = power.detectable_difference(paired.rate_differences(*counts), math.fsum(tried) / len(tried) if tried else math.inf)
    if 0 < independent < FEWEST:
        few = f"no difference can be told from chance on fewer than {FEWEST} independent cases, here {independent}"
        return msgspec.structs.replace(found, value=None, reason=few)
    return found


def checked_margin(margin: float | Decimal | str | None) -> float | None:
    """A loss of success rate that still counts as none, as a share. Raises InputError for what is no share."""
    if margin is None:
        return None
    try:
        share = float(margin)
    except ValueError:
        share = math.nan
    if not 0.0 <= share < 1.0:
        raise InputError("a margin is a share from 0 to below 1", value=str(margin), mend="0.02 means two points")
    return share


def decide(found: Contrast, margin: float | None, *, new_severe: bool = False) -> str:
    """better, not_worse, worse, cannot_tell, or invalid where a side has nothing decided.

    better and worse need an interval on one side of 0 and p below 0.05; not_worse needs a margin that the lower end stays above.
    Each must hold as well were every undecided trial to come out against it, were every one to come out for it, and were all to
    come out alike: a bound is not monotone, for the first trial that goes another way than all the rest makes a spread known that
    was not, and the interval narrower. A new severe failure rules out better and not_worse, and so does a loss that undecided
    trials alone keep open.
    """
    ends = furthest(found)
    p = (0.0 if found.anytime else 1.0) if found.p_value is None else found.p_value
    if not all(found.decided) or ends is None:
        return "invalid"
    least, most = ends
    ways = ways_of(found)
    sure = max(p, *(way.p_value for way in ways)) < ALPHA
    if most < 0 and sure:
        return "worse"
    lost = any(way.high < 0 and way.p_value < ALPHA for way in ways)
    if new_severe or lost:
        return "cannot_tell"
    if least > 0 and sure:
        return "better"
    return "not_worse" if margin is not None and least > -margin else "cannot_tell"


def ways_of(found: Contrast) -> list[Bound]:
    """What the difference comes to in each way in which the undecided trials may come out."""
    return [way for way in (found.against, found.favour, *found.alike) if way is not None]


def furthest(found: Contrast) -> tuple[float, float] | None:
    """The ends of the interval over all these ways; None where there is none."""
    low, high, ways = found.difference.low, found.difference.high, ways_of(found)
    if low is None or high is None or found.against is None or found.favour is None:
        return None
    return min(low, *(way.low for way in ways)), max(high, *(way.high for way in ways))


def uneven(found: Contrast) -> bool:
    """Whether the share of undecided trials, run or not, differs by more than EVEN between the sides: what keeps one side's trials
    from being decided is then no chance, and may be what keeps the other's from failing."""
    shares = [open_ones / (open_ones + decided) for open_ones, decided in zip(found.undecided, found.decided, strict=True) if decided]
    return len(shares) == 2 and abs(shares[0] - shares[1]) > EVEN


def corrected(found: Contrast, p_value: float | None) -> Contrast:
    """The same with its p-value corrected for several looks, and those of its bounds by as much."""
    if p_value is None or not found.p_value:
        return msgspec.structs.replace(found, p_value=p_value)
    times = p_value / found.p_value
    against, favour = (bound and _raised(bound, times) for bound in (found.against, found.favour))
    alike = tuple(_raised(bound, times) for bound in found.alike)
    return msgspec.structs.replace(found, p_value=p_value, against=against, favour=favour, alike=alike)


def _raised(bound: Bound, times: float) -> Bound:
    return msgspec.structs.replace(bound, p_value=min(1.0, bound.p_value * times))


def turned_by_unknown(found: Contrast, margin: float | None) -> bool:
    """Whether the figures alone would decide, and only undecided trials keep them from it."""
    low, high, value, p = found.difference.low, found.difference.high, found.difference.value, found.p_value
    if not any(found.undecided) or low is None or high is None or value is None or p is None:
        return False
    plain = Bound(value, low, high, p)
    return decide(found, margin) == "cannot_tell" != decide(msgspec.structs.replace(found, against=plain, favour=plain, alike=()), margin)


def _mean(counts: Sequence[tuple[int, int]], places: Sequence[int]) -> float | None:
    if not places:
        return None
    return min(1.0, math.fsum(counts[place][0] / counts[place][1] for place in places) / len(places))


def _bound(base: Passes, new: Passes, clusters: list[str | None] | None) -> Bound | None:
    """The difference over all that was planned, each trial of it passed or not."""
    found, flips = paired.paired_rates(base, new, CONFIDENCE, clusters), permutation.sign_flip_rates(base, new, clusters)
    if found.value is None or found.low is None or found.high is None or flips.p_value is None:
        return None
    return Bound(found.value, found.low, found.high, flips.p_value)
