"""Fisher's exact test of one case that was tried several times on two sides. Kept out: many cases at once (permutation.py)."""

from __future__ import annotations

import math


def fisher(base: tuple[int, int], new: tuple[int, int]) -> float:
    """The two-sided p-value of (passed, tried) on both sides, were both to pass equally often.

    The sum over all tables with the same margins that are no likelier than the one seen, in whole numbers throughout. Raises
    ValueError where a side passed more often than it was tried.
    """
    if not all(0 <= passed <= tried for passed, tried in (base, new)):
        raise ValueError("passed is a count from 0 to tried")
    passed, tried = base[0] + new[0], base[1] + new[1]
    ways = [math.comb(base[1], at) * math.comb(new[1], passed - at) for at in range(max(0, passed - new[1]), min(base[1], passed) + 1)]
    seen = math.comb(base[1], base[0]) * math.comb(new[1], new[0])
    return sum(way for way in ways if way <= seen) / math.comb(tried, passed)
