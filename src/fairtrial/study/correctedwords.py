"""What is said of a figure that rests on a judge's verdicts: how many do, and what is left of it with the judge's errors taken out.

Kept out: the figures (`corrected.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.corrected import CODE, EXAM, LABELS
from fairtrial.study.wording import count, listed, points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.corrected import Corrected


def rests(found: Corrected, *, sides: bool) -> str:
    """How many trials rest on which judges, each of the `sides` of a comparison by itself."""
    parts = [f"{one.trials:,} of {one.of:,}{f' of {side}' if sides else ''}" for side, one in found.judged.items()]
    names = sorted({name for one in found.judged.values() for name in one.judges})
    return f"trials that rest on a judge ({listed(names)}): {listed(parts)}"


def moved(found: Corrected | None) -> Iterator[str]:
    """The clauses on a difference."""
    if found is None:
        return
    yield rests(found, sides=True)
    code = found.ways.get(CODE)
    if code is not None and code.value is not None and code.low is not None and code.high is not None:
        yield f"by code alone the difference is {points(code.value)} points, 95 % interval {points(code.low)} to {points(code.high)}"
    if found.value is None or found.low is None or found.high is None:
        yield f"not corrected for its errors: {found.reason}"
        return
    dates = sorted({one.examined[:10] for one in found.judged.values() if one.examined})
    known = f"by {count(sum(one.labels for one in found.judged.values()), 'label')} of people"
    if found.by == EXAM:
        known = f"by its exam of {listed(dates)}, as if it erred alike on both sides,"
    yield f"corrected {known} the difference is {points(found.value)} points, 95 % interval {points(found.low)} to {points(found.high)}"


WITHDRAWN = "what the judge's verdicts show is not shown once its errors are reckoned with"
ALONE = "a judge may err more on one side than on the other, so without labels of people on both its verdicts alone tell no difference"
MORE_LABELS = "label more of these trials (fairtrial review), or have the judge sit a larger exam"
LABEL_BOTH = "have people label trials of both sides that were drawn at random (fairtrial review), of 40 cases each or more"


def withdrawn(found: Corrected) -> str:
    """Why what judges said is not claimed, where only that keeps it from being so."""
    return WITHDRAWN if found.by == LABELS else ALONE


def to_label(found: Corrected) -> str:
    """What would tell more, then."""
    return MORE_LABELS if found.by == LABELS else LABEL_BOTH
