"""What must bear out a difference that model judges saw before it is claimed of two setups.

A judge errs more on one setup than on another, and no exam on other answers sees that, so its verdicts take a claim away and never make
one by themselves. People's labels on trials of both sides bear it out; else code does, where the same can be claimed with the judges left
out. That code saw no loss says nothing of what it does not look at, so *not worse* needs labels, or a side that is better by code alone.
Kept out: the corrected figures (`corrected.py`), and the verdict as the trials have it (`contrast.py`).
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.corrected import CODE, LABELS, Corrected, Way
from fairtrial.study.codes import FAIL, PASS
from fairtrial.study.contrast import CONFIDENCE, Contrast, contrast, corrected, decide, furthest
from fairtrial.study.corrected import Span, corrected_difference

if TYPE_CHECKING:
    from fairtrial.study.contrast import Rows
    from fairtrial.study.lane import Lane

METHOD = "by code alone, every trial that rests on a judge taken as passed"
CLAIMS = {"better": ("better",), "worse": ("worse",), "not_worse": ("better",)}
"""A claim on the verdicts as they are -> what has to be claimed by code alone, where no labels bear it out."""


class Backing(msgspec.Struct, frozen=True):
    """The corrected difference, and that by code alone; None where no verdict rests on a judge. Code alone is not looked at where labels
    decide, nor where a run could stop at any look."""

    corrected: Corrected | None = None
    code: Contrast | None = None


def backing(base: Lane, new: Lane, rows: Rows, laid: Contrast) -> Backing:
    """Of the difference `laid` over these rows, undecided trials reckoned with as in its verdict."""
    ends, value = furthest(laid), laid.difference.value
    raw = None if ends is None or value is None else Span(value, *ends)
    found = corrected_difference((base, new), rows, raw, CONFIDENCE)
    if found is None or found.by == LABELS or laid.anytime:
        return Backing(found)
    code = contrast(by_code(base), by_code(new), rows)
    add_code(found, code.difference.value, furthest(code))
    return Backing(found, code)


def add_code(found: Corrected, value: float | None, ends: tuple[float | None, float | None] | None) -> None:
    """Puts the difference by code alone beside the corrected one."""
    low, high = ends or (None, None)
    found.ways[CODE] = Way(value=value, low=low, high=high, method=METHOD, reason="" if value is not None else "code decided nothing")


def by_code(lane: Lane) -> Lane:
    """The same trials as code has them: what only a judge failed has passed. What is UNKNOWN stays so."""
    seen = copy.copy(lane)
    seen.verdicts, seen.passed, seen.failed = bytearray(lane.verdicts), list(lane.passed), list(lane.failed)
    for row in range(len(lane.cases)):
        for slot in range(lane.first[row], lane.first[row + 1]):
            if lane.judged[slot] and lane.verdicts[slot] == FAIL:
                seen.verdicts[slot] = PASS
                seen.passed[row] += 1
                seen.failed[row] -= 1
    return seen


def backed(said: str, backing: Backing, margin: float | None, looks: int = 1) -> str:
    """A verdict on what judges said: it stands only where it is borne out. `looks`: among how many differences it was found.

    Nothing is claimed on the corrected difference alone, so no calibration makes a claim that the verdicts do not.
    """
    found = backing.corrected
    if found is None or said not in CLAIMS:
        return said
    low, high = found.low, found.high
    shown = low is not None and high is not None and {
        "better": low > 0, "worse": high < 0, "not_worse": margin is not None and low > -margin,
    }[said]  # fmt: skip
    if found.known and not shown:
        return "cannot_tell"
    return said if found.by == LABELS or _by_code_as_well(said, backing.code, looks) else "cannot_tell"


def _by_code_as_well(said: str, code: Contrast | None, looks: int) -> bool:
    if code is None:
        return False
    p = None if code.p_value is None else min(1.0, code.p_value * looks)
    return decide(corrected(code, p), None) in CLAIMS[said]
