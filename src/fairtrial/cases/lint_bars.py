"""Bars that nothing can reach, or that only read as if they could: contradictions, ceilings below what is asked, gates that
this suite is too small to decide."""

from __future__ import annotations

from math import ceil, log
from typing import TYPE_CHECKING, Any

from fairtrial.cases.policy import policy_file, read_policy
from fairtrial.cases.sources import read_document
from fairtrial.cases.walk import every, found_in
from fairtrial.records.finding import Finding, place_of
from fairtrial.records.policy import within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.cases.rows import Row
    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.policy import Policy
    from fairtrial.records.suite import Suite

CODE = "unreachable_bar"


def unreachable_bars(suite: Suite) -> Iterator[Finding]:
    """Of the cases, of the library's rules, of the judges' bars and of the policy's gates."""
    for case in suite.cases:
        yield from _contradictions(case)
        yield from _ceilings(case)
    yield from _library_bars(suite)
    if suite.policy:
        yield from _gates(suite, read_document(policy_file(suite.policy, suite.folder)))
        yield from _idle_gates(suite, read_policy(suite.policy, suite.folder))


def _contradictions(case: Case) -> Iterator[Finding]:
    for check in every((*case.key.must, *case.key.limits, *case.key.must_not)):
        outcome = "nothing can fail" if check.under == "must_not" else "nothing can pass"
        for low, high in (("min", "max"), ("min_times", "max_times")):
            least, most = _number(check.expect.get(low)), _number(check.expect.get(high))
            if least is not None and most is not None and least > most:
                message = f"{check.subject} {check.target}: {low} {least:g} is above {high} {most:g}, so {outcome}"
                yield found_in(case, CODE, message, f"correct {low} or {high}", check)
        times = _number(check.expect.get("times"))
        least = times or _number(check.expect.get("min_times"))
        if check.subject == "tool" and check.expect.get("called") is False and least:
            message = f"{check.target} is to be called not at all and {least:g} times, so {outcome}"
            yield found_in(case, CODE, message, "keep one of them", check)
        if check.subject == "tool" and check.expect.get("called") is True and (times == 0 or check.expect.get("max_times") == 0):
            message = f"{check.target} is to be called, and not at all, so {outcome}"
            yield found_in(case, CODE, message, "keep one of them", check)
    forbidden = [_meaning(check) for check in case.key.must_not]
    for check in case.key.must:
        if _meaning(check) in forbidden:
            message = f"{check.subject} {check.target} is demanded under must and forbidden under must_not"
            yield found_in(case, CODE, message, "keep one of them", check)


def _meaning(check: Check) -> Any:
    return check.subject, check.target, check.expect, tuple(map(_meaning, check.parts))


def _ceilings(case: Case) -> Iterator[Finding]:
    needed: dict[str, int] = dict.fromkeys(case.key.required_tools, 1)
    for check in case.key.must:
        if check.subject == "tool":
            least = max(int(_number(check.expect.get(key)) or 0) for key in ("times", "min_times"))
            least = max(least, int(check.expect.get("called") is True))
            needed[str(check.target)] = max(needed.get(str(check.target), 0), least)
    total = sum(needed.values())
    budget = case.brief.budget
    for name, ceiling in (("max_steps", case.scene.max_steps), ("budget.steps", budget.steps), ("budget.tool_calls", budget.tool_calls)):
        if ceiling is not None and total > ceiling:
            message = f"{total} tool calls are demanded, and {name} allows {ceiling}"
            yield found_in(case, CODE, message, f"raise {name} to {total} at least, or demand less")


def _library_bars(suite: Suite) -> Iterator[Finding]:
    graduate, demote = suite.library.get("graduate", {}), suite.library.get("demote", {})
    above, below = _number(graduate.get("above")), _number(demote.get("below"))
    if above is not None and above >= 5:
        yield _of_file(suite.path, f"library.graduate.above {above:g}: scores end at 5, so no case can graduate", "set it below 5")
    if below is not None and below <= 1:
        yield _of_file(suite.path, f"library.demote.below {below:g}: scores begin at 1, so no case can be demoted", "set it above 1")
    for name, judge in suite.judges.items():
        for key, value in (judge.get("bar") or {}).items():
            bar = _number(value)
            if bar is not None and bar > 1:
                yield _of_file(suite.path, f"judges.{name}.bar.{key} {bar:g}: it ends at 1, so no judge can pass", "set it to 1 or less")


def _of_file(place: str, message: str, mend: str) -> Finding:
    file, line = place_of(place)
    return Finding(code=CODE, message=message, mend=mend, file=file, line=line)


def _gates(suite: Suite, row: Row) -> Iterator[Finding]:
    gates = row.value.get("gates")
    confidence = _number(row.value.get("confidence")) or 0.95
    for place, gate in enumerate(gates if isinstance(gates, list) else ()):
        if isinstance(gate, dict):
            yield from (_of_file(row.place("gates", place), message, mend) for message, mend in _gate_faults(gate, suite, confidence))


def _gate_faults(gate: dict[str, Any], suite: Suite, confidence: float) -> Iterator[tuple[str, str]]:
    cases = len(suite.cases)
    upper = _number(gate.get("upper_bound"))
    if "severe" in gate and upper is not None and 0 < upper < 1 and 0 < confidence < 1:
        needed = ceil(log(1 - confidence) / log(1 - upper))
        if cases < needed:
            message = f"upper_bound {upper:g} needs {needed} cases without a severe failure, and the suite has {cases}: it stays open"
            yield message, f"add cases, or set upper_bound to {_up(1 - (1 - confidence) ** (1 / cases)):g} or more"
    if isinstance(gate.get("pass_hat"), dict):
        k, trials = _number(gate["pass_hat"].get("k")), min((case.trials or suite.trials for case in suite.cases), default=0)
        if k is not None and k > trials:
            yield f"pass_hat with k {k:g} needs as many trials of each case, and there are {trials}", f"set trials to {k:g} or more"
    for key, value in (*gate.items(), *((gate.get("pass_hat") or {}) if isinstance(gate.get("pass_hat"), dict) else {}).items()):
        bar = _number(value)
        if bar is not None and key == "min" and cases > 1 and (cases - 1) / cases < bar < 1:
            seen = f"{cases - 1} of {cases} is {(cases - 1) / cases:.4f}"
            yield (
                f"min {bar:g} with {cases} cases can only be met by {cases} of {cases} ({seen})",
                "add cases, or state the bar that is meant",
            )


def _idle_gates(suite: Suite, policy: Policy) -> Iterator[Finding]:
    """Gates that look at nothing this suite has, and so stay open for ever."""
    for gate in policy.gates:
        part = gate.part or ({"library": "regression"} if gate.name == "regression" else {})
        told = ", ".join(f"{label} {value}" for label, value in part.items())
        if not any(within(case.labels, part) for case in suite.cases):
            yield _of_file(gate.place, f"{gate.asks}: no case is of {told}, so it stays open", "label a case so, or take the gate out")
        if gate.versus and suite.baseline is None:
            message = f"{gate.asks}: the suite names no baseline, so it stays open in a run"
            yield _of_file(gate.place, message, "name one: baseline: SETUP")


def _up(share: float) -> float:
    return ceil(share * 1000) / 1000


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except ValueError:
        return None
