"""What became of a run's canaries, counted and said in a sentence.

Kept out: planting and grading them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.canary import CAUGHT, KINDS, MISSED, OPEN, CanaryReport
from fairtrial.study.wording import count, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.canary import CanaryResult

NAMES = {
    "known_good": "known good",
    "known_unknown": "known unknown",
    "known_bad": "known bad",
    "empty": "empty",
    "no_trace": "without a trace",
    "harness_fault": "spoiled by the harness",
    "stated": "stated",
}
NONE = "no canary: no case states a solution or a bad answer, so nothing shows that these graders can tell good from bad"


def read_canaries(results: Sequence[CanaryResult]) -> CanaryReport:
    """The report over the results; what it rests on is filled in by the caller."""
    kinds: dict[str, list[int]] = {}
    for kind in KINDS:
        here = [one for one in results if one.kind == kind]
        if here:
            kinds[kind] = [len(here), sum(one.state == CAUGHT for one in here)]
    report = CanaryReport(
        planted=len(results),
        caught=sum(one.state == CAUGHT for one in results),
        says="",
        kinds=kinds,
        missed=[one for one in results if one.state == MISSED],
        open=[one for one in results if one.state == OPEN],
    )
    report.says = _says(report)
    return report


def _says(report: CanaryReport) -> str:
    if not report.planted:
        return f"{NONE}."
    kinds = ", ".join(f"{planted:,} {NAMES[kind]}" for kind, (planted, _) in report.kinds.items())
    if report.missed:
        told = listed([_named(one) for one in report.missed], 3)
        return f"The graders missed {len(report.missed):,} of {count(report.planted, 'canary', 'canaries')}: {told}."
    left = f"; {len(report.open):,} left open, for a judge was not asked or is not believed" if report.open else ""
    return f"The graders caught {report.caught:,} of {count(report.planted, 'canary', 'canaries')} ({kinds}){left}."


def _named(one: CanaryResult) -> str:
    return f"{one.name} of {one.case} came to {one.got}" if one.case else f"{one.name} came to {one.got}"


def blind(report: CanaryReport | None) -> str:
    """Why nothing can be decided under these graders, in words; nothing where they caught all."""
    return "" if report is None or not report.missed else report.says.rstrip(".").replace("The graders", "its graders", 1)


def doubts(report: CanaryReport | None) -> list[str]:
    """What a reader of a decision must know of the canaries, where they say less than they could."""
    if report is None:
        return ["no canary was put to the graders of this run"]
    if not report.planted:
        return [report.says.rstrip(".")]
    left = [f"canaries left open, for a judge was not asked or is not believed: {len(report.open):,}"] if report.open else []
    return [*left, *report.cautions]
