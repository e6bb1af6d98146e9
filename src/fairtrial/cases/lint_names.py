"""Names in checks that lead nowhere: facts no case has, roles no setup has, tools the suite does not offer."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any

from fairtrial.cases.walk import checks_of, every, found_in
from fairtrial.records.errors import nearest
from fairtrial.records.finding import Finding, place_of
from fairtrial.records.suite import Suite

if TYPE_CHECKING:
    from fairtrial.records.case import Case
    from fairtrial.records.check import Check

Report = Callable[[str, str, str, "Check | None"], Finding]
"""code, message, mend, check -> a finding in its place."""

LEAD = "lead"
_NO_ROLES = ("agent", "case")
"""Who hands over where there is no role: the agent, and the case to a role that is tried alone."""


def unknown_names(suite: Suite, case: Case | None, tools: Collection[str] | None, roles: Collection[str] | None) -> Iterator[Finding]:
    """For a case, the names it uses that are not there; for None, those of the suite's own checks and hand-offs."""
    facts = _facts(suite if case is None else case)
    checks = list(every(suite.checks if case is None else checks_of(case)))

    def report(code: str, message: str, mend: str, check: Check | None) -> Finding:
        if case is not None:
            return found_in(case, code, message, mend, check)
        file, line = place_of(check.place if check and ":" in check.place else suite.path)
        return Finding(code=code, message=message, mend=mend, file=file, line=line)

    for check in checks:
        if check.subject == "grader" and check.target not in suite.graders:
            yield _finding(report, ("grader", str(check.target), suite.graders), check, "name it in suite.yaml under graders")
        for fact in _facts_named(check):
            if fact not in facts:
                yield _finding(report, ("fact", fact, facts), check, "add it to facts, or to fact_notes where a tool tells it")
        for role in roles_named(check):
            if roles is not None and role not in roles and role != LEAD:
                yield _finding(report, ("role", role, roles), check, "name a role that a setup has, or lead")
        for tool in _tools_named(check):
            if tools is not None and tool not in tools:
                yield _finding(report, ("tool", tool, tools), check, "name a tool that the suite offers")
    for kind, name, key in _other_names(suite, case):
        known = {"fact": facts, "role": roles, "tool": tools}[kind]
        if known is not None and name not in known and not (kind == "role" and name == LEAD):
            yield _finding(report, (kind, name, known), None, "correct the name, or remove it", where=f" in {key}")


def _finding(report: Report, what: tuple[str, str, Collection[str]], check: Check | None, mend: str, where: str = "") -> Finding:
    kind, name, known = what
    near = nearest(name, known)
    return report(f"unknown_{kind}", f"there is no {kind} {name!r}{where}", f"did you mean {near!r}?" if near else mend, check)


def _facts(of: Case | Suite) -> frozenset[str]:
    cases = of.cases if isinstance(of, Suite) else (of,)
    return frozenset(name for case in cases for name in (*case.brief.facts, *case.key.fact_notes))


def _facts_named(check: Check) -> Iterator[str]:
    if check.subject == "fact":
        yield str(check.target)
    elif check.subject in ("conflict", "citations"):
        yield from map(str, check.expect.get("cites", ()))
        yield from map(str, check.expect.get("covers", ()))
    elif check.subject == "rule":
        yield from facts_in_rule(str(check.target))


def facts_in_rule(rule: str) -> list[str]:
    """The facts that a rule names, in order; none where it cannot be parsed. Parsed only, never run."""
    try:
        tree = ast.parse(rule.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        base = node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else None
        if not isinstance(base, ast.Name) or base.id != "facts":
            continue
        if isinstance(node, ast.Attribute):
            found[node.attr] = None
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            found[node.slice.value] = None
    return list(found)


def roles_named(check: Check) -> Iterator[str]:
    """The roles that a check is about."""
    if check.subject == "role":
        yield str(check.target)
    for key in ("received_by", "used_by", "settled_by"):
        if key in check.expect:
            yield str(check.expect[key])


def _tools_named(check: Check) -> Iterator[str]:
    if check.subject in ("tool", "effect", "approval"):
        yield str(check.target)
    if check.subject == "tool":
        for key in ("before", "after"):
            if key in check.expect:
                yield str(check.expect[key])


def _other_names(suite: Suite, case: Case | None) -> Iterator[tuple[str, str, str]]:
    """kind, name and key of what is named outside checks."""
    if case is None:
        for one in suite.handoffs:
            yield "role", one.source, "handoffs"
            yield "role", one.target, "handoffs"
            yield from (("fact", fact, "handoffs") for fact in one.requires)
        return
    yield from (("tool", tool, "required_tools") for tool in case.key.required_tools)
    yield from (("tool", _text(fault.get("tool")), "faults") for fault in case.scene.faults)
    for plant in case.scene.injections:
        if plant["in"] == "tool":
            yield "tool", _text(plant["at"]), "injections"
        elif plant["in"] == "handoff":
            yield from (("role", role, "injections") for role in _text(plant["at"]).split("->") if role not in _NO_ROLES)
    yield from (("tool", tool, "approvals") for tool in case.scene.approvals)
    yield from (("role", role, "fact_notes") for roles in case.scene.visible_to.values() for role in roles)
    if case.scene.role:
        yield "role", case.scene.role, "role"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
