"""A run until decided, read: its rule laid over the stored trials, case by case in the order of the plan.

The same reading decides while the run goes on and ever after, so a run that was killed and resumed, or graded again, comes to
what its stored trials say. Cases are looked at in the planned order, whichever was finished first; a case that is not whole
ends the looking. Keeps out the bets (stats/anytime.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from fairtrial.records.until import Rule, UntilDecided, rule_of
from fairtrial.stats.anytime import METHOD, Race, least_decided, mean_bounds
from fairtrial.study.costs import SHARE, read_costs
from fairtrial.study.lane import EXACT
from fairtrial.study.wording import count, dollars, listed, points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table

    Sides = tuple[Lane, Lane]

Counts = Sequence[int]
"""Three numbers: the trials of a case that passed, failed, and are undecided."""

WORDS = {"better": "better than", "worse": "worse than", "not_worse": "not worse than"}


def case_bounds(base: Counts, new: Counts) -> tuple[float, float]:
    """Between which bounds a case's difference lies, however its undecided trials would come out."""
    one, two = sum(base), sum(new)
    return new[0] / two - (base[0] + base[2]) / one, (new[0] + new[2]) / two - base[0] / one


def read_until(table: Table) -> UntilDecided | None:
    """What the run's rule came to; None for a run without one, or where its two sides are not in the table."""
    rule = rule_of(table.manifest.settings)
    if rule is None or not {rule.base, rule.new} <= set(table.lanes):
        return None
    sides = table.lanes[rule.base], table.lanes[rule.new]
    return _told(rule, sides, *_looked(rule, sides))


def stopped(table: Table) -> bool:
    """Whether the run's rule ended it, so that what was not run was not to be run."""
    found = read_until(table)
    return found is not None and found.stopped


def every_look(table: Table, rule: Rule, level: float) -> tuple[float, float]:
    """The interval of the mean case difference, new − base, that holds at every look at another level than the rule's own."""
    bounds, _ = _looked(rule, (table.lanes[rule.base], table.lanes[rule.new]))
    return mean_bounds([low for low, _ in bounds], [high for _, high in bounds], level)


def _looked(rule: Rule, sides: Sides) -> tuple[list[tuple[float, float]], str | None]:
    """The bounds of every case up to the deciding look, and what was decided there."""
    race, bounds = Race(rule.level, rule.margin), []
    for base, new in _whole(sides):
        bounds.append(case_bounds(base, new))
        if found := race.add(*bounds[-1]):
            return bounds, found
    return bounds, None


def _whole(sides: Sides) -> Iterator[tuple[Counts, Counts]]:
    """The cases in planned order up to the first that is not whole on both sides."""
    for row in range(len(sides[0].cases)):
        if any(lane.run(row) < lane.slots(row) for lane in sides):
            return
        base, new = ((lane.passed[row], lane.failed[row], lane.unknown[row]) for lane in sides)
        yield base, new


def _told(rule: Rule, sides: Sides, bounds: list[tuple[float, float]], found: str | None) -> UntilDecided:
    looks, cases = len(bounds), len(sides[0].cases)
    trials = sum(lane.first[looks] for lane in sides)
    planned = sum(lane.planned for lane in sides)
    run = sum(lane.run(row) for lane in sides for row in range(cases))
    low, high = mean_bounds([low for low, _ in bounds], [high for _, high in bounds], rule.level)
    saved = planned - run if found else 0
    usd, why = _saved_usd(sides, saved)
    reasons = {"value": "no case has been tried whole on both sides"} if not bounds else {}
    made = UntilDecided(
        rule=rule,
        decision=found or ("cannot_tell" if looks == cases else "open"),
        stopped=bool(saved),
        looks=looks,
        most_looks=cases,
        trials=trials,
        later=run - trials,
        value=_mean(sides, looks),
        low=low,
        high=high,
        method=f"{METHOD}, {rule.level:g} at every look",
        unknown=(sum(sides[0].unknown[:looks]), sum(sides[1].unknown[:looks])),
        planned=planned,
        saved=saved,
        saved_usd=usd,
        least=least_decided(cases, rule.level),
        new_severe=[case.id for row, case in enumerate(sides[1].cases) if row in sides[1].severe and row not in sides[0].severe],
        says="",
        reasons=reasons | ({"saved_usd": why} if why else {}),
    )
    if made.least is None:
        made.reasons["least"] = f"{count(cases, 'case')} can decide nothing by this rule, however they come out"
    made.says = says(made)
    return made


def _mean(sides: Sides, looks: int) -> float | None:
    """The mean case difference, UNKNOWN as not passed, as everywhere."""
    if not looks:
        return None
    base, new = sides
    return math.fsum(new.passed[row] / new.run(row) - base.passed[row] / base.run(row) for row in range(looks)) / looks


def _saved_usd(sides: Sides, saved: int) -> tuple[Decimal | None, str]:
    """What the trials that were not run would have cost, at the mean of those that were."""
    if not saved:
        return Decimal(0), ""
    total = Decimal(0)
    for lane in sides:
        mean, unrun = read_costs(lane).cost_usd.mean, lane.planned - sum(map(lane.run, range(len(lane.cases))))
        if mean is None:
            return None, f"the cost of {lane.setup} is not fully known"
        total = EXACT.add(total, EXACT.multiply(mean, Decimal(unrun)))
    return SHARE.plus(total), ""


def says(found: UntilDecided) -> str:
    """The decision in one sentence: what was decided, on what grounds, what was saved."""
    base, new = found.rule.base, found.rule.new
    grounds = f"after {count(found.looks, 'case')} of {found.most_looks} the difference lies between {points(found.low)} and "
    grounds += f"{points(found.high)} points, which holds at every look"
    clauses = [f"{_lead(found, base, new)}: {grounds}"]
    if any(found.unknown):
        clauses.append(f"undecided trials counted both ways: {found.unknown[0]} of {base}, {found.unknown[1]} of {new}")
    if found.new_severe:
        clauses.append(f"new severe failures in {listed(found.new_severe)}, which the rule does not weigh")
    if found.saved:
        money = f", about {dollars(found.saved_usd)}" if found.saved_usd else ""
        clauses.append(f"{found.saved} of {count(found.planned, 'planned trial')} saved{money}")
    return "; ".join(clauses) + "."


def _lead(found: UntilDecided, base: str, new: str) -> str:
    if found.decision in WORDS:
        by = f" by {points(found.rule.margin or 0.0).lstrip('+')} points or more" if found.decision == "not_worse" else ""
        return f"{new} is {WORDS[found.decision]} {base}{by}"
    if found.decision == "open":
        return f"It is not decided yet whether {new} is better or worse than {base}"
    return f"From all these trials we cannot tell whether {new} is better or worse than {base}"
