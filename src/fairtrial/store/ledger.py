"""The two logs that only grow: looks at held-out cases, and moves between the libraries.

No statement of the store changes or removes a line of them. Kept out: what is a look (`steps/looks.py`), and what follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.records.ledger import Look, Moved
from fairtrial.records.text import encode, reread, utf8
from fairtrial.store import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fairtrial.records.run import CaseInfo
    from fairtrial.store.redact import Redactor

EVERYBODY, OPEN = "everybody", "open"


class Ledger:
    """The logs of one store, through its face."""

    def __init__(self, face: Any, redactor: Callable[[], Redactor]) -> None:
        self._face = face
        self._redactor = redactor

    def add_look(self, look: Look) -> None:
        """One line more, durable when this returns."""
        row = (
            look.at_ns, _kept(look.who), look.verb, _kept(look.suite), _kept(look.case),
            look.hash, look.brief_hash, look.run, _kept(look.setup), look.attempt,
        )  # fmt: skip
        with self._face.writing() as session:
            session.execute(schema.ADD_LOOK, (*session.execute(schema.NEXT_LOOK).fetchone(), *row))

    def looks(self) -> list[Look]:
        """Every look at every held-out case of this store, oldest first."""
        with self._face.reading() as session:
            rows = session.execute(schema.READ_LOOKS).fetchall()
        return [Look(**dict(zip(Look.__struct_fields__, row, strict=True))) for row in rows]

    def once_open(self, suite: str, cases: Iterable[CaseInfo]) -> list[Look]:
        """For each of these cases that a run of this store once had as an open one (by its id in the suite, or by its content)
        the first such run, as a look that everybody could take."""
        with self._face.reading() as session:
            return [look for case in cases if (look := _once_open(session, suite, case)) is not None]

    def add_moves(self, moves: Sequence[Moved]) -> None:
        """All of them in one transaction, secrets in their evidence covered."""
        rows = [
            (one.at_ns, _kept(one.who), _kept(one.suite), _kept(one.case), one.hash, one.move, self._covered(one.evidence)) for one in moves
        ]
        with self._face.writing() as session:
            (first,) = session.execute(schema.NEXT_MOVE).fetchone()
            session.executemany(schema.ADD_MOVE, [(first + place, *row) for place, row in enumerate(rows)])

    def moves(self, suite: str) -> list[Moved]:
        """Every move of the cases of a suite, oldest first."""
        with self._face.reading() as session:
            rows = session.execute(schema.READ_MOVES, (_kept(suite),)).fetchall()
        return [Moved(**dict(zip(Moved.__struct_fields__, (*row[:-1], reread(row[-1])), strict=True))) for row in rows]

    def _covered(self, evidence: dict[str, Any]) -> str:
        return self._redactor().redact_json(encode(evidence)).decode()


def _once_open(session: schema.Session, suite: str, case: CaseInfo) -> Look | None:
    rows = session.execute(schema.CASE_BY_ID, (_kept(case.id), _kept(suite))).fetchall()
    rows += session.execute(schema.CASE_BY_HASH, (case.hash,)).fetchall() if case.hash else []
    for run, name, started_ns, ident, digest, raw in sorted(rows, key=lambda row: row[2]):
        stored = reread(raw)
        if isinstance(stored, dict) and "task" in stored and stored.get("split", OPEN) == OPEN:  # else it tells nothing of its split
            return Look(at_ns=started_ns, who=EVERYBODY, verb=OPEN, suite=name, case=ident, hash=digest, brief_hash="", run=run)
    return None


def _kept(text: str) -> str:
    """The text as a database can hold it: half surrogates are replaced."""
    return utf8(text).decode()
