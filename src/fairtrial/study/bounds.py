"""A figure of a part of a run with the one-sided bounds that a gate asks for.

What is not decided counts both ways: each end is the furthest over every UNKNOWN and every trial that was not run
coming out well, or all of them badly, so that neither can turn what a gate says. Each end is one of the two-sided interval at 2c-1,
widened for few cases. Kept out: the bars (`release/`).
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from fairtrial.stats import bootstrap, paired, price, quantile, repeats
from fairtrial.stats.clusters import cluster_numbers
from fairtrial.stats.estimate import two_sided
from fairtrial.stats.interval import clustered_rate, mean_share, pooled_share, rate_upper_bound, wilson
from fairtrial.study.contrast import clusters_of
from fairtrial.study.costs import read_costs, read_latency
from fairtrial.study.tally import cases_with_severe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.stats.estimate import Estimate
    from fairtrial.study.lane import Lane
    from fairtrial.study.watched import Watch

NEVER = 1e18
"""Milliseconds that stand for a time that never came to an end."""


class Bounded(msgspec.Struct, frozen=True, kw_only=True):
    """`value` in the unit of the figure, `low` and `high` its one-sided bounds. `n` trials (or what else is counted) of `cases`
    cases, of which `undecided` were counted both ways. Without a bound there is a `reason`."""

    value: float | Decimal | None
    low: float | None
    high: float | None
    n: int
    cases: int
    undecided: int = 0
    reason: str = ""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a lane that a gate looks at, with their watch and the confidence of its one-sided bounds."""

    lane: Lane
    watch: Watch
    rows: list[int]
    confidence: float

    @property
    def level(self) -> float:
        return level_of(self.confidence)

    @property
    def clusters(self) -> list[str | None] | None:
        return self.lane.clusters(self.rows)

    def planned(self, row: int) -> int:
        """Planned trials of a case."""
        return self.lane.slots(row)

    @property
    def run(self) -> int:
        return sum(self.lane.run(row) for row in self.rows)

    @property
    def undecided(self) -> int:
        """UNKNOWN trials and those that were not run."""
        return sum(map(self.lane.open, self.rows))


def level_of(confidence: float) -> float:
    """The two-sided level that has the one-sided bounds at `confidence` as its ends."""
    return two_sided(confidence)


def success(part: Part) -> Bounded:
    """The success rate: the mean over cases of pass ÷ trials."""
    lane, rows = part.lane, part.rows
    value = clustered_rate(lane.passes(rows)).value
    low, high = _furthest(_rate(part, lane.settled(rows, passed=False)), _rate(part, lane.settled(rows, passed=True)))
    return Bounded(value=value, low=low, high=high, n=part.run, cases=len(rows), undecided=part.undecided)


def unknown_share(part: Part) -> Bounded:
    """The share of trials that are UNKNOWN; one that was not run could be one."""
    lane, rows = part.lane, part.rows
    least = [(lane.unknown[row], part.planned(row)) for row in rows]
    most = [(lane.open(row), part.planned(row)) for row in rows]
    value = clustered_rate([(lane.unknown[row], lane.run(row)) for row in rows]).value
    missing = sum(part.planned(row) - lane.run(row) for row in rows)
    low, high = _furthest(_rate(part, least), _rate(part, most))
    return Bounded(value=value, low=low, high=high, n=part.run, cases=len(rows), undecided=missing)


def pass_hat(part: Part, k: int) -> Bounded:
    """All of k trials: the mean over cases of C(c, k) / C(n, k)."""
    lane, rows = part.lane, part.rows
    short = [lane.cases[row].id for row in rows if part.planned(row) < k]
    if short:
        reason = f"all of {k} trials needs {k} trials of every case, and {len(short)} of {len(rows)} have fewer"
        return Bounded(value=None, low=None, high=None, n=part.run, cases=len(rows), reason=reason)
    seen = [found for row in rows if (found := repeats.pass_hat_k(lane.run(row), lane.passed[row], k)) is not None]
    worst, best = (
        [repeats.pass_hat_k(planned, passed, k) or 0.0 for passed, planned in lane.settled(rows, passed=most)] for most in (False, True)
    )
    return _of_shares(part, seen, worst, best)


def stability(part: Part) -> Bounded:
    """The mean over cases with two trials or more of 1 - 2·|p - round(p)|."""
    lane = part.lane
    rows = [row for row in part.rows if part.planned(row) >= 2]
    if not rows:
        return Bounded(value=None, low=None, high=None, n=0, cases=0, reason="no case has two trials or more")
    seen = [_steady(lane.passed[row], lane.run(row)) for row in rows if lane.run(row) >= 2]
    spans = [(lane.passed[row], part.planned(row) - lane.failed[row], part.planned(row)) for row in rows]
    worst = [_steady(min(max(least, n // 2), most), n) for least, most, n in spans]
    best = [max(_steady(least, n), _steady(most, n)) for least, most, n in spans]
    return _of_shares(msgspec.structs.replace(part, rows=rows), seen, worst, best)


def _steady(passed: int, n: int) -> float:
    return 1.0 - 2.0 * min(passed, n - passed) / n


def recovery(part: Part) -> Bounded:
    """The mean over cases that met failures of tools of handled ÷ met."""
    watch, counts = part.watch, part.lane.counts
    rows = [row for row in part.rows if counts.met[row] + watch.open_failures[row]]
    if not rows:
        return Bounded(value=None, low=None, high=None, n=0, cases=0, reason="no trial met a tool failure")
    missing = sum(part.planned(row) - part.lane.run(row) + watch.harness[row] for row in part.rows)
    if missing:
        reason = f"{missing} planned trials were not run to their end, and what they would have met is not known"
        return Bounded(value=None, low=None, high=None, n=0, cases=len(rows), undecided=missing, reason=reason)
    met = [counts.met[row] + watch.open_failures[row] for row in rows]
    seen = [counts.recovered[row] / counts.met[row] for row in rows if counts.met[row]]
    worst = [counts.recovered[row] / times for row, times in zip(rows, met, strict=True)]
    best = [(counts.recovered[row] + watch.open_failures[row]) / times for row, times in zip(rows, met, strict=True)]
    found = _of_shares(msgspec.structs.replace(part, rows=rows), seen, worst, best)
    return msgspec.structs.replace(found, n=sum(met), undecided=sum(watch.open_failures[row] for row in rows))


def tool_calls(part: Part) -> Bounded:
    """The share of tool calls with valid arguments. `n` counts calls; `undecided` trials whose calls are not known."""
    watch = part.watch
    rows = [row for row in part.rows if watch.calls[row]]
    valid, calls = [watch.valid[row] for row in rows], [watch.calls[row] for row in rows]
    missing = sum(part.planned(row) - part.lane.run(row) + watch.harness[row] for row in part.rows)
    if not rows or missing:
        reason = f"the calls of {missing} planned trials are not known" if missing else "no tool call was checked for its arguments"
        value = sum(valid) / sum(calls) if rows else None
        return Bounded(value=value, low=None, high=None, n=sum(calls), cases=len(rows), undecided=missing, reason=reason)
    found = pooled_share(list(zip(valid, calls, strict=True)), part.level, part.lane.clusters(rows))
    return Bounded(value=found.value, low=found.low, high=found.high, n=sum(calls), cases=len(rows))


class Times(msgspec.Struct, frozen=True, kw_only=True):
    """Times in milliseconds of the trials that answered. `never` ran out of time, of `missing` more none is known, and `quits`
    gave no answer for another reason of the agent's own: those count as failures elsewhere and have no latency."""

    known: list[float]
    never: int
    missing: int
    quits: int
    stated: bool


def times(part: Part) -> Times:
    """As the report reads them: what the agents stated where all of them did, else what was measured."""
    lane, watch, rows = part.lane, part.watch, part.rows
    stated, _ = read_latency(lane, rows, {})
    known = lane.times(lane.wall if stated is None else lane.stated, rows)
    never, quits = (sum(column[row] for row in rows) for column in (watch.timeouts, watch.quits))
    missing = sum(part.planned(row) for row in rows) - len(known) - never - quits
    return Times(known=known, never=never, missing=missing, quits=quits, stated=stated is not None)


def latency_p95(part: Part) -> Bounded:
    """The 95th percentile of the time to an answer. A trial that ran out of time counts as slower than all others."""
    found = times(part)
    groups = len(set(cluster_numbers(len(part.rows), part.clusters)))
    value = quantile.quantile([*found.known, *[NEVER] * found.never], 0.95)
    ends: list[Estimate] = []
    for filler in (0.0, NEVER):
        values = [*found.known, *[NEVER] * found.never, *[filler] * found.missing]
        ends.append(quantile.quantile_interval(values, 0.95, part.level, groups))
    low, high = ends[0].low, ends[1].high
    reason = ""
    if high is None:
        reason = f"an upper bound on p95 needs about {_needed_for_p95(part.confidence)} independent cases, here {groups}"
    return Bounded(
        value=_finite(value), low=low, high=_finite(high), n=len(found.known) + found.never, cases=len(part.rows),
        undecided=found.missing, reason=reason,
    )  # fmt: skip


def _needed_for_p95(confidence: float) -> int:
    """The fewest independent values of which the largest is above the true p95 with this confidence."""
    return math.ceil(math.log1p(-confidence) / math.log(0.95) - 1e-9)


def _finite(value: float | None) -> float | None:
    return None if value is None or value >= NEVER / 1e6 else value


def cost_per_success(part: Part) -> Bounded:
    """Total cost ÷ successes, in US dollars. The upper bound needs every planned trial's cost; without it only the lower one is left."""
    lane, rows = part.lane, part.rows
    costs = read_costs(lane, rows)
    planned = [part.planned(row) for row in rows]
    least, most = [lane.passed[row] for row in rows], [trials - lane.failed[row] for trials, row in zip(planned, rows, strict=True)]
    money = [float(lane.usd[row]) for row in rows]
    complete = costs.cost_usd.complete and part.run == sum(planned)
    low, high, reason = _cost_low(part, money, most, planned), None, costs.reasons.get("cost_usd.per_success", "")
    if complete and any(least):
        high, reason = _cost_high(part, money, least, planned)
    value = costs.cost_usd.per_success
    reason = reason or f"{sum(planned) - part.run} planned trials were not run"
    return Bounded(
        value=value, low=low, high=high, n=part.run, cases=len(rows), undecided=part.undecided, reason="" if high is not None else reason
    )  # fmt: skip


def _cost_low(part: Part, money: Sequence[float], passed: Sequence[int], planned: Sequence[int]) -> float | None:
    """None below two independent cases."""
    found = _price(part, money, passed, planned)
    return 0.0 if found.value == 0 and found.n > 1 else found.low


def _cost_high(part: Part, money: Sequence[float], passed: Sequence[int], planned: Sequence[int]) -> tuple[float | None, str]:
    """The bound, or why there is none: too few cases, or resamples without a success."""
    found = _price(part, money, passed, planned)
    return (0.0, "") if found.value == 0 and found.n > 1 else (found.high, found.reason or "")


def _price(part: Part, money: Sequence[float], passed: Sequence[int], planned: Sequence[int]) -> Estimate:
    counts = list(zip(passed, planned, strict=True))
    return price.cost_per_success(money, counts, part.clusters, bootstrap.Resampling(confidence=part.level))


def difference(base: Lane, new: Lane, rows: tuple[list[int], list[int]], confidence: float) -> Bounded:
    """New minus base over shared cases. With no paired difference at all the bounds are Tango's with n = cases."""
    level, clusters = two_sided(confidence), clusters_of(base, new, rows)
    if not rows[0]:
        return Bounded(value=None, low=None, high=None, n=0, cases=0, reason="the two sides share no case")
    value = paired.paired_rates(base.passes(rows[0]), new.passes(rows[1]), level, clusters).value
    low, high = _furthest(
        *(
            paired.paired_rates(base.settled(rows[0], passed=one), new.settled(rows[1], passed=two), level, clusters)
            for one, two in ((True, False), (False, True), (True, True), (False, False))
        )
    )
    undecided = base.sums(rows[0]).open + new.sums(rows[1]).open
    return Bounded(value=value, low=low, high=high, n=sum(map(new.run, rows[1])), cases=len(rows[0]), undecided=undecided)


def _rate(part: Part, counts: Sequence[tuple[int, int]]) -> Estimate:
    return clustered_rate(counts, part.level, part.clusters, "widen")


def _furthest(*ways: Estimate) -> tuple[float | None, float | None]:
    """The furthest ends of all ways in which what is undecided may come out. The worst way alone would not do: the first trial that
    goes otherwise than all the rest makes a spread known that was not, and a bound may move in by it."""
    lows, highs = [way.low for way in ways if way.low is not None], [way.high for way in ways if way.high is not None]
    return min(lows, default=None), max(highs, default=None)


def _of_shares(part: Part, seen: Sequence[float], worst: Sequence[float], best: Sequence[float]) -> Bounded:
    value = math.fsum(seen) / len(seen) if seen else None
    low, high = _furthest(mean_share(worst, part.level, part.clusters), mean_share(best, part.level, part.clusters))
    return Bounded(value=value, low=low, high=high, n=part.run, cases=len(part.rows), undecided=part.undecided)


def reachable(cases: int, level: float) -> float:
    """The most that so many cases could show of a rate, were every trial to pass."""
    return wilson(cases, cases, level).low or 0.0


def severe_cases(parts: Sequence[Part]) -> tuple[int, float | None]:
    """(independent cases of which something is decided, the exact upper bound on the share of them with a severe failure).

    The bound is None without such a case.
    """
    severe, seen = cases_with_severe([(part.lane, part.rows) for part in parts])
    return seen, rate_upper_bound(severe, seen, parts[0].confidence if parts else 0.95).high
