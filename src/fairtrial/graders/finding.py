"""What one look at a trial found: PASS, FAIL or UNKNOWN with its evidence, before it becomes a grade.

Kept out: who asked, how much it matters and what to mend (`tests.py`).
"""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.records.verdict import Verdict

CODE, JUDGE, BOTH = "code", "judge", "both"
"""Who came to a finding: code, a model judge, or a group of checks in which neither decided alone."""


class Finding(msgspec.Struct, kw_only=True):
    """`firm`: the same under `not` and must_not, because what was asked about is not there or is of no use.

    `seen` and `path` are given for PASS as well, so that a turned check can say what it found. `severity` and `card` are
    set only where a grader written in Python states them. `source` is code or judge; `both`: neither decided alone.
    """

    verdict: Verdict
    why: str = ""
    span: str | None = None
    path: str | None = None
    expected: Any = None
    seen: Any = None
    kind: str | None = None
    excused: bool = False
    firm: bool = False
    proof: str | None = None
    severity: str | None = None
    card: str | None = None
    fault: bool = False
    aside: bool = False
    source: str = CODE


NOT_APPLICABLE = Finding(verdict=Verdict.UNKNOWN, why="not applicable to this setup")
"""The check is about a role, or an act, that this setup does not have. Counted apart, never UNKNOWN."""

NOTHING_TO_SAY = Finding(verdict=Verdict.UNKNOWN, why="left to the other checks")
"""The check has nothing to add to this trial: a question that was answered."""

HOLDS = Finding(verdict=Verdict.PASS)

NO_ANSWER = Finding(verdict=Verdict.UNKNOWN, why="no answer")

DECLINED = Finding(verdict=Verdict.UNKNOWN, why="the agent declined, which the case allows", excused=True)


def unknown(why: str, **evidence: Any) -> Finding:
    return Finding(verdict=Verdict.UNKNOWN, why=why, **evidence)


def broken(why: str, **evidence: Any) -> Finding:
    """UNKNOWN because the grader could not do its work: nothing is said of the agent, and the run is not fully graded."""
    return Finding(verdict=Verdict.UNKNOWN, why=why, fault=True, **evidence)


def fails(why: str, **evidence: Any) -> Finding:
    return Finding(verdict=Verdict.FAIL, why=why, **evidence)


def holds(**evidence: Any) -> Finding:
    return Finding(verdict=Verdict.PASS, **evidence)


def turned(found: Finding) -> Finding:
    """The finding of the opposite check. What is UNKNOWN, not applicable or firm stays as it is."""
    if found.firm or found.verdict is Verdict.UNKNOWN:
        return found
    if found.verdict is Verdict.FAIL:
        return Finding(verdict=Verdict.PASS, span=found.span, path=found.path, seen=found.seen, source=found.source)
    return Finding(
        verdict=Verdict.FAIL, span=found.span, path=found.path, seen=found.seen, kind=found.kind, proof=found.proof, source=found.source
    )
