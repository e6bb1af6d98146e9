"""`fact: ID`: was the fact received, was it used?

A use is declared by the agent or found in what it said and answered; found is the stronger. Whatever was declared, an
answer that concludes what the case says must never be concluded did not use the fact. A use is shown by intervention in runs
of their own (`fairtrial use`); what they showed of this case is at hand when a run is graded again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fairtrial.graders.finding import NOT_APPLICABLE, Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.kept import untold, untold_span
from fairtrial.graders.signs import Signs
from fairtrial.graders.trail import find_loss
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind
from fairtrial.records.trace import Span
from fairtrial.records.verdict import Verdict


def compile_fact(check: Check, ground: Ground) -> Probe:
    """All that the check asks of the fact must hold: used, received by a role, used by a role."""
    signs = Signs(str(check.target), ground)
    expect = check.expect
    proof = expect.get("proof")
    probes: list[Callable[[View], Finding]] = []
    if "received_by" in expect:
        probes.append(_received(signs, ground, expect["received_by"]))
    if "used" in expect:
        probes.append(_used(signs, ground, None, proof))
    if "used_by" in expect:
        probes.append(_used(signs, ground, expect["used_by"], proof))

    def probe(view: View) -> Finding:
        found = [part for part in (each(view) for each in probes) if part is not NOT_APPLICABLE]
        if not found:
            return NOT_APPLICABLE
        for verdict in (Verdict.FAIL, Verdict.UNKNOWN):
            for part in found:
                if part.verdict is verdict:
                    return part
        return found[-1]

    return probe if len(probes) > 1 else probes[0]


def _received(signs: Signs, ground: Ground, name: str) -> Probe:
    role = ground.role_of(name)
    if role is None:
        return lambda view: NOT_APPLICABLE
    seat = ground.roles[role]

    def probe(view: View) -> Finding:
        if seat.sees is not None and signs.name in seat.sees:
            return holds(why=f"{role} sees it itself")
        for span in view.spans("handoff"):
            attributes = span.attributes
            if attributes.get("event") == "received" and attributes.get("to", span.role) == role and signs.within(attributes.get("facts")):
                return holds(span=span.id, seen=signs.name)
        if not view.trace_whole:
            return unknown("the trace is missing or not whole")
        covered = untold_span(view, view.spans("handoff"))
        if covered is not None:
            return covered
        loss = find_loss(view, signs, role)
        return fails(loss.why, span=loss.span, expected=f"{signs.name} received by {role}", kind=FailureKind.HANDOFF_LOSS)

    return probe


def _used(signs: Signs, ground: Ground, name: str | None, proof: str | None) -> Probe:
    """`name` None: whoever decides."""
    role = ground.lead if name is None else ground.role_of(name)
    if name is not None and role is None:
        return lambda view: NOT_APPLICABLE
    decides = role == ground.lead
    who = role or "the agent"

    def probe(view: View) -> Finding:
        if proof == "intervention":
            return _shown(signs.name, role, view)
        declared = next((span for span in view.spans("use") if span.name == signs.name and span.role in (role, None)), None)
        against = forbidden_conclusion(view) if decides else None
        if against is not None:
            return _contradicted(signs, declared, against)
        found = proof != "declared" and any(map(signs.within, said_by(view, role, decides)))
        if found:
            return holds(seen=signs.name, proof="found", span=declared.id if declared else None)
        if declared is not None and proof != "found":
            return holds(span=declared.id, seen=signs.name, proof="declared")
        if not view.trace_whole:
            return unknown("the trace is missing or not whole")
        covered = None if proof == "declared" else _covered(view, role, decides)
        if covered is not None:
            return covered
        asked = {"found": "found in what was said", "declared": "declared"}.get(proof or "", "declared, nor found in what was said")
        why = f"{signs.name} was not {asked} by {who}" if proof else f"{signs.name} was neither {asked} by {who}"
        return fails(why, span=declared.id if declared else None, expected=f"{signs.name} used by {who}", kind=FailureKind.FACT_UNUSED)

    return probe


def _shown(fact: str, role: str | None, view: View) -> Finding:
    """What altering the fact on its way to the role showed of this case; UNKNOWN where nobody has tried."""
    contract, case = view.ground.contract, view.ground.case.id
    reading = contract.shown.get((case, fact, role or ""))
    if reading == "used":
        return holds(seen=fact, proof="intervention")
    if reading == "not_used":
        why = f"no decision moved when {fact} was altered on its way to {role}"
        return fails(why, expected=f"{fact} used by {role}", kind=FailureKind.FACT_UNUSED)
    if reading is None:
        try_it = f"fairtrial use SUITE --setup {contract.seat.setup} --fact {fact}, then fairtrial grade RUN"
        return unknown(f"a use is shown by intervention only where the fact is altered and what follows run again: {try_it}")
    told = {"not_received": f"{fact} did not reach {role}, so there was nothing to alter"}
    return unknown(told.get(reading, f"whether {role} uses {fact} could not be told by altering it"))


def _covered(view: View, role: str | None, decides: bool) -> Finding | None:
    """UNKNOWN where part of what a role said was changed before it was stored: the fact may have stood there."""
    if not view.body.altered:
        return None
    kinds = ("message", "decision", "conflict", "handoff", "tool")
    spans = [span for span in view.body.spans if span.kind in kinds and span.role in (role, None)]
    return (untold(view, "output", "the answer") if decides else None) or untold_span(view, spans)


def said_by(view: View, role: str | None, decides: bool) -> Iterator[Any]:
    """Everything a role said: to the user, to other roles, to a tool, as its decision; for whoever decides, the answer as well."""
    if decides and view.answered:
        yield view.output
    if decides and view.head.decline is not None:
        yield view.head.decline.why
    for span in view.body.spans:
        if span.role != role and not (span.role is None and decides):
            continue
        if span.kind in ("message", "decision", "conflict"):
            yield span.attributes
        elif span.kind == "tool" and span.attributes.get("outcome") == "ok":
            yield span.attributes.get("args")
        elif span.kind == "handoff" and span.attributes.get("event") == "sent" and not decides:
            yield span.attributes.get("facts")


def forbidden_conclusion(view: View) -> Finding | None:
    """What the answer concludes that the case says must never be concluded; None where it does not."""
    found: Finding | None = view.once("conclusion", lambda: view.ground.forbidden_conclusion(view))
    return found


def _contradicted(signs: Signs, declared: Span | None, against: Finding) -> Finding:
    said = "declared used, yet" if declared else "not used:"
    where = f"{against.path} = {against.seen!r:.60}" if against.path else f"{against.seen!r:.60}"
    return fails(
        f"{signs.name} {said} the answer concludes {where}",
        span=declared.id if declared else None,
        path=against.path,
        expected=f"an answer that rests on {signs.name}",
        seen=against.seen,
        kind=FailureKind.FACT_UNUSED,
    )
