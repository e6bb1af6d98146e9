"""Several attempts at one case: does any of k pass, do all of k pass, and how steady is it?

Counting only, no model of chance: (c/n)^k is not what k real attempts do, and more attempts than were made tell
nothing. Everywhere `counts` holds one pair a case, (passed, tried). Keeps out intervals: interval.mean_share.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import msgspec

Counts = Sequence[tuple[int, int]]


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """How many cases pass in every trial, in some, in none; cases without a trial are in none of the three."""

    always: int
    sometimes: int
    never: int


class Streaks(msgspec.Struct, frozen=True, kw_only=True):
    """The longest run of successes of a case, in attempts: the least, middle and greatest over `cases` cases."""

    min: int
    median: float
    max: int
    cases: int


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Any of k: the chance that k of the n trials, drawn without return, hold a success; c of n passed.

    1 - C(n-c, k)/C(n, k), Chen et al. 2021 (arXiv 2107.03374). None where k > n: it cannot be counted.
    """
    _check(n, c, k)
    if k > n:
        return None
    return (math.comb(n, k) - math.comb(n - c, k)) / math.comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """All of k: the chance that k of the n trials, drawn without return, are all successes; c of n passed.

    C(c, k)/C(n, k), Yao et al. 2024 (arXiv 2406.12045). None where k > n: it cannot be counted.
    """
    _check(n, c, k)
    return None if k > n else math.comb(c, k) / math.comb(n, k)


def suite_pass_at(counts: Counts, up_to: int | None = None) -> dict[int, float]:
    """Any of k, averaged over cases, for every k from 1 to the fewest trials of a case (or `up_to`, if less)."""
    return _suite(counts, up_to, lambda n, c: (1.0 - none for none in _all_drawn(n, n - c)))


def suite_pass_hat(counts: Counts, up_to: int | None = None) -> dict[int, float]:
    """All of k, averaged over cases, for every k from 1 to the fewest trials of a case (or `up_to`, if less)."""
    return _suite(counts, up_to, _all_drawn)


def _suite(counts: Counts, up_to: int | None, series: Callable[[int, int], Iterator[float]]) -> dict[int, float]:
    kinds = Counter(_tried(counts))
    if not kinds:
        return {}
    most = min(n for _, n in kinds)
    most = most if up_to is None else min(most, up_to)
    sums = [0.0] * most
    for (c, n), times in kinds.items():
        for index, part in enumerate(islice(series(n, c), most)):
            sums[index] += times * part
    return {k: min(1.0, total / kinds.total()) for k, total in enumerate(sums, 1)}


def _all_drawn(n: int, c: int) -> Iterator[float]:
    """C(c, k)/C(n, k) for k = 1, 2, … n, each from the one before."""
    share = 1.0
    for drawn in range(n):
        share *= max(0, c - drawn) / (n - drawn)
        yield share


def first_try(attempts: Sequence[Sequence[bool | None]]) -> float | None:
    """The share of cases whose first attempt passed. One sequence a case, in attempt order; None is an attempt not run.

    A case whose first attempt was not run is left out; None where that leaves nothing.
    """
    firsts = [case[0] for case in attempts if case and case[0] is not None]
    return sum(firsts) / len(firsts) if firsts else None


def all_trials(counts: Counts) -> float | None:
    """The share of cases that passed in every trial they had; None without any trial."""
    tried = _tried(counts)
    return sum(c == n for c, n in tried) / len(tried) if tried else None


def longest_streak(attempts: Sequence[Sequence[bool | None]]) -> Streaks | None:
    """The longest run of successes of each case, in attempt order; an attempt not run (None) ends a run.

    None where no case has an attempt that was run.
    """
    runs = sorted(_longest_run(case) for case in attempts if any(passed is not None for passed in case))
    if not runs:
        return None
    half = len(runs) // 2
    median = float(runs[half]) if len(runs) % 2 else (runs[half - 1] + runs[half]) / 2.0
    return Streaks(min=runs[0], median=median, max=runs[-1], cases=len(runs))


def _longest_run(case: Iterable[bool | None]) -> int:
    best = now = 0
    for passed in case:
        now = now + 1 if passed else 0
        best = max(best, now)
    return best


def stability(counts: Counts) -> float | None:
    """The mean over cases with two trials or more of 1 - 2·|p - round(p)|, p = passed ÷ tried; None without such a case.

    1 is always the same, 0 a coin toss. A steady failure is stable too, so it is never shown without the rate.
    """
    parts = [1.0 - 2.0 * min(c, n - c) / n for c, n in _tried(counts) if n >= 2]
    return math.fsum(parts) / len(parts) if parts else None


def shape(counts: Counts) -> Shape:
    """How many cases always, sometimes and never pass."""
    tried = _tried(counts)
    always = sum(c == n for c, n in tried)
    never = sum(c == 0 for c, n in tried)
    return Shape(always=always, sometimes=len(tried) - always - never, never=never)


def _tried(counts: Counts) -> list[tuple[int, int]]:
    for c, n in counts:
        _check(n, c, 1)
    return [(c, n) for c, n in counts if n]


def _check(n: int, c: int, k: int) -> None:
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"0 <= passed <= tried and k >= 1, not passed {c!r}, tried {n!r}, k {k!r}")
