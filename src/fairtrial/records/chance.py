"""What was counted beside what independence would give: all hand-offs of a chain, and several attempts at a case.

The line of independence is an assumption, never a finding; it stands beside the counted figure, not in its place.
"""

from __future__ import annotations

import msgspec

from fairtrial.records.rate import Rate


class Chain(msgspec.Struct, kw_only=True):
    """All hand-offs of a setup together. `n` trials of `cases` cases in which it is decided whether all held.

    `joint` is what was seen; its `worst` and `best` count the `unknown` trials as lost and as held. `product` assumes that links
    fail independently. `beyond` is joint − product. `says` puts it in a sentence; `textbook` is the first article's line.
    """

    n: int
    unknown: int
    cases: int
    joint: Rate
    product: float | None
    product_low: float | None
    product_high: float | None
    beyond: float | None
    beyond_low: float | None
    beyond_high: float | None
    method: str
    says: str
    textbook: str


class Attempts(msgspec.Struct, kw_only=True):
    """k attempts at a case: any of them passes (`at`), all of them pass (`hat`).

    `pass_at` and `pass_hat` are counted, mean over cases; `line_at` and `line_hat` are what attempts at the mean rate `rate` would
    give if they were independent and all cases alike. `beyond` is counted − line of all of k, with its interval over cases.
    """

    k: int
    rate: float
    pass_at: float
    pass_hat: float
    line_at: float
    line_hat: float
    beyond: float
    beyond_low: float | None
    beyond_high: float | None
    method: str
    says: str
    reason: str | None = None
    """Why the difference has no interval."""
