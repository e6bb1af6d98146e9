"""The comparison of the two sides of a run until decided, and a gate on it: what its rule says, and nothing that it does not.

Such a run ended where its own data said so. Tests and intervals for a fixed number of trials do not hold there, so the interval
is the one that holds at every look, there is no p-value, and no part of the suite is tested. It covers the cases that were looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.stats.estimate import two_sided
from fairtrial.study.bounds import Bounded
from fairtrial.study.contrast import Bound
from fairtrial.study.until import every_look, read_until, stopped

if TYPE_CHECKING:
    from fairtrial.records.until import UntilDecided
    from fairtrial.study.comparable import Side
    from fairtrial.study.contrast import Contrast
    from fairtrial.study.pairing import Pairing

NO_PART = "the run was looked at case by case, and no part of it can be tested"
NO_OTHER = "a run that its rule stopped can be held against the other side of that rule alone: run the suite to its end"
NO_TEST = "the run was looked at case by case, and a test for a fixed number of trials does not hold for it"


def looked_at(base: Side, new: Side) -> UntilDecided | None:
    """What the rule came to, where these are the two sides of one run that had one."""
    if base[0].run != new[0].run:
        return None
    found = read_until(base[0])
    return found if found is not None and {found.rule.base, found.rule.new} == {base[1], new[1]} else None


def set_before(found: UntilDecided | None, new: str) -> float | None:
    """The margin that the rule was given for `new`, where there is one."""
    return found.rule.margin if found is not None and new == found.rule.new else None


def up_to(pairing: Pairing, looks: int) -> Pairing:
    """The cases that were looked at; all of them where none was yet."""
    if not looks:
        return pairing
    return msgspec.structs.replace(
        pairing, cases=pairing.cases[:looks], base_rows=pairing.base_rows[:looks], new_rows=pairing.new_rows[:looks]
    )


def at_every_look(laid: Contrast, found: UntilDecided, new: str) -> Contrast:
    """The contrast with the interval that holds at every look, however its undecided trials come out; `new` is the setup that it is
    laid for."""
    low, high = (found.low, found.high) if new == found.rule.new else (-found.high, -found.low)
    least, most = (bound and Bound(bound.value, low, high, 0.0) for bound in (laid.against, laid.favour))
    return msgspec.structs.replace(
        laid,
        difference=msgspec.structs.replace(laid.difference, low=low, high=high, method=found.method),
        p_value=None,
        test="",
        detectable=None,
        anytime=True,
        against=least,
        favour=most,
        alike=(),
        reasons={**laid.reasons, "p_value": NO_TEST, "detectable": NO_TEST},
    )


def at_the_gate(plain: Bounded, base: Side, new: Side, confidence: float, *, whole: bool) -> Bounded:
    """A difference as a gate may read it: `plain` where neither run had its end chosen by its results. `whole`: of all cases.

    Between the two sides of a rule the bounds are those that hold at every look, over the cases that were looked at. Of a part
    of them, and of a stopped run against any other, there are none.
    """
    found = looked_at(base, new)
    if found is None and not any(stopped(table) for table, _ in (base, new)):
        return plain
    if found is None or not whole:
        return msgspec.structs.replace(plain, low=None, high=None, reason=NO_PART if found else NO_OTHER)
    low, high = every_look(base[0], found.rule, two_sided(confidence))
    value, lane = found.value, new[0].lanes[new[1]]
    if new[1] != found.rule.new:
        value, low, high = None if value is None else -value, -high, -low
    tried = sum(map(lane.run, range(found.looks)))
    return Bounded(value=value, low=low, high=high, n=tried, cases=found.looks, undecided=sum(found.unknown))
