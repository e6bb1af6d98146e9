"""A suite over time: the figures of every run, the breaks between them, and whether a run is worse or better than before.

A setup is followed by itself, over runs of the same part of the suite. Each run is laid against the one before it and against the
first since the last break, case by case over those that did not change; the two tests are corrected together (Holm) and for how
often the same version was looked at since the break, and nothing else enters, so that no later run moves what is said of this one. A
change of the suite is a break, never a decline: it can only take cases out of the comparison. Keeps out the comparing itself
(pairing, comparable, contrast).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fairtrial.records.moment import moment
from fairtrial.records.report import Difference
from fairtrial.records.trend import Break, LeftOut, Moved, Trend, TrendRow
from fairtrial.stats.correction import holm
from fairtrial.study.comparable import VARY, match
from fairtrial.study.contrast import Contrast, contrast, decide, turned_by_unknown
from fairtrial.study.costs import read_costs
from fairtrial.study.identity import DECLARED, identity
from fairtrial.study.pairing import Pairing, pair
from fairtrial.study.tally import success_rate
from fairtrial.study.trendwords import trend_says
from fairtrial.study.until import stopped
from fairtrial.study.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fairtrial.records.run import Manifest
    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table

READINGS = {"better": "rise", "worse": "decline", "cannot_tell": "no_change_shown"}
CALLED = ("decline", "rise")
VARY_IN_TIME = (*VARY, "isolation")
"""Another isolation is a break of its own here, over which the same cases can still be compared."""


class Side(NamedTuple):
    """A setup in a run."""

    table: Table
    setup: str

    @property
    def lane(self) -> Lane:
        return self.table.lanes[self.setup]

    @property
    def manifest(self) -> Manifest:
        return self.table.manifest


class _Stretch(NamedTuple):
    """A series so far: the first run since the last break, the last run, and how often each version was looked at since the break."""

    first: Side
    last: Side
    looks: dict[str, int]


class _Laid(NamedTuple):
    """A run laid against an earlier one: `found` where the two may be compared, else `why` not."""

    against: str
    earlier: Side
    pairing: Pairing
    across: list[str]
    found: Contrast | None
    new_severe: bool
    why: str


def read_trend(suite: str, runs: Iterable[tuple[int, Table]], setup: str | None = None, last: int | None = None) -> Trend:
    """The trend over runs of one suite, (started in ns, table), oldest first; `last` rows of each series are shown.

    Tables may come as a stream: of each series two are held at a time.
    """
    series: dict[tuple[str, str], _Stretch] = {}
    rows: list[TrendRow] = []
    left: list[LeftOut] = []
    for started_ns, table in runs:
        for name in table.lanes if setup is None else [setup] if setup in table.lanes else []:
            side = Side(table, name)
            why = _no_figure(side)
            if why:
                left.append(LeftOut(run=table.run, setup=name, why=why))
                continue
            key = name, selected(table.manifest)
            before = series.get(key)
            if stopped(table):
                rows.append(_by_itself(_row(side, started_ns, None)))
                continue
            rows.append(_row(side, started_ns, before))
            fresh = before is None or bool(rows[-1].breaks)
            looks = {} if before is None or fresh else before.looks | {_version(side): _look(before, side)}
            series[key] = _Stretch(side if before is None or fresh else before.first, side, looks)
    shown = _newest(rows, last)
    return Trend(suite=suite, rows=shown, left_out=left, says=trend_says(suite, rows), older=len(rows) - len(shown))


def selected(manifest: Manifest) -> str:
    """The part of the suite that a run was asked for, in words; empty for the whole."""
    asked: Mapping[str, object] = manifest.settings.get("selection") or {}
    return ", ".join(f"{name} {' '.join(map(str, value)) if isinstance(value, list) else value}" for name, value in asked.items())


def _no_figure(side: Side) -> str:
    """Why a setup in a run says nothing of the suite; empty where it does."""
    seat, asked = side.table.seat(side.setup), side.manifest.settings.get("selection") or {}
    if seat is not None and seat.change is not None:
        return "the team was changed for a question about it"
    if not side.manifest.ordinary:
        return f"made to answer {side.manifest.purpose}, with roles or facts altered"
    if "cases" in asked:
        return "only cases that were named one by one"
    if "last_failed" in asked:
        return "only cases that had failed before, and those get better by chance alone"
    if not sum(map(side.lane.run, range(len(side.lane.cases)))):
        return "no trial has been run"
    return ""


def _by_itself(row: TrendRow) -> TrendRow:
    """A run that its rule stopped: the data chose its end, so it is laid against no other, and no other against it."""
    row.reading = "cannot_tell"
    row.reasons["reading"] = "stopped by its rule, so its figures are not those of a fixed number of trials"
    return row


def _newest(rows: list[TrendRow], last: int | None) -> list[TrendRow]:
    if last is None:
        return rows
    left: dict[tuple[str, str], int] = {}
    kept = []
    for row in reversed(rows):
        key = row.setup, row.selection
        left[key] = left.get(key, last) - 1
        if left[key] >= 0:
            kept.append(row)
    return kept[::-1]


def _row(side: Side, started_ns: int, before: _Stretch | None) -> TrendRow:
    lane, costs, known = side.lane, read_costs(side.lane), identity((side.table, side.setup))
    breaks = [] if before is None else _breaks(before.last, side, pair(before.last.lane, lane))
    moves = [] if before is None else _moves(before, side, breaks)
    trials, unknown = sum(map(lane.run, range(len(lane.cases)))), sum(lane.unknown)
    isolation = side.manifest.settings.get("isolate")
    return TrendRow(
        run=side.table.run,
        setup=side.setup,
        started=moment(started_ns) if started_ns else None,
        status=side.table.status,
        origin=side.manifest.origin,
        selection=selected(side.manifest),
        suite_version=side.manifest.suite_version,
        grader=str(known["grader"] or ""),
        isolation=None if isolation is None else str(isolation),
        versions={name: str(known[name]) for name in (*DECLARED, "code") if known[name] is not None},
        planned=lane.planned,
        trials=trials,
        cases=sum(lane.run(row) > 0 for row in range(len(lane.cases))),
        success_rate=success_rate(lane),
        unknown=unknown,
        unknown_share=unknown / trials if trials else None,
        severe=sum(lane.severe.values()),
        cost_per_success_usd=costs.cost_usd.per_success,
        latency_p95_ms=costs.latency_ms.p95,
        latency_stated=costs.latency_ms.stated,
        breaks=breaks,
        moves=moves,
        reading=_reading(moves),
        reasons={
            name: costs.reasons[reason]
            for name, reason in (("cost_per_success_usd", "cost_usd.per_success"), ("latency_p95_ms", "latency_ms"))
            if reason in costs.reasons
        },
    )


def _breaks(earlier: Side, side: Side, pairing: Pairing) -> list[Break]:
    """What changed in between that is no version of the setup's own."""
    found = []
    versions = earlier.manifest.suite_version, side.manifest.suite_version
    if all(versions) and versions[0] != versions[1]:
        parts = ((pairing.changed, "changed"), (pairing.only_new, "added"), (pairing.only_base, "gone"))
        told = ", ".join(f"{count(len(cases), 'case')} {how}" for cases, how in parts if cases)
        found.append(Break(kind="suite", what=told or "the cases are the same"))
        frames = earlier.manifest.frame, side.manifest.frame
        if frames[0] != frames[1] or not (told or all(frames)):
            found.append(Break(kind="frame", what="the world, the checks of all cases, the hand-offs or the budget changed"))
    elif pairing.changed or pairing.only_new or pairing.only_base:
        found.append(Break(kind="suite", what=f"other cases: {len(pairing.cases)} are the same in both"))
    if _graded_apart(earlier, side):
        found.append(Break(kind="graders", what="graded by other graders; grade the older run again to compare: fairtrial grade RUN"))
    walls = earlier.manifest.settings.get("isolate"), side.manifest.settings.get("isolate")
    if all(walls) and walls[0] != walls[1]:
        found.append(Break(kind="isolation", what=f"{walls[0]} before, {walls[1]} now"))
    for told in match(earlier, side, pairing, VARY_IN_TIME).refused:
        field, _, what = told.partition(": ")
        if field != "grader":
            found.append(Break(kind=field, what=what))
    return found


def _graded_apart(earlier: Side, side: Side) -> bool:
    one, two = (identity((part.table, part.setup))["grader"] for part in (earlier, side))
    return one is not None and two is not None and one != two


def _moves(before: _Stretch, side: Side, breaks: Sequence[Break]) -> list[Moved]:
    """The run against the previous one and, where that is another and no break lies between, against the first of the stretch."""
    laid = [_lay("previous", before.last, side, breaks)]
    if not breaks and before.first.table is not before.last.table:
        laid.append(_lay("first", before.first, side, ()))
    look = _look(before, side)
    corrected = holm([None if one.found is None else one.found.p_value for one in laid])
    raised = [None if p is None else min(1.0, p * look * (look + 1) / 2) for p in corrected]
    return [_moved(one, side, p) for one, p in zip(laid, raised, strict=True)]


def _look(before: _Stretch, side: Side) -> int:
    """Which look at this version it is since the last break, from 1. The p-value of look j is raised by j(j+1)/2; these shares of
    the level add up to 2, so that a version that stays the same is called a decline in 5 % of stretches, and a rise in as many."""
    return before.looks.get(_version(side), 0) + 1


def _version(side: Side) -> str:
    """What the setup states of its versions, and its code. Without any, all its runs are taken for one version."""
    known = identity((side.table, side.setup))
    return repr([known.get(name) for name in (*DECLARED, "versions", "agent", "code")])


def _lay(against: str, earlier: Side, side: Side, breaks: Sequence[Break]) -> _Laid:
    pairing = pair(earlier.lane, side.lane)
    rows = pairing.base_rows, pairing.new_rows
    why = _not_comparable(earlier, side, pairing, breaks)
    severe = [b for a, b in zip(*rows, strict=True) if b in side.lane.severe and a not in earlier.lane.severe]
    found = None if why else contrast(earlier.lane, side.lane, rows)
    return _Laid(against, earlier, pairing, [one.kind for one in breaks], found, bool(severe), why)


def _not_comparable(earlier: Side, side: Side, pairing: Pairing, breaks: Sequence[Break]) -> str:
    apart = [one for one in breaks if one.kind not in ("suite", "isolation")]
    if apart:
        return "; ".join(f"{one.kind}: {one.what}" for one in apart)
    return "" if pairing.cases else "no case is the same in both runs"


def _changed(earlier: Side, side: Side) -> list[str]:
    """What is known to be another version of the setup's own."""
    one, two = (identity((part.table, part.setup)) for part in (earlier, side))
    names = ("agent", "code", *DECLARED, "versions")
    return [name for name in names if None not in (one[name], two[name]) and one[name] != two[name]]


def _moved(laid: _Laid, side: Side, corrected: float | None) -> Moved:
    found, pairing = laid.found, laid.pairing
    none = Difference(value=None, low=None, high=None, method="", n=0)
    reading, why = ("cannot_tell", laid.why) if found is None else _called(found, corrected, laid.new_severe)
    return Moved(
        against=laid.against,
        run=laid.earlier.table.run,
        reading=reading,
        pairs=len(pairing.cases),
        left_out=len(pairing.changed) + len(pairing.only_base) + len(pairing.only_new),
        difference=none if found is None else found.difference,
        p_value=None if found is None else found.p_value,
        p_holm=corrected,
        across=laid.across,
        changed=_changed(laid.earlier, side),
        why=why,
    )


def _called(found: Contrast, corrected: float | None, new_severe: bool) -> tuple[str, str]:
    """What may be said of a move, and why not more."""
    settled = msgspec.structs.replace(found, p_value=corrected)
    verdict = decide(settled, None, new_severe=new_severe)
    if verdict == "invalid":
        return "cannot_tell", "nothing was graded on both sides"
    if verdict == "cannot_tell" and turned_by_unknown(settled, None):
        return "cannot_tell", f"undecided trials ({found.undecided[0]} before, {found.undecided[1]} now) could turn it"
    return READINGS[verdict], ""


def _reading(moves: Sequence[Moved]) -> str:
    """That of the moves: what is called goes before what is not, the previous run before the first."""
    readings = [move.reading for move in moves]
    called = [reading for reading in readings if reading in CALLED]
    return called[0] if called else readings[0] if readings else "first"
