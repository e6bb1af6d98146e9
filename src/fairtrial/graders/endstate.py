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
from fairtrial.graders.values import SAID_NOT_DONE, end_place, only_said
from fairtrial.graders.view import View
from fairtrial.records.failure import FailureKind
from fairtrial.records.grade import Grade
from fairtrial.records.verdict import Verdict

LABEL = "expect_state"


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
    return fails(f"{said}{found.path}: {found.why}{there}", path=found.path, expected=expected, seen=seen, kind=kind)


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


def name_unsaid(grades: list[Grade], unsaid: list[Grade]) -> None:
    """Where the state is right and the words are not, the failure is named for what it is: done, not said."""
    if any(grade.check == LABEL and grade.verdict is Verdict.PASS for grade in grades):
        for grade in unsaid:
            grade.why = f"done, not said: {grade.why}"
