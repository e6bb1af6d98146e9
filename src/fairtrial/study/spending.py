"""What the new side takes more or less than the base, over their shared cases: money, time, tool calls, tokens.

A difference is stated only where both sides are fully known on these cases and were measured alike; otherwise it is None
with the reason, for a missing price would read as a saving.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.stats.paired import mean_difference
from fairtrial.study.contrast import Rows, clusters_of
from fairtrial.study.costs import SHARE, Costs, read_costs
from fairtrial.study.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairtrial.records.report import Tokens

SIDES = ("base", "new")

Compared = dict[str, Any]
"""{"base": {...}, "new": {...}, "difference": {"value", "low", "high", "method", "n"} or None, "reason": text or None}."""


class Sides(msgspec.Struct, frozen=True):
    """Two lanes, their rows of the shared cases, and what each side took there, read once. `traced`: both tell their tool calls."""

    base: Lane
    new: Lane
    rows: Rows
    costs: tuple[Costs, Costs]
    traced: bool


def spending(base: Lane, new: Lane, rows: Rows, *, traced: bool = True) -> dict[str, Compared]:
    """Money, time, tool calls and tokens: `cost`, `latency`, `tool_calls`, `tokens`."""
    sides = Sides(base, new, rows, (read_costs(base, rows[0]), read_costs(new, rows[1])), traced)
    return {"cost": cost(sides), "latency": time(sides), "tool_calls": tool_calls(sides), "tokens": tokens(sides)}


def cost(sides: Sides) -> Compared:
    """US dollars a trial."""
    each = [costs.cost_usd for costs in sides.costs]
    shown = _shown(*map(_fields, each))
    unknown = [name for name, side in zip(SIDES, each, strict=True) if not side.complete]
    if unknown:
        return {**shown, "difference": None, "reason": f"the cost of {' and '.join(unknown)} is not fully known"}
    found = _difference(sides, lambda lane, row: float(lane.usd[row]) / lane.run(row))
    if found is not None:
        base, new = sides.base, sides.new
        exact = [SHARE.divide(new.usd[b], new.run(b)) - SHARE.divide(base.usd[a], base.run(a)) for a, b in _both(sides)]
        found["value"] = SHARE.divide(sum(exact, Decimal(0)), len(exact))
    return {**shown, "difference": found, "reason": None if found else "no case was run on both sides"}


def time(sides: Sides) -> Compared:
    """Milliseconds a trial that answered: stated by the agents where both sides state all of theirs, else measured."""
    stated = all(costs.latency_ms.stated for costs in sides.costs)

    def mean(lane: Lane, row: int) -> float | None:
        times = lane.times(lane.stated if stated else lane.wall, [row])
        return math.fsum(times) / len(times) if times else None

    found = _difference(sides, mean)
    shown = _shown(*(_fields(costs.latency_ms if stated else costs.measured_ms) for costs in sides.costs))
    return {**shown, "difference": found, "reason": None if found else "no case has a known time on both sides"}


def tool_calls(sides: Sides) -> Compared:
    """Tool calls a trial."""
    if not sides.traced:
        nothing = {"total": None, "mean": None}
        return {**_shown(nothing, nothing), "difference": None, "reason": "a table from elsewhere does not tell tool calls"}
    found = _difference(sides, lambda lane, row: lane.tool_calls[row] / lane.run(row))
    shown = _shown(_calls(sides.base, sides.rows[0]), _calls(sides.new, sides.rows[1]))
    return {**shown, "difference": found, "reason": None if found else "no case was run on both sides"}


def tokens(sides: Sides) -> Compared:
    """Tokens, input and output together, a trial."""
    each = [costs.tokens for costs in sides.costs]
    run = [sum(lane.run(row) for row in rows) for lane, rows in zip((sides.base, sides.new), sides.rows, strict=True)]
    shown = _shown(*({**_fields(side), "mean": _each(side, trials)} for side, trials in zip(each, run, strict=True)))
    if not all(side.complete for side in each):
        return {**shown, "difference": None, "reason": "the tokens are not fully known on both sides"}
    found = _difference(sides, lambda lane, row: (lane.input_tokens[row] + lane.output_tokens[row]) / lane.run(row))
    return {**shown, "difference": found, "reason": None if found else "no case was run on both sides"}


def _shown(base: dict[str, Any], new: dict[str, Any]) -> Compared:
    return {"base": base, "new": new}


def _each(side: Tokens, run: int) -> dict[str, float] | None:
    """Tokens a trial; None unless those of every run trial are known."""
    if not side.complete or side.input is None or side.output is None:
        return None
    return {"input": side.input / run, "output": side.output / run}


def _both(sides: Sides) -> list[tuple[int, int]]:
    return [(a, b) for a, b in zip(*sides.rows, strict=True) if sides.base.run(a) and sides.new.run(b)]


def _difference(sides: Sides, mean: Callable[[Lane, int], float | None]) -> dict[str, Any] | None:
    """The mean over cases of the difference of case means, with its interval; None without a case that has both."""
    pairs = [(a, b, mean(sides.base, a), mean(sides.new, b)) for a, b in _both(sides)]
    known = [(a, b, after - before) for a, b, before, after in pairs if before is not None and after is not None]
    if not known:
        return None
    rows = [a for a, _, _ in known], [b for _, b, _ in known]
    found = mean_difference([moved for _, _, moved in known], clusters=clusters_of(sides.base, sides.new, rows))
    return {"value": found.value, "low": found.low, "high": found.high, "method": found.method, "n": len(known)}


def _calls(lane: Lane, rows: Sequence[int]) -> dict[str, Any]:
    run, calls = sum(lane.run(row) for row in rows), sum(lane.tool_calls[row] for row in rows)
    return {"total": calls, "mean": calls / run if run else None}


def _fields(side: Any) -> dict[str, Any]:
    return {name: getattr(side, name) for name in side.__struct_fields__}
