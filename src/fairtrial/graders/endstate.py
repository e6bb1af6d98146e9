"""The end of the world against the one the case expects, whole; and tools that the case requires.

Where nothing changed and yet the agent finished with an answer, the failure is named for what it is: said done, not done.
"""

from __future__ import annotations

from fairtrial.graders.compare import ABSENT, Difference, compile_compare
from fairtrial.graders.compiled import Labels, Test
from fairtrial.graders.finding import HOLDS, Finding, fails, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.kept import dotted, untold
from fairtrial.graders.paths import compile_path
from fairtrial.graders.values import SAID_NOT_DONE, end_place, only_said, unfinished
from fairtrial.graders.view import View
from fairtrial.records.failure import FailureKind
from fairtrial.records.grade import Grade
from fairtrial.records.verdict import Verdict

LABEL = "expect_state"
DONE_NOT_SAID = "done, not said"
IN_THE_WORLD = ("state", "query", "command")
"""Subjects of checks that ask what was done, whatever was said."""


def end_state_test(ground: Ground) -> Test:
    differ = compile_compare(ground.case.key.expect_state)

    def probe(view: View) -> Finding:
        if not view.state_kept:
            return unknown("the end of the world was not kept")
        found = differ(view.state)
        return HOLDS if found is None else _different(view, found)

    return Test(Labels(LABEL, "outcome"), probe, subject="state")


def _different(view: View, found: Difference) -> Finding:
    covered = untold(view, f"{end_place(view)}{dotted(compile_path(found.path))}", found.path)
    if covered is not None:
        return covered
    claimed = only_said(view)
    said = f"{SAID_NOT_DONE}; " if claimed else ""
    expected, seen = (None if side is ABSENT else side for side in (found.expected, found.seen))
    there = f"; {seen!r:.80} is there" if found.seen is not ABSENT and found.expected is not ABSENT else ""
    kind = FailureKind.FALSE_SUCCESS if claimed else FailureKind.WRONG_STATE
    span = unfinished(view) if claimed else None
    return fails(f"{said}{found.path}: {found.why}{there}", path=found.path, expected=expected, seen=seen, kind=kind, span=span)


def required_tool_test(name: str, ground: Ground) -> Test:
    """A tool that the case requires must have been called and have answered."""

    def probe(view: View) -> Finding:
        calls = [span for span in view.tools if span.name == name]
        if any(span.attributes.get("outcome", "ok") == "ok" for span in calls):
            return HOLDS
        if not view.trace_whole:
            return unknown("the trace is missing or not whole")
        why = f"{name} was called {len(calls)} times, never with success" if calls else f"{name} was never called"
        span = calls[-1].id if calls else None
        return fails(
            why, span=span, path=None if span else "trace", expected=f"{name} called", seen=len(calls), kind=FailureKind.TOOL_SELECTION
        )

    return Test(Labels(f"required tool {name}", "process"), probe, subject="tool")


def name_unsaid(view: View, done: list[Grade], unsaid: list[Grade]) -> None:
    """Where the world was changed as it should be and the words are wrong, the failure is named for what it is: done, not said.

    `done`: the grades of what must stand in the world; `unsaid`: failed ones of what must be said. The call that did it is shown.
    """
    if not view.body.changes or not done or any(grade.verdict is not Verdict.PASS for grade in done):
        return
    wrote = next((span.id for span in reversed(view.tools) if span.attributes.get("wrote")), None)
    for grade in unsaid:
        grade.why = f"{DONE_NOT_SAID}: {grade.why}"
        if grade.evidence is not None and grade.evidence.span is None:
            grade.evidence.span = wrote
