"""The answers that cases state, put to the graders as if an agent had given them: no agent is run.

A stated answer has no trace and no state but for what it states, so only the checks that look at the rest are asked. Kept out: what is
expected of an answer (`canaries.py`), and what a suite's check of itself says of it (`checking.py`).
"""

from __future__ import annotations

import dataclasses
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.graders.assess import Assessor
from fairtrial.graders.finding import JUDGE
from fairtrial.graders.judge import judges_in
from fairtrial.graders.rule_values import RuleError
from fairtrial.graders.rules import compile_rule
from fairtrial.records.case import Key
from fairtrial.records.errors import placed
from fairtrial.records.plain import plain
from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.trace import Span
from fairtrial.records.tree import FILES
from fairtrial.records.trial import Decline, Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.trials.order import StageSpec
from fairtrial.trials.stage import open_world
from fairtrial.worlds.changes import diff
from fairtrial.worlds.patch import file_changes

if TYPE_CHECKING:
    from fairtrial.graders.contract import Contract
    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.suite import Suite


class Rehearsal:
    """Gives the graders of a contract the answers that a suite states. The seat is that of the stated trace.

    Where the contract has no judges, what asks one is left out, and what only a judge could tell of an answer is not told.
    """

    def __init__(self, suite: Suite, contract: Contract) -> None:
        self._suite = suite
        self.judged = bool(contract.judges)
        """Whether judges are asked."""
        checks = tuple(check for check in suite.checks if self.judged or not judges_in([check]))
        self._contract = dataclasses.replace(contract, handoffs=(), checks=checks)
        self._starts: dict[bytes, Any] = {}

    def assess(self, case: Case, answer: Any, leave_out: frozenset[str] = frozenset()) -> Scorecard:
        """What the graders make of a stated answer. `leave_out` are further subjects of checks that are not asked."""
        told = stated(answer)
        leave_out |= frozenset() if self.judged else {JUDGE}
        drop = _unanswerable(case, told) | leave_out
        checks = tuple(check for check in self._contract.checks if not _needs(check, drop))
        contract = dataclasses.replace(self._contract, checks=checks, seat=self._seat(told))
        return Assessor(_answerable(case, told, drop), contract).assess(self._trial(case, told))

    def alone(self, case: Case, answer: Any, check: Check) -> Scorecard:
        """What one check by itself makes of a stated answer."""
        told = stated(answer)
        key = Key(must=(check,), reference=case.key.reference, unknown_ok=case.key.unknown_ok, fact_notes=case.key.fact_notes)
        bare = msgspec.structs.replace(case, key=key)
        contract = dataclasses.replace(self._contract, checks=(), seat=self._seat(told))
        return Assessor(bare, contract).assess(self._trial(case, told))

    def lost(self, case: Case, answer: Any, *, harness: bool) -> Scorecard:
        """What the graders make of a trial that the harness spoiled, or of one whose trace was lost; every check is asked."""
        told = stated(answer)
        trial = self._trial(case, told | {"trace": ()})
        if harness:
            trial.head = msgspec.structs.replace(trial.head, ending=Ending.HARNESS_ERROR, note="a canary")
        else:
            trial.head = msgspec.structs.replace(trial.head, lost_spans=1)
        whole = case if self.judged else _without(case, frozenset({JUDGE}))
        return self._assessor(whole, told).assess(trial)

    def _assessor(self, case: Case, told: dict[str, Any]) -> Assessor:
        return Assessor(case, dataclasses.replace(self._contract, seat=self._seat(told)))

    def _seat(self, stated: dict[str, Any]) -> Seat:
        """The roles that a stated trace names; `lead` is the suite's where it is among them."""
        roles = dict.fromkeys(str(step["role"]) for step in stated.get("trace", ()) if step.get("role"))
        leads = [setup.lead for setup in self._suite.setups.values() if setup.lead in roles]
        lead = "lead" if "lead" in roles else leads[0] if leads else next(reversed(roles), None)
        return Seat(setup="rehearsal", roles=tuple(RoleSeat(name=role, sees=()) for role in roles), lead=lead)

    def _trial(self, case: Case, stated: dict[str, Any]) -> Trial:
        before = self.start(case)
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

    def start(self, case: Case) -> Any:
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


def stated(answer: Any) -> dict[str, Any]:
    """The long form {answer, state, trace, declined}; anything else is the answer itself."""
    if isinstance(answer, dict) and "answer" in answer and set(answer) <= {"answer", "state", "trace", "declined"}:
        return answer
    return {"answer": answer}


def _spans(stated: dict[str, Any]) -> list[Span]:
    return [_span(number, step) for number, step in enumerate(stated.get("trace", ()), 1)]


def _span(number: int, step: dict[str, Any]) -> Span:
    own, parent = str(step.get("id", number)), str(step.get("parent", "")) or None
    return Span(own, parent, step.get("kind", "tool"), step.get("name", ""), step.get("role"), 0, 0, step.get("attributes", {}))


def _unanswerable(case: Case, stated: dict[str, Any]) -> frozenset[str]:
    """The subjects of checks that the stated parts cannot answer: a bare answer has no calls and no state to look at.

    A role that is tried alone answers for itself, so that a check of the role reads the bare answer.
    """
    drop = _TRACE_SUBJECTS if "trace" not in stated else frozenset()
    if case.scene.role is not None:
        drop -= {"role"}
    return drop if "state" in stated else drop | _STATE_SUBJECTS


def _answerable(case: Case, stated: dict[str, Any], drop: frozenset[str]) -> Case:
    """The case with only the checks that the stated parts can answer."""
    bare = _without(case, drop)
    tools = case.key.required_tools if "trace" in stated else ()
    state = case.key.expect_state if "state" in stated else msgspec.UNSET
    return msgspec.structs.replace(bare, key=msgspec.structs.replace(bare.key, required_tools=tools, expect_state=state))


def _without(case: Case, subjects: frozenset[str]) -> Case:
    """The case without the checks that look at some subjects. Its sub-tasks decide nothing and are left out."""
    key = case.key
    kept = {name: tuple(check for check in getattr(key, name) if not _needs(check, subjects)) for name in ("must", "must_not", "limits")}
    return msgspec.structs.replace(case, key=msgspec.structs.replace(key, **kept, subtasks=()))


def _needs(check: Check, subjects: frozenset[str]) -> bool:
    """Whether a check looks at what is not there."""
    if check.subject == "rule":
        roots = {"trace", "spend"} if "tool" in subjects else set()
        roots |= {"state", "before"} if "state" in subjects else set()
        try:
            return not roots.isdisjoint(compile_rule(str(check.target)).names)
        except RuleError:
            return False  # the assessor says what is wrong with it, and where
    if JUDGE in subjects and judges_in([check]):
        return True
    return check.subject in subjects or any(_needs(part, subjects) for part in check.parts)


_STATE_SUBJECTS = frozenset({"state", "query", "changes", "command", "retention"})
_TRACE_SUBJECTS = frozenset({"fact", "adjustment", "conflict", "tool", "effect", "ui_card", "role", "access", "leak", "approval"}) | {
    "forbidden",
    "injection",
    "citations",
    "grounded",
}
