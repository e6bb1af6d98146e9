"""The chain of hand-offs: how often each held, their product, and how often all of them held together.

The product is what the chain would do if its links failed independently (0.95³ ≈ 0.857, the first article's line); the joint
share is what was seen. Every case weighs the same, however many of its trials are decided, and intervals are over cases.
UNKNOWN links are counted apart: a missing trace is neither a kept hand-off nor a lost one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairtrial.records.report import Chain, ChainLink, Rate
from fairtrial.stats.bootstrap import Resampling, cluster_bootstrap
from fairtrial.stats.interval import clustered_rate
from fairtrial.study.lane import FAIL, PASS, UNKNOWN
from fairtrial.study.wording import count, percent, points

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from fairtrial.stats.estimate import Estimate
    from fairtrial.study.lane import Lane

RESAMPLES = 1_000
TEXTBOOK = "three links that hold at 95 % each would all hold at 85.7 %, if they failed independently: an assumption, not a finding"

Rows = dict[int, list[int]]
"""By row of the case the trials by verdict, as `Counts.handoffs` has them."""


def links(lane: Lane) -> list[ChainLink]:
    """One link a hand-off, with its interval; `n` the decided trials, `unknown` the others."""
    return [_link(name, lane, rows) for name, rows in lane.counts.handoffs.items()]


def product(chain: list[ChainLink]) -> float | None:
    """The product of the links' shares; None without links or where one of them is not known."""
    shares = [link.kept for link in chain if link.kept is not None]
    return math.prod(shares) if chain and len(shares) == len(chain) else None


def joint(lane: Lane) -> float | None:
    """The share of trials, of those where it is decided, in which every hand-off held."""
    rows = sorted(lane.counts.chains)
    return clustered_rate(_held(lane.counts.chains, rows), clusters=lane.clusters(rows)).value


def whole(lane: Lane, chain: list[ChainLink]) -> Chain | None:
    """What was seen of all hand-offs together, beside the product; None where no hand-off is under contract."""
    if not chain:
        return None
    seen, shared = _joint(lane), product(chain)
    ends = _drawn(lane, apart=False), _drawn(lane, apart=True)
    beyond = None if shared is None or seen.value is None else seen.value - shared
    found = Chain(
        n=seen.n,
        unknown=sum(row[UNKNOWN] for row in lane.counts.chains.values()),
        cases=seen.cases,
        joint=seen,
        product=shared,
        product_low=ends[0].low if shared is not None else None,
        product_high=ends[0].high if shared is not None else None,
        beyond=beyond,
        beyond_low=ends[1].low if beyond is not None else None,
        beyond_high=ends[1].high if beyond is not None else None,
        method=ends[0].method,
        says="",
        textbook=TEXTBOOK,
    )
    found.says = _says(found, len(chain))
    return found


def _link(name: str, lane: Lane, rows: Rows) -> ChainLink:
    places = sorted(rows)
    rate = clustered_rate(_held(rows, places), clusters=lane.clusters(places))
    unknown = sum(row[UNKNOWN] for row in rows.values())
    return ChainLink(handoff=name, kept=rate.value, n=rate.n, unknown=unknown, low=rate.low, high=rate.high, cases=rate.cases)


def _held(rows: Rows, places: Sequence[int]) -> list[tuple[int, int]]:
    """(held, decided) by case."""
    return [(rows[place][PASS], rows[place][PASS] + rows[place][FAIL]) for place in places]


def _joint(lane: Lane) -> Rate:
    chains = lane.counts.chains
    places = sorted(chains)
    rate = clustered_rate(_held(chains, places), clusters=lane.clusters(places))
    worst, best = (
        clustered_rate([(chains[place][PASS] + extra * chains[place][UNKNOWN], sum(chains[place])) for place in places]).value
        for extra in (0, 1)
    )
    return Rate(value=rate.value, low=rate.low, high=rate.high, n=rate.n, cases=rate.cases, method=rate.method, worst=worst, best=best)


def _drawn(lane: Lane, *, apart: bool) -> Estimate:
    """The product of the links, or with `apart` joint − product, with its interval: cases are drawn again, whole."""
    tables = [*lane.counts.handoffs.values(), lane.counts.chains]
    places = sorted({row for table in tables for row in table})
    shares = _shares(tables, places)

    def figure(picked: NDArray[np.intp]) -> float | None:
        import numpy as np

        drawn = shares[:, picked]
        known = ~np.isnan(drawn)
        if not known.any(axis=1).all():
            return None
        means = np.where(known, drawn, 0.0).sum(axis=1) / known.sum(axis=1)
        expected = float(means[:-1].prod())
        return float(means[-1]) - expected if apart else expected

    return cluster_bootstrap(figure, len(places), lane.clusters(places), Resampling(resamples=RESAMPLES))


def _shares(tables: Sequence[Mapping[int, list[int]]], places: Sequence[int]) -> NDArray[np.float64]:
    """Held ÷ decided, one row a table and one column a case; NaN, which stays in this file, where nothing is decided."""
    import numpy as np

    held = np.array([[table.get(place, [0, 0, 0, 0])[PASS] for place in places] for table in tables], dtype=float)
    lost = np.array([[table.get(place, [0, 0, 0, 0])[FAIL] for place in places] for table in tables], dtype=float)
    shares = np.full(held.shape, math.nan)
    np.divide(held, held + lost, out=shares, where=held + lost > 0)
    return shares


def _says(found: Chain, number: int) -> str:
    """What was seen beside what independence would give, and whether the two can be told apart."""
    if found.joint.value is None or found.product is None or found.beyond is None:
        return "a hand-off was never decided, so nothing can be said of the whole chain"
    seen = f"all {number} hand-offs held together in {percent(found.joint.value)} of {count(found.n, 'trial')}"
    told = f"{seen}; their product is {percent(found.product)}, which is what links that fail independently would give"
    if number < 2:
        return f"the one hand-off held in {percent(found.joint.value)} of {count(found.n, 'trial')}"
    if found.beyond_low is None or found.beyond_high is None:
        return told
    ends = f"{points(found.beyond)} points, 95 % interval {points(found.beyond_low)} to {points(found.beyond_high)}"
    if found.beyond_low > 0:
        return f"{told}; they fail together, not independently ({ends})"
    if found.beyond_high < 0:
        return f"{told}; they fail one at a time, more often than independent links would ({ends})"
    return f"{told}; the two cannot be told apart here ({ends})"
