"""The chain of hand-offs: how often each held, their product, and how often all of them held together.

The product is what the chain would do if its links failed independently (0.95³ = 0.857); the joint share is what was seen.
UNKNOWN links are counted apart: a missing trace is neither a kept hand-off nor a lost one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairtrial.records.report import ChainLink
from fairtrial.study.lane import FAIL, PASS, UNKNOWN

if TYPE_CHECKING:
    from fairtrial.study.lane import Lane


def links(lane: Lane) -> list[ChainLink]:
    """One link a hand-off: `kept` is held ÷ decided, `n` the decided trials, `unknown` the others."""
    return [
        ChainLink(handoff=name, kept=_share(row), n=row[PASS] + row[FAIL], unknown=row[UNKNOWN])
        for name, row in lane.counts.handoffs.items()
    ]


def product(chain: list[ChainLink]) -> float | None:
    """The product of the links' shares; None without links or where one of them is not known."""
    shares = [link.kept for link in chain if link.kept is not None]
    return math.prod(shares) if chain and len(shares) == len(chain) else None


def joint(lane: Lane) -> float | None:
    """The share of trials, of those where it is decided, in which every hand-off held."""
    return _share(lane.counts.chains)


def _share(row: list[int]) -> float | None:
    decided = row[PASS] + row[FAIL]
    return row[PASS] / decided if decided else None
