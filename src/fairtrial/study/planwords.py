"""A plan as one plain sentence: what to run and at what price, what today's suite shows, and what all that rests on.

Reads the decided plan; each clause stands between "; " so that it can be echoed in another language. Keeps out the sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.study.wording import count, dollars, percent, points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.plan import Plan, PlanRow

FEW_PAIRS = 10
"""Below this many pairs not even the range of a pilot's spread is known."""


def plan_says(plan: Plan, never_fewer: int | None) -> str:
    """The sentence. `never_fewer`: the cases needed however often each is tried, None where not known."""
    return "; ".join([*_wanted(plan, never_fewer), *_today(plan), *_rests_on(plan)]) + "."


def notes_of(plan: Plan) -> Iterator[str]:
    """What must be known beside the figures."""
    if plan.pilot is None:
        return
    if plan.pilot.pairs < FEW_PAIRS:
        few = count(plan.pilot.pairs, "case")
        yield f"a pilot of {few} hardly knows the spread, not even its range: take the plan as a guess, and plan again after more"
    if plan.pilot.clusters > 1.05:
        yield f"cases of one cluster move together, which takes {plan.pilot.clusters:.1f} times as many; new ones are taken to do so too"
    if plan.pilot.left_out:
        yield f"cases that only one side of the pilot has, or that changed between them: {plan.pilot.left_out}, left out"


def _wanted(plan: Plan, never_fewer: int | None) -> Iterator[str]:
    best = next((row for row in plan.rows if row.cheapest), None)
    effect = f"a true difference of {points(plan.detect).lstrip('+')} points with power {percent(plan.power)}"
    if best is None:
        yield f"How many cases find {effect} cannot be told: {plan.reasons.get('rows.cases', 'no spread is known')}"
        return
    yield f"To find {effect}, the cheapest plan is {_size(best)}"
    if best.low is not None and best.high is not None and best.low < best.high:
        yield f"the pilot leaves {best.low} to {best.high} cases open"
    if plan.margin is not None and best.margin_cases is not None:
        loss = points(plan.margin).lstrip("+")
        yield f"to rule out a loss of {loss} points it takes {best.margin_cases} cases × {count(best.repeats, 'trial')} a side"
    fits = next((row for row in plan.rows if row.enough), None)
    if fits is not None and not fits.cheapest:
        yield f"the {count(plan.today.cases, 'case')} there are do with {_size(fits)}"
    elif fits is None and never_fewer is not None and never_fewer > plan.today.cases:
        yield f"no number of repeats makes the {count(plan.today.cases, 'case')} there are enough, for it takes at least {never_fewer}"


def _size(row: PlanRow) -> str:
    price = "at a price that is not known" if row.price_usd is None else f"for {dollars(row.price_usd)}"
    return f"{row.cases} cases × {count(row.repeats, 'trial')} a side, {row.trials} trials in all {price}"


def _today(plan: Plan) -> Iterator[str]:
    today = plan.today
    size = f"the suite as it stands ({count(today.cases, 'case')} × {count(today.repeats, 'trial')})"
    if today.detectable is not None and today.margin is not None:
        found, margin = points(today.detectable).lstrip("+"), points(today.margin).lstrip("+")
        yield f"{size} finds differences from {found} points on, and rules out losses from {margin} points on"
    elif any(row.cases is not None for row in plan.rows):
        yield f"{size} would mostly hide even the largest difference"
    if today.severe_upper is not None:
        upper, bar = percent(today.severe_upper), percent(today.severe_bar)
        yield f"a clean run of it allows severe failures in up to {upper} of cases, and {bar} takes {today.severe_cases} cases"


def _rests_on(plan: Plan) -> Iterator[str]:
    pilot = plan.pilot
    if pilot is None:
        yield "nothing was run: the spread is assumed, so run a pilot and plan again"
        return
    if plan.source == "one_side":
        yield f"only {pilot.base.setup} was run (run {pilot.base.run}): the other side is taken to be like it"
    else:
        sides = f"{pilot.base.run}:{pilot.base.setup} and {pilot.new.run}:{pilot.new.setup}"
        yield f"the spread is that of {sides} over {count(pilot.pairs, 'shared case')}"
    seen = [pilot.base] if plan.source == "one_side" else [pilot.base, pilot.new]
    unknown, planned = sum(side.unknown for side in seen), sum(side.planned for side in seen)
    not_run = sum(side.not_run for side in seen)
    if unknown:
        yield f"{unknown} of {planned} trials of the pilot are UNKNOWN and count as not passed"
    if not_run:
        yield f"{not_run} of {planned} planned trials of the pilot were not run"
