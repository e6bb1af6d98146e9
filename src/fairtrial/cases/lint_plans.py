"""Planned trouble that can never come: a fault or a plant that no trial of the case could meet looks like a test and is none.

Kept out: names of tools and roles that are not there (`lint_names.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.cases.walk import found_in
from fairtrial.records.errors import InputError
from fairtrial.records.tree import FILES, inside
from fairtrial.records.way import follow, steps_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from fairtrial.records.case import Case
    from fairtrial.records.finding import Finding
    from fairtrial.records.suite import Suite

CODE = "never_comes"
ELSEWHERE = "plant it somewhere else, or remove it"
Why = tuple[str, str]
"""What stands against it, and the mend."""


def idle_plans(case: Case, suite: Suite, roles: Collection[str] | None, *, opened: bool) -> Iterator[Finding]:
    """`roles` are those that some setup has; `opened`: the setups' own code was asked, so that no others are possible."""
    scene = case.scene
    most = _most_calls(case, suite)
    for place, fault in enumerate(scene.faults):
        what = f"the fault {fault['fault']} of {fault['tool']}"
        why = _never_called(case, str(fault["tool"]), fault["call"], most) or _never_fires(fault, scene.faults[:place])
        if why:
            yield _finding(case, what, why)
    for tool, said in scene.approvals.items():
        if said == "ask" and tool not in (scene.user or {}).get("approves", {}):
            mend = f"add user: {{approves: {{{tool}: true}}}}, or write deny"
            yield _finding(case, f"the approval of {tool}", ("nobody is there to give it, so every call is denied", mend))
    for one in scene.injections:
        why = _never_shown(case, suite, one, most)
        if one["in"] == "handoff" and roles is None and opened:
            why = "no setup has roles that hand anything over", ELSEWHERE
        if why:
            yield _finding(case, f"the injection {one['id']}", why)


def _finding(case: Case, what: str, why: Why) -> Finding:
    told, mend = why
    return found_in(case, CODE, f"{what} can never come: {told}", mend)


def _most_calls(case: Case, suite: Suite) -> int | None:
    """The number of calls that the most generous setup may make."""
    stated = [case.brief.budget.tightened(suite.budget).tightened(setup.budget) for setup in suite.setups.values()]
    most: list[int | None] = []
    for budget in stated or [case.brief.budget.tightened(suite.budget)]:
        limits = [limit for limit in (budget.tool_calls, budget.steps, case.scene.max_steps) if limit is not None]
        most.append(min(limits, default=None))
    return None if None in most else max(number for number in most if number is not None)


def _never_called(case: Case, tool: str, call: Any, most: int | None) -> Why | None:
    said = case.scene.approvals.get(tool)
    if said == "deny" or (said == "ask" and (case.scene.user or {}).get("approves", {}).get(tool) is not True):
        return f"every call of {tool} is denied", "grant the tool, or plan it for another"
    if isinstance(call, int) and most is not None and call > most:
        return f"call {call} is more than the {most} that the budget allows", "name an earlier call, or raise the budget"
    return None


def _never_fires(fault: Mapping[str, Any], earlier: Collection[Mapping[str, Any]]) -> Why | None:
    if fault["fault"] == "stale" and fault["call"] == 1 and "result" not in fault:
        return "at its first call there is no earlier answer", "name a later call, or state the result"
    hidden = any(other["tool"] == fault["tool"] and other["call"] in ("every", fault["call"]) for other in earlier)
    same = hidden and not isinstance(fault["call"], dict)
    return ("one listed before it comes to the same calls", "put it first, or name another call") if same else None


def _never_shown(case: Case, suite: Suite, one: Mapping[str, Any], most: int | None) -> Why | None:
    if one["in"] == "tool":
        return _never_called(case, str(one["at"]), one.get("call"), most)
    if one["in"] == "file":
        if not suite.tools:
            return "the suite has no tools that could read it", ELSEWHERE
        return _no_place(str(one["at"]), case, suite.world.kind)
    return None


def _no_place(at: str, case: Case, world: str) -> Why | None:
    """Why nothing can stand there from the start."""
    if world == FILES:
        return None if inside(at) else (f"{at!r} is not inside the world", "name a file by its path in the world")
    try:
        way = steps_of(at)
    except InputError:
        return f"{at!r} is no path into the state", "write it as a check does: mails[0].body"
    if world == "json" and not isinstance(follow({} if case.scene.state is None else case.scene.state, way), str):
        return f"there is no text at {at!r} in the case's state", "name a text of the state"
    if world == "sqlite" and [type(step) for step in way] != [str, int, str]:
        return f"{at!r} is no field of a row", "write table[row].column, as in mails[0].body"
    return None
