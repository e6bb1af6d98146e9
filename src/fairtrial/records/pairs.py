"""Two answers side by side before a judge, always in both orders: what it said of one pair, and what that comes to over all.

Kept out: how a judge is asked (`judges/pairs.py`) and the sums (`study/pairs.py`).
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from fairtrial.records.opinion import Answer
from fairtrial.records.standing import Standing

OUTCOMES = ("base", "new", "tie", "unknown")


class Double(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One model asked once in each order. `ab` is what it said with base shown first, `ba` with new shown first: `first`,
    `second`, `tie`, or `error` where it said nothing that can be used.

    `flag` is `first` or `second` where it named that place both times, whoever stood there; `unsteady` where it named one side in
    one order and a tie in the other. Both are ties: the place decided, not the answer.
    """

    model: str
    repeat: int
    ab: str
    ba: str
    outcome: str
    flag: str = ""


class SideBySide(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a judge says of one pair: the outcome that more than half of its doubles have; `unknown`, and `why`, where none has."""

    outcome: str
    why: str = ""
    doubles: tuple[Double, ...] = ()
    answers: tuple[Answer, ...] = ()
    """Every answer in both orders. Its score says which it named: 1 the first, 0 the second, 0.5 neither."""


class PairCase(msgspec.Struct, frozen=True, kw_only=True):
    """The pairs of one case, by what they came to; `biased` and `unsteady` count doubles."""

    id: str
    base: int = 0
    new: int = 0
    tie: int = 0
    unknown: int = 0
    biased: int = 0
    unsteady: int = 0
    why: str = ""
    """Why the first unknown pair is so."""


class BiasRate(msgspec.Struct, frozen=True, kw_only=True):
    """How often the judge named the same place in both orders, of `n` doubles that can be used; the interval is clustered by case."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    first: int
    second: int


class SignTest(msgspec.Struct, frozen=True, kw_only=True):
    """Cases that have more wins for new, for base, as many for both, and no pair with an outcome; the exact two-sided sign test over
    the first two.

    `worst` is the p-value with every unknown pair counted for the side that is behind.
    """

    new: int
    base: int
    even: int
    unknown: int
    p_value: float | None
    worst: float | None


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """What judging took: calls made now, answers from the cache, and what all of them cost when they were asked."""

    calls: int
    cached: int
    usd: Decimal | None
    input_tokens: int | None
    output_tokens: int | None
    ms: float | None


class PairsReport(msgspec.Struct, kw_only=True):
    """Two setups, or two runs, put side by side before a judge over the cases and attempts that both have.

    `verdict` is `new_better`, `base_better` or `cannot_tell`; of a judge whose `standing` does not count always the last. `left_out`
    are cases that one side lacks or that changed, `unpaired` trials of shared cases without a counterpart. A number that cannot be
    had is None and `reasons` says why.
    """

    base: str
    new: str
    judge: str
    identity: str
    rubric: str
    pairs: int
    base_wins: int
    new_wins: int
    ties: int
    unknown: int
    unsteady: int
    bias: BiasRate
    sign: SignTest
    verdict: str
    says: str
    asking: Asking
    standing: Standing = Standing()
    cases: list[PairCase] = []
    left_out: list[str] = []
    unpaired: int = 0
    notes: list[str] = []
    reasons: dict[str, str] = {}
