"""The gate on what people say of a candidate: it rests on trials that were drawn at random, or on all of them, and else is open.

Kept out: how a score is had (`study/humanscore.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from fairtrial.release import words
from fairtrial.release.counted import nothing, result
from fairtrial.release.enough import BETWEEN
from fairtrial.release.words import count, exact
from fairtrial.study.humanscore import CHOSEN, bounded, difference

if TYPE_CHECKING:
    from fairtrial.records.decision import GateResult
    from fairtrial.records.policy import Gate
    from fairtrial.release.ground import Ground, Side
    from fairtrial.study.bounds import Bounded


def human_score(gate: Gate, ground: Ground) -> GateResult:
    """People's score from 1 to 5: of the candidate alone against a bar, or paired with the baseline."""
    return _versus(gate, ground) if gate.versus else _least(gate, ground)


def _least(gate: Gate, ground: Ground) -> GateResult:
    bar, part, side = gate.limit, ground.estimated(gate), ground.candidate
    needed = f"{words.score(bar)} or more by the lower bound"
    if not part.rows:
        return nothing(gate, ground, needed)
    people = side.people.get(part.lane.setup)
    if people is None:
        return result(gate, "open", "no score", needed, why=_nobody(side))
    found = bounded(people, part.lane, part.rows, part.level)
    low, high = found.low, found.high
    state = "holds" if low is not None and exact(low) >= bar else "fails" if high is not None and exact(high) < bar else "open"
    why = "" if state == "holds" else f"even the upper bound is below the bar: {words.score(high, bar)}"
    if state == "open":
        why = _drawless(side) if people.basis == CHOSEN else found.reason or _more(found)
    return result(gate, state, _seen(found, bar), needed, why=why, **_figures(found))


def _nobody(side: Side) -> str:
    return f"no person has scored a trial of {side.name}; type: fairtrial review {side.name}"


def _drawless(side: Side) -> str:
    return f"of {side.name} people looked at trials that were chosen for a reason; draw some: fairtrial review {side.name}"


def _more(found: Bounded) -> str:
    return f"{BETWEEN}; label the {count(found.undecided, 'trial')} of the draw that nobody has settled" if found.undecided else BETWEEN


def _seen(found: Bounded, bar: Decimal) -> str:
    told = f"{words.score(found.value, bar)} by people over {count(found.n, 'trial')} of {count(found.cases, 'case')}"
    if found.low is not None or found.high is not None:
        told += f" ({words.score(found.low, bar)} to {words.score(found.high, bar)})"
    return told + (f"; {found.undecided:,} undecided counted both ways" if found.undecided else "")


def _figures(found: Bounded) -> dict[str, object]:
    return {"value": found.value, "low": found.low, "high": found.high, "n": found.n, "cases": found.cases}


def _versus(gate: Gate, ground: Ground) -> GateResult:
    """The difference to the baseline in points of the score, over the shared cases that people scored on both sides."""
    better = gate.versus == "better_than"
    bar = gate.margin if better else -gate.margin
    above = better and not bar
    needed = f"a difference above {_points(bar)} on 1 to 5, by the lower bound"
    needed = needed if above else f"a difference of {_points(bar)} or more on 1 to 5, by the lower bound"
    pairing = ground.pairing()
    if pairing is None or ground.baseline is None:
        why = "this run has no baseline: name one with `fairtrial gate RUN --baseline RUN:SETUP`"
        return result(gate, "open", "no baseline", needed, why=why)
    sides = ground.baseline, ground.candidate
    scored = [side.people.get(side.setup) for side in sides]
    for side, people in zip(sides, scored, strict=True):
        if people is None:
            return result(gate, "open", "no score", needed, why=_nobody(side))
        if people.basis == CHOSEN:
            return result(gate, "open", "no random draw", needed, why=_drawless(side))
    base, new = ((people, side.lane) for people, side in zip(scored, sides, strict=True) if people is not None)
    found = difference((base, new), ground.shared(gate, pairing), ground.estimated(gate).level)
    low, high = found.low, found.high
    holds = low is not None and (exact(low) > bar if above else exact(low) >= bar)
    fails = high is not None and (exact(high) <= bar if above else exact(high) < bar)
    why = "" if holds else f"even the upper bound misses: {_points(high, bar)} on 1 to 5" if fails else found.reason or _more(found)
    seen = f"{_points(found.value, bar)} on 1 to 5 by people over {count(found.cases, 'shared case')}"
    seen += f" ({_points(low, bar)} to {_points(high, bar)})"
    return result(gate, "holds" if holds else "fails" if fails else "open", seen, needed, why=why, **_figures(found))


def _points(value: float | Decimal | None, bar: Decimal | None = None) -> str:
    """A difference of scores with its sign."""
    if value is None:
        return words.MISSING
    text = words.beside(value, [Decimal(0), *([] if bar is None else [bar])], 2)
    return text if text.startswith("-") or text == "0" else f"+{text}"
