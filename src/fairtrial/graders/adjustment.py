"""`adjustment: ID`: the same adjustment is applied once, not by two roles and not by nobody."""

from __future__ import annotations

from fairtrial.graders.finding import NOT_APPLICABLE, Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind


def compile_adjustment(check: Check, ground: Ground) -> Probe:
    """Once. An agent without roles that records no adjustment at all is not asked."""
    name = str(check.target)

    def probe(view: View) -> Finding:
        every = view.spans("adjustment")
        applied = [span for span in every if span.name == name]
        if len(applied) == 1 and view.head.lost_spans == 0:
            return holds(span=applied[0].id, seen=1)
        if len(applied) > 1:
            places = " and ".join(f"{span.role or 'the agent'} (span {span.id})" for span in applied)
            return fails(
                f"{name} was applied {len(applied)} times: {places}",
                span=applied[-1].id,
                expected="applied once",
                seen=len(applied),
                kind=FailureKind.DOUBLE_ADJUSTMENT,
            )
        if not view.trace_whole:
            return unknown("the trace is missing or not whole")
        if not ground.roles and not every:
            return NOT_APPLICABLE
        return fails(f"{name} was never applied", expected="applied once", seen=0)

    return probe
