"""The exams that judges have sat: a log that only grows. No statement of the store changes or removes a line of it.

Kept out: what an exam is worth today (`study/standing.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.records.standing import Sitting
from fairtrial.records.text import encode, reread, utf8
from fairtrial.store import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.store.redact import Redactor


class Exams:
    """The exams of one store, through its face."""

    def __init__(self, face: Any, redactor: Callable[[], Redactor]) -> None:
        self._face = face
        self._redactor = redactor

    def add(self, sitting: Sitting) -> None:
        """One line more, durable when this returns; secrets in it are covered."""
        held = {
            "parts": sitting.parts,
            "figures": sitting.figures,
            "bar": sitting.bar,
            "passes": sitting.passes,
            "who": sitting.who,
            "paper": sitting.paper,
        }
        row = (
            sitting.at_ns, _kept(sitting.judge), _kept(sitting.identity), _kept(sitting.suite),
            self._redactor().redact_json(encode(held)).decode(),
        )  # fmt: skip
        with self._face.writing() as session:
            session.execute(schema.ADD_EXAM, (*session.execute(schema.NEXT_EXAM).fetchone(), *row))

    def of(self, judge: str) -> list[Sitting]:
        """Every exam of a judge of this name, in whatever suite, oldest first."""
        with self._face.reading() as session:
            rows = session.execute(schema.READ_EXAMS, (_kept(judge),)).fetchall()
        return [
            Sitting(at_ns=at_ns, judge=name, identity=identity, suite=suite, **reread(held)) for at_ns, name, identity, suite, held in rows
        ]


def _kept(text: str) -> str:
    """The text as a database can hold it: half surrogates are replaced."""
    return utf8(text).decode()
