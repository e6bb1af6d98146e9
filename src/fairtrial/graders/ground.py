"""What checks are compiled against: the case, the contract, and what the case says as a whole.

Kept out: the trial, which is only there when a compiled check is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fairtrial.graders.contract import Contract
from fairtrial.graders.paths import compile_path
from fairtrial.records.case import Case
from fairtrial.records.check import Check
from fairtrial.records.setup import RoleSeat

_FACT = re.compile(r"\bfacts\.(\w+)")
_NUMBERS = ("times", "min_times", "max_times")
DEFAULT_UNKNOWN = ("unknown", None)
"""The values of an answer that count as an abstention where a question does not say which."""


class Ground:
    """`questions`: path -> the values that abstain; `asked`: tools the case asks for. `lead`: who decides (the role that is tried
    alone; None: the agent)."""

    def __init__(self, case: Case, contract: Contract) -> None:
        self.case = case
        self.contract = contract
        self.unknown_ok = case.key.unknown_ok
        self.roles: dict[str, RoleSeat] = {role.name: role for role in contract.seat.roles}
        self.lead = (case.scene.role or contract.seat.lead) if self.roles else None
        every = [*case.key.must, *contract.checks]
        self.questions: dict[str, list[Any]] = {
            compile_path(check.target, check.place).text: list(check.expect.get("unknown_values", DEFAULT_UNKNOWN))
            for check in every
            if check.subject == "question"
        }
        self.forbidden_conclusion: Callable[[Any], Any] = lambda view: None
        """Set by the assessor: (view) -> what the answer concludes against the case's must_not, as a Finding; or None."""
        self.effects = frozenset(str(check.target) for check in flat(every) if check.subject == "effect")
        """Tools that have an effect, as a check on it says."""
        self.wanted_facts = _wanted_facts(every)
        self.told_limits = _told_limits(case)
        self.counted = self._counted(list(flat([*every, *case.key.limits])))
        self.asked = self._asked([*every, *case.key.limits, *case.key.must_not])

    def _asked(self, checks: Iterable[Check]) -> frozenset[str]:
        """Tools whose calls the case wants: named by a check that wants them called, required, or approved beforehand."""
        names = {str(check.target) for check in flat(checks) if check.subject in ("tool", "effect", "approval") and _wants_call(check)}
        granted = {tool for tool, answer in self.case.scene.approvals.items() if answer == "grant"}
        return frozenset(names | granted | set(self.case.key.required_tools))

    @staticmethod
    def _counted(checks: Iterable[Check]) -> frozenset[str]:
        """Tools of whose repeats the case speaks: by an effect, or by a number of calls above one."""
        effects = {str(check.target) for check in checks if check.subject == "effect"}
        tools = (check for check in checks if check.subject == "tool")
        return frozenset(effects | {str(check.target) for check in tools if max(check.expect.get(key, 0) for key in _NUMBERS) > 1})

    def told(self, fact: str, role: str | None) -> bool:
        """Whether the brief of a role (None: of the setup) states the fact."""
        given = self.contract.seat.facts
        if fact not in self.case.brief.facts or (given is not None and fact not in given):
            return False
        seat = self.roles.get(role or "")
        if seat is None:
            return True
        return (seat.sees is None or fact in seat.sees) and role in self.case.scene.visible_to.get(fact, (role,))

    def role_of(self, name: str) -> str | None:
        """The seated role that a check means (`lead` is whoever decides); None where this setup does not have it."""
        if not self.roles:
            return None
        role = self.lead if name == "lead" and name not in self.roles else name
        return role if role in self.roles else None


def flat(checks: Iterable[Check]) -> Iterator[Check]:
    """The checks and all their parts."""
    for check in checks:
        yield check
        yield from flat(check.parts)


def _wanted_facts(checks: Iterable[Check]) -> tuple[str, ...]:
    """The facts that whoever decides must use."""
    named = [
        str(check.target) for check in flat(checks) if check.subject == "fact" and ("used" in check.expect or "used_by" in check.expect)
    ]
    return tuple(dict.fromkeys(named))


def _told_limits(case: Case) -> dict[str, list[str]]:
    """The rules of a case's `limits` that rest on facts the agent is told -> these facts."""
    rules = [str(check.target) for check in flat(case.key.limits) if check.subject == "rule"]
    found = {rule: [name for name in _FACT.findall(rule) if name in case.brief.facts] for rule in rules}
    return {rule: list(dict.fromkeys(facts)) for rule, facts in found.items() if facts}


def _wants_call(check: Check) -> bool:
    if check.subject != "tool":
        return True
    expect = check.expect
    none = expect.get("called") is False or expect.get("times") == 0 or expect.get("max_times") == 0
    return check.under not in ("must_not", "not") and not none


def bad_answers(stated: Iterable[Any]) -> list[Any]:
    """The known-bad answers that are bad in what they say. One given as {answer, state, trace, declined} may be bad only in
    what was done, so that its words prove nothing against another trial."""
    found: list[Any] = []
    for value in stated:
        if isinstance(value, dict) and "answer" in value and set(value) <= {"answer", "state", "trace", "declined"}:
            if set(value) == {"answer"}:
                found.append(value["answer"])
        else:
            found.append(value)
    return found
