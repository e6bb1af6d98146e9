"""Answers whose verdict is known, put to the graders of a run before it spends a trial.

Kept out: where they come from and how they are graded (`steps/canaries.py`).
"""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.records.verdict import Verdict

KINDS = ("known_good", "known_unknown", "known_bad", "empty", "no_trace", "harness_fault", "stated")
"""known_good: a solution, to pass. known_unknown: a solution that leaves its question open, to pass with the question UNKNOWN.
known_bad: to fail. empty: an empty answer, not to pass. no_trace: a trial whose trace was lost, not to pass where the trace is
asked for. harness_fault: a trial that the harness spoiled, to be UNKNOWN. stated: as the suite's `canaries` say."""

CAUGHT, MISSED, OPEN = "caught", "missed", "open"
"""As expected; not so; and UNKNOWN because a judge was not asked or is not believed."""


class StatedCanary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry of a suite's `canaries`: what a trial of a case is said to have come to, and the verdict it must get."""

    case: str
    answer: Any = None
    state: Any = msgspec.UNSET
    trace: tuple[dict[str, Any], ...] | msgspec.UnsetType = msgspec.UNSET
    declined: bool = False
    expect: str = "FAIL"
    why: str = ""

    @property
    def stated(self) -> dict[str, Any]:
        """The long form of a known answer."""
        parts = {"answer": self.answer, "state": self.state, "trace": self.trace, "declined": self.declined or msgspec.UNSET}
        return {name: part for name, part in parts.items() if part is not msgspec.UNSET}


class CanaryResult(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One canary and what became of it. `expected` is PASS, FAIL, UNKNOWN or `not PASS`; `why` says what is wrong, `mend` what to do."""

    kind: str
    case: str
    name: str
    expected: str
    got: Verdict
    state: str
    by: str = ""
    """The first check that failed, where one did; for a canary of one judge, the judge."""
    why: str = ""
    mend: str = ""


class CanaryReport(msgspec.Struct, kw_only=True, omit_defaults=True):
    """All canaries of a run. `kinds` counts [planted, as expected] by kind; `cases` have a known answer, `left_out` of them were not
    asked because there are more than are needed. `grader` is the version of the graders that they were put to.

    With a missed one, the run cannot pass anything. With none planted nothing shows that its graders can tell good from bad.
    """

    planted: int
    caught: int
    says: str
    cases: int = 0
    left_out: int = 0
    kinds: dict[str, list[int]] = {}
    missed: list[CanaryResult] = []
    open: list[CanaryResult] = []
    cautions: list[str] = []
    judged: int = 0
    """Opinions of judges that were asked for."""
    grader: str = ""
