"""The process findings of a trial, and `process:` for a case that wants them kept.

A finding names what could have gone better on the way, with its spans; it decides nothing, for another path to the goal
passes. Each rule is one function in `repeats`, `haste` or `overrun`, and looks at a trial whose trace is whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.graders.finding import HOLDS, NOT_APPLICABLE, Finding, fails, unknown
from fairtrial.graders.haste import early_conclusions, unverified_writes
from fairtrial.graders.overrun import ignored_limits, went_on
from fairtrial.graders.repeats import needless_reads, told_already, twins, useless_repeats
from fairtrial.records.remark import FLAGS, REMARKS, Remark

if TYPE_CHECKING:
    from fairtrial.graders.ground import Ground
    from fairtrial.graders.values import Probe
    from fairtrial.graders.view import View
    from fairtrial.records.check import Check

PROCESS = "process"
MOST = 50
"""Findings of one trial that are kept."""


def remarks_of(view: View) -> list[Remark]:
    """All process findings of one trial, worked out once; none where the trace is missing or not whole."""
    found: list[Remark] = view.once("remarks", lambda: _look(view)) if view.trace_whole else []
    return found


def _look(view: View) -> list[Remark]:
    found = [*useless_repeats(view), *needless_reads(view)] if twins(view.tools) else []
    found += told_already(view) if view.ground.case.brief.facts else []
    found += [*early_conclusions(view), *unverified_writes(view), *ignored_limits(view)]
    if not view.ground.case.key.required_tools:
        return found[:MOST]
    named = {span for remark in found if remark.name in ("useless_repeat", "needless_read") for span in remark.spans}
    return [*found, *went_on(view, named)][:MOST]


def _can_be(name: str, ground: Ground) -> bool:
    """Whether a finding could ever be made about a case: what is enough, and what is evidence, the case must say."""
    if name == "went_on":
        return bool(ground.case.key.required_tools)
    return name != "early_conclusion" or bool(ground.case.key.required_tools or ground.wanted_facts)


def compile_process(check: Check, ground: Ground) -> Probe:
    """FAIL where the trial has a finding that the check does not want."""
    unwanted = [FLAGS[flag] for flag in FLAGS if flag in check.expect and _can_be(FLAGS[flag], ground)]

    def probe(view: View) -> Finding:
        if not unwanted:
            return NOT_APPLICABLE
        if not view.trace_whole:
            return unknown("the trace is missing or not whole")
        for remark in remarks_of(view):
            if remark.name in unwanted:
                named = REMARKS[remark.name]
                span = remark.spans[0] if remark.spans else None
                return fails(
                    f"{remark.name}: {remark.why}",
                    span=span,
                    path=None if span else "trace",
                    expected=named.flag,
                    seen=remark.spans,
                    kind=named.kind,
                )
        return HOLDS

    return probe
