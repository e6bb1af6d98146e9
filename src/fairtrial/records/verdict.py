"""PASS, FAIL, UNKNOWN and the logic over them.

UNKNOWN is a verdict like the others and is carried in its own column to the end; it is never averaged away.
The connectives are Kleene's strong three-valued logic.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Verdict(StrEnum):
    PASS = "PASS"
    FAIL = "FAIL"
    UNKNOWN = "UNKNOWN"


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """FAIL if one fails, else UNKNOWN if one is unknown, else PASS. No parts at all is UNKNOWN: nothing was shown."""
    seen = set(verdicts)
    if Verdict.FAIL in seen:
        return Verdict.FAIL
    return Verdict.PASS if seen == {Verdict.PASS} else Verdict.UNKNOWN


def any_of(verdicts: Iterable[Verdict]) -> Verdict:
    """PASS if one passes, else UNKNOWN if one is unknown, else FAIL. No parts at all is UNKNOWN."""
    seen = set(verdicts)
    if Verdict.PASS in seen:
        return Verdict.PASS
    return Verdict.FAIL if seen == {Verdict.FAIL} else Verdict.UNKNOWN
