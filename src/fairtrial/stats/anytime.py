"""A rule that may be looked at after every pair: bets against "the true mean is no higher than m", on values in [-1, 1].

The bettor begins with 1 and stakes, before each value x is seen, the share g of what is left on x lying above m:

    K_t(m) = mean over g of  prod_{s<=t} (1 + g · (x_s - m) / (1 + m))

(Waudby-Smith and Ramdas, arXiv 2010.09686, section 4 and its diversified Kelly bets: several fixed stakes side by side, in
place of a single one that is plugged in). A factor is never negative, and its mean is at most 1 where the mean of x, given all
that was bet before, is at most m; so K_t(m) is a supermartingale, and by Ville's inequality it ever reaches 2/α with chance α/2
at most, whenever one looks and however one decides to stop. Two bettors, one for each side, leave α.

**What a value must be.** Given the values before it, the mean of the next must be the mean in question. Single trials are not
so: a second trial of a case is more of the same case, and knows its mean better than the population's. So one value is one
case, all of its trials on both sides together: the difference of its two success rates. Cases come in an order drawn before
the first of them is tried (it must not be their order in a file, nor the order in which they happen to finish), so that each
is as good as a fresh draw from the cases that the suite stands for. Then nothing is asked of how far cases differ, of how
repeats hang together, or of either side's variance. Values that end up between two bounds (a trial nobody could judge) are bet
on by the worse bound for the side that bets, which can only hold a decision back.

K_t(m) falls in m, so the bars that it has not yet cleared are an interval; and it does not depend on the order of the values,
only on which they are. Keeps out what a case is, and who is tried.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from fairtrial.stats.distributions import bisect
from fairtrial.stats.estimate import checked_confidence

STAKES = (0.2, 0.4, 0.6, 0.8, 0.95)
"""Shares of the capital staked side by side. The small ones win where differences vary, the large ones where they are steady."""
METHOD = "betting confidence sequence on case differences"


class Bet:
    """The logarithm of the capital against "the mean is at most `bar`", -1 < bar < 1; a value costs the same however many came before."""

    def __init__(self, bar: float = 0.0) -> None:
        self.bar = bar
        self._logs = [0.0] * len(STAKES)

    def add(self, value: float, times: int = 1) -> None:
        """Settle the bet on one value in [-1, 1], or on several that are equal."""
        gain = (value - self.bar) / (1.0 + self.bar)
        self._logs = [log + times * math.log1p(stake * gain) for log, stake in zip(self._logs, STAKES, strict=True)]

    @property
    def log_capital(self) -> float:
        """0 at the start."""
        most = max(self._logs)
        return most + math.log(math.fsum(math.exp(log - most) for log in self._logs) / len(self._logs))


class Race:
    """The two or three bets of a paired comparison, settled case by case: is new better, worse, not worse than a margin?"""

    def __init__(self, level: float = 0.95, margin: float | None = None) -> None:
        self.needed = math.log(2.0 / (1.0 - checked_confidence(level)))
        self.looks = 0
        self._better, self._worse = Bet(), Bet()
        self._safe = None if margin is None else Bet(-margin)

    def add(self, low: float, high: float) -> str | None:
        """One case: its difference, new minus base, lies between `low` and `high`. What can now be said, None for nothing yet.

        Raises ValueError for bounds that are no bounds of a difference of rates.
        """
        if not -1.0 <= low <= high <= 1.0:
            raise ValueError(f"-1 <= low <= high <= 1, not {low!r} and {high!r}")
        self.looks += 1
        self._better.add(low)
        self._worse.add(-high)
        if self._safe is not None:
            self._safe.add(low)
        return self._said()

    def _said(self) -> str | None:
        if self._better.log_capital >= self.needed:
            return "better"
        if self._worse.log_capital >= self.needed:
            return "worse"
        return "not_worse" if self._safe is not None and self._safe.log_capital >= self.needed else None


def least_decided(values: int, level: float = 0.95) -> float | None:
    """The smallest difference that so many values decide where all of them are alike; None where even a difference of 1 is not decided.

    What differs from case to case, or from trial to trial, takes more.
    """
    needed = math.log(2.0 / (1.0 - checked_confidence(level)))
    if _log_capital(Counter({1.0: values}), 0.0) < needed:
        return None
    return bisect(lambda value: _log_capital(Counter({value: values}), 0.0) < needed, 0.0, 1.0)


def mean_bounds(lows: Sequence[float], highs: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """The interval for the mean that holds at this and every other look together; `lows` and `highs` bound each value.

    It is never empty and holds the mean of any values between the bounds. Without a value it is all of [-1, 1].
    """
    needed = math.log(2.0 / (1.0 - checked_confidence(level)))
    return _lower(lows, needed), -_lower([-high for high in highs], needed)


def _lower(values: Sequence[float], needed: float) -> float:
    """The highest bar that the values have cleared; -1 where they cleared none."""
    counted = Counter(values)
    if not counted:
        return -1.0
    mean = math.fsum(values) / len(values)
    return bisect(lambda bar: _log_capital(counted, bar) >= needed, -1.0, mean) if mean > -1.0 else -1.0


def _log_capital(counted: Counter[float], bar: float) -> float:
    bet = Bet(bar)
    for value, times in counted.items():
        bet.add(value, times)
    return bet.log_capital
