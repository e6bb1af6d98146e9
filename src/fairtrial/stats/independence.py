"""What chances would make together if nothing depended on anything: the textbook line beside a figure that was counted.

Every figure here is an assumption, never an estimate, and has no interval: repeats of one case share what makes the case
hard, and a hand-off that lost a fact makes the next one fail too. Show it under `ASSUMPTION` and beside the counted figure
(repeats.suite_pass_at, suite_pass_hat, the joint share of a chain), never in its place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

ASSUMPTION = "assumes that nothing depends on anything else"
"""What a reader must see beside a figure of this file."""


def any_of(rate: float, k: int) -> float:
    """pass@k if attempts were independent and all cases alike: 1 - (1 - rate)^k; 0.992 for k = 3 at 0.8.

    `rate` is a share, 0 to 1, and k is 1 or more; anything else raises ValueError.
    """
    return 1.0 - (1.0 - _share(rate)) ** _attempts(k)


def all_of(rate: float, k: int) -> float:
    """pass^k if attempts were independent and all cases alike: rate^k; 0.512 for k = 3 at 0.8.

    Where cases differ, the truth lies higher: some always pass. `rate` and k as in `any_of`.
    """
    return _share(rate) ** _attempts(k)


def chain(rates: Sequence[float | None]) -> float | None:
    """The chance that every step of a chain holds if none depends on another: the product; three of 0.95 make 0.857.

    None where there is no step or the rate of one is not known (None): a chain is not better for what was not seen.
    """
    known = [_share(rate) for rate in rates if rate is not None]
    return math.prod(known) if known and len(known) == len(rates) else None


def _share(rate: float) -> float:
    if not 0.0 <= rate <= 1.0:
        raise ValueError(f"a rate lies within 0 to 1, not {rate!r}")
    return rate


def _attempts(k: int) -> int:
    if k < 1:
        raise ValueError(f"attempts are 1 or more, not {k!r}")
    return k
