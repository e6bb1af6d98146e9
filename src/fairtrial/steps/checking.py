"""The suite checks itself: what can be read from the files, and what the case's own answers show.

A solution must pass its own case, a known-bad answer must fail it, and an empty answer must not pass: no agent is run for
that, the graders are simply given the answers that the case states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.cases.lint import lint
from fairtrial.cases.suite import load_suite
from fairtrial.cases.walk import checks_of, every
from fairtrial.graders.contract import Contract, load_graders
from fairtrial.graders.queries import ask
from fairtrial.graders.rebuilt import QueryFailed
from fairtrial.records.canary import MISSED
from fairtrial.records.errors import FairtrialError, InputErrors
from fairtrial.records.finding import Finding, place_of
from fairtrial.steps import canaries
from fairtrial.steps.cage import caged
from fairtrial.steps.prepare import stage_spec
from fairtrial.steps.rehearsal import Rehearsal, stated
from fairtrial.steps.seating import calls, nobody, seats_case
from fairtrial.steps.standings import judges_that_decide_nothing
from fairtrial.steps.tables import Tables
from fairtrial.steps.walls import level_of
from fairtrial.steps.workshop import Workshop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.setup import Seat
    from fairtrial.records.suite import Suite


class CheckReport(msgspec.Struct, kw_only=True):
    """What a suite's check of itself found; no finding is exit 0."""

    suite: str
    cases: int
    findings: list[Finding]
    notes: list[str] = []
    """What is to be known and is no finding: judges of the suite that decide nothing as they stand."""


def check_suite(path: str, store: str | None = None, *, dynamic: bool = True) -> CheckReport:
    """Every finding of a suite; `store` is where the exams of its judges are. Raises InputErrors where it cannot be loaded at all."""
    suite = load_suite(path)
    findings = _findings(suite) if dynamic else list(lint(suite))
    notes = judges_that_decide_nothing(suite, store)
    return CheckReport(suite=suite.name, cases=len(suite.cases), findings=findings, notes=notes)


def _findings(suite: Suite) -> list[Finding]:
    seats, findings = _open(suite)
    if seats:
        tools = {tool for seat in seats for tool in seat.tools}
        roles = {role.name for seat in seats for role in seat.roles}
        findings += [*lint(suite, tools=tools, roles=roles), *_unseated(suite, seats)]
    else:
        findings += lint(suite)
    trials = KnownAnswers(suite)
    for case in suite.cases:
        try:
            findings += trials.findings(case)
        except FairtrialError as error:  # the world cannot be made, of which one case may be the first to tell
            findings += [one for one in _shut(error, suite) if one not in findings]
    return findings


def _open(suite: Suite) -> tuple[list[Seat], list[Finding]]:
    """What the setups are given once they are opened; a finding where agents, tools or world cannot be."""
    if not suite.setups and not calls(suite.cases):
        return [], []
    try:
        with Workshop(stage_spec(suite, suite.setups, suite.cases), level_of(None), 1) as workshop:
            return workshop.open(), []
    except FairtrialError as error:
        return [], list(_shut(error, suite))


def _unseated(suite: Suite, seats: Sequence[Seat]) -> Iterator[Finding]:
    """Cases of tier agent whose role no setup can play alone; where no setup has the role at all, that was told already."""
    known = {role.name for seat in seats for role in seat.roles}
    for case in suite.cases:
        if case.labels.tier == "agent" and case.scene.role in known and not any(seats_case(seat, case) for seat in seats):
            error = nobody(case, seats)
            file, line = place_of(case.place)
            yield Finding(code="cannot_seat", message=error.what, mend=error.mend or "", case=case.id, file=file, line=line)


def _shut(error: FairtrialError, suite: Suite) -> Iterator[Finding]:
    """What setups, functions, tools or world cannot be opened for: in the case where it stands in one, else in the suite."""
    for one in error.errors if isinstance(error, InputErrors) else [error]:
        case = next((case for case in suite.cases if case.place == one.place), None)
        here = case is not None or one.place in suite.places.values()
        file, line = place_of(one.place) if here and one.place else (suite.path, None)
        what = one.what if here or not one.place else f"{one.place}: {one.what}"
        mend = one.mend or "mend what it names"
        if one.allowed and not mend.startswith("did you mean"):
            mend += f" (allowed: {one.allowed})"
        yield Finding(code="cannot_open", message=what, mend=mend, case=case.id if case else "", file=file, line=line)


class KnownAnswers:
    """Gives the graders the answers that cases state. No judge is asked: what only a judge could tell of them is not told."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        graders = {name: caged(grader) for name, grader in load_graders(suite.graders, suite.folder).items()}
        self._trials = Rehearsal(suite, Contract(graders=graders))
        self._tables = Tables(stated(case.key.solution).get("state") for case in suite.cases)

    def findings(self, case: Case) -> list[Finding]:
        results = [canaries.fly(self._trials, case, canary) for canary in canaries.of_case(case)]
        found = [self._finding(case, CODES[one.kind], one.why, one.mend) for one in results if one.state == MISSED]
        return [*found, *self._unanswered(case), *self._unknown_tables(case)]

    def _unanswered(self, case: Case) -> list[Finding]:
        """Queries that no end state could answer, put to the start of the world. A name that is missing there may appear, in a
        database only where a solution's end has it."""
        found: list[Finding] = []
        for check in every((*checks_of(case), *self._suite.checks)):
            if check.subject != "query":
                continue
            start = self._trials.start(case)
            try:
                ask(str(check.target), start, start)
            except QueryFailed as error:
                why: tuple[str, str] | None = str(error), "write one SELECT; try it with the sqlite3 shell"
                if str(error).startswith(_MAY_APPEAR):
                    why = self._tables.missing(str(check.target), start) if self._suite.world.kind == "sqlite" else None
                if why:
                    what = f"the query cannot be answered ({why[0]}): {check.target}"
                    found.append(self._finding(case, "query_fails", what, why[1]))
        return found

    def _unknown_tables(self, case: Case) -> Iterator[Finding]:
        if self._suite.world.kind != "sqlite":
            return
        key = case.key
        named = {"the solution": key.solution} | {f"known_bad answer {number}": bad for number, bad in enumerate(key.known_bad, 1)}
        ends = {told: stated(answer).get("state") for told, answer in named.items()}
        yield from self._tables.findings(case, (*checks_of(case), *self._suite.checks), self._trials.start(case), ends)

    def _finding(self, case: Case, code: str, message: str, mend: str) -> Finding:
        file, line = place_of(case.place)
        return Finding(code=code, message=message, mend=mend, case=case.id, file=file, line=line)


_MAY_APPEAR = ("no such table", "no such column", "the state has no tables")

CODES = {"known_good": "solution_fails", "known_unknown": "solution_fails", "known_bad": "known_bad_passes", "empty": "empty_passes"}
"""The finding that a missed canary is, by its kind."""
