"""What the graders of a suite caught of the damage that was done to its passing trials: `judge mutants --json`.

Kept out: how a trial is damaged (`mutants/`), and what is made of the counts (`study/mutation.py`).
"""

from __future__ import annotations

import msgspec

CAUGHT, SURVIVED, UNSURE = "caught", "survived", "unsure"
"""FAIL; PASS; and UNKNOWN: not caught, and not passed either."""


class MutantResult(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One damaged trial. `what` was damaged; `state` is caught, survived or unsure.

    Where it was caught, `by` is the first check that failed, with its `card`, `kind` and `source`; else `why` says what the graders
    made of it, and `catch` which check would see it.
    """

    operator: str
    case: str
    setup: str
    attempt: int
    what: str
    state: str
    by: str = ""
    card: str = ""
    kind: str = ""
    source: str = ""
    why: str = ""
    catch: str = ""
    cluster: str | None = None


class Share(msgspec.Struct, kw_only=True):
    """A share of mutants that were caught, with an interval that is clustered by case; None with its reason where there are none."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    cases: int
    method: str
    reason: str = ""


class OperatorLine(msgspec.Struct, kw_only=True):
    """One way of damage. `trials` are those that it applied to, `not_applicable` those that it did not."""

    name: str
    does: str
    mutants: int
    caught: int
    survived: int
    unsure: int
    trials: int
    not_applicable: int
    share: Share


class CatcherLine(msgspec.Struct, kw_only=True):
    """One check, and of how many mutants it was the first to catch."""

    check: str
    card: str
    source: str
    caught: int
    operators: list[str]


class MutationReport(msgspec.Struct, kw_only=True):
    """The graders of a suite on trial. `share` is caught ÷ mutants; `survivors` and `unsure` are told one by one.

    `trials` of the run passed and were damaged; `left_out` counts those that were not, by reason.
    """

    suite: str
    says: str
    run: str | None
    setups: list[str]
    trials: int
    cases: int
    mutants: int
    caught: int
    survived: int
    unsure: int
    share: Share
    operators: list[OperatorLine]
    catchers: list[CatcherLine]
    survivors: list[MutantResult]
    unsures: list[MutantResult]
    left_out: dict[str, int] = {}
    judges: str = ""
    """asked, or not_asked, where mutants that no code caught have checks by a judge."""
    opinions: int = 0
    """Opinions of judges that were asked for, or that would be."""
    notes: list[str] = []
    path: str = ""
