"""`rule: EXPR`: a rule must be true of the trial.

Missing values and wrong types fail it, under `not` as well; what is not known makes it UNKNOWN. A value that the agent
rightly left open does not break a rule that needs a number there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fairtrial.graders.compare import contains
from fairtrial.graders.finding import Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.paths import compile_path
from fairtrial.graders.rule_values import RuleError, RuleMissing, RuleUnknown
from fairtrial.graders.rules import Rule, compile_rule
from fairtrial.graders.values import Probe, end_place
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.errors import InputError
from fairtrial.records.failure import FailureKind

_RESOURCE = re.compile(r"\b(cash|budget|spend|funds|balance|stock|capacity)\b", re.IGNORECASE)
_OF_THE_TRIAL = frozenset(("output", "state", "trace", "spend"))
_NAME_SOMETHING = "say something about output, state, trace or spend"
_AMOUNT = re.compile(r"\btrace\.(tool_calls|steps|retries)\b|\blen\(")


def compile_rule_check(check: Check, ground: Ground) -> Probe:
    text = str(check.target)
    try:
        rule = compile_rule(text)
    except RuleError as error:
        raise InputError(
            f"the rule {text[:80]!r}: {error}", place=check.place, mend="docs/writing-rules.md tells what a rule can say"
        ) from None
    if not rule.names:
        raise InputError(f"the rule {text[:80]!r} comes to the same whatever happens", place=check.place, mend=_NAME_SOMETHING)
    answer = "output" in rule.names
    turned = check.under in ("must_not", "not")
    kind = _kind(rule)
    left_open = _left_open(rule, ground)

    def probe(view: View) -> Finding:
        if answer and not view.answered:
            return view.silence
        how = _altered(view, rule) if view.body.altered or view.body.start is not None else None
        if how:
            return unknown(f"a value of the rule was changed before it was stored ({how})", path=text)
        try:
            if rule.holds(view):
                return holds(path=text, kind=kind, seen=rule.values(view) if turned else None)
        except RuleError as error:
            return _undecided(view, rule, error, left_open)
        return fails(f"the rule does not hold: {_said(rule, view)}", path=text, expected=text, seen=rule.values(view), kind=kind)

    return probe


def refuse_settled(check: Check) -> None:
    """Raises InputError for a rule, or rules joined, that the case itself settles: no trial could make it hold or fail."""
    rules = _only_rules(check)
    if rules and not any(rule.names & _OF_THE_TRIAL for rule in rules):
        read = " and ".join(sorted({name for rule in rules for name in rule.names}))
        text = rules[0].text[:80]
        raise InputError(f"the rule {text!r} reads only {read}, which no trial changes", place=check.place, mend=_NAME_SOMETHING)


def _only_rules(check: Check) -> list[Rule]:
    """The rules that a check is made of; none where it is made of other checks as well."""
    if check.subject == "rule":
        return [compile_rule(str(check.target))]
    parts = [_only_rules(part) for part in check.parts]
    return [rule for part in parts for rule in part] if all(parts) else []


def _kind(rule: Rule) -> FailureKind | None:
    """What a broken rule is about, by what it reads; None where that says no more than that the answer is not right."""
    if "spend" in rule.names:
        return FailureKind.OVER_BUDGET
    if _RESOURCE.search(rule.text):
        return FailureKind.OVER_RESOURCE
    if "output" in rule.names:
        return None
    if "trace" in rule.names:
        return FailureKind.OVER_EXECUTION if _AMOUNT.search(rule.text) else FailureKind.TOOL_SELECTION
    return FailureKind.WRONG_STATE if rule.names & {"state", "before"} else None


def _undecided(view: View, rule: Rule, error: RuleError, left_open: Callable[[View], bool]) -> Finding:
    """What follows from a rule whose value cannot be had."""
    why = str(error)
    if isinstance(error, RuleUnknown) or (isinstance(error, RuleMissing) and why.startswith("facts")):
        return unknown(why, path=rule.text)
    if isinstance(error, RuleMissing) and view.declined and view.ground.unknown_ok:
        return unknown(f"{why}; the agent declined, which the case allows", path=rule.text, excused=True)
    if not isinstance(error, RuleMissing) and left_open(view):
        return unknown(f"{why}; the agent left that open, which the case allows", path=rule.text, excused=True)
    kind = FailureKind.WRONG_STATE if "output" not in rule.names else FailureKind.FORMAT_ERROR
    return fails(why, path=rule.text, expected=rule.text, seen=rule.values(view), firm=True, kind=kind)


def _said(rule: Rule, view: View) -> str:
    values = ", ".join(f"{name} = {value!r:.60}" for name, value in rule.values(view).items())
    return values or rule.text


def _left_open(rule: Rule, ground: Ground) -> Callable[[View], bool]:
    """Whether the agent abstained at one of the paths that the rule reads and a question of the case names."""
    if not ground.unknown_ok or "output" not in rule.names:
        return lambda view: False
    open_ended: list[tuple[Any, list[Any]]] = []
    for path, values in ground.questions.items():
        if any(name == f"output.{path}" or name.startswith((f"output.{path}.", f"output.{path}[")) for name in rule.reads):
            open_ended.append((compile_path(path).read, values))
    return lambda view: any(contains(values, read(view.output)) for read, values in open_ended)


_ROOTS = {"output": "output", "before": "before", "trace": "spans"}
_FROM_END = re.compile(r"\[-")
"""The store counts from the front, so a place counted from the end is looked at with all of its list."""


def _altered(view: View, rule: Rule) -> str | None:
    """How something that the rule reads was changed before it was stored."""
    for name in rule.reads:
        root = re.split(r"[.\[]", name, maxsplit=1)[0]
        place = end_place(view) if root == "state" else _ROOTS.get(root)
        if place is None:
            continue
        below = re.sub(r"\[['\"]?([^\]'\"]*)['\"]?\]", r".\1", _FROM_END.split(name[len(root) :], maxsplit=1)[0]).strip(".")
        how = view.altered(f"{place}.{below}" if below and place != "spans" else place)
        if how:
            return how
    return None
