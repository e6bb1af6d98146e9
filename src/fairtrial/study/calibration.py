"""What people's labels and a judge's exam say of the verdicts that rest on a judge: what every corrected figure starts from.

Kept out: where labels and exams are kept, and what is made of them (`corrected.py`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.stats.distributions import bisect, two_sided_z
from fairtrial.stats.estimate import Estimate
from fairtrial.stats.interval import wilson_bounds
from fairtrial.study.examlabels import PAIRS, bare

if TYPE_CHECKING:
    from fairtrial.records.standing import Sitting

BAD = frozenset(bare(bad) for _, bad in PAIRS)
"""Labels that mean a failure: where one of them is what an exam calls positive, its two shares change places."""

Pairs = list[tuple[bool, bool]]
"""(passed by the judge, passed by people), trial by trial."""


class Share(msgspec.Struct, frozen=True):
    """A share that was counted, and over how many independent draws it is as good as counted."""

    value: float
    size: float
    n: int

    def bounds(self, level: float) -> tuple[float, float]:
        """Wilson's interval on the effective number."""
        return wilson_bounds(self.value, self.size, two_sided_z(level))

    def estimate(self, level: float) -> Estimate:
        """With that interval, as the sums take it."""
        low, high = self.bounds(level)
        return Estimate(value=self.value, low=low, high=high, n=self.n, method="Wilson")


class Errors(msgspec.Struct, frozen=True, kw_only=True):
    """How often a judge passes what is right, and fails what is wrong, as an exam measured it."""

    sensitivity: Share
    specificity: Share
    examined: str
    """The date of the exam."""


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """Of one setup. `labels` holds by row the trials of it that rest on a judge and have a settled label, `unsettled` those that were
    drawn with them and have none, as the judge has them; `errors` are those of the one judge they rest on, None with `why`."""

    labels: dict[int, Pairs] = {}
    unsettled: dict[int, list[bool]] = {}
    errors: Errors | None = None
    why: str = ""


def errors_of(sitting: Sitting, day: str) -> Errors | None:
    """The errors as an exam measured them, None where it gives them no interval. Replies that were no verdict are left out: in a run they
    are UNKNOWN, and the verdicts that are left are what is corrected."""
    figures = sitting.figures
    under = figures.get("under")
    dropped = under.get("drop") if isinstance(under, dict) else None
    told = dropped if isinstance(dropped, dict) else figures
    shares = [_share(told.get(name)) for name in ("recall", "specificity")]
    if bare(str(figures.get("positive"))) in BAD:
        shares.reverse()
    sensitivity, specificity = shares
    if sensitivity is None or specificity is None or figures.get("positive") is None:
        return None
    return Errors(sensitivity=sensitivity, specificity=specificity, examined=day)


def _share(told: Any) -> Share | None:
    """A figure of an exam with its 95 % interval, as a share over an effective number of draws."""
    if not isinstance(told, dict):
        return None
    low, value, high, n = (_number(told.get(name)) for name in ("low", "value", "high", "n"))
    if low is None or value is None or high is None or not 0.0 <= low <= value <= high <= 1.0 or low == high:
        return None
    size = bisect(lambda size: _width(value, size) > high - low, 0.01, 1e9)
    return Share(value, min(size, n) if n else size, int(n or 0))


def _number(one: Any) -> float | None:
    return float(one) if isinstance(one, int | float) and not isinstance(one, bool) and math.isfinite(one) else None


def _width(value: float, size: float) -> float:
    low, high = wilson_bounds(value, size, two_sided_z(0.95))
    return high - low
