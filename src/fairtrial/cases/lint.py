"""What can be found wrong with a suite by reading it: the static half of `fairtrial check`.

Each finding names file, line and mend. Kept out: errors that stop a load (`load.py`), and what needs the graders — that the
solution passes, that the known-bad answers and an empty answer fail — which the workflow joins to these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from fairtrial.cases.drafts import TODO
from fairtrial.cases.lint_answers import visible_answers
from fairtrial.cases.lint_bars import unreachable_bars
from fairtrial.cases.lint_judges import judge_findings
from fairtrial.cases.lint_names import LEAD, roles_named, unknown_names
from fairtrial.cases.lint_plans import idle_plans
from fairtrial.cases.lint_twins import near_duplicates
from fairtrial.cases.user import idle_user
from fairtrial.cases.walk import checks_of, every, found_in
from fairtrial.records.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.suite import Suite

_SURFACE = frozenset(("contains", "not_contains", "matches", "length", "exists"))
_NEGATIONS = frozenset(("must_not", "not"))


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """Names that only opened code can tell; None where it was not opened, and then nothing is said about them."""

    tools: frozenset[str] | None = None
    roles: frozenset[str] | None = None


def lint(suite: Suite, *, tools: Collection[str] | None = None, roles: Collection[str] | None = None) -> list[Finding]:
    """Every static finding, in the order of the cases. `tools` and `roles` are the names found by opening the suite's code,
    where it was opened; roles that the setups list are always known."""
    listed = frozenset(role for setup in suite.setups.values() for role in setup.roles)
    all_roles = listed | frozenset(roles or ()) or None
    known = Known(tools=None if tools is None else frozenset(tools), roles=all_roles)
    found = [finding for case in suite.cases for finding in _of_case(case, suite, known)]
    found += near_duplicates(suite.cases)
    order = {case.id: place for place, case in enumerate(suite.cases)}
    found.sort(key=lambda finding: order.get(finding.case, -1))
    return [*unreachable_bars(suite), *unknown_names(suite, None, known.tools, known.roles), *judge_findings(suite), *found]


def _of_case(case: Case, suite: Suite, known: Known) -> Iterator[Finding]:
    yield from _unfinished(case)
    yield from _missing_parts(case, suite)
    yield from _surface_only(case, suite)
    yield from _unread(case, suite)
    yield from _groundless(case, suite)
    yield from visible_answers(case)
    yield from idle_user(case)
    yield from idle_plans(case, suite, known.roles, opened=known.tools is not None)
    yield from unknown_names(suite, case, known.tools, known.roles)


def _unfinished(case: Case) -> Iterator[Finding]:
    """What a draft says of itself that is still to be done."""
    for line in case.notes.splitlines():
        if line.startswith(TODO):
            yield found_in(case, "unfinished", f"a draft: {line.removeprefix(TODO)}", "do it, then remove the line from notes")


def _missing_parts(case: Case, suite: Suite) -> Iterator[Finding]:
    key = case.key
    if not checks_of(case) and not suite.checks and key.expect_state is UNSET:
        yield found_in(case, "nothing_checked", "nothing is checked, so no trial of it can pass", "add must and must_not")
    elif not (key.must or key.limits or key.subtasks or suite.checks) and key.expect_state is UNSET:
        yield found_in(case, "no_must", "an agent that does nothing meets it", "say under must what has to hold")
    if case.labels.tier == "unit" and _is_stated(key.must):
        return  # the value that a function has to return says what it must not, and is its own solution
    if not key.must_not and not key.obeyed_if:
        yield found_in(case, "no_must_not", "nothing is named that must never happen", "add at least one check under must_not")
    if key.solution is UNSET:
        yield found_in(case, "no_solution", "no solution shows that it can be passed", "add solution: an answer that must pass")
    if not key.known_bad:
        yield found_in(case, "no_known_bad", "no known-bad answer shows that it can be failed", "add known_bad: answers that must fail")
    for number, bad in enumerate(key.known_bad, 1):
        if bad in ({}, [], None) or (isinstance(bad, str) and not bad.strip()):
            message = f"known_bad answer {number} is empty, and fails for that alone"
            yield found_in(case, "no_known_bad", message, "say an answer that is wrong in what it says or does")


def _is_stated(must: Iterable[Check]) -> bool:
    """Whether a check states what has to be returned, whole or in part."""
    return any(check.subject == "output" and "equals" in check.expect for check in must)


def _surface_only(case: Case, suite: Suite) -> Iterator[Finding]:
    must = [check for check in every(case.key.must) if not check.parts]
    for check in every(checks_of(case)):
        if check.subject == "text":
            message = f"text: {check.target} looks at surface form only"
            yield found_in(case, "surface_only", message, "check a value, the state or a rule instead, or beside it as output:", check)
    surface = [check for check in must if _is_surface(check)]
    deeper = [check for check in (*must, *case.key.limits, *suite.checks) if not _is_surface(check)]
    if surface and not deeper and case.key.expect_state is UNSET:
        for check in surface:
            words = ", ".join(sorted(check.expect.keys() & _SURFACE))
            told = " ".join([f"{words} on" if words else "not", check.subject, str(check.target or "")]).rstrip()
            message = f"what must hold is looked at by its form only ({told})"
            yield found_in(case, "surface_only", message, "add a check on a value, the state, a tool or a rule", check)


def _is_surface(check: Check) -> bool:
    if check.subject == "judge":  # it reads what was said, also where its word is turned round
        return False
    if check.subject == "text" or check.under in _NEGATIONS:
        return True
    return (
        check.subject == "output" and bool(check.expect.keys() & _SURFACE) and not check.expect.keys() - _SURFACE - {"normalise", "locale"}
    )


def _groundless(case: Case, suite: Suite) -> Iterator[Finding]:
    """Checks that look for support where nothing can stand: no tool, no fact, no reference, whatever they may look in."""
    there = {"tools": bool(suite.tools), "facts": bool(case.brief.facts), "reference": case.key.reference is not UNSET}
    there |= {"task": True, "history": bool(case.brief.history or case.scene.user), "calls": bool(suite.tools)}
    for check in every((*checks_of(case), *suite.checks)):
        kinds = check.expect.get("in", ("tools", "facts", "history", "reference"))
        if check.subject == "grounded" and not any(there[kind] for kind in kinds):
            message = f"nothing is given in which `grounded: {check.target}` could find support ({', '.join(kinds)})"
            yield found_in(case, "groundless", message, "give the suite tools, or the case facts or a reference", check)


def _unread(case: Case, suite: Suite) -> Iterator[Finding]:
    """Expectations that are written down and that nothing reads: they look like safety and give none.

    Required tools are graded by themselves, and secrets are covered at the store's door, whether a check names them or not.
    """
    checks = list(every((*checks_of(case), *suite.checks)))
    read_facts = {str(check.target) for check in checks if check.subject == "fact"}
    for fact, note in case.key.fact_notes.items():
        if note.critical and fact not in read_facts:
            mend = f"add {{fact: {fact}, used: true}} under must, or drop critical"
            yield found_in(case, "unread_expectation", f"the fact {fact!r} is critical, and no check reads it", mend)
    for tier, key in (("agent", "role"), ("unit", "call"), ("unit", "args")):
        stated = case.raw.get(key)
        if stated and case.labels.tier != tier:
            message = f"{key} {stated!r} is read only where tier is {tier}, and here it is {case.labels.tier}"
            yield found_in(case, "unread_expectation", message, f"say tier: {tier}, or remove {key}")
    for check in every(checks_of(case)) if case.scene.role is not None else ():
        for role in roles_named(check):
            if role not in (case.scene.role, LEAD):
                message = f"the check reads the role {role!r}, and {case.scene.role!r} is tried alone"
                yield found_in(case, "unread_expectation", message, f"check {case.scene.role}, or try the whole path (tier: e2e)", check)
