"""What people's labels say of a setup: a score from 1 to 5, and how far it can be leaned on.

A score may stand for trials that nobody looked at only where those that somebody looked at were drawn at random. A queue of suspicious
trials is no such draw: its mean is shown, without an interval. Trials of the draw that are not settled yet, and trials that the
harness spoilt or that were not run, count both ways. Kept out: what a label comes to (`settled.py`), and the bar (`release/people.py`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.label import HIGHEST, LOWEST
from fairtrial.records.review import HumanScore
from fairtrial.records.trial import TrialKey
from fairtrial.stats.interval import mean_share
from fairtrial.stats.paired import mean_difference, widened_for_few
from fairtrial.study.bounds import Bounded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from fairtrial.records.report import SetupReport
    from fairtrial.study.lane import Lane
    from fairtrial.study.settled import Settled

ALL, SAMPLE, CHOSEN = "all", "sample", "chosen"
SPAN = HIGHEST - LOWEST
LEVEL = 0.95


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """One case: the scores of its settled trials, how many of the basis are `open`, and the share of planned trials that are `lost`,
    for they were spoilt or not run."""

    scores: tuple[float, ...]
    open: int
    lost: float

    @property
    def mean(self) -> float | None:
        return math.fsum(self.scores) / len(self.scores) if self.scores else None

    def end(self, filler: float) -> float:
        """The mean as if whatever is not known had come out at `filler`."""
        number = len(self.scores) + self.open
        known = (math.fsum(self.scores) + filler * self.open) / number if number else filler
        return (1.0 - self.lost) * known + self.lost * filler


class People(msgspec.Struct, frozen=True, kw_only=True):
    """By row of a lane what people say of it. `reviewed` trials have a settled label on whatever basis, of `labelled` that have any."""

    basis: str
    rows: dict[int, Scored]
    reviewed: int
    labelled: int


def people_of(lane: Lane, settled: Mapping[TrialKey, Settled], sampled: Collection[TrialKey], sound: Collection[TrialKey]) -> People:
    """`settled` trials have labels, `sampled` ones were drawn at random, `sound` ones were run and not spoilt."""
    slots = {row: _keys(lane, row) for row in range(len(lane.cases))}
    run = {key for keys in slots.values() for key in keys if key in sound}
    known = {key: found.score for key, found in settled.items() if key.setup == lane.setup and found.score is not None}
    drawn = run & set(sampled)
    basis = ALL if run and run <= set(known) else SAMPLE if drawn else CHOSEN
    inside = run if basis == ALL else drawn if basis == SAMPLE else set(known)
    rows = {row: _scored(keys, known, inside, run) for row, keys in slots.items()}
    kept = {row: one for row, one in rows.items() if one.scores or one.open or (one.lost == 1.0 and basis != CHOSEN)}
    labelled = sum(key.setup == lane.setup for key in settled)
    return People(basis=basis, rows=kept, reviewed=len(known), labelled=labelled)


def _keys(lane: Lane, row: int) -> list[TrialKey]:
    first = lane.after[row] + 1
    return [TrialKey(lane.cases[row].id, lane.setup, number) for number in range(first, first + lane.slots(row))]


def _scored(keys: Sequence[TrialKey], known: Mapping[TrialKey, float], inside: Collection[TrialKey], run: Collection[TrialKey]) -> Scored:
    mine = [key for key in keys if key in inside]
    scores = tuple(known[key] for key in mine if key in known)
    lost = sum(key not in run for key in keys) / len(keys) if keys else 0.0
    return Scored(scores=scores, open=len(mine) - len(scores), lost=lost)


def read_score(people: People, lane: Lane) -> HumanScore:
    """As the report shows it."""
    rows = list(people.rows)
    found = bounded(people, lane, rows, LEVEL)
    value = found.value if isinstance(found.value, float) else None
    return HumanScore(
        value=value, low=found.low, high=found.high, basis=people.basis, n=found.n, of=found.n + found.undecided, cases=found.cases,
        reviewed=people.reviewed, planned=lane.planned, reason=found.reason,
    )  # fmt: skip


def add_score(setup: SetupReport, people: People, lane: Lane) -> None:
    """Into the figures of a setup, with the reason where a part of it cannot be had."""
    found = read_score(people, lane)
    setup.human, setup.human_score = found, found.value
    setup.reasons.pop("human_score", None)
    if found.reason:
        setup.reasons["human_score" if found.value is None else "human_score.interval"] = found.reason


def bounded(people: People, lane: Lane, rows: Iterable[int], level: float) -> Bounded:
    """The mean over cases of those `rows`, on 1-5, with the ends of the two-sided interval at `level`. Without a draw there are none."""
    kept = [row for row in rows if row in people.rows]
    cases = [people.rows[row] for row in kept]
    means = [mean for one in cases if (mean := one.mean) is not None]
    n, open_ = sum(len(one.scores) for one in cases), sum(one.open for one in cases)
    value = math.fsum(means) / len(means) if means else None
    if people.basis == CHOSEN or value is None:
        return Bounded(value=value, low=None, high=None, n=n, cases=len(cases), undecided=open_, reason=_why_none(people, value))
    worst, best = (mean_share([_share(one.end(filler)) for one in cases], level, lane.clusters(kept)) for filler in (LOWEST, HIGHEST))
    lows, highs = ([end for end in ends if end is not None] for ends in ((worst.low, best.low), (worst.high, best.high)))
    return Bounded(
        value=value, low=_points(min(lows)) if lows else None, high=_points(max(highs)) if highs else None, n=n, cases=len(cases),
        undecided=open_,
    )  # fmt: skip


def _why_none(people: People, value: float | None) -> str:
    if value is not None:
        return "people looked at trials that were chosen for a reason, which tells nothing of the others; draw some at random with a review"
    if people.labelled:
        return "no label that people gave is settled: two must agree, or a third settle it"
    return "no trial was reviewed by people"


def _share(score: float) -> float:
    return min(1.0, max(0.0, (score - LOWEST) / SPAN))


def _points(share: float) -> float:
    return LOWEST + SPAN * share


def difference(sides: tuple[tuple[People, Lane], tuple[People, Lane]], rows: tuple[list[int], list[int]], level: float) -> Bounded:
    """New less base over shared cases that people scored on both sides, in points of the score."""
    (base, _), (new, lane) = sides
    pairs = [(a, b) for a, b in zip(*rows, strict=True) if _both(base.rows.get(a), new.rows.get(b))]
    n = sum(len(new.rows[b].scores) for _, b in pairs)
    open_ = sum(base.rows[a].open + new.rows[b].open for a, b in pairs)
    if not pairs:
        return Bounded(value=None, low=None, high=None, n=0, cases=0, reason="people scored no case on both sides")
    seen = [(new.rows[b].mean or LOWEST) - (base.rows[a].mean or LOWEST) for a, b in pairs]
    value = math.fsum(seen) / len(seen)
    clusters = lane.clusters([b for _, b in pairs])
    lows, highs = [], []
    for old, young in ((LOWEST, HIGHEST), (HIGHEST, LOWEST), (LOWEST, LOWEST), (HIGHEST, HIGHEST)):
        apart = [(new.rows[b].end(young) - base.rows[a].end(old)) / SPAN for a, b in pairs]
        found = mean_difference(apart, level, clusters)
        low, high, _ = widened_for_few(apart, (found.low, found.high), 1.0, level, clusters)
        lows += [] if low is None else [low * SPAN]
        highs += [] if high is None else [high * SPAN]
    reason = "" if lows and highs else "too few cases for an interval"
    return Bounded(
        value=value, low=min(lows, default=None), high=max(highs, default=None), n=n, cases=len(pairs), undecided=open_, reason=reason
    )  # fmt: skip


def _both(one: Scored | None, two: Scored | None) -> bool:
    return one is not None and two is not None and bool(one.scores) and bool(two.scores)
