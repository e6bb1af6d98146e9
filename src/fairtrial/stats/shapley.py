"""What each member of a team adds, averaged over every order in which the team could have been put together.

Exact: the worth of all 2^r coalitions is asked for, none is drawn, and the shares add up to what the whole team makes more
than none of it. Keeps out what a coalition is and how it was tried; the members are names, the worths numbers a case.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec.structs import replace

from fairtrial.stats.bootstrap import STANDARD, Resampling, mean_by_bootstrap
from fairtrial.stats.clusters import Clusters
from fairtrial.stats.estimate import Estimate, check_finite
from fairtrial.stats.paired import widened_for_few

Coalition = frozenset[str]

MOST = 6
"""Members at most: six ask for 64 coalitions, each of them to be tried at every case."""


def coalitions(members: Sequence[str]) -> list[Coalition]:
    """Every coalition of the members, the empty one first, smaller before larger: what has to be tried, 2^r of them.

    ValueError for no member, for more than `MOST`, or for a name that is there twice.
    """
    names = _checked(members)
    return [frozenset(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size)]


def shapley(worth: Mapping[Coalition, float], members: Sequence[str]) -> dict[str, float]:
    """Each member's share in worth[all] - worth[none] (Shapley 1953), in the unit of the worths.

    The mean over all orders of what the member adds to those before it: over coalitions S without it, the sum of
    |S|!(r-|S|-1)!/r! · (worth[S with it] - worth[S]). A coalition without a worth raises ValueError: a share over the
    others would be another figure.
    """
    names = _checked(members)
    wanted = coalitions(names)
    missing = [sorted(coalition) for coalition in wanted if coalition not in worth]
    if missing:
        raise ValueError(f"{len(missing)} of {len(wanted)} coalitions have no worth, among them {missing[0]!r}")
    check_finite(worth[coalition] for coalition in wanted)
    return {
        name: math.fsum(weight * (worth[before | {name}] - worth[before]) for before, weight in _before(name, names))
        for name in names
    }  # fmt: skip


def shapley_intervals(
    worths: Mapping[Coalition, Sequence[float]], members: Sequence[str], clusters: Clusters = None, how: Resampling = STANDARD
) -> dict[str, Estimate]:
    """Each member's share as the mean over cases, with an interval by drawing the cases again (whole clusters).

    `worths` holds for each of the 2^r coalitions one share of success a case (0 to 1), every one in the same order of
    cases; `n` of an estimate counts the independent cases. The share of the mean is the mean of the cases' own shares,
    so each case is worked out once and then drawn. Where few cases differ from the commonest share (a useless member
    adds 0 at nearly all), the ends move out to Tango's, so no interval has zero width.
    """
    names = _checked(members)
    found = {}
    for name, shares in _shares_by_case(worths, names).items():
        drawn = mean_by_bootstrap(shares, clusters, how)
        bounds = drawn.low, drawn.high
        low, high, widened = widened_for_few(shares, bounds, 2 ** (len(names) - 1), how.confidence, clusters)
        method = f"{drawn.method}, widened to Tango's score interval (few differences)"
        found[name] = replace(drawn, low=low, high=high, method=method, reason=None) if widened else drawn
    return found


def _shares_by_case(worths: Mapping[Coalition, Sequence[float]], names: Sequence[str]) -> dict[str, list[float]]:
    lengths = {len(row) for row in worths.values()}
    if len(lengths) > 1:
        raise ValueError(f"every coalition has one worth a case, in the same order: the lengths differ, {sorted(lengths)!r}")
    outside = [value for row in worths.values() for value in row if not 0.0 <= value <= 1.0]
    if outside:
        raise ValueError(f"the worth of a coalition at a case is a share, 0 to 1, not {outside[0]!r}")
    cases = range(lengths.pop() if lengths else 0)
    alone = [shapley({coalition: row[case] for coalition, row in worths.items()}, names) for case in cases]
    # Rounded, so that what differs by the last bits of a sum alone is the same share, and 0 is 0.
    return {name: [round(shares[name], 12) + 0.0 for shares in alone] for name in names}


def _before(name: str, names: Sequence[str]) -> Iterator[tuple[Coalition, float]]:
    """(coalition without `name`, the share of all orders in which exactly it comes before `name`)."""
    others = [other for other in names if other != name]
    for size in range(len(names)):
        weight = 1.0 / (len(names) * math.comb(len(others), size))
        for chosen in combinations(others, size):
            yield frozenset(chosen), weight


def _checked(members: Sequence[str]) -> list[str]:
    names = list(members)
    if not 1 <= len(names) <= MOST or len(set(names)) < len(names):
        raise ValueError(f"1 to {MOST} different members, not {names!r}")
    return names
