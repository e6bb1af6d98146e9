"""From mutants and what the graders made of them to the share that was caught, by operator and by check.

An interval counts cases: mutants of one case are caught or missed by the same checks. Kept out: making and grading mutants.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fairtrial.records.mutation import CAUGHT, SURVIVED, UNSURE, CatcherLine, MutationReport, OperatorLine, Share
from fairtrial.stats.interval import pooled_share
from fairtrial.study.wording import count, listed, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairtrial.records.mutation import MutantResult


def read_mutants(found: Sequence[MutantResult], does: Mapping[str, str], applied: Mapping[str, int], trials: int) -> MutationReport:
    """The report over all mutants. `does` names every operator in order, `applied` how many of the `trials` each applied to.

    What the trials were and where they came from is filled in by the caller.
    """
    states = Counter(one.state for one in found)
    lines = [
        _line(name, told, [one for one in found if one.operator == name], (applied.get(name, 0), trials)) for name, told in does.items()
    ]
    report = MutationReport(
        suite="",
        says="",
        run=None,
        setups=sorted({one.setup for one in found}),
        trials=trials,
        cases=len({one.case for one in found}),
        mutants=len(found),
        caught=states[CAUGHT],
        survived=states[SURVIVED],
        unsure=states[UNSURE],
        share=_share(found),
        operators=lines,
        catchers=_catchers(found),
        survivors=[one for one in found if one.state == SURVIVED],
        unsures=[one for one in found if one.state == UNSURE],
    )
    report.says = _says(report)
    return report


def _share(found: Sequence[MutantResult]) -> Share:
    counts: dict[str, list[int]] = {}
    clusters: dict[str, str | None] = {}
    for one in found:
        here = counts.setdefault(one.case, [0, 0])
        here[0] += one.state == CAUGHT
        here[1] += 1
        clusters[one.case] = one.cluster
    rate = pooled_share([(good, every) for good, every in counts.values()], clusters=[clusters[case] for case in counts])
    reason = "" if rate.value is not None else "no mutant was made"
    return Share(value=rate.value, low=rate.low, high=rate.high, n=len(found), cases=rate.cases, method=rate.method, reason=reason)


def _line(name: str, does: str, found: Sequence[MutantResult], reach: tuple[int, int]) -> OperatorLine:
    states = Counter(one.state for one in found)
    trials, every = reach
    return OperatorLine(
        name=name,
        does=does,
        mutants=len(found),
        caught=states[CAUGHT],
        survived=states[SURVIVED],
        unsure=states[UNSURE],
        trials=trials,
        not_applicable=every - trials,
        share=_share(found),
    )


def _catchers(found: Sequence[MutantResult]) -> list[CatcherLine]:
    first: dict[tuple[str, str, str], list[str]] = {}
    for one in found:
        if one.state == CAUGHT:
            first.setdefault((one.by, one.card, one.source), []).append(one.operator)
    lines = [
        CatcherLine(check=check, card=card, source=source, caught=len(names), operators=sorted(set(names)))
        for (check, card, source), names in first.items()
    ]
    return sorted(lines, key=lambda line: (-line.caught, line.check))


def _says(report: MutationReport) -> str:
    if not report.trials:
        return "No trial that passes was found, so nothing could be damaged."
    if report.share.value is None:
        return f"None of the ways of damage applies to {count(report.trials, 'passing trial')}."
    told = f"The graders caught {report.caught:,} of {count(report.mutants, 'damaged trial')} ({percent(report.share.value)})"
    if report.survived:
        worst = [line.name for line in sorted(report.operators, key=lambda line: -line.survived) if line.survived]
        told += f"; {report.survived:,} passed as if nothing were wrong ({listed(worst, 4)})"
    if report.unsure:
        told += f"; {report.unsure:,} neither caught nor passed"
    return f"{told}."
