"""Success that rests on model judges, as a gate may read it: with the judges' errors taken out, where they are known.

A gate holds only where the bound on the verdicts as they are and the corrected bound both meet the bar, so that no calibration lets
through what the verdicts do not; it fails where the corrected bound misses, for what a strict judge fails wrongly is no failure of
the agent. Where nothing is known of the errors, the verdicts of one setup count as they are, and the gate says whose they are. Two
setups are told apart by labels of people on both, or where code alone shows a gain as well (`study/backing.py`). Kept out: the
correction (`study/corrected.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.corrected import LABELS
from fairtrial.release.words import MISSING, count, points, share
from fairtrial.study import bounds
from fairtrial.study.backing import add_code, by_code
from fairtrial.study.bounds import Bounded
from fairtrial.study.corrected import Span, corrected_difference, corrected_rate
from fairtrial.study.correctedwords import ALONE, LABEL_BOTH, rests

if TYPE_CHECKING:
    from decimal import Decimal

    from fairtrial.records.corrected import Corrected
    from fairtrial.study.bounds import Part
    from fairtrial.study.lane import Lane


class Read(msgspec.Struct, frozen=True):
    """A figure as the verdicts have it, the bounds that decide, and the correction; None where no verdict rests on a judge."""

    plain: Bounded
    found: Bounded
    corrected: Corrected | None


def success(part: Part) -> Read:
    """The success rate."""
    plain = bounds.success(part)
    return _read(plain, corrected_rate(part.lane, part.rows, _span(plain), part.level))


def difference(
    lanes: tuple[Lane, Lane], rows: tuple[list[int], list[int]], plain: Bounded, confidence: float, *, looked: bool = False
) -> Read:
    """New minus base, `plain` being the difference as it would be read without judges; `looked`: it holds at every look, and what code
    alone shows does not."""
    mended = corrected_difference(lanes, rows, _span(plain), bounds.level_of(confidence))
    read = _read(plain, mended)
    if mended is None or mended.by == LABELS:
        return read
    base, new = map(by_code, lanes)
    code = bounds.difference(base, new, rows, confidence)
    add_code(mended, None if code.value is None else float(code.value), (code.low, code.high))
    if read.found.low is None:
        return read
    if looked or code.low is None or code.low <= 0.0:
        return Read(plain, msgspec.structs.replace(read.found, low=None, reason=f"{ALONE}: {LABEL_BOTH}"), mended)
    return Read(plain, msgspec.structs.replace(read.found, low=min(read.found.low, code.low)), mended)


def _span(found: Bounded) -> Span | None:
    value, low, high = found.value, found.low, found.high
    return None if value is None or low is None or high is None else Span(float(value), low, high)


def _read(plain: Bounded, mended: Corrected | None) -> Read:
    if mended is None or not mended.known:
        return Read(plain, plain, mended)
    if mended.low is None or mended.high is None or plain.low is None:
        return Read(plain, msgspec.structs.replace(plain, low=None, high=None, reason=mended.reason), mended)
    return Read(plain, msgspec.structs.replace(plain, low=min(plain.low, mended.low), high=mended.high), mended)


def seen_share(mended: Corrected | None, bar: Decimal) -> str:
    """The clauses on a rate, to follow what was seen of the verdicts as they are."""
    if mended is None:
        return ""
    if mended.value is None:
        return f"; {rests(mended, sides=False)}; {mended.reason}"
    ends = f"{share(mended.low, bar)} to {share(mended.high, bar)}"
    return f"; {rests(mended, sides=False)}; corrected {_by(mended)}: {share(mended.value, bar)} ({ends})"


def seen_points(mended: Corrected | None, bar: Decimal) -> str:
    """The same on a difference."""
    if mended is None:
        return ""
    if mended.value is None:
        return f"; {rests(mended, sides=True)}; {mended.reason}"
    ends = f"{points(mended.low, bar)} to {points(mended.high, bar)}"
    return f"; {rests(mended, sides=True)}; corrected {_by(mended)}: {points(mended.value, bar)} points ({ends})"


def _by(mended: Corrected) -> str:
    sides = mended.judged.values()
    if mended.by == "labels":
        return f"by {count(sum(one.labels for one in sides), 'label')} of people"
    return f"by the exam of {', '.join(sorted({one.examined[:10] for one in sides if one.examined})) or MISSING}"
