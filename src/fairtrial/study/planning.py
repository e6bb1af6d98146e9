"""From a pilot to a plan: how many cases and repeats find a wanted effect, at what price, and what today's suite can show.

The spread comes from trials that were run: two sides at the same cases, or one side taken for both; without any, it is
assumed, and the plan says so. An unknown price stays unknown. Keeps out the sentence (planwords.py) and the search for a
pilot in the store.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.plan import Pilot, PilotSide, Plan, PlanRow, Today
from fairtrial.stats import pilot, power
from fairtrial.stats.interval import upper_bound_zero
from fairtrial.study.costs import SHARE, read_costs
from fairtrial.study.pairing import pair
from fairtrial.study.planwords import FEW_PAIRS, notes_of, plan_says

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table

REPEATS = (1, 2, 3, 5, 10)
ENDLESS = 1_000_000
NO_SPREAD = "all cases of the pilot went alike on both sides, so how far they could differ is not known"
NO_REPEATS = "the pilot tried each case once, so what more repeats would save is not known"
TOO_FEW = "so few cases would mostly hide even the largest difference"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: a difference `detect` (a share above 0) found with chance `power` by a two-sided test at `confidence`.

    `margin`: a loss that shall be ruled out, one-sided at `confidence`. `bar`: the share of cases with a severe failure that
    a clean run shall rule out. `case_usd`: what one new case costs to write.
    """

    detect: float = 0.05
    power: float = 0.8
    confidence: float = 0.95
    margin: float | None = None
    bar: float = 0.03
    case_usd: Decimal | None = None


def _aim(wanted: Wanted) -> power.Aim:
    return power.Aim(power=wanted.power, confidence=wanted.confidence)


class Stands(msgspec.Struct, frozen=True, kw_only=True):
    """The suite as it stands: `cases` both sides can be tried at, `independent` of them (clusters as one), and its trials a case."""

    suite: str
    cases: int
    independent: int
    trials: int


class Sides(msgspec.Struct, frozen=True, kw_only=True):
    """The pilot's two sides, each a table and the name of a setup in it; the same one twice where only one was run."""

    base: tuple[Table, str]
    new: tuple[Table, str]


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """The variance of a case's difference by number of repeats, with the bounds a pilot leaves open.

    `parts` is None where repeats cannot be told from cases; `single` is then the variance at one trial a side. `reason`
    says why there is none at all.
    """

    parts: power.Spread | None = None
    bounds: dict[int, tuple[float, float]] = {}
    single: float | None = None
    factor: float = 1.0
    reason: str = ""

    def at(self, repeats: int) -> power.Spread | None:
        """The spread at so many trials a side, as a variance between cases alone."""
        seen = self.single if self.parts is None and repeats == 1 else None if self.parts is None else self.parts.of_case(repeats)
        return None if seen is None else power.Spread(between=seen * self.factor, within=0.0)

    def ends(self, repeats: int) -> Iterator[power.Spread]:
        """Both bounds, nothing where there are none."""
        for variance in self.bounds.get(repeats, ()):
            yield power.Spread(between=variance * self.factor, within=0.0)


def read_plan(stands: Stands, wanted: Wanted, sides: Sides | None = None) -> Plan:
    """The plan for a suite, from a pilot where there is one."""
    found = None if sides is None else _pilot(sides)
    repeats = sorted({*REPEATS, stands.trials})
    spread = _assumed() if sides is None else _spread(sides, repeats)
    price, seconds, reasons = _price(found)
    rows = [_row(stands, wanted, spread, each) for each in repeats]
    rows = [_priced(row, wanted, price, seconds) for row in rows]
    _mark_cheapest(rows)
    reasons |= _reasons(spread, rows)
    if found is not None and spread.parts is not None:
        found.between, found.within, found.clusters = spread.parts.between, spread.parts.within, spread.factor
    one_side = found is not None and found.base == found.new
    plan = Plan(
        suite=stands.suite, detect=wanted.detect, power=wanted.power, confidence=wanted.confidence, margin=wanted.margin,
        source="assumed" if found is None else "one_side" if one_side else "pilot", pilot=found,
        assumed=_assumptions(found is None, one_side), rows=rows, today=_today(stands, wanted, rows), case_usd=wanted.case_usd,
        says="", reasons=reasons,
    )  # fmt: skip
    plan.notes = list(notes_of(plan))
    plan.says = plan_says(plan, _never_fewer(spread, wanted))
    return plan


def _assumptions(nothing_run: bool, one_side: bool) -> dict[str, float]:
    if nothing_run:
        return {"between": power.ASSUMED.between, "within": power.ASSUMED.within}
    return {"between": power.ASSUMED.between} if one_side else {}


def _assumed() -> Known:
    return Known(parts=power.ASSUMED)


def _spread(sides: Sides, repeats: Sequence[int]) -> Known:
    (base, rows), (new, new_rows) = _lanes(sides)
    counts = base.passes(rows), new.passes(new_rows)
    factor = pilot.cluster_factor(*counts, base.clusters(rows))
    if sides.base == sides.new:
        alone = power.one_side_spread(counts[0], power.ASSUMED.between)
        none = "the pilot has one setup and fewer than two cases with two trials"
        return Known(reason=none) if alone is None else Known(parts=alone)
    parts = power.observed_spread(*counts)
    if parts is None:
        single = pilot.variance_of_singles(*counts)
        bounds = pilot.single_bounds(*counts) if single is not None and len(counts[0]) >= FEW_PAIRS else {}
        return Known(single=single, bounds=bounds, factor=factor, reason=NO_SPREAD if single is None else NO_REPEATS)
    if not parts.between and not parts.within:
        return Known(reason=NO_SPREAD)
    bounds = pilot.variance_bounds(*counts, repeats) if len(counts[0]) >= FEW_PAIRS else {}
    return Known(parts=parts, bounds=bounds, factor=factor)


def _lanes(sides: Sides) -> tuple[tuple[Lane, list[int]], tuple[Lane, list[int]]]:
    base, new = (table.lane(setup) for table, setup in (sides.base, sides.new))
    shared = pair(base, new)
    return (base, shared.base_rows), (new, shared.new_rows)


def _row(stands: Stands, wanted: Wanted, spread: Known, repeats: int) -> PlanRow:
    known = spread.at(repeats)
    if known is None:
        return PlanRow(repeats=repeats, cases=None)
    aim = _aim(wanted)
    cases = power.cases_needed(known, repeats, wanted.detect, aim)
    ends = [power.cases_needed(end, repeats, wanted.detect, aim) for end in spread.ends(repeats)]
    low, high = (min(cases, ends[0]), max(cases, ends[1])) if ends else (None, None)
    return PlanRow(
        repeats=repeats, cases=cases, low=low, high=high, trials=2 * cases * repeats, new_cases=max(0, cases - stands.cases),
        enough=stands.cases >= cases, detectable=power.smallest_found(known, stands.cases, repeats, aim),
        margin=power.smallest_margin(known, stands.cases, repeats, aim),
        margin_cases=None if wanted.margin is None else power.cases_not_worse(known, repeats, wanted.margin, aim),
    )  # fmt: skip


def _priced(row: PlanRow, wanted: Wanted, pair_usd: Decimal | None, pair_seconds: float | None) -> PlanRow:
    if row.trials is None or row.new_cases is None:
        return row
    pairs = row.trials // 2
    if pair_seconds is not None:
        row.seconds = pairs * pair_seconds
    if pair_usd is not None:
        row.price_usd = SHARE.multiply(pair_usd, Decimal(pairs))
        if wanted.case_usd is not None:
            row.price_usd = SHARE.add(row.price_usd, SHARE.multiply(wanted.case_usd, Decimal(row.new_cases)))
    return row


def _mark_cheapest(rows: Sequence[PlanRow]) -> None:
    """By price where it is known, else by trials; of equals the one with fewer repeats, which shows more kinds of cases."""
    known = [row for row in rows if row.trials is not None]
    if known:
        min(known, key=lambda row: (row.price_usd or Decimal(0), row.trials or 0, row.repeats)).cheapest = True


def _price(found: Pilot | None) -> tuple[Decimal | None, float | None, dict[str, str]]:
    """(US dollars, seconds) of one trial on each side, with the reason where one is not known."""
    if found is None:
        return None, None, {"price_usd": "nothing was run, so no price is known", "seconds": "nothing was run, so no time is known"}
    sides, reasons = (found.base, found.new), {}
    usd = [side.cost_mean_usd for side in sides if side.cost_mean_usd is not None]
    times = [side.latency_mean_ms for side in sides if side.latency_mean_ms is not None]
    if len(usd) < 2:
        reasons["price_usd"] = f"the cost is not fully known of {_named(sides, 'cost_mean_usd')}"
    if len(times) < 2:
        reasons["seconds"] = f"no time is known of {_named(sides, 'latency_mean_ms')}"
    return (
        SHARE.add(usd[0], usd[1]) if len(usd) == 2 else None,
        sum(times) / 1000 if len(times) == 2 else None,
        reasons,
    )


def _named(sides: Sequence[PilotSide], field: str) -> str:
    """The sides without that figure, by setup, and by run where both have one name."""
    same = sides[0].setup == sides[1].setup
    names = [f"{side.run}:{side.setup}" if same else side.setup for side in sides if getattr(side, field) is None]
    return " and ".join(dict.fromkeys(names))


def _reasons(spread: Known, rows: Sequence[PlanRow]) -> dict[str, str]:
    reasons = {}
    if any(row.cases is None for row in rows):
        reasons["rows.cases"] = spread.reason
    if any(row.cases is not None and row.detectable is None for row in rows):
        reasons["rows.detectable"] = TOO_FEW
    if any(row.cases is not None and row.margin is None for row in rows):
        reasons["rows.margin"] = TOO_FEW
    return reasons


def _never_fewer(spread: Known, wanted: Wanted) -> int | None:
    """The cases that are needed however often each is tried; None where that is not known."""
    if spread.parts is None:
        return None
    endless = power.Spread(between=spread.parts.between * spread.factor, within=0.0)
    return power.cases_needed(endless, ENDLESS, wanted.detect, _aim(wanted))


def _today(stands: Stands, wanted: Wanted, rows: Sequence[PlanRow]) -> Today:
    now = next(row for row in rows if row.repeats == stands.trials)
    return Today(
        cases=stands.cases, repeats=stands.trials, detectable=now.detectable, margin=now.margin,
        severe_upper=upper_bound_zero(stands.independent, wanted.confidence), severe_bar=wanted.bar,
        severe_cases=power.cases_for_none(wanted.bar, wanted.confidence),
    )  # fmt: skip


def _pilot(sides: Sides) -> Pilot:
    (base, rows), (new, new_rows) = _lanes(sides)
    left_out = len(base.cases) - len(rows) + len(new.cases) - len(new_rows)
    told = [_side(sides.base[0].run, base, rows), _side(sides.new[0].run, new, new_rows)]
    return Pilot(base=told[0], new=told[1], pairs=len(_both(base, rows, new, new_rows)), left_out=left_out, between=None, within=None)


def _both(base: Lane, rows: Sequence[int], new: Lane, new_rows: Sequence[int]) -> list[int]:
    return [a for a, b in zip(rows, new_rows, strict=True) if base.run(a) and new.run(b)]


def _side(run: str, lane: Lane, rows: Sequence[int]) -> PilotSide:
    sums = lane.sums(rows)
    rates = [passed / tried for passed, tried in lane.passes(rows) if tried]
    costs = read_costs(lane, rows)
    return PilotSide(
        run=run, setup=lane.setup, planned=sums.planned, passed=sums.passed, fail=sums.failed, unknown=sums.unknown,
        not_run=sums.not_run, success=sum(rates) / len(rates) if rates else None,
        cost_mean_usd=costs.cost_usd.mean, latency_mean_ms=costs.latency_ms.mean,
    )  # fmt: skip
