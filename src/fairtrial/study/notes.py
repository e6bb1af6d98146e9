"""What must be known beside the figures of a comparison: what they cover, how attempts pair, and what they do not hold for.

None of it decides anything; a difference that forbids the comparison is in comparable.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.study.lookedat import looked_at
from fairtrial.study.tiers import TIERS
from fairtrial.study.until import stopped
from fairtrial.study.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.run import CaseInfo
    from fairtrial.study.comparable import Match, Side
    from fairtrial.study.pairing import Pairing

SIDES = ("base", "new")


def notes(base: Side, new: Side, pairing: Pairing, matched: Match) -> Iterator[str]:
    """Every note, as a sentence."""
    one, two = base[0].lanes[base[1]], new[0].lanes[new[1]]
    yield from _tiers([one.cases[row] for row in pairing.base_rows])
    yield from _pairs(base, new, matched)
    unnamed = sum(not (one.cases[a].hash and two.cases[b].hash) for a, b in zip(pairing.base_rows, pairing.new_rows, strict=True))
    if unnamed:
        yield f"{count(unnamed, 'case')} paired by id alone, for a side does not tell what the case asks"
    if "environment" in matched.differs:
        yield f"the sides ran on different machines ({_moved(matched.values['environment'])}), which alone can move a result"
    looked = looked_at(base, new)
    for name, (table, _) in zip(SIDES, (base, new), strict=True):
        if looked is None and stopped(table):
            yield f"{name} was stopped on its results, so the p-value and the interval, which are for a fixed number of trials, do not hold"
        if unheard := table.manifest.settings.get("unheard"):
            yield f"rows of the table of {name} were refused and are in no figure: {unheard}"
        if table.strays:
            yield f"stored results of {name} without a planned slot of their own, in no figure: {table.strays}"


def _tiers(cases: Sequence[CaseInfo]) -> Iterator[str]:
    tiers = [f"{tier} {number}" for tier in TIERS if (number := sum(case.labels.tier == tier for case in cases))]
    if len(tiers) > 1:
        yield f"one rate covers cases of several tiers ({', '.join(tiers)}), which --slices keeps apart"


def _pairs(base: Side, new: Side, matched: Match) -> Iterator[str]:
    """The difference of case means is that of its attempts taken in pairs, so a shared seed counts without more ado."""
    if base[0].run != new[0].run and matched.paired_by[-1] == "seed":
        yield "attempts of a case had the same seed on both sides, so they pair as well"


def _moved(values: dict[str, Any]) -> str:
    one, two = values["base"], values["new"]
    return ", ".join(f"{name} {one.get(name)} → {two.get(name)}" for name in {**one, **two} if one.get(name) != two.get(name))
