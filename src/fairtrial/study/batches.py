"""The batches of a case: what each run of it scored on the scale from 1 to 5, and how far that could still turn.

The score is a judge's mean where one marked the case, else the mean of the weighted marks where its checks carry dimensions, else
1 + 4 x its pass rate. Kept out: what
follows from a row of batches (`library.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.library import Batch
from fairtrial.records.moment import moment
from fairtrial.study.identity import setup_hash
from fairtrial.study.marks import HIGHEST, LOWEST
from fairtrial.study.scores import judge_of, known, unfit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairtrial.records.run import Manifest
    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A case as it stands in the suite today, and the setup that it is judged by. `frame` is what surrounds the cases."""

    case: str
    hash: str
    setup: str
    frame: str = ""


def stood(manifest: Manifest, asked: Iterable[Asked]) -> dict[str, str | None]:
    """For each case that a run planned in its setup the id that it had there; None where it was another case then.

    It was the same one where its content and what surrounds the cases were the same, whatever it was called. Runs from before
    the surroundings were written down are taken as they are.
    """
    planned = {(plan.case, plan.setup) for plan in manifest.planned}
    hashes = {case.id: case.hash for case in manifest.cases}
    names = {digest: case for case, digest in hashes.items() if digest}
    found: dict[str, str | None] = {}
    for one in asked:
        name = one.case if hashes.get(one.case) == one.hash else names.get(one.hash)
        if name is not None and (name, one.setup) in planned:
            found[one.case] = name if manifest.frame in ("", one.frame) or not one.frame else None
        elif (one.case, one.setup) in planned:
            found[one.case] = None
    return found


def read_batch(table: Table, asked: Asked, name: str, started_ns: int) -> Batch | None:
    """The batch of a case that was called `name` in a run; None where no trial of it was run."""
    lane = table.lanes[asked.setup]
    row = lane.rows[name]
    run, planned = lane.run(row), lane.slots(row)
    if not run:
        return None
    by, (score, worst, best) = _scored(lane, row, planned)
    return Batch(
        run=table.run, started=moment(started_ns), setup=asked.setup, planned=planned,
        passed=lane.passed[row], fail=lane.failed[row], unknown=lane.unknown[row], not_run=planned - run,
        severe=lane.severe.get(row, 0), by=by, score=score, worst=worst, best=best, setup_hash=setup_hash((table, asked.setup)),
    )  # fmt: skip


def _rates(lane: Lane, row: int, planned: int) -> tuple[float, float, float]:
    passed, failed = lane.passed[row], lane.failed[row]
    return _scale(passed / lane.run(row)), _scale(passed / planned), _scale((planned - failed) / planned)


def _scale(rate: float) -> float:
    return round(LOWEST + (HIGHEST - LOWEST) * rate, 9)


def _scored(lane: Lane, row: int, planned: int) -> tuple[str, tuple[float, float, float]]:
    judge = judge_of(lane)
    if judge is not None and (scores := known(lane, row, judge)):
        return "judge", _ends(scores, planned)
    if row in lane.marks and not unfit(lane, judge):
        return "marks", _ends(known(lane, row, None), planned)
    return "pass_rate", _rates(lane, row, planned)


def _ends(scores: list[float], planned: int) -> tuple[float, float, float]:
    """Their mean, and between which ends it could lie: a trial without a score may have any; where none has, the score is the lowest."""
    total, others = sum(scores), planned - len(scores)
    mean = total / len(scores) if scores else LOWEST
    return round(mean, 9), round((total + LOWEST * others) / planned, 9), round((total + HIGHEST * others) / planned, 9)
