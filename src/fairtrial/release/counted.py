"""Gates that are counted over everything planned: no interval, nothing but a count decides them.

What is not known counts both ways: a count holds only if no UNKNOWN and no trial that was not run could turn it, and fails
only if none could mend it. Kept out: gates that rest on an estimate (`estimated.py`).
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.decision import GateResult
from fairtrial.records.errors import nearest
from fairtrial.records.setup import UNIT
from fairtrial.release.words import count, exact, listed, milliseconds, share
from fairtrial.study.bounds import severe_cases, times

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from fairtrial.records.policy import Gate
    from fairtrial.release.ground import Ground
    from fairtrial.study.bounds import Part

REGRESSION = {"library": "regression"}


def result(gate: Gate, state: str, seen: str, needed: str, **more: Any) -> GateResult:
    """What became of a gate."""
    return GateResult(gate=gate.name, asks=gate.asks, hard=gate.hard, state=state, seen=seen, needed=needed, bar=gate.bar, **more)


def nothing(gate: Gate, ground: Ground, needed: str, why: str = "") -> GateResult:
    """A gate that looks at no case can neither hold nor fail."""
    part = ", ".join(f"{label} {value}" for label, value in gate.part.items())
    told = f"no case of this run is of {part}{_nearest(gate, ground)}" if part else "the run has no case"
    return result(gate, "open", "no case", needed, why=why or told)


def _nearest(gate: Gate, ground: Ground) -> str:
    """What a slice may have meant, where the run has no such value of a label: a tag is written whole, `topic:refund`."""
    for label, value in gate.part.items():
        there = ground.values(label)
        near = next((one for one in there if one.endswith(f":{value}")), None) or nearest(value, there)
        if near is not None and value not in there:
            return f"; the nearest is {label} {near}"
    return ""


def regression(gate: Gate, ground: Ground) -> GateResult:
    """Every planned trial of every regression case passed; with a slice, of every case in it."""
    needed = "every planned trial passed"
    parts = ground.counted(gate if gate.part else msgspec.structs.replace(gate, part=REGRESSION))
    tally = _Tally(parts)
    if not tally.cases:
        return nothing(gate, ground, needed, "" if gate.part else "no case of this run is of library regression")
    seen = f"{tally.passed:,} of {count(tally.planned, 'trial')} of {count(len(tally.cases), 'case')} passed"
    if tally.failed:
        why = f"{count(tally.failed, 'trial')} failed: {listed(tally.where('failed'))}"
        return result(gate, "fails", seen, needed, why=why, n=tally.planned, cases=len(tally.cases))
    if tally.passed < tally.planned:
        why = f"{tally.unknown:,} unknown and {tally.not_run:,} not run: {listed(tally.where('open'))}"
        return result(gate, "open", seen, needed, why=why, n=tally.planned, cases=len(tally.cases))
    return result(gate, "holds", seen, needed, n=tally.planned, cases=len(tally.cases))


class _Tally:
    """The counts of some parts together."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.cases = [(part.lane, row) for part in parts for row in part.rows]
        sums = [part.lane.sums(part.rows) for part in parts]
        self.planned, self.passed, self.failed, self.unknown, self.not_run, self.severe = map(sum, zip(*sums, strict=True))

    def where(self, what: str) -> list[str]:
        """The cases with a failed trial, or with one that is open."""
        found = []
        for lane, row in self.cases:
            if lane.failed[row] if what == "failed" else lane.open(row):
                found.append(lane.cases[row].id)
        return list(dict.fromkeys(found))


def severe(gate: Gate, ground: Ground) -> GateResult:
    """No severe failure, and with `upper_bound` so many independent cases without one that more than that can be ruled out."""
    needed = "none"
    if gate.upper_bound is not None:
        needed = f"none, and at most {share(gate.upper_bound)} of cases by the upper bound"
    parts = ground.counted(gate)
    tally = _Tally(parts)
    if not tally.cases:
        return nothing(gate, ground, needed)
    found = tally.severe
    unsure = tally.not_run + sum(part.watch.unsafe[row] for part in parts for row in part.rows)
    cases, high = severe_cases(parts)
    bound = "" if high is None else f"; at most {share(high, gate.upper_bound)} of cases by the upper bound"
    looked = f"{count(tally.planned - tally.not_run, 'trial')} of {count(cases, 'independent case')}"
    seen = f"{count(found, 'trial')} with a severe failure in {looked}{bound}"
    figures: dict[str, Any] = {"value": Decimal(found), "high": high, "n": tally.planned, "cases": cases}
    if found:
        where = [part.lane.cases[row].id for part in parts for row in part.rows if row in part.lane.severe]
        return result(gate, "fails", seen, needed, why=f"severe failures in {listed(where)}", **figures)
    if unsure:
        why = f"of {count(unsure, 'planned trial')} it is not known whether anything severe happened"
        return result(gate, "open", seen, needed, why=why, **figures)
    if gate.upper_bound is not None and (high is None or exact(high) > gate.upper_bound):
        why = f"{count(_needed(gate.upper_bound, ground), 'independent case')} without a severe failure would do, here {cases}"
        return result(gate, "open", seen, needed, why=why, **figures)
    return result(gate, "holds", seen, needed, why=_only_named(ground, "severe"), **figures)


def _only_named(ground: Ground, figure: str) -> str:
    """What a reader must know of a count over results from elsewhere that do not tell of every trial."""
    column = {"severe": "severe", "over_budget": "ending"}[figure]
    untold = figure in ground.candidate.table.manifest.untold
    return (
        f"results from elsewhere count what they name, and they do not tell it of every trial (the column {column} does)" if untold else ""
    )


def _needed(bound: Decimal, ground: Ground) -> int:
    """Independent cases without an event that keep the exact upper bound within `bound`."""
    from math import ceil, log1p

    return ceil(log1p(-ground.confidence) / log1p(-float(bound)) - 1e-12)


def over_budget(gate: Gate, ground: Ground) -> GateResult:
    """No more trials than the bar went over their budget."""
    bar = gate.limit
    needed = "none" if not bar else f"{bar} at most"
    parts = ground.counted(gate)
    tally = _Tally(parts)
    if not tally.cases:
        return nothing(gate, ground, needed)
    if not _budgeted(ground):
        return result(gate, "open", "no budget", needed, why="the run had no budget, so nothing could go over it", n=tally.planned)
    over = sum(part.lane.counts.over_budget[row] for part in parts for row in part.rows)
    unsure = tally.not_run + sum(part.watch.harness[row] for part in parts for row in part.rows)
    seen = f"{over:,} of {count(tally.planned, 'planned trial')} went over the budget"
    figures: dict[str, Any] = {"value": Decimal(over), "n": tally.planned, "cases": len(tally.cases)}
    if over > bar:
        return result(gate, "fails", seen, needed, why=f"{count(over, 'trial')} went over the budget", **figures)
    if over + unsure > bar:
        why = f"{count(unsure, 'planned trial')} were not run to their end"
        return result(gate, "open", seen, needed, why=why, **figures)
    return result(gate, "holds", seen, needed, why=_only_named(ground, "over_budget"), **figures)


def _budgeted(ground: Ground) -> bool:
    """Whether there was a ceiling at all. A table from elsewhere says what went over, and not of what."""
    table = ground.candidate.table
    seats = [seat for seat in table.manifest.seats if seat.setup != UNIT]
    own = (table.manifest.settings.get("holds") or {}).get("budgets", 0)
    return table.manifest.origin != "run" or bool(own) or any(seat.budget != type(seat.budget)() for seat in seats)


def coverage(gate: Gate, ground: Ground) -> GateResult:
    """The share of planned trials that were scored, PASS or FAIL. It fails only where no run and no grading could still mend it."""
    needed = f"{share(gate.limit)} or more"
    parts = ground.counted(gate)
    tally = _Tally(parts)
    if not tally.cases:
        return nothing(gate, ground, needed)
    mendable = tally.not_run + sum(part.watch.mendable[row] for part in parts for row in part.rows)
    scored, bar = tally.passed + tally.failed, Fraction(gate.limit)
    part, most = Fraction(scored, tally.planned), Fraction(scored + mendable, tally.planned)
    value = Decimal(scored) / Decimal(tally.planned)
    seen = f"{scored:,} of {count(tally.planned, 'planned trial')} scored ({share(value, gate.bar)})"
    figures: dict[str, Any] = {"value": value, "n": tally.planned, "cases": len(tally.cases)}
    if part >= bar:
        return result(gate, "holds", seen, needed, **figures)
    why = f"{tally.unknown:,} unknown and {tally.not_run:,} not run: {listed(tally.where('open'))}"
    if most < bar:
        return result(gate, "fails", seen, needed, why=why, **figures)
    return result(gate, "open", seen, needed, why=f"{why}{ground.candidate.mend}", **figures)


def latency_max(gate: Gate, ground: Ground) -> GateResult:
    """No answer took longer than the bar. The longest of a sample has no bound, so this is counted."""
    needed = f"{milliseconds(gate.limit)} at most"
    part = ground.estimated(gate)
    if not part.rows:
        return nothing(gate, ground, needed)
    found = times(part)
    longest = max(map(exact, found.known), default=None)
    took = f"the longest of {count(len(found.known), 'answer')} took {milliseconds(longest, gate.bar)}"
    told = ["no trial gave an answer" if longest is None else took]
    told += [f"{count(found.never, 'trial')} ran out of time"] if found.never else []
    told += [f"{count(found.quits, 'trial')} ended without an answer"] if found.quits else []
    seen = "; ".join(told)
    figures: dict[str, Any] = {"value": longest, "n": len(found.known), "cases": len(part.rows)}
    if found.never or (longest is not None and longest > gate.limit):
        slow = sum(exact(one) > gate.limit for one in found.known)
        return result(gate, "fails", seen, needed, why=f"{count(slow + found.never, 'trial')} took longer", **figures)
    if found.missing or longest is None:
        why = f"the time of {count(found.missing, 'planned trial')} is not known" if found.missing else "without an answer there is no time"
        return result(gate, "open", seen, needed, why=why, **figures)
    return result(gate, "holds", seen, needed, **figures)
