"""The table of what can be checked: a subject, and what compiles it; and the three ways to join checks.

Joined checks follow Kleene's three-valued logic. What is not applicable, or has nothing to say, is left out of a group.
"""

from __future__ import annotations

from collections.abc import Callable

from fairtrial.graders.access import compile_access
from fairtrial.graders.adjustment import compile_adjustment
from fairtrial.graders.approval import compile_approval
from fairtrial.graders.callables import compile_grader
from fairtrial.graders.changes import compile_changes
from fairtrial.graders.citations import compile_citations
from fairtrial.graders.command import compile_command
from fairtrial.graders.conflict import compile_conflict
from fairtrial.graders.effect import compile_effect
from fairtrial.graders.facts import compile_fact
from fairtrial.graders.finding import BOTH, JUDGE, NOT_APPLICABLE, NOTHING_TO_SAY, Finding, turned
from fairtrial.graders.forbidden import compile_forbidden
from fairtrial.graders.ground import Ground
from fairtrial.graders.grounded import compile_grounded
from fairtrial.graders.injection import INJECTION, compile_injection
from fairtrial.graders.judge import compile_judge
from fairtrial.graders.leak import compile_leak
from fairtrial.graders.process import compile_process
from fairtrial.graders.queries import compile_query
from fairtrial.graders.question import compile_question
from fairtrial.graders.recovery import compile_recovery
from fairtrial.graders.retention import compile_retention
from fairtrial.graders.role import compile_role
from fairtrial.graders.rule_check import compile_rule_check
from fairtrial.graders.tools import compile_tool
from fairtrial.graders.ui_card import compile_card
from fairtrial.graders.values import Probe, compile_output, compile_state
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.verdict import Verdict

COMPILERS: dict[str, Callable[[Check, Ground], Probe]] = {
    "output": compile_output,
    "text": compile_output,
    "state": compile_state,
    "query": compile_query,
    "question": compile_question,
    "changes": compile_changes,
    "command": compile_command,
    "fact": compile_fact,
    "adjustment": compile_adjustment,
    "conflict": compile_conflict,
    "tool": compile_tool,
    "effect": compile_effect,
    "ui_card": compile_card,
    "role": compile_role,
    "rule": compile_rule_check,
    "access": compile_access,
    "leak": compile_leak,
    "approval": compile_approval,
    "forbidden": compile_forbidden,
    "citations": compile_citations,
    "grounded": compile_grounded,
    "retention": compile_retention,
    "recovery": compile_recovery,
    "process": compile_process,
    JUDGE: compile_judge,
    "grader": compile_grader,
}


def compile_check(check: Check, ground: Ground) -> Probe:
    """The function that looks for what a check asks, as if it stood under `must`. Raises InputError where it cannot be read."""
    if check.subject == INJECTION:
        return compile_injection(check, ground, compile_check)
    if check.subject in COMPILERS:
        return COMPILERS[check.subject](check, ground)
    parts = [compile_check(part, ground) for part in check.parts]
    if check.subject == "not":
        only = parts[0]
        return lambda view: turned(only(view))
    decisive, other = (Verdict.FAIL, Verdict.PASS) if check.subject == "all_of" else (Verdict.PASS, Verdict.FAIL)
    return _joined(parts, decisive, other)


def _joined(parts: list[Probe], decisive: Verdict, other: Verdict) -> Probe:
    """One part with the decisive verdict decides; else one that is UNKNOWN; else all have the other verdict."""

    def probe(view: View) -> Finding:
        found: list[Finding] = []
        for part in parts:
            here = part(view)
            if here is NOT_APPLICABLE or here is NOTHING_TO_SAY:
                continue
            if here.verdict is decisive:
                return here
            found.append(here)
        if not found:
            return NOT_APPLICABLE
        unknown = [here for here in found if here.verdict is Verdict.UNKNOWN]
        if unknown:
            return next((here for here in unknown if not here.excused), unknown[0])
        return _all(found, other)

    return probe


def _all(found: list[Finding], verdict: Verdict) -> Finding:
    if len(found) == 1:
        return found[0]
    first = found[0]
    why = "; ".join(here.why for here in found if here.why)
    firm = any(here.firm for here in found)
    sources = {here.source for here in found}
    return Finding(
        verdict=verdict, why=why, span=first.span, path=first.path, expected=first.expected, seen=first.seen, kind=first.kind, firm=firm,
        source=sources.pop() if len(sources) == 1 else BOTH,
    )  # fmt: skip
