"""How many passed, out of everything planned: the rate with its interval, the cards, and what must never happen.

UNKNOWN counts as not passed and is shown beside it; nothing is dropped from below the line but what was never run, and
that stands in its own column. Keeps out repeats (reliability.py), money and time (costs.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.grade import CARDS
from fairtrial.records.report import CardCount, Rate, Subtasks
from fairtrial.stats.interval import clustered_rate, rate_upper_bound
from fairtrial.study.codes import FAIL, PASS, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fairtrial.study.lane import Lane

CONFIDENCE = 0.95


def success_rate(lane: Lane, rows: Sequence[int] | None = None) -> Rate:
    """The mean over cases of pass ÷ (planned − not run), with an interval that respects repeats and clusters.

    `worst` is the value itself, for UNKNOWN counts as not passed; `best` counts every UNKNOWN as passed. All None where no
    trial was run.
    """
    found = clustered_rate(lane.passes(rows), CONFIDENCE, lane.clusters(rows))
    return Rate(
        value=found.value, low=found.low, high=found.high, n=found.n, cases=found.cases, method=found.method,
        worst=found.value, best=_best(lane, rows, found.value),
    )  # fmt: skip


def interval_caution(lane: Lane, rows: Sequence[int] | None = None) -> str:
    """What a reader must know before leaning on the interval of `success_rate`; empty where there is nothing."""
    return clustered_rate(lane.passes(rows), CONFIDENCE, lane.clusters(rows)).caution


def _best(lane: Lane, rows: Sequence[int] | None, value: float | None) -> float | None:
    chosen = range(len(lane.cases)) if rows is None else rows
    run = [row for row in chosen if lane.run(row)]
    if value is None or not any(lane.unknown[row] for row in run):
        return value
    return min(1.0, sum((lane.passed[row] + lane.unknown[row]) / lane.run(row) for row in run) / len(run))


def trial_success_rate(lane: Lane) -> float | None:
    """Passed ÷ run trials, each trial weighing the same."""
    run = sum(lane.passed) + sum(lane.failed) + sum(lane.unknown)
    return sum(lane.passed) / run if run else None


def severe_upper(lane: Lane, confidence: float = CONFIDENCE, *, rows: Sequence[int] | None = None) -> float | None:
    """The most that the share of cases with a severe failure may be: the exact one-sided bound; of all cases or those of `rows`.

    None without a case of which something is decided.
    """
    severe, seen = cases_with_severe([(lane, range(len(lane.cases)) if rows is None else rows)])
    return rate_upper_bound(severe, seen, confidence).high


def cases_with_severe(parts: Iterable[tuple[Lane, Sequence[int]]]) -> tuple[int, int]:
    """(independent cases with a severe failure, independent cases that could show one).

    Clusters count as one case, trials never, and only what has a decided trial or a severe failure: a case of which nothing is
    known does not show that nothing happened.
    """
    seen: set[object] = set()
    severe: set[object] = set()
    for lane, rows in parts:
        for row in rows:
            cluster = lane.cases[row].cluster
            name: object = (lane.setup, row) if cluster is None else cluster
            if row in lane.severe:
                severe.add(name)
            if row in lane.severe or lane.passed[row] or lane.failed[row]:
                seen.add(name)
    return len(severe), len(seen)


def cards(lane: Lane) -> dict[str, CardCount]:
    """Trials by the verdict of each card; a card nobody checked has three zeros."""
    names = [*CARDS, *(name for name in lane.counts.cards if name not in CARDS)]
    counted = {name: lane.counts.cards.get(name, [0, 0, 0, 0]) for name in names}
    return {name: CardCount(passed=row[PASS], fail=row[FAIL], unknown=row[UNKNOWN]) for name, row in counted.items()}


def subtasks(lane: Lane) -> Subtasks:
    """The share of sub-tasks done, over all and by id; UNKNOWN counts as not done."""
    rows = lane.counts.subtasks
    done, asked = sum(row[PASS] for row in rows.values()), sum(sum(row) for row in rows.values())
    return Subtasks(rate=done / asked if asked else None, by_id={name: row[PASS] / sum(row) for name, row in rows.items()})
