"""What the new side takes more or less than the base, over their shared cases: money, time, tool calls, tokens.

A difference is stated only where both sides are fully known on these cases and were measured alike; otherwise it is None
with the reason, for a missing price would read as a saving.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fairtrial.stats.paired import mean_difference
from fairtrial.study.costs import SHARE, read_costs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairtrial.records.report import Tokens
    from fairtrial.study.contrast import Rows
    from fairtrial.study.lane import Lane

Compared = dict[str, Any]
"""{"base": {...}, "new": {...}, "difference": {"value", "low", "high", "method", "n"} or None, "reason": text or None}."""


def cost(base: Lane, new: Lane, rows: Rows) -> Compared:
    """US dollars a trial."""
    sides = read_costs(base, rows[0]).cost_usd, read_costs(new, rows[1]).cost_usd
    shown = {"base": _fields(sides[0]), "new": _fields(sides[1])}
    unknown = [name for name, side in zip(("base", "new"), sides, strict=True) if not side.complete]
    if unknown:
        return {**shown, "difference": None, "reason": f"the cost of {' and '.join(unknown)} is not fully known"}
    found = _difference(base, new, rows, lambda lane, row: float(lane.usd[row]) / lane.run(row))
    if found is not None:
        exact = [SHARE.divide(new.usd[b], new.run(b)) - SHARE.divide(base.usd[a], base.run(a)) for a, b in _both(base, new, rows)]
        found["value"] = SHARE.divide(sum(exact, Decimal(0)), len(exact))
    return {**shown, "difference": found, "reason": None if found else "no case was run on both sides"}


def time(base: Lane, new: Lane, rows: Rows) -> Compared:
    """Milliseconds a trial that answered: stated by the agents where both sides state all of theirs, else measured."""
    read = read_costs(base, rows[0]), read_costs(new, rows[1])
    stated = read[0].latency_ms.stated and read[1].latency_ms.stated
    sides = [costs.latency_ms if stated else costs.measured_ms for costs in read]
    shown = {name: _fields(side) for name, side in zip(("base", "new"), sides, strict=True)}

    def mean(lane: Lane, row: int) -> float | None:
        times = lane.times(lane.stated if stated else lane.wall, [row])
        return math.fsum(times) / len(times) if times else None

    found = _difference(base, new, rows, mean)
    return {**shown, "difference": found, "reason": None if found else "no case has a known time on both sides"}


def tool_calls(base: Lane, new: Lane, rows: Rows) -> Compared:
    """Tool calls a trial."""
    shown = {"base": _calls(base, rows[0]), "new": _calls(new, rows[1])}
    found = _difference(base, new, rows, lambda lane, row: lane.tool_calls[row] / lane.run(row))
    return {**shown, "difference": found, "reason": None if found else "no case was run on both sides"}


def tokens(base: Lane, new: Lane, rows: Rows) -> Compared:
    """Tokens, input and output together, a trial."""
    sides: tuple[Tokens, Tokens] = read_costs(base, rows[0]).tokens, read_costs(new, rows[1]).tokens
    shown = {
        name: {**_fields(side), "mean": _each(side, sum(lane.run(row) for row in chosen))}
        for name, side, lane, chosen in zip(("base", "new"), sides, (base, new), rows, strict=True)
    }
    if not (sides[0].complete and sides[1].complete):
        return {**shown, "difference": None, "reason": "the tokens are not fully known on both sides"}
    found = _difference(base, new, rows, lambda lane, row: (lane.input_tokens[row] + lane.output_tokens[row]) / lane.run(row))
    return {**shown, "difference": found, "reason": None if found else "no case was run on both sides"}


def _each(side: Tokens, run: int) -> dict[str, float] | None:
    """Tokens a trial; None unless those of every run trial are known."""
    if not side.complete or side.input is None or side.output is None:
        return None
    return {"input": side.input / run, "output": side.output / run}


def _both(base: Lane, new: Lane, rows: Rows) -> list[tuple[int, int]]:
    return [(a, b) for a, b in zip(*rows, strict=True) if base.run(a) and new.run(b)]


def _difference(base: Lane, new: Lane, rows: Rows, mean: Callable[[Lane, int], float | None]) -> dict[str, Any] | None:
    """The mean over cases of the difference of case means, with its interval; None without a case that has both."""
    pairs = [(a, mean(base, a), mean(new, b)) for a, b in _both(base, new, rows)]
    known = [(a, after - before) for a, before, after in pairs if before is not None and after is not None]
    if not known:
        return None
    found = mean_difference([moved for _, moved in known], clusters=base.clusters([a for a, _ in known]))
    return {"value": found.value, "low": found.low, "high": found.high, "method": found.method, "n": len(known)}


def _calls(lane: Lane, rows: Sequence[int]) -> dict[str, Any]:
    run, calls = sum(lane.run(row) for row in rows), sum(lane.tool_calls[row] for row in rows)
    return {"total": calls, "mean": calls / run if run else None}


def _fields(side: Any) -> dict[str, Any]:
    return {name: getattr(side, name) for name in side.__struct_fields__}
