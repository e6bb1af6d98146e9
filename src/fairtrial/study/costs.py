"""What it took: money, time and tokens, with what is unknown of each said beside it.

Unknown use is never free. Where some use has no price the total is a lower bound, and no mean or price per success is
made of it, since leaving out a dear trial would make the setup look cheap. Times are those of trials that answered; the
others are counted by their endings.
"""

from __future__ import annotations

from decimal import Context, Decimal
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.report import Cost, Latency, Tokens
from fairtrial.stats.quantile import summary
from fairtrial.study.lane import EXACT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.study.lane import Lane

SHARE = Context(prec=28)
"""Quotients of money may not end; 28 digits do."""

Reasons = dict[str, str]


class Costs(msgspec.Struct, frozen=True, kw_only=True):
    """`latency_ms` is what the agents stated where every answered trial states it, else `measured_ms`."""

    cost_usd: Cost
    user_cost_usd: Cost | None
    latency_ms: Latency
    measured_ms: Latency
    tokens: Tokens
    reasons: Reasons


def read_costs(lane: Lane, rows: Sequence[int] | None = None) -> Costs:
    """Money, time and tokens of one setup, over all its cases or the given ones."""
    chosen = range(len(lane.cases)) if rows is None else rows
    run = sum(lane.run(row) for row in chosen)
    reasons: Reasons = {}
    stated, measured = read_latency(lane, chosen, reasons)
    return Costs(
        cost_usd=_cost(lane, chosen, run, reasons),
        user_cost_usd=_user_cost(lane, reasons),
        latency_ms=stated or measured,
        measured_ms=measured,
        tokens=_tokens(lane, chosen, run, reasons),
        reasons=reasons,
    )


def _cost(lane: Lane, rows: Sequence[int], run: int, reasons: Reasons) -> Cost:
    stated, known = sum(lane.usd_stated[row] for row in rows), sum(lane.usd_known[row] for row in rows)
    complete = 0 < run == known
    total = _sum(lane, rows) if stated else None
    passed = sum(lane.passed[row] for row in rows)
    why = f"the cost is fully known for {known} of {run} run trials" if run else "no trial has been run"
    if total is None:
        reasons["cost_usd.total"] = f"no trial states a cost ({why})" if run else why
    elif not complete:
        reasons["cost_usd.total"] = f"at least: {why}"
    if total is None or not complete:
        reasons["cost_usd.mean"] = reasons["cost_usd.per_success"] = why
        return Cost(total=total, mean=None, per_success=None, complete=False, known=known)
    if not passed:
        reasons["cost_usd.per_success"] = "no trial passed"
    per_success = SHARE.divide(total, Decimal(passed)) if passed else None
    return Cost(total=total, mean=SHARE.divide(total, Decimal(run)), per_success=per_success, complete=True, known=known)


def _user_cost(lane: Lane, reasons: Reasons) -> Cost | None:
    """What the simulated user cost, over the whole setup: never a part of what the agent cost. None without any."""
    if not lane.user_known:
        reasons["user_cost_usd"] = "no trial states the cost of a simulated user"
        return None
    reasons["user_cost_usd.per_success"] = "a simulated user's cost is no price of a success"
    run = lane.talks.asked or sum(lane.run(row) for row in range(len(lane.cases)))
    complete = lane.user_known == run
    if not complete:
        why = f"the simulated user's cost is known for {lane.user_known} of {run} run trials"
        reasons["user_cost_usd.total"], reasons["user_cost_usd.mean"] = f"at least: {why}", why
    mean = SHARE.divide(lane.user_usd, Decimal(run)) if complete else None
    return Cost(total=lane.user_usd, mean=mean, per_success=None, complete=complete, known=lane.user_known)


def _sum(lane: Lane, rows: Sequence[int]) -> Decimal:
    total = Decimal(0)
    for row in rows:
        if lane.usd_stated[row]:
            total = EXACT.add(total, lane.usd[row])
    return total


def _tokens(lane: Lane, rows: Sequence[int], run: int, reasons: Reasons) -> Tokens:
    stated, known = sum(lane.tokens_stated[row] for row in rows), sum(lane.tokens_known[row] for row in rows)
    complete = 0 < run == known
    if not complete:
        least = "at least: " if stated else ""
        reasons["tokens"] = f"{least}the tokens are fully known for {known} of {run} run trials" if run else "no trial has been run"
    if not stated:
        return Tokens(input=None, output=None, complete=False)
    both = sum(lane.input_tokens[row] for row in rows), sum(lane.output_tokens[row] for row in rows)
    return Tokens(input=both[0], output=both[1], complete=complete)


def read_latency(lane: Lane, rows: Sequence[int], reasons: Reasons) -> tuple[Latency | None, Latency]:
    """(stated, measured) times in milliseconds; the first is None unless every trial that answered states its own."""
    answered, run = sum(lane.answered[row] for row in rows), sum(lane.run(row) for row in rows)
    stated, measured = lane.times(lane.stated, rows), lane.times(lane.wall, rows)
    all_stated = 0 < answered == len(stated)
    used = stated if all_stated else measured
    if not used:
        reasons["latency_ms"] = _no_time(answered, len(stated))
    elif len(used) < run:
        reasons["latency_ms.n"] = f"known for {len(used)} of the {answered} trials that answered, of {run} run"
    if not measured:
        reasons["measured_ms"] = "no wall time is known"
    return (latency(stated, stated=True) if all_stated else None), latency(measured, stated=False)


def _no_time(answered: int, stated: int) -> str:
    if not answered:
        return "no trial answered"
    return f"no wall time is known, and only {stated} of {answered} trials that answered state a time"


def latency(times: Sequence[float], *, stated: bool) -> Latency:
    """Mean, p50, p95 (linear interpolation) and worst of times in milliseconds; None of none."""
    found = summary(times)
    return Latency(mean=found.mean, p50=found.p50, p95=found.p95, max=found.max, stated=stated, n=found.n)
