"""The chain of hand-offs: how often each held, their product, and how often all of them held together.

The product is what the chain would do if its links failed independently (0.95³ ≈ 0.857, the first article's line); the joint
share is what was seen. Every case weighs the same, however many of its trials are decided, and intervals are over cases.
UNKNOWN links are counted apart: a missing trace is neither a kept hand-off nor a lost one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairtrial.records.chance import Chain
from fairtrial.records.rate import Rate
from fairtrial.records.report import ChainLink
from fairtrial.stats import independence
from fairtrial.stats.interval import clustered_rate
from fairtrial.stats.paired import mean_difference
from fairtrial.study.codes import FAIL, PASS, UNKNOWN
from fairtrial.study.wording import count, percent, points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.stats.estimate import Estimate
    from fairtrial.study.lane import Lane

TEXTBOOK = "three links that hold at 95 % each would all hold at 85.7 %, if they failed independently: an assumption, not a finding"

Rows = dict[int, list[int]]
"""By row of the case the trials by verdict, as `Counts.handoffs` has them."""


def links(lane: Lane) -> list[ChainLink]:
    """One link a hand-off, with its interval; `n` the decided trials, `unknown` the others."""
    return [_link(name, lane, rows) for name, rows in lane.counts.handoffs.items()]


def product(chain: list[ChainLink]) -> float | None:
    """The product of the links' shares; None without links or where one of them is not known."""
    return independence.chain([link.kept for link in chain])


def joint(lane: Lane) -> float | None:
    """The share of trials, of those where it is decided, in which every hand-off held."""
    rows = sorted(lane.counts.chains)
    return clustered_rate(_held(lane.counts.chains, rows), clusters=lane.clusters(rows)).value


def whole(lane: Lane, chain: list[ChainLink]) -> Chain | None:
    """What was seen of all hand-offs together, beside the product; None where no hand-off is under contract."""
    if not chain:
        return None
    seen, shared = _joint(lane), product(chain)
    alone = None if shared is None else _ends(lane, chain, shared)
    beyond = None if shared is None or seen.value is None else _ends(lane, chain, shared, seen.value)
    found = Chain(
        n=seen.n,
        unknown=sum(row[UNKNOWN] for row in lane.counts.chains.values()),
        cases=seen.cases,
        joint=seen,
        product=shared,
        product_low=None if alone is None or alone.low is None else max(0.0, alone.low),
        product_high=None if alone is None or alone.high is None else min(1.0, alone.high),
        beyond=None if shared is None or seen.value is None else seen.value - shared,
        beyond_low=None if beyond is None else beyond.low,
        beyond_high=None if beyond is None else beyond.high,
        method="" if alone is None else f"{alone.method}, to first order",
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


def _ends(lane: Lane, chain: list[ChainLink], shared: float, seen: float | None = None) -> Estimate:
    """The product of the links, or with `seen` what was seen − the product, with its interval over cases.

    To first order the product moves with each link by the product of the others, so it is a mean over cases.
    """
    tables = [*lane.counts.handoffs.values()]
    places = sorted({row for table in (*tables, lane.counts.chains) for row in table})
    values = [0.0] * len(places)
    for number, (table, link) in enumerate(zip(tables, chain, strict=True)):
        others = math.prod(other.kept or 0.0 for place, other in enumerate(chain) if place != number)
        for place, apart in enumerate(_apart(table, places, link.kept or 0.0)):
            values[place] += others * apart
    if seen is None:
        return mean_difference([shared + value for value in values], clusters=lane.clusters(places))
    joint_apart = _apart(lane.counts.chains, places, seen)
    return mean_difference(
        [seen - shared + own - value for own, value in zip(joint_apart, values, strict=True)], clusters=lane.clusters(places)
    )


def _apart(table: Rows, places: Sequence[int], mean: float) -> list[float]:
    """By case how far its share lies from the mean, weighed so that the cases in which nothing is decided say nothing."""
    decided = sum(1 for row in table.values() if row[PASS] + row[FAIL])
    found = []
    for place in places:
        row = table.get(place, [0, 0, 0, 0])
        tried = row[PASS] + row[FAIL]
        found.append((row[PASS] / tried - mean) * len(places) / decided if tried else 0.0)
    return found


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
