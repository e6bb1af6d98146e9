"""Tables and columns that checks and stated answers name and that the database of a SQLite world does not have.

A name counts as there where the world's start has it or the end state of a solution does: an agent may make a table. Kept out:
how a query is answered (`graders/queries.py`), and the start itself (`checking.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fairtrial.cases.walk import every, found_in
from fairtrial.graders.changes import steps_of
from fairtrial.graders.queries import ask
from fairtrial.graders.rebuilt import QueryFailed
from fairtrial.records.errors import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.finding import Finding

CODE = "unknown_table"
Database = dict[str, Any]
"""{table: [row, …]}"""
_MISSING = re.compile(r"no such (table|column): (?:\w+\.)?(\w+)")


class Tables:
    """What the tables of a suite's database may be: those of a start, and those that the solutions end with (`ends`)."""

    def __init__(self, ends: Iterable[Any]) -> None:
        self._made: Database = {}
        for end in ends:
            for table, rows in end.items() if isinstance(end, dict) else ():
                self._made.setdefault(table, []).extend(rows if isinstance(rows, list) else ())

    def missing(self, sql: str, start: Database) -> tuple[str, str] | None:
        """Why no end state could answer the query, and the mend; None where one could."""
        most = {**start, **{table: [*start.get(table, ()), *rows] for table, rows in self._made.items()}}
        try:
            ask(sql, most, start)
        except QueryFailed as error:
            named = _MISSING.search(str(error))
            columns = {column for rows in most.values() for row in rows if isinstance(row, dict) for column in row}
            return str(error), _mend(named[2], most if named[1] == "table" else columns) if named else "give the world a start"
        return None

    def findings(self, case: Case, checks: Collection[Check], start: Database, answers: Mapping[str, Any]) -> Iterator[Finding]:
        """Names of tables that lead nowhere, in checks on the state and in the end states of `answers`, by what they are called."""
        paths = [(check, path) for check in every(checks) for path in _paths(check)]
        for check, path in paths:
            steps = steps_of(path)
            if steps and "*" not in steps[0] and steps[0] not in start and steps[0] not in self._made:
                message = f"there is no table {steps[0]!r} in the database: {check.subject} {path}"
                yield found_in(case, CODE, message, _mend(steps[0], {**start, **self._made}), check)
        words = set(re.findall(r"\w+", " ".join([path for _, path in paths] + [str(check.target) for check in every(checks)])))
        for told, end in answers.items():
            for table in end if isinstance(end, dict) else ():
                if table not in start and not (table in self._made and table in words):
                    yield found_in(case, CODE, f"{told} states a table {table!r} that the database does not have", _mend(table, start))


def _paths(check: Check) -> list[str]:
    """The places of the state that a check names."""
    if check.subject == "changes":
        return [str(path) for key in ("allow", "forbid") for path in check.expect.get(key, ())]
    return [str(check.target)] if check.subject == "state" else []


def _mend(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    near = nearest(name, names)
    return f"did you mean {near!r}?" if near else f"name one that is there ({', '.join(names[:12])}), or state its end in a solution"
