"""Gates that rest on an estimate: they hold when the one-sided bound meets the bar, fail when the opposite one misses it.

Between the two a gate is open, and says what it would take. Kept out: gates that are counted (`counted.py`), and the bounds
(`study/bounds.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from fairtrial.release import resting, words
from fairtrial.release.counted import nothing, result
from fairtrial.release.enough import BETWEEN, short
from fairtrial.release.words import count, exact
from fairtrial.study import bounds
from fairtrial.study.lookedat import at_the_gate

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.records.decision import GateResult
    from fairtrial.records.policy import Gate
    from fairtrial.release.ground import Ground
    from fairtrial.study.bounds import Bounded, Part
    from fairtrial.study.lane import Lane

    Write = Callable[[float | Decimal | None, Decimal | None], str]

ONE = Decimal(1)


def success_rate(gate: Gate, ground: Ground) -> GateResult:
    """Of the candidate alone against a bar, or paired with the baseline."""
    if gate.versus:
        return _versus(gate, ground)
    found = _least(gate, ground, lambda part: resting.success(part).found)
    part = ground.estimated(gate)
    read = resting.success(part)
    if not part.rows or read.corrected is None:
        return found
    seen = _seen(read.plain, gate.limit, words.share, "trial") + resting.seen_share(read.corrected, gate.limit)
    return msgspec.structs.replace(found, seen=seen, corrected=read.corrected)


def pass_hat(gate: Gate, ground: Ground) -> GateResult:
    """All of k trials pass."""
    return _least(gate, ground, lambda part: bounds.pass_hat(part, gate.k))


def stability(gate: Gate, ground: Ground) -> GateResult:
    """How alike the trials of a case end; a steady failure is stable too."""
    return _least(gate, ground, bounds.stability)


def recovery_rate(gate: Gate, ground: Ground) -> GateResult:
    """Failures of tools handled, of those met."""
    return _least(gate, ground, bounds.recovery)


def tool_call_accuracy(gate: Gate, ground: Ground) -> GateResult:
    """Calls with valid arguments. A bar of 1 asks for every call, which is counted: no sample could show it."""
    found = _least(gate, ground, bounds.tool_calls, things="tool call")
    if gate.bar != ONE or found.value is None or found.low is None:
        return found
    state = "holds" if found.value == 1 else "fails"
    return msgspec.structs.replace(found, state=state, needed="every call, counted", why="" if state == "holds" else "a call was not valid")


def unknown_share(gate: Gate, ground: Ground) -> GateResult:
    """How much is UNKNOWN."""
    return _most(gate, ground, bounds.unknown_share, words.share)


def latency_p95(gate: Gate, ground: Ground) -> GateResult:
    """The time that 95 % of answers stay within."""
    return _most(gate, ground, bounds.latency_p95, words.milliseconds)


def cost_per_success(gate: Gate, ground: Ground) -> GateResult:
    """What a success costs."""
    return _most(gate, ground, bounds.cost_per_success, words.dollars)


def _least(gate: Gate, ground: Ground, read: Callable[[Part], Bounded], things: str = "trial") -> GateResult:
    """A figure that must be at least its bar."""
    bar, part = gate.limit, ground.estimated(gate)
    needed = f"{words.share(bar)} or more by the lower bound"
    if not part.rows:
        return nothing(gate, ground, needed)
    found = read(part)
    low, high = found.low, found.high
    state = "holds" if low is not None and exact(low) >= bar else "fails" if high is not None and exact(high) < bar else "open"
    why = "" if state == "holds" else f"even the upper bound is below the bar: {words.share(high, bar)}"
    if state == "open":
        why = found.reason or _short(found, bar, part, read)
    return result(gate, state, _seen(found, bar, words.share, things), needed, why=why, **_figures(found))


def _short(found: Bounded, bar: Decimal, part: Part, read: Callable[[Part], Bounded]) -> str:
    """Why a rate of so many cases is open: the bar is out of reach, or lies between the bounds."""
    if bar >= 1:
        return "no sample can show that all pass; to count them, write {regression: SLICE}"
    most = bounds.reachable(found.cases, part.level)
    if exact(most) < bar:
        return (
            f"{count(found.cases, 'case')} could show no more than {words.share(most, bar)}, even if all passed; {_enough(bar, part)} could"
        )

    def holds(times: int) -> bool:
        low = read(msgspec.structs.replace(part, rows=part.rows * times)).low
        return low is not None and exact(low) >= bar

    beyond = found.value is not None and exact(found.value) > bar
    return short(holds, len(part.rows), clustered=bool(part.clusters), on_its_side=beyond, undecided=found.undecided)


def _enough(bar: Decimal, part: Part) -> str:
    """The fewest cases that could meet the bar, were all to pass."""
    few = 1
    while exact(bounds.reachable(few, part.level)) < bar and few < 10_000_000:
        few *= 2
    low, high = few // 2, few
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if exact(bounds.reachable(middle, part.level)) >= bar else (middle, high)
    return count(high, "case")


def _most(gate: Gate, ground: Ground, read: Callable[[Part], Bounded], write: Write) -> GateResult:
    """A figure that must be at most its bar."""
    bar, part = gate.limit, ground.estimated(gate)
    needed = f"{write(bar, None)} or less by the upper bound"
    if not part.rows:
        return nothing(gate, ground, needed)
    found = read(part)
    low, high = found.low, found.high
    state = "holds" if high is not None and exact(high) <= bar else "fails" if low is not None and exact(low) > bar else "open"
    why = "" if state == "holds" else f"even the lower bound is above the bar: {write(low, bar)}"
    if state == "open":
        why = found.reason or _long(found, bar, part, read)
    return result(gate, state, _seen(found, bar, write, "trial"), needed, why=why, **_figures(found))


def _long(found: Bounded, bar: Decimal, part: Part, read: Callable[[Part], Bounded]) -> str:
    def holds(times: int) -> bool:
        high = read(msgspec.structs.replace(part, rows=part.rows * times)).high
        return high is not None and exact(high) <= bar

    beyond = found.value is not None and exact(found.value) < bar
    return short(holds, len(part.rows), clustered=bool(part.clusters), on_its_side=beyond, undecided=found.undecided)


def _versus(gate: Gate, ground: Ground) -> GateResult:
    """The difference to the baseline over the shared cases."""
    better = gate.versus == "better_than"
    bar = gate.margin if better else -gate.margin
    needed = (
        f"above {words.points(bar)} points by the lower bound"
        if better and not bar
        else f"{words.points(bar)} points or more by the lower bound"
    )
    pairing = ground.pairing()
    if pairing is None or ground.baseline is None:
        why = "this run has no baseline: name one with `fairtrial gate RUN --baseline RUN:SETUP`"
        return result(gate, "open", "no baseline", needed, why=why)
    rows = ground.shared(gate, pairing)
    base, new = ((side.table, side.setup) for side in (ground.baseline, ground.candidate))
    plain = bounds.difference(ground.baseline.lane, ground.candidate.lane, rows, ground.confidence)
    laid = at_the_gate(plain, base, new, ground.confidence, whole=not gate.part)
    lanes = ground.baseline.lane, ground.candidate.lane
    read = resting.difference(lanes, rows, laid, ground.confidence, looked=laid is not plain)
    found = read.found
    low, high = found.low, found.high
    holds = low is not None and (exact(low) > bar if better and not bar else exact(low) >= bar)
    fails = high is not None and (exact(high) <= bar if better and not bar else exact(high) < bar)
    span = f"{words.points(laid.low, bar)} to {words.points(laid.high, bar)}"
    seen = f"{words.points(found.value, bar)} points over {count(found.cases, 'shared case')} ({span})"
    seen += f"; {found.undecided:,} undecided counted both ways" if found.undecided else ""
    seen += resting.seen_points(read.corrected, bar)
    why = "" if holds else f"even the upper bound misses: {words.points(high, bar)} points" if fails else found.reason
    if not holds and not fails and not why:
        why = _apart(lanes, rows, bar, ground.confidence) if found == plain else BETWEEN
    return result(
        gate, "holds" if holds else "fails" if fails else "open", seen, needed, why=why, corrected=read.corrected, **_figures(found)
    )


def _apart(lanes: tuple[Lane, Lane], rows: tuple[list[int], list[int]], bar: Decimal, confidence: float) -> str:
    base, new = lanes
    found = bounds.difference(base, new, rows, confidence)

    def holds(times: int) -> bool:
        low = bounds.difference(base, new, (rows[0] * times, rows[1] * times), confidence).low
        return low is not None and exact(low) >= bar

    clustered = bool(base.clusters(rows[0]) or new.clusters(rows[1]))
    beyond = found.value is not None and exact(found.value) > bar
    return short(holds, len(rows[0]), clustered=clustered, on_its_side=beyond, undecided=found.undecided)


def _seen(found: Bounded, bar: Decimal, write: Write, things: str) -> str:
    told = f"{write(found.value, bar)} over {count(found.n, things)} of {count(found.cases, 'case')}"
    if found.low is not None or found.high is not None:
        told += f" ({write(found.low, bar)} to {write(found.high, bar)})"
    return told + (f"; {found.undecided:,} undecided counted both ways" if found.undecided else "")


def _figures(found: Bounded) -> dict[str, object]:
    return {"value": found.value, "low": found.low, "high": found.high, "n": found.n, "cases": found.cases}
