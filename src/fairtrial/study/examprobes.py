"""What probes come to: the share of verdicts that change with the form of the question, and whether a judge is kinder to its own kin.

Kept out: how the other forms are made (`judges/probes.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.exam import Figure, Flips, Leniency
from fairtrial.records.verdict import Verdict
from fairtrial.stats.corrected import difference
from fairtrial.stats.linearised import share_of
from fairtrial.study.examfigures import figure, none

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.stats.linearised import Figure as Counted
    from fairtrial.study.examfigures import Sides

NOTHING = "nothing of these trials has another form"
FAMILY = "family"
"""The slice that names whose model an agent runs on."""


def flips_of(probe: str, cases: Sequence[str], before: Sequence[Verdict], after: Sequence[Verdict | None]) -> Flips:
    """One probe. `after` is None where it changed nothing; a trial without a verdict on one side is counted, and in no share."""
    import numpy as np

    asked = [place for place, verdict in enumerate(after) if verdict is not None]
    known = [place for place in asked if Verdict.UNKNOWN not in (before[place], after[place])]
    moved = np.array([before[place] != after[place] for place in known], dtype=bool)
    names: dict[str, int] = {}
    groups = np.array([names.setdefault(cases[place], len(names)) for place in known], dtype=np.intp)
    found = figure(share_of(moved, np.ones(len(known), dtype=bool), groups, 0.95), "no verdict on both sides") if asked else none(NOTHING)
    to_good = sum(1 for place in known if before[place] is Verdict.FAIL and after[place] is Verdict.PASS)
    return Flips(
        probe=probe,
        asked=len(asked),
        unusable=len(asked) - len(known),
        flips=found,
        to_positive=to_good,
        to_negative=int(moved.sum()) - to_good,
        why="" if asked else NOTHING,
    )


def leniency(sides: Sides, families: Sequence[str | None], own: str) -> Leniency | None:
    """How much more of what is wrong a judge passes where the agent is of its own family; None where the file names no family."""
    import numpy as np

    if sides.positive is None or not any(families):
        return None
    kin = np.array([name is not None and name.casefold() == own.casefold() for name in families])
    named = np.array([bool(name) for name in families])
    wrong, passed = sides.truth != sides.positive, sides.judge == sides.positive
    parts = [share_of(passed, wrong & named & side, sides.clusters, 0.95) for side in (kin, ~kin)]
    gap = difference(parts[1], parts[0])
    told = Figure(value=gap.value, low=gap.low, high=gap.high, n=gap.n, clusters=min(part.clusters for part in parts), reason=gap.reason)
    mine, others = (_kind(part) for part in parts)
    return Leniency(family=own, own=mine, others=others, difference=told)


def _kind(part: Counted) -> Figure:
    return figure(part, "no failure of theirs was labelled")


def families_of(slices: dict[str, dict[str, str]], items: Sequence[str]) -> list[str | None]:
    """The family of each item's agent, as the file states it."""
    return [slices.get(item, {}).get(FAMILY) for item in items]
