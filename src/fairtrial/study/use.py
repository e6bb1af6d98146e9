"""Was a fact used? What came of altering it, beside what was declared and what was found in words.

`used` needs a shift that chance cannot explain (Holm over all rows); `not_used` needs an interval that leaves no room for a use
in half of the decisions or more; all else is `cannot_tell`. Kept out: what a decision is, and how trials were run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.tamper import WAYS
from fairtrial.records.use import UseCase, UsePlan, UseProof, UseReport, UseShift
from fairtrial.stats import shift as shifts
from fairtrial.stats.correction import holm
from fairtrial.stats.paired import tango
from fairtrial.study.usewords import nothing_altered, overall, shift_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from fairtrial.records.run import Run

ALPHA = 0.05
LEAST = 0.5
"""A fact that moves fewer decisions than this share may pass for unused; the interval says how many could have gone unseen. The
share is of what noise leaves to be seen: where controls differ in two pairs of three, a full use adds one in three."""


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What the trials of one setup came to in one case: in the order of attempts, the class of each decision, alike in all
    setups of the case (None: no decision, or not run); `ran` of them were run."""

    decisions: tuple[int | None, ...]
    ran: int
    declared: dict[str, int] = {}
    found: dict[str, int] = {}
    """By fact the number of these trials in which it was declared used, and in which it shows in what was said."""


Evidence = dict[str, dict[str, Seen]]
"""Setup -> case -> what was seen."""


def read_use(run: Run | None, plan: UsePlan, evidence: Mapping[str, Mapping[str, Seen]], suite: str, spent: Decimal | None) -> UseReport:
    """The decided object. `run` None: there was nothing to run."""
    rows = [_row(plan, way, evidence) for way in plan.ways]
    adjusted = holm([row.p_value for row in rows])
    for row, p_value in zip(rows, adjusted, strict=True):
        row.p_adjusted = p_value
        row.reading = _reading(row)
        row.says = shift_words(row, plan.to)
    cases = [case for way, row in zip(plan.ways, rows, strict=True) for case in _cases(plan, way, evidence, row.reading)]
    facts = {fact: _of_fact([row.reading for row in rows if row.fact == fact], _kinds(plan, fact)) for fact in _facts(plan)}
    proofs = _proofs(plan, evidence, cases)
    every = [seen for lane in evidence.values() for seen in lane.values()]
    report = UseReport(
        says="",
        suite=suite,
        setup=plan.setup,
        to=plan.to,
        run=None if run is None else run.id,
        recorded=plan.recorded,
        replay="downstream" if plan.replayed else "whole",
        replayed=list(plan.replayed),
        acted=list(plan.acted),
        facts=facts,
        shifts=rows,
        proofs=proofs,
        cases=cases,
        left_out=list(plan.left_out),
        status="complete" if run is None else run.status,
        planned=sum(len(seen.decisions) for seen in every),
        trials=sum(seen.ran for seen in every),
        cost_usd=spent,
        notes=list(plan.notes),
        reasons={} if spent is not None else {"cost_usd": "the cost of these trials is not fully known" if rows else "no trial was run"},
    )
    report.says = overall(report) if rows else nothing_altered(report)
    return report


def _facts(plan: UsePlan) -> list[str]:
    return list(dict.fromkeys([*(fact for fact, _, _ in plan.ways), *(left.fact for left in plan.left_out)]))


def _sides(plan: UsePlan, setup: str, case: str, evidence: Mapping[str, Mapping[str, Seen]]) -> shifts.Sides:
    return evidence[plan.control][case].decisions, evidence[setup][case].decisions


def _row(plan: UsePlan, way: tuple[str, str, str], evidence: Mapping[str, Mapping[str, Seen]]) -> UseShift:
    fact, how, setup = way
    cases = list(evidence.get(setup, {}))
    sides = [_sides(plan, setup, case, evidence) for case in cases]
    found, test = shifts.mean_shift(sides), shifts.shift_test(sides)
    noises = [noise for one in sides if (noise := shifts.case_shift(one).noise) is not None]
    noise = sum(noises) / len(noises) if noises else None
    controls, altered = ([run for side in sides for run in side[which]] for which in (0, 1))
    told = {"value": found.reason, "p_value": test.reason}
    return UseShift(
        fact=fact,
        how=WAYS[how],
        setup=setup,
        value=found.value,
        low=found.low,
        high=found.high,
        n=found.n,
        method=found.method,
        noise=noise,
        unseen=None if found.high is None or noise is None or noise == 1 else min(1.0, max(0.0, found.high) / (1 - noise)),
        p_value=test.p_value,
        p_adjusted=None,
        test=test.method,
        runs=len(altered),
        controls=len(controls),
        undecided=(altered.count(None), controls.count(None)),
        reading="cannot_tell",
        says="",
        reasons={name: reason for name, reason in told.items() if reason},
    )


def _reading(row: UseShift) -> str:
    if row.value is None or row.p_adjusted is None or row.unseen is None:
        return "cannot_tell"
    if row.p_adjusted <= ALPHA and row.value > 0:
        return "used"
    quiet = not any(row.undecided)
    return "not_used" if quiet and row.p_adjusted > ALPHA and row.unseen < LEAST else "cannot_tell"


def _kinds(plan: UsePlan, fact: str) -> set[str]:
    return {left.kind for left in plan.left_out if left.fact == fact}


def _of_fact(readings: Sequence[str], kinds: set[str]) -> str:
    """One way that moves the decision shows a use; no way that does, and all of them able to, shows none."""
    if not readings:
        return "not_received" if kinds == {"not_received"} else "cannot_tell"
    if "used" in readings:
        return "used"
    return "not_used" if set(readings) == {"not_used"} else "cannot_tell"


def _cases(plan: UsePlan, way: tuple[str, str, str], evidence: Mapping[str, Mapping[str, Seen]], whole: str) -> list[UseCase]:
    """Case by case. A use in one of them is claimed only where chance does not explain all of them together (`whole`)."""
    fact, how, setup = way
    made = []
    for case in evidence.get(setup, {}):
        sides = _sides(plan, setup, case, evidence)
        found, p_value = shifts.case_shift(sides), shifts.shift_test([sides]).p_value
        moved = _moved(sides)
        was, put_in = plan.values[fact][case]
        reading, why = _in_case(sides, found, p_value, moved)
        if reading == "used" != whole:
            reading, why = "cannot_tell", "among so many cases this may be chance"
        made.append(
            UseCase(
                case=case,
                fact=fact,
                how=WAYS[how],
                was=was,
                put_in=None if how == "hide" else put_in,
                runs=len(sides[1]),
                moved=moved,
                shift=found.value,
                noise=found.noise,
                p_value=p_value,
                reading=reading,
                why=why,
            )
        )
    return made


def _in_case(sides: shifts.Sides, found: shifts.CaseShift, p_value: float | None, moved: int) -> tuple[str, str]:
    """The reading of one case, in which the runs are what is counted: used only where some decided what no control did (`moved`),
    not_used only where all runs agree and are enough to tell."""
    controls, altered = sides
    if None in altered or None in controls:
        lost = sum(run is None for run in altered), sum(run is None for run in controls)
        return "cannot_tell", f"{lost[0]} of {len(altered)} altered runs and {lost[1]} of {len(controls)} controls came to no decision"
    if p_value is None or found.value is None:
        return "cannot_tell", "one run of each kind tells nothing of the noise"
    if p_value <= ALPHA and found.value > 0:
        return ("used", "") if moved else ("cannot_tell", "its altered runs decided nothing that no control did")
    if found.moved == 0 and found.noise == 0:
        enough = _unseen(len(altered)) < LEAST
        return ("not_used", "") if enough else ("cannot_tell", f"too few altered runs to say of one case: none of {len(altered)} moved")
    return "cannot_tell", "the controls differ as well" if found.noise else "the shift may be chance"


def _moved(sides: shifts.Sides) -> int:
    """Altered runs that decided what no control did."""
    controls = set(sides[0])
    return sum(run is not None and run not in controls for run in sides[1])


def _unseen(runs: int) -> float:
    """The largest share of moved runs that so many which all agree leave room for."""
    high = tango(0, 0, runs).high
    return 1.0 if high is None else high


def _proofs(plan: UsePlan, evidence: Mapping[str, Mapping[str, Seen]], cases: Sequence[UseCase]) -> list[UseProof]:
    made = []
    for fact in _facts(plan):
        for case in dict.fromkeys(one.case for one in cases if one.fact == fact):
            control = evidence[plan.control][case]
            shown = _of_fact([one.reading for one in cases if one.fact == fact and one.case == case], set())
            declared, of = control.declared.get(fact, 0), len(control.decisions)
            counts: dict[str, Any] = {"declared": declared, "found": control.found.get(fact, 0), "of": of}
            made.append(UseProof(case=case, fact=fact, to=plan.to, **counts, shown=shown, reading=_proof(shown, declared > 0)))
        for left in (left for left in plan.left_out if left.fact == fact):
            reading = "not_received" if left.kind == "not_received" else "cannot_tell"
            made.append(UseProof(case=left.case, fact=fact, to=plan.to, declared=0, found=0, of=0, shown=reading, reading=reading))
    return made


def _proof(shown: str, declared: bool) -> str:
    if shown == "used":
        return "confirmed" if declared else "used_undeclared"
    if shown == "not_used":
        return "declared_not_used" if declared else "not_used"
    return shown
