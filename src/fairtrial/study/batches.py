"""The batches of a case: what each run of it scored on the scale from 1 to 5, and how far that could still turn.

The score is the mean of the weighted marks where the case's checks carry dimensions, else 1 + 4 x its pass rate. Kept out: what
follows from a row of batches (`library.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.ledger import moment
from fairtrial.records.library import Batch
from fairtrial.records.text import content_hash
from fairtrial.study.identity import identity
from fairtrial.study.marks import HIGHEST, LOWEST, weighted

if TYPE_CHECKING:
    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table

_NOT_OF_THE_SETUP = ("seed", "environment", "suite", "suite_version", "grader", "program", "start_state")
ANOTHER = "another"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A case as it stands in the suite today, and the setup that it is judged by. `frame` is what surrounds the cases."""

    case: str
    hash: str
    setup: str
    frame: str = ""


def read_batch(table: Table, asked: Asked, started_ns: int) -> Batch | str | None:
    """The batch of a case in a run; `another` where the case was another one then, None where it was not tried."""
    lane = table.lanes.get(asked.setup)
    row = None if lane is None else _row(lane, asked)
    if lane is None or row is None:
        return ANOTHER if lane is not None and asked.case in lane.rows and lane.run(lane.rows[asked.case]) else None
    run = lane.run(row)
    if not run:
        return None
    if asked.frame and table.manifest.frame not in ("", asked.frame):
        return ANOTHER
    planned = lane.first[row + 1] - lane.first[row]
    by, (score, worst, best) = ("marks", _marks(lane, row, planned)) if row in lane.marks else ("pass_rate", _rates(lane, row, planned))
    return Batch(
        run=table.run, started=moment(started_ns), setup=asked.setup, planned=planned,
        passed=lane.passed[row], fail=lane.failed[row], unknown=lane.unknown[row], not_run=planned - run,
        severe=lane.severe.get(row, 0), by=by, score=score, worst=worst, best=best, setup_hash=_setup_hash(table, asked.setup),
    )  # fmt: skip


def _row(lane: Lane, asked: Asked) -> int | None:
    """The row of the same content: under the id it has now, else under the one it had."""
    row = lane.rows.get(asked.case)
    if row is not None and lane.cases[row].hash == asked.hash:
        return row
    return next((place for place, case in enumerate(lane.cases) if case.hash == asked.hash != ""), None)


def _rates(lane: Lane, row: int, planned: int) -> tuple[float, float, float]:
    passed, failed = lane.passed[row], lane.failed[row]
    return _scale(passed / lane.run(row)), _scale(passed / planned), _scale((planned - failed) / planned)


def _scale(rate: float) -> float:
    return round(LOWEST + (HIGHEST - LOWEST) * rate, 9)


def _marks(lane: Lane, row: int, planned: int) -> tuple[float, float, float]:
    """A trial without marks may have any; where none has, the score is the lowest."""
    known = [weighted(marks) for marks in lane.marks[row] if marks is not None]
    total, others = sum(known), planned - len(known)
    score = total / len(known) if known else LOWEST
    return tuple(round(value, 9) for value in (score, (total + LOWEST * others) / planned, (total + HIGHEST * others) / planned))  # type: ignore[return-value]


def _setup_hash(table: Table, setup: str) -> str:
    found: dict[str, Any] = {name: value for name, value in identity((table, setup)).items() if name not in _NOT_OF_THE_SETUP}
    return content_hash(found)
