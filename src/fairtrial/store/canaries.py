"""What became of the canaries of a run, by version of its graders; the newest is read. Nothing is overwritten.

Kept out: what a missed canary means.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.canary import CanaryReport
from fairtrial.records.text import encode, reread
from fairtrial.store import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.store.redact import Redactor


class Canaries:
    """The canaries of one store, through its face."""

    def __init__(self, face: Any, redactor: Callable[[], Redactor]) -> None:
        self._face = face
        self._redactor = redactor

    def add(self, run: str, report: CanaryReport) -> None:
        """One line more, durable when this returns; secrets in it are covered."""
        held = self._redactor().redact_json(encode(msgspec.to_builtins(report))).decode()
        with self._face.writing() as session:
            number = session.execute(schema.NEXT_CANARIES).fetchone()
            session.execute(schema.ADD_CANARIES, (*number, run, time.time_ns(), held))

    def newest(self, run: str) -> CanaryReport | None:
        """What was found last; None where no canary was ever put to the run's graders."""
        with self._face.reading() as session:
            row = session.execute(schema.READ_CANARIES, (run,)).fetchone()
        return None if row is None else msgspec.convert(reread(row[0]), CanaryReport)
