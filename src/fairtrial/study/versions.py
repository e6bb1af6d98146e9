"""Several versions held against one base, in one table: what each comes to, and which of them no other beats in everything.

Looked at are success, severe failures, cost a trial, and the times at p50 and p95. Nothing unknown counts in anyone's favour:
undecided and unrun trials are not passed, and whoever does not state a figure cannot beat with it. What nobody states is left out. Kept
out: whether a difference is more than chance (`contrast.py`); the marks are of the figures as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.versions import Version, Versions
from fairtrial.study.comparable import VARY
from fairtrial.study.comparison import compare_each
from fairtrial.study.costs import read_costs
from fairtrial.study.pairing import pair
from fairtrial.study.prices import price_bounds
from fairtrial.study.tally import interval_caution, success_rate
from fairtrial.study.wording import count, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from decimal import Decimal

    from fairtrial.records.report import Comparison
    from fairtrial.study.comparable import Side
    from fairtrial.study.lane import Lane

MEASURES = (("success", -1), ("severe", 1), ("cost", 1), ("p50", 1), ("p95", 1))
"""What a version may be beaten in; 1 where less is better."""

VERDICTS = ("better", "not_worse", "worse", "cannot_tell", "invalid")


def read_versions(base: Side, news: Sequence[Side], vary: Sequence[str] = VARY, margin: float | Decimal | None = None) -> Versions:
    """The table of a base and several candidates, with each comparison. Raises InputError as `compare` does."""
    comparisons = compare_each(base, news, vary, margin)
    lanes = [table.lane(setup) for table, setup in (base, *news)]
    shared = _shared(lanes)
    stated = all(read_costs(lane, rows).latency_ms.stated for lane, rows in shared)
    places = [_version(place, stated, found) for place, found in zip(shared, [None, *comparisons], strict=True)]
    names = [comparisons[0].base, *(found.new for found in comparisons)]
    for place, name, label in zip(places, names, _labels(names), strict=True):
        place.name, place.label = name, label
    _mark(places)
    kept = {lanes[0].cases[row].id for row in shared[0][1]}
    everything = dict.fromkeys(case.id for lane in lanes for case in lane.cases)
    step = _next(places)
    return Versions(
        base=places[0].name,
        cases=len(kept),
        left_out=[case for case in everything if case not in kept],
        places=places,
        comparisons=comparisons,
        says=f"{_says(places, len(kept))}; next: {step}.",
        next=step,
        notes=_notes(places, comparisons),
    )


def _labels(names: Sequence[str]) -> list[str]:
    """RUN:SETUP by its setup, or by its run, where that alone tells all apart."""
    runs, setups = ([name.partition(":")[part] for name in names] for part in (0, 2))
    return next((list(told) for told in (setups, runs) if len(set(told)) == len(names)), list(names))


def _shared(lanes: Sequence[Lane]) -> list[tuple[Lane, list[int]]]:
    """Each lane with its rows of the cases that all have, unchanged; a mean over other cases would be of another suite."""
    kept = [case.id for case in lanes[0].cases]
    for lane in lanes[1:]:
        alike = set(pair(lanes[0], lane).cases)
        kept = [case for case in kept if case in alike]
    return [(lane, [lane.rows[case] for case in kept]) for lane in lanes]


def _version(place: tuple[Lane, list[int]], stated: bool, found: Comparison | None) -> Version:
    """`stated`: whether every version states its own times; else all are shown as measured, for only like stands beside like."""
    lane, rows = place
    costs = read_costs(lane, rows)
    times = costs.latency_ms if stated else costs.measured_ms
    sums = lane.sums(rows)
    price = price_bounds(lane, rows, costs.cost_usd.per_success)
    told = {"success_rate.interval": interval_caution(lane, rows), "cost_per_success.interval": price.reason}
    return Version(
        name="",
        label="",
        planned=sums.planned,
        passed=sums.passed,
        fail=sums.failed,
        unknown=sums.unknown,
        not_run=sums.not_run,
        severe=sums.severe,
        success_rate=success_rate(lane, rows),
        difference=found.difference.value if found else None,
        p_value=found.p_value if found else None,
        p_holm=found.p_holm if found else None,
        verdict=found.verdict if found else None,
        latency_p50_ms=times.p50,
        latency_p95_ms=times.p95,
        latency_stated=stated,
        cost_mean=costs.cost_usd.mean,
        cost_per_success=costs.cost_usd.per_success,
        front=False,
        beaten_by=[],
        cost_per_success_low=price.low,
        cost_per_success_high=price.high,
        reasons=costs.reasons | {name: why for name, why in told.items() if why},
    )


def _mark(places: Sequence[Version]) -> None:
    """Who beats whom. A version that may not be compared, or of which nothing was run, neither beats nor stands in front."""
    readable = [place for place in places if place.verdict != "invalid" and place.success_rate.value is not None]
    told = [(place, _figures(place)) for place in readable]
    known = [name for name, _ in MEASURES if any(figures[name] is not None for _, figures in told)]
    for place, own in told:
        place.beaten_by = [other.label for other, theirs in told if other is not place and _beats(theirs, own, known)]
        place.front = not place.beaten_by


def _figures(place: Version) -> dict[str, float | Decimal | None]:
    """Passed of planned: neither an undecided trial nor one that was not run speaks for a version."""
    return {
        "success": place.passed / place.planned if place.planned else None,
        "severe": place.severe / place.planned if place.planned else None,
        "cost": place.cost_mean,
        "p50": place.latency_p50_ms,
        "p95": place.latency_p95_ms,
    }


def _beats(one: dict[str, float | Decimal | None], two: dict[str, float | Decimal | None], known: Iterable[str]) -> bool:
    """At least as good in everything and better in something. What `one` does not state it cannot beat with."""
    better = False
    signs = dict(MEASURES)
    for name in known:
        a, b = one[name], two[name]
        if a is None:
            return False
        moved = 1 if b is None else ((a < b) - (a > b)) * signs[name]
        if moved < 0:
            return False
        better = better or moved > 0
    return better


def _says(places: Sequence[Version], cases: int) -> str:
    ahead = listed([place.label for place in places if place.front]) or "none"
    told = f"Of {count(len(places), 'version')} on {count(cases, 'shared case')}, not beaten in everything by another: {ahead}"
    groups = {verdict: [place.label for place in places if place.verdict == verdict] for verdict in VERDICTS}
    against = ", ".join(f"{verdict.replace('_', ' ')} {listed(names)}" for verdict, names in groups.items() if names)
    return f"{told}; against {places[0].label}: {against}"


def _next(places: Sequence[Version]) -> str:
    """What to do: take the best of those that are surely better and that no other beats; else there is nothing to choose by yet."""
    good = [place for place in places if place.verdict == "better" and place.front]
    if good:
        best = max(good, key=lambda place: place.success_rate.value or 0.0)
        return f"take {best.label}, if its cost and time will do"
    if any(place.verdict == "not_worse" and place.front for place in places):
        return "take whichever in front is cheapest, for its loss stays within the margin"
    if all(place.verdict in (None, "worse", "invalid") for place in places):
        return f"keep {places[0].label}"
    return "add cases before choosing by success, or choose by cost and time among those in front"


def _notes(places: Sequence[Version], comparisons: Sequence[Comparison]) -> list[str]:
    notes = [f"p-values are corrected (Holm) for {len(comparisons)} candidates; intervals are each for one look"]
    if any(place.cost_mean is None for place in places) and any(place.cost_mean is not None for place in places):
        notes.append("a cost that is not fully known counts as dearer than any that is")
    return notes
