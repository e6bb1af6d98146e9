"""What a suite can show: the smallest difference n cases detect, and the cases and repeats that a difference needs.

Approximations throughout: figures for planning, never for deciding. Differences are shares (0.05 is five points), two-sided
at `confidence`, found with chance `power`. That plans keep what they promise is shown by benchmarks/statistics/plans.py.
Keeps out prices; the rooms above multiply.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from fairtrial.stats.distributions import bisect, normal_quantile, two_sided_z
from fairtrial.stats.estimate import check_finite, checked_confidence, two_sided
from fairtrial.stats.paired import Counts


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """With what chance a true difference shall be found (`power`), by a two-sided test at `confidence`."""

    power: float = 0.8
    confidence: float = 0.95


class Detectable(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest true difference that n pairs find, as a share; above 1 no difference of rates is large enough."""

    value: float | None
    n: int
    method: str
    reason: str | None = None


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """The variance of one case's difference between two sides, split in two.

    `between` is that of the true differences from case to case, which only more cases average out. `within` is that of
    chance at one trial a side; k trials leave within/k of it. Both in shares squared.
    """

    between: float
    within: float

    def of_case(self, trials: float) -> float:
        """The variance of a case's difference at that many trials a side."""
        return self.between + self.within / trials


PLANNED = Aim()

_BEYOND = 1e3
"""A difference far above any of rates; where even that takes more pairs than there are, none is found."""

ASSUMED = Spread(between=0.01, within=0.213)
"""Without a pilot: case rates on both sides follow Beta(1.6, 0.4), mean 0.8, and the true differences vary by 10 points (sd)."""


def detectable_difference(differences: Sequence[float], trials: float = math.inf, aim: Aim = PLANNED) -> Detectable:
    """The difference for which `cases_needed` asks for just as many pairs as there are, v being the variance of those seen.

    `trials` is how often a case was tried on each side; without it the half step that whole trials cost is left out.
    """
    n = len(differences)
    method = f"sign flips, normal approximation, power {aim.power:g}, {aim.confidence:g} two-sided"
    check_finite(differences)
    if n < 2:
        return Detectable(value=None, n=n, method=method, reason=f"a spread needs two pairs, here {n}")
    if min(differences) == max(differences):
        reason = f"all {n} pairs differ by the same, so the spread of differences is not known"
        return Detectable(value=None, n=n, method=method, reason=reason)
    mean = math.fsum(differences) / n
    variance = math.fsum((d - mean) ** 2 for d in differences) / (n - 1)
    if _needed(variance, trials, _BEYOND, aim) > n:
        return Detectable(value=None, n=n, method=method, reason=f"{n} pairs are too few to find any difference")
    found = bisect(lambda difference: _needed(variance, trials, difference, aim) > n, 1e-9, _BEYOND)
    return Detectable(value=found, n=n, method=method)


def cases_needed(spread: Spread, trials: int, difference: float, aim: Aim = PLANNED) -> int:
    """How many cases, each tried `trials` times on both sides, detect a true mean difference d (at most 1) of that size.

    n = ((z_{1-α/2}·√(v + d²) + z_power·√v) / d)² + 1/(trials·d), at least 2, with v the variance of a case's difference: the
    formula of `mcnemar_pairs` carried over to case rates, for under sign flips the variance is v + d². The last term is
    half a step of the sum, since an exact test of whole trials cannot use its level up.
    """
    if trials < 1 or not 0.0 < abs(difference) <= 1.0:
        raise ValueError(f"trials are 1 or more and the difference is not 0, at most 1: {trials!r}, {difference!r}")
    return max(2, math.ceil(round(_needed(spread.of_case(trials), trials, abs(difference), aim), 6)))


def smallest_found(spread: Spread, cases: int, trials: int, aim: Aim = PLANNED) -> float | None:
    """The smallest true difference that so many cases and trials detect: `cases_needed` turned round; None where 1 is too small."""
    variance = spread.of_case(trials)
    if cases < 2 or _needed(variance, trials, 1.0, aim) > cases:
        return None
    return bisect(lambda difference: _needed(variance, trials, difference, aim) > cases, 1e-9, 1.0)


def _needed(variance: float, trials: float, difference: float, aim: Aim) -> float:
    outer, inner = _quantiles(aim)
    root = outer * math.sqrt(variance + difference**2) + inner * math.sqrt(variance)
    return (root / difference) ** 2 + 1.0 / (trials * difference)


def cases_not_worse(spread: Spread, trials: int, margin: float, aim: Aim = PLANNED) -> int:
    """How many cases show with chance `power` that the new side is not worse by `margin` (above 0) or more, if truly it is equal.

    The lower bound of the difference, one-sided at `confidence`, lies above -margin: n = ((z_{1-α} + z_power)/margin)²·v +
    z²_{1-α}/2 + 1/(trials·margin): the second term for Student's t in place of z (Guenther 1981), the last, half a step as in
    `cases_needed`, because the interval is moved out where few pairs differ.
    """
    if margin <= 0.0:
        raise ValueError(f"a margin is above 0, not {margin!r}")
    return max(2, math.ceil(round(_needed_for_margin(spread, trials, margin, aim), 6)))


def smallest_margin(spread: Spread, cases: int, trials: int, aim: Aim = PLANNED) -> float | None:
    """The smallest margin that so many cases and trials show the new side to stay within, if truly it is equal; None above 1."""
    if cases < 2 or _needed_for_margin(spread, trials, 1.0, aim) > cases:
        return None
    return bisect(lambda margin: _needed_for_margin(spread, trials, margin, aim) > cases, 1e-9, 1.0)


def _needed_for_margin(spread: Spread, trials: int, margin: float, aim: Aim) -> float:
    outer, inner = _quantiles(_one_sided(aim))
    return ((outer + inner) / margin) ** 2 * spread.of_case(trials) + outer * outer / 2.0 + 1.0 / (trials * margin)


def cases_for_none(bound: float, confidence: float = 0.95) -> int:
    """How many independent cases without an event bound its rate by `bound` (0 to 1), one-sided: 99 for 0.03 at 0.95."""
    if not 0.0 < bound < 1.0:
        raise ValueError(f"a bound on a rate lies between 0 and 1, not {bound!r}")
    return max(1, math.ceil(round(math.log1p(-checked_confidence(confidence)) / math.log1p(-bound), 9)))


def mcnemar_pairs(discordance: float, difference: float, aim: Aim = PLANNED) -> int:
    """How many cases with one trial a side McNemar's test needs: `discordance` q of them flip, with net change d.

    n = ((z_{1-α/2}·√q + z_power·√(q - d²)) / d)² (Miettinen 1968; Connor 1987), |d| <= q.
    """
    if not 0.0 < abs(difference) <= discordance <= 1.0:
        raise ValueError(f"0 < |difference| <= discordance <= 1, not {difference!r} and {discordance!r}")
    outer, inner = _quantiles(aim)
    root = outer * math.sqrt(discordance) + inner * math.sqrt(discordance - difference**2)
    # Rounded first, so that a count that is whole but for the last bits does not become one more.
    return math.ceil(round((root / difference) ** 2, 6))


def observed_spread(base: Counts, new: Counts) -> Spread | None:
    """The two parts of the variance from (passed, tried) of both sides, by moments; None where they cannot be told apart.

    within = mean of p(1-p)·k/(k-1) of both sides, over cases with two trials or more on each side; between = variance
    of the case differences less the share that chance explains, not below 0. Needs two such cases.
    """
    pairs = [(a, b) for a, b in zip(base, new, strict=True) if min(a[1], b[1]) >= 2]
    if len(pairs) < 2:
        return None
    differences = [b[0] / b[1] - a[0] / a[1] for a, b in pairs]
    mean = math.fsum(differences) / len(pairs)
    total = math.fsum((d - mean) ** 2 for d in differences) / (len(pairs) - 1)
    by_chance = math.fsum(_chance(*a) / a[1] + _chance(*b) / b[1] for a, b in pairs) / len(pairs)
    within = math.fsum(_chance(*a) + _chance(*b) for a, b in pairs) / len(pairs)
    return Spread(between=max(0.0, total - by_chance), within=within)


def one_side_spread(counts: Counts, between: float) -> Spread | None:
    """The spread if both sides were like this one: its own chance twice, and `between` as assumed. None below two such cases."""
    tried = [pair for pair in counts if pair[1] >= 2]
    if len(tried) < 2:
        return None
    return Spread(between=between, within=2.0 * math.fsum(_chance(*pair) for pair in tried) / len(tried))


def _chance(passed: int, tried: int) -> float:
    return passed * (tried - passed) / (tried * (tried - 1))


def _one_sided(aim: Aim) -> Aim:
    return msgspec.structs.replace(aim, confidence=two_sided(aim.confidence))


def _quantiles(aim: Aim) -> tuple[float, float]:
    if not 0.5 <= aim.power < 1.0:
        raise ValueError(f"power is a number from 0.5 to below 1, not {aim.power!r}")
    return two_sided_z(checked_confidence(aim.confidence)), normal_quantile(aim.power)
