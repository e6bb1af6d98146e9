"""What one role owes another: each contract's hand-off, kept or not. It feeds the chain of a team; no verdict rests on it."""

from __future__ import annotations

from fairtrial.graders.ground import Ground
from fairtrial.graders.view import View
from fairtrial.records.suite import HandoffContract
from fairtrial.records.verdict import Verdict


def handoff_verdicts(view: View, ground: Ground) -> dict[str, Verdict]:
    """A verdict for each contract between two seated roles that owes a fact this case has; none where one role is tried alone."""
    found: dict[str, Verdict] = {}
    if ground.case.scene.role is not None:
        return found
    for contract in ground.contract.handoffs:
        owed = [fact for fact in contract.requires if fact in ground.case.brief.facts]
        if owed and contract.source in ground.roles and contract.target in ground.roles:
            found[contract.name] = _kept(view, contract, owed)
    return found


def _kept(view: View, contract: HandoffContract, owed: list[str]) -> Verdict:
    received: set[str] = set()
    for span in view.spans("handoff"):
        attributes = span.attributes
        facts = attributes.get("facts")
        right = attributes.get("event") == "received" and attributes.get("from") == contract.source
        if right and attributes.get("to") == contract.target and isinstance(facts, dict):
            received.update(fact for fact, value in facts.items() if value is not None or ground_value_is_none(view, fact))
    if received.issuperset(owed):
        return Verdict.PASS
    return Verdict.FAIL if view.trace_whole else Verdict.UNKNOWN


def ground_value_is_none(view: View, fact: str) -> bool:
    """Whether the case itself states null for the fact, so that null carries it."""
    return fact in view.facts and view.facts[fact] is None
