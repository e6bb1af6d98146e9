"""The suite checks itself: what can be read from the files, and what the case's own answers show.

A solution must pass its own case, a known-bad answer must fail it, and an empty answer must not pass: no agent is run for
that, the graders are simply given the answers that the case states.
"""

from __future__ import annotations

from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.lint import lint
from fairtrial.cases.suite import load_suite
from fairtrial.cases.walk import checks_of, every
from fairtrial.graders.assess import NOTHING_CHECKED, Assessor
from fairtrial.graders.contract import Contract, load_graders
from fairtrial.graders.finding import JUDGE
from fairtrial.graders.judge import judges_in
from fairtrial.graders.queries import ask
from fairtrial.graders.rebuilt import QueryFailed
from fairtrial.graders.rule_values import RuleError
from fairtrial.graders.rules import compile_rule
from fairtrial.records.errors import FairtrialError, InputErrors, placed
from fairtrial.records.finding import Finding, place_of
from fairtrial.records.plain import plain
from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.trace import Span
from fairtrial.records.tree import FILES
from fairtrial.records.trial import Decline, Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.steps.cage import caged
from fairtrial.steps.prepare import stage_spec
from fairtrial.steps.running import Workshop
from fairtrial.steps.seating import calls, nobody, seats_case
from fairtrial.steps.tables import Tables
from fairtrial.steps.walls import level_of
from fairtrial.trials.order import StageSpec
from fairtrial.trials.stage import open_world
from fairtrial.worlds.changes import diff
from fairtrial.worlds.patch import file_changes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.suite import Suite


class CheckReport(msgspec.Struct, kw_only=True):
    """What a suite's check of itself found; no finding is exit 0."""

    suite: str
    cases: int
    findings: list[Finding]


def check_suite(path: str, *, dynamic: bool = True) -> CheckReport:
    """Every finding of a suite. Raises InputErrors where it cannot be loaded at all."""
    suite = load_suite(path)
    if not dynamic:
        return CheckReport(suite=suite.name, cases=len(suite.cases), findings=list(lint(suite)))
    seats, findings = _open(suite)
    if seats:
        tools = {tool for seat in seats for tool in seat.tools}
        roles = {role.name for seat in seats for role in seat.roles}
        findings += [*lint(suite, tools=tools, roles=roles), *_unseated(suite, seats)]
    else:
        findings += lint(suite)
    trials = Rehearsal(suite)
    for case in suite.cases:
        try:
            findings += trials.findings(case)
        except FairtrialError as error:  # the world cannot be made, of which one case may be the first to tell
            findings += [one for one in _shut(error, suite) if one not in findings]
    return CheckReport(suite=suite.name, cases=len(suite.cases), findings=findings)


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


class Rehearsal:
    """Gives the graders the answers that cases state. No judge is asked: what only a judge could tell of them is not told."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._graders = {name: caged(grader) for name, grader in load_graders(suite.graders, suite.folder).items()}
        self._starts: dict[bytes, Any] = {}
        self._tables = Tables(_stated(case.key.solution).get("state") for case in suite.cases)

    def findings(self, case: Case) -> list[Finding]:
        found: list[Finding] = []
        key = case.key
        judged = bool(judges_in([*key.must, *key.must_not, *key.limits, *self._suite.checks]))
        if key.solution is not msgspec.UNSET:
            card = self._assess(case, key.solution)
            if card.verdict is not Verdict.PASS and not (judged and card.verdict is Verdict.UNKNOWN):
                found.append(self._finding(case, "solution_fails", *_unsolved(card)))
        for number, bad in enumerate(key.known_bad, 1):
            if self._assess(case, bad).verdict is not Verdict.FAIL and not judged:
                mend = "add the check that this answer breaks"
                found.append(self._finding(case, "known_bad_passes", f"known_bad answer {number} does not fail", mend))
        for name, empty in (("an empty answer", {}), ("an empty text", " ")):
            if self._assess(case, empty).verdict is Verdict.PASS and not judged:
                found.append(self._finding(case, "empty_passes", f"{name} passes", "add a check that wants something said or done"))
        return [*found, *self._unanswered(case), *self._unknown_tables(case)]

    def _unanswered(self, case: Case) -> list[Finding]:
        """Queries that no end state could answer, put to the start of the world. A name that is missing there may appear, in a
        database only where a solution's end has it."""
        found: list[Finding] = []
        for check in every((*checks_of(case), *self._suite.checks)):
            if check.subject != "query":
                continue
            start = self._start(case)
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
        ends = {told: _stated(answer).get("state") for told, answer in named.items()}
        yield from self._tables.findings(case, (*checks_of(case), *self._suite.checks), self._start(case), ends)

    def _assess(self, case: Case, answer: Any) -> Scorecard:
        stated = _stated(answer)
        by_code = tuple(check for check in self._suite.checks if not judges_in([check]))
        contract = Contract(handoffs=(), checks=by_code, seat=self._seat(stated), graders=self._graders)
        return Assessor(_answerable(case, stated), contract).assess(self._trial(case, stated))

    def _seat(self, stated: dict[str, Any]) -> Seat:
        """The roles that a stated trace names; `lead` is the suite's where it is among them."""
        roles = dict.fromkeys(str(step["role"]) for step in stated.get("trace", ()) if step.get("role"))
        leads = [setup.lead for setup in self._suite.setups.values() if setup.lead in roles]
        lead = "lead" if "lead" in roles else leads[0] if leads else next(reversed(roles), None)
        return Seat(setup="rehearsal", roles=tuple(RoleSeat(name=role, sees=()) for role in roles), lead=lead)

    def _trial(self, case: Case, stated: dict[str, Any]) -> Trial:
        before = self._start(case)
        after = stated.get("state", msgspec.UNSET)
        if isinstance(after, dict) and isinstance(before, dict):
            after = before | after  # what is not stated is as it was
        body = TrialBody(output=plain(stated["answer"]), before=before, spans=_spans(stated))
        if after is not msgspec.UNSET:
            body.after = self._whole(before, plain(after))
            body.changes = (file_changes if self._suite.world.kind == FILES else diff)(before, body.after)
        body.kind = FILES if self._suite.world.kind == FILES else ""
        declined = Decline("stated by the case") if stated.get("declined") else None
        head = TrialHead(
            key=TrialKey(case.id, "rehearsal", 1),
            seed=0,
            ending=Ending.DECLINED if declined else Ending.FINISHED,
            decline=declined,
            start_state="rehearsal",
        )
        return Trial(head=head, body=body)

    def _start(self, case: Case) -> Any:
        """The start of the world, as the worker would make it."""
        if self._suite.world.kind not in ("sqlite", FILES):  # opening a world of the user's own would run their code here
            return {} if case.scene.state is None else case.scene.state
        key = msgspec.json.encode(case.scene.state)
        if key not in self._starts:
            self._starts[key] = self._opened(case)
        return self._starts[key]

    def _opened(self, case: Case) -> Any:
        with TemporaryDirectory(prefix="fairtrial-check-", ignore_cleanup_errors=True) as place:
            with placed(self._suite.places.get("world")):
                world = open_world(StageSpec(folder=self._suite.folder, world=self._suite.world), place)
            with placed(case.place):
                live = world.open(case.scene)
            try:
                return live.before
            finally:
                live.close()

    def _whole(self, before: Any, after: Any) -> Any:
        """A stated end state; of a database only the tables that changed need be stated."""
        if self._suite.world.kind == FILES and isinstance(after, dict):
            return {path: value for path, value in sorted(after.items()) if value is not None}
        if self._suite.world.kind == "sqlite" and isinstance(before, dict) and isinstance(after, dict):
            return {**before, **after}
        return after

    def _finding(self, case: Case, code: str, message: str, mend: str) -> Finding:
        file, line = place_of(case.place)
        return Finding(code=code, message=message, mend=mend, case=case.id, file=file, line=line)


def _stated(answer: Any) -> dict[str, Any]:
    """The long form {answer, state, trace, declined}; anything else is the answer itself."""
    if isinstance(answer, dict) and "answer" in answer and set(answer) <= {"answer", "state", "trace", "declined"}:
        return answer
    return {"answer": answer}


def _spans(stated: dict[str, Any]) -> list[Span]:
    return [_span(number, step) for number, step in enumerate(stated.get("trace", ()), 1)]


def _span(number: int, step: dict[str, Any]) -> Span:
    own, parent = str(step.get("id", number)), str(step.get("parent", "")) or None
    return Span(own, parent, step.get("kind", "tool"), step.get("name", ""), step.get("role"), 0, 0, step.get("attributes", {}))


def _answerable(case: Case, stated: dict[str, Any]) -> Case:
    """The case with only the checks that the stated parts can answer: a bare answer has no calls and no state to look at.

    A role that is tried alone answers for itself, so that a check of the role reads the bare answer.
    """
    drop = _TRACE_SUBJECTS if "trace" not in stated else frozenset()
    if case.scene.role is not None:
        drop -= {"role"}
    if "state" not in stated:
        drop |= _STATE_SUBJECTS
    key = case.key
    kept = {name: tuple(check for check in getattr(key, name) if not _needs(check, drop)) for name in ("must", "must_not", "limits")}
    tools = key.required_tools if "trace" in stated else ()
    state = key.expect_state if "state" in stated else msgspec.UNSET
    return msgspec.structs.replace(case, key=msgspec.structs.replace(key, **kept, subtasks=(), required_tools=tools, expect_state=state))


def _needs(check: Check, subjects: frozenset[str]) -> bool:
    """Whether a check looks at what is not there."""
    if check.subject == "rule":
        roots = {"trace", "spend"} if "tool" in subjects else set()
        roots |= {"state", "before"} if "state" in subjects else set()
        try:
            return not roots.isdisjoint(compile_rule(str(check.target)).names)
        except RuleError:
            return False  # the assessor says what is wrong with it, and where
    return check.subject in subjects or check.subject == JUDGE or any(_needs(part, subjects) for part in check.parts)


_MAY_APPEAR = ("no such table", "no such column", "the state has no tables")
_STATE_SUBJECTS = frozenset({"state", "query", "changes", "command", "retention"})
_TRACE_SUBJECTS = frozenset({"fact", "adjustment", "conflict", "tool", "effect", "ui_card", "role", "access", "leak", "approval"}) | {
    "forbidden",
    "injection",
    "citations",
    "grounded",
    "grader",
}


def _unsolved(card: Scorecard) -> tuple[str, str]:
    """What is wrong with a solution that does not pass, and the mend."""
    if all(grade.aside or grade.check == NOTHING_CHECKED for grade in card.grades):
        return "its solution meets no check: they all look at what it leaves out", "write out its trace and its state as well"
    return f"its solution does not pass ({_why(card)})", "mend the solution or the check"


def _why(card: Scorecard) -> str:
    told = [f"{grade.check}: {grade.why}" for grade in card.grades if grade.verdict is not Verdict.PASS and not grade.excused]
    return "; ".join(told[:3]) or "nothing passed"
