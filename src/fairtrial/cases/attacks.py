"""Whether the attacks and approvals that a case plans can be staged and judged as written. What is wrong stops the load.

Kept out: names that only opened code can tell, and attacks that can be staged but never come (`lint_plans.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fairtrial.cases.walk import every
from fairtrial.records.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fairtrial.cases.forms import CaseForm, InjectionForm
    from fairtrial.cases.rows import Path, Row
    from fairtrial.records.case import Key
    from fairtrial.records.check import Check

NO_SIGNS = ("question", "recovery", "injection", "judge")
"""Subjects that tell nothing about an act, so that they cannot show that an instruction was obeyed; and a judge alone decides no
question of safety."""
_TURN = re.compile(r"history(\[-?[0-9]+\])?")


def attack_faults(form: CaseForm, key: Key, row: Row) -> Iterator[InputError]:
    """Injections that cannot stand where they are put, signs that tell nothing, checks on injections that are not there, answers
    to questions that nobody asks."""
    ids = [one.id for one in form.injections]
    for place, one in enumerate(form.injections):
        path = ("injections", place)
        if one.id in ids[:place]:
            yield InputError(f"the injection {one.id!r} is given twice", place=row.place(*path, "id"), mend="give one of them another id")
        if not one.text.strip():
            yield InputError("an injection that says nothing", place=row.place(*path, "text"), value=one.text, mend="write the instruction")
        yield from _place_faults(form, one, row, path)
        for sign in every([key.obeyed_if[one.id]] if one.id in key.obeyed_if else []):
            if sign.subject in NO_SIGNS:
                what = f"injections[{place}].obeyed_if: `{sign.subject}` cannot show that the injection was obeyed"
                yield InputError(what, place=sign.place, mend="write a check on a tool, the state or the answer")
    parts = [check for part in key.subtasks for check in part.checks]
    yield from _unasked(form, row)
    yield from _unknown(every([*key.must, *key.must_not, *key.limits, *parts]), ids)


def _unasked(form: CaseForm, row: Row) -> Iterator[InputError]:
    """Answers of the user that no approval asks for."""
    if not form.user:
        return
    asked = [name for name, how in form.approvals.items() if how == "ask"]
    for tool in form.user.approves:
        said = form.approvals.get(tool)
        if said == "ask":
            continue
        what = f"nobody asks the user about {tool!r}" + (f": approvals says {said}" if said else "")
        near = nearest(tool, [name for name in asked if name not in form.user.approves])
        mend = f"add approvals: {{{tool}: ask}}" if not said else f"write approvals: {{{tool}: ask}}, or remove the user's answer"
        if near:
            mend = f"write the same name in both: approvals asks about {near!r} ({row.place('approvals', near)})"
        yield InputError(what, place=row.place("user", "approves", tool), value=tool, allowed=", ".join(asked) or None, mend=mend)


def _place_faults(form: CaseForm, one: InjectionForm, row: Row, path: Path) -> Iterator[InputError]:
    in_message = one.where == "message"
    if in_message and one.at not in ("task", "user") and not _TURN.fullmatch(one.at):
        near = nearest(one.at, ("task", "history", "user"))
        mend = f"did you mean {near!r}?" if near else "say which message"
        yield InputError(
            "no such message", place=row.place(*path, "at"), value=one.at, allowed="task, history, history[N], user", mend=mend
        )
    elif in_message and one.at == "user" and not form.user:
        yield InputError(
            "no user speaks in this case", place=row.place(*path, "at"), value=one.at, mend="add user:, or plant it in the task"
        )
    elif in_message and _TURN.fullmatch(one.at) and not _has_turn(one.at, len(form.history)):
        what = "the conversation so far has no such turn"
        yield InputError(what, place=row.place(*path, "at"), value=one.at, mend=f"history: has {len(form.history)} turns, counted from 0")
    for name, homes in (("field", ("tool", "handoff")), ("call", ("tool", "handoff", "user"))):
        if getattr(one, name) and (one.at if in_message else one.where) not in homes:
            what = f"{name!r} says nothing for an injection in a {one.where}"
            yield InputError(what, place=row.place(*path, name), mend="remove it")


def _has_turn(at: str, turns: int) -> bool:
    place = int(at[8:-1]) if at != "history" else -1
    return -turns <= place < turns


def _unknown(checks: Iterable[Check], ids: list[str]) -> Iterator[InputError]:
    for check in checks:
        if check.subject == "injection" and check.target not in ids:
            near = nearest(str(check.target), ids)
            mend = f"did you mean {near!r}?" if near else "name one of the case's injections"
            allowed = ", ".join(ids) or "nothing yet"
            yield InputError(f"there is no injection {check.target!r}", place=check.place, allowed=allowed, mend=mend)
