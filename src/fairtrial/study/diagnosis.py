"""What went wrong in a run: kinds by frequency × cost × severity, where each first went wrong, what to mend, what to run again.

A kind is counted under the sign that came first in a trial (`signals.py`); other signs of the same trial stand beside it. Causes and
mends are where to begin to look. What cannot be told from a trace is said to be so, and is never guessed.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fairtrial.records.diagnosis import SHOWS, CardLine, Diagnosis, Group, KindLine, Place
from fairtrial.records.failure import CAUSE_BY_KIND, FIX_BY_CARD, FIX_BY_KIND, FailureKind
from fairtrial.study.foreign import traced
from fairtrial.study.lane import EXACT
from fairtrial.study.signals import first_wrong
from fairtrial.study.wording import count, listed, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fairtrial.records.diagnosis import Signal
    from fairtrial.records.trial import TrialKey
    from fairtrial.study.failed import Bunch, Failed
    from fairtrial.study.table import Table

    Walk = Callable[[TrialKey], tuple[list[Signal], int]]
    """The signs of a failed trial and the number of its spans."""

NOT_TOLD, NOT_KEPT = "kind not known: the table does not say", "kind not known: nothing is kept that says why"
MOST_FIXES = 3
"""Of what cases say themselves to mend, in one line."""


def read_diagnosis(table: Table, failed: Failed, walk: Walk) -> Diagnosis:
    """Everything there is to say about the failures of a run. `walk` reads one failed trial; it is asked for a few of each bunch."""
    lanes = {name: lane for name, lane in table.lanes.items() if failed.setup in (None, name)}
    groups = [_group(bunch, [walk(key) for key in bunch.sample]) for bunch in failed.bunches.values()]
    pairs = list(zip(groups, failed.bunches.values(), strict=True))
    total, passed, fails, unknown = (
        sum(sum(column) for column in columns)
        for columns in (
            [[lane.planned] for lane in lanes.values()],
            [lane.passed for lane in lanes.values()],
            [lane.failed for lane in lanes.values()],
            [lane.unknown for lane in lanes.values()],
        )
    )
    kinds, with_trace = _kinds(pairs), traced(table.manifest)
    silent = NOT_KEPT if with_trace else NOT_TOLD
    run = passed + fails + unknown
    undecidable = sum(len(group.attempts) for group in groups if not group.place.decidable)
    priced = all(bunch.known == len(bunch.attempts) for _, bunch in pairs)
    return Diagnosis(
        run=table.run,
        setups=list(lanes),
        planned=total,
        passed=passed,
        failed=fails,
        unknown=unknown,
        not_run=total - run,
        kinds=kinds,
        cards=_cards(failed, mend=with_trace),
        groups=sorted(groups, key=lambda group: (-group.severe, -len(group.attempts), group.setup, group.case)),
        rerun=_rerun(table.run, groups),
        undecidable=undecidable,
        says=_says(kinds, (fails, run, undecidable), silent),
        ours=table.manifest.origin == "run",
        traced=with_trace,
        notes=list(_notes((unknown, failed.left_out), groups, silent)),
        reasons={} if priced else {"weight": "the cost of some failed trials is not known, so kinds are weighed by severity alone"},
    )


def _cards(failed: Failed, *, mend: bool) -> list[CardLine]:
    """By scorecard; where nothing is known but verdicts, a direction to mend would be made up."""
    return [CardLine(card=card, trials=n, mend=FIX_BY_CARD.get(card, "") if mend else "") for card, n in failed.cards.most_common()]


def _group(bunch: Bunch, walks: Sequence[tuple[list[Signal], int]]) -> Group:
    """What the walked trials of a bunch agree on; where they differ, what most of them show."""
    firsts = [(first_wrong(signs), signs, length) for signs, length in walks]
    shown = Counter(_where(first) for first, _, _ in firsts)
    common = shown.most_common(1)[0][0] if shown else None
    first, signs, length = next((one for one in firsts if _where(one[0]) == common), (None, [], 0))
    kind = first.kind if first else None
    return Group(
        case=bunch.case,
        setup=bunch.setup,
        kind=kind,
        also=[other for other in dict.fromkeys(sign.kind for sign in signs) if other is not None and other != kind],
        attempts=sorted(bunch.attempts),
        severe=bunch.severe,
        checks=bunch.checks,
        place=_place(first, length),
        looked=len(walks),
        alike=shown[common] if shown else 0,
    )


def _where(first: Signal | None) -> tuple[Any, ...] | None:
    return None if first is None else (first.kind, first.role, first.name)


def _place(first: Signal | None, length: int) -> Place:
    """The first wrong act, or where the failure first shows and why no more can be told."""
    if first is None:
        return Place(decidable=False, agent=None, step=None, span=None, at="", evidence="", why="nothing is kept of what failed")
    decidable, why = first.step is not None and first.strength > SHOWS, ""
    if not length:
        decidable, why = False, "the trial has no trace"
    elif not decidable:
        why = "it shows only at the end, and no act before is known to be wrong" if first.step else "the evidence names no act"
    return Place(decidable=decidable, agent=first.role, step=first.step, span=first.span, at=first.name, evidence=first.what, why=why)


def _kinds(pairs: Sequence[tuple[Group, Bunch]]) -> list[KindLine]:
    """By weight, the heaviest first."""
    total = sum(len(group.attempts) for group, _ in pairs)
    priced = all(bunch.known == len(group.attempts) for group, bunch in pairs)
    spent = EXACT.create_decimal(sum((bunch.usd for _, bunch in pairs), Decimal(0)))
    mean = spent / total if priced and spent else None
    names = dict.fromkeys([*(group.kind for group, _ in pairs), *(kind for group, _ in pairs for kind in group.also)])
    lines = [_kind(kind, pairs, (total, mean)) for kind in names]
    return sorted(lines, key=lambda line: (line.kind is None, -line.weight, -line.trials, -line.also, line.kind or ""))


def _kind(kind: str | None, pairs: Sequence[tuple[Group, Bunch]], whole: tuple[int, Decimal | None]) -> KindLine:
    total, mean = whole
    own = [(group, bunch) for group, bunch in pairs if group.kind == kind]
    trials = sum(len(group.attempts) for group, _ in own)
    costly = sum((bunch.costly for _, bunch in own), Decimal(0))
    known = sum(bunch.known for _, bunch in own)
    named = FailureKind(kind) if kind in set(FailureKind) else None
    return KindLine(
        kind=kind,
        trials=trials,
        also=sum(len(group.attempts) for group, _ in pairs if kind in group.also),
        cases=len({group.case for group, _ in own}),
        share=trials / total,
        severe=sum(bunch.severe for _, bunch in own),
        cost_usd=sum((bunch.usd for _, bunch in own), Decimal(0)) if known else None,
        cost_known=known,
        weight=float(costly / mean) if mean else float(sum(bunch.burden for _, bunch in own)),
        cause=CAUSE_BY_KIND[named] if named else "",
        mend=_own_fix(bunch for _, bunch in own) or (FIX_BY_KIND[named] if named else ""),
        where=_places(group for group, _ in own),
        rerun=list(dict.fromkeys(group.case for group, _ in own)),
    )


def _own_fix(bunches: Iterable[Bunch]) -> str:
    """What the cases say themselves to mend, the commonest first: they know their task better than any standing direction."""
    fixes: Counter[str] = Counter()
    for bunch in bunches:
        fixes.update(bunch.fixes)
    return " / ".join(fix for fix, _ in fixes.most_common(MOST_FIXES))


def _places(groups: Iterable[Group]) -> list[dict[str, Any]]:
    found: Counter[tuple[str, str | None, str, bool]] = Counter()
    for group in groups:
        found[group.setup, group.place.agent, group.place.at, group.place.decidable] += len(group.attempts)
    return [
        {"setup": setup, "agent": agent, "at": at, "decidable": decidable, "trials": trials}
        for (setup, agent, at, decidable), trials in found.most_common()
    ]


def _rerun(run: str, groups: Sequence[Group]) -> list[dict[str, Any]]:
    cases: dict[str, dict[str, int]] = {}
    for group in groups:
        setups = cases.setdefault(group.case, {})
        setups[group.setup] = setups.get(group.setup, 0) + len(group.attempts)
    ranked = sorted(cases.items(), key=lambda entry: -sum(entry[1].values()))
    return [{"case": case, "setups": list(setups), "trials": sum(setups.values()), "run": run} for case, setups in ranked]


def _says(kinds: Sequence[KindLine], counts: tuple[int, int, int], silent: str) -> str:
    failed, run, undecidable = counts
    if not run:
        return "No trial has been run, so there is nothing to diagnose."
    if not failed:
        return f"None of {count(run, 'trial')} failed."
    if not kinds:
        return f"{failed} of {count(run, 'trial')} failed, all of them at held-out cases, which are left out here."
    first = kinds[0]
    if first.kind is None:
        return f"{failed} of {count(run, 'trial')} failed; {silent}."
    place = first.where[0] if first.where else None
    who = (place["agent"] or place["setup"]) if place else ""
    at = f", mostly at {who}: {place['at'] or 'no known act'}" if place else ""
    told = f"{failed} of {count(run, 'trial')} failed; look first at {first.kind} ({first.trials}, {percent(first.share)} of them{at})"
    unsure = f"; in {undecidable} the first wrong step cannot be told from the trace" if undecidable else ""
    begin = f"; to begin with: {first.mend}" if first.mend else ""
    return f"{told}{unsure}{begin}."


def _notes(apart_from: tuple[int, int], groups: Sequence[Group], silent: str) -> Iterable[str]:
    unknown, left_out = apart_from
    if left_out:
        yield f"failed trials of held-out cases, which are left out here: {left_out}"
    if unknown:
        yield f"UNKNOWN trials are in no line here: {unknown}"
    bare = sum(len(group.attempts) for group in groups if group.kind is None)
    if bare:
        yield f"{silent}: {count(bare, 'failed trial')}"
    apart = [group for group in groups if group.alike < group.looked]
    if apart:
        cases = listed(list(dict.fromkeys(group.case for group in apart)), 5)
        yield f"in some cases trials with the same failed checks went wrong at different acts, and the commonest is shown: {cases}"
