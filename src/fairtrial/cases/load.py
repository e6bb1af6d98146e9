"""Cases from files: all of them, or none and every error.

A case is split here into what the agent is told (Brief), what the stage needs (Scene), the answers (Key) and the labels.
A case without an id gets one from its content, so that it stays the same when rows are shuffled or added. Kept out: the
formats (`sources.py`), what may be written (`forms.py`, `records/check.py`) and whether a case is a good one (`lint.py`).
"""

from __future__ import annotations

import gc
import glob
import os
from contextlib import contextmanager
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import UNSET

from fairtrial.cases.attacks import attack_faults
from fairtrial.cases.forms import FOR_PEOPLE, FREE, LABELS, CaseForm, InjectionForm
from fairtrial.cases.rows import Path, Row, shown
from fairtrial.cases.sources import SUFFIXES, read_rows
from fairtrial.cases.strict import read_form
from fairtrial.cases.unread import unread_in_faults
from fairtrial.cases.user import scene_user, user_faults
from fairtrial.records.budget import Budget
from fairtrial.records.case import Brief, Case, Key, Labels, Scene, Subtask
from fairtrial.records.check import Check, parse_check, parse_checks
from fairtrial.records.errors import FairtrialError, InputError, InputErrors
from fairtrial.records.finding import place_of
from fairtrial.records.text import content_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

T = TypeVar("T")

_DEFAULTS = {field.name: field.default for field in msgspec.structs.fields(CaseForm)}
_FOR_AGENTS = ("faults", "injections", "user", "history", "slots", "approvals", "required_tools", "max_steps")
"""Keys that a function which is tried alone would never meet."""
_CONTENT = tuple(name for name in CaseForm.__struct_fields__ if name not in FOR_PEOPLE)


def load_cases(patterns: str | Sequence[str], folder: str | os.PathLike[str] = ".") -> list[Case]:
    """Every case of the files that the paths and globs name, in that order; globs in order of names.

    Paths are taken from `folder`. Raises InputErrors with every fault of every file, among them ids given twice.
    """
    errors: list[FairtrialError] = []
    found: list[Case] = []
    with _without_pauses():
        for path in _files([patterns] if isinstance(patterns, str) else patterns, folder, errors):
            for row in collect(errors, read_rows, path, _keep) or ():
                case = collect(errors, build_case, row)
                if case:
                    found.append(case)
        cases = _with_ids(found, errors)
    if errors:
        raise InputErrors(errors)
    return cases


@contextmanager
def _without_pauses() -> Iterator[None]:
    """Loading makes many small objects and no circles: looking for circles all the while would take more than half the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def collect(errors: list[FairtrialError], step: Callable[..., T], *args: Any, **named: Any) -> T | None:
    """Takes a step; what it raises joins the errors of the load, and None comes back."""
    try:
        return step(*args, **named)
    except InputErrors as several:
        errors += several.errors
    except InputError as error:
        errors.append(error)
    return None


def _files(patterns: Iterable[str], folder: str | os.PathLike[str], errors: list[FairtrialError]) -> list[str]:
    """The files behind the patterns, each once."""
    paths: dict[str, str] = {}
    for pattern in patterns:
        whole = os.path.join(folder, pattern)
        matches = [whole] if os.path.exists(whole) else sorted(glob.glob(whole, recursive=True))
        if not matches:
            what = "no file matches" if glob.has_magic(pattern) else "no such file"
            errors.append(InputError(what, place=shown(whole), mend=f"cases are named from the folder {shown(folder)}"))
        for path in matches:
            if os.path.isdir(path):
                mend = f"write {os.path.join(pattern, '*' + SUFFIXES[0])}, or with another ending"
                errors.append(InputError("this is a folder, not a file", place=shown(path), mend=mend))
            else:
                paths.setdefault(os.path.realpath(path), path)
    return list(paths.values())


def _keep(path: Path) -> bool:
    return path[0] in FREE


def build_case(row: Row) -> Case:
    """One row as a case; its id is empty where none is written. Raises InputErrors with everything that is wrong."""
    form = read_form(row, CaseForm)
    errors: list[FairtrialError] = [*_budget_faults(form.budget, row), *_tier_faults(form, row), *user_faults(form.user, row)]
    key = _key(form, row, errors)
    errors += [*attack_faults(form, key, row), *unread_in_faults(form, row)]
    if errors:
        raise InputErrors(errors)
    brief, scene = _brief(form), _scene(form)
    return Case(
        id=form.id or "",
        brief=brief,
        scene=scene,
        key=key,
        labels=Labels(**{name: _stated(getattr(form, name)) for name in LABELS}),
        trials=_stated(form.trials),
        description=form.description,
        expected=form.expected,
        notes=form.notes,
        raw=row.value,
        place=row.place(),
        hash=content_hash(_content(form)),
        brief_hash=brief_hash(brief, scene),
    )


def case_from_raw(raw: dict[str, Any], name: str, place: str = "") -> Case:
    """A case as a store keeps it: its written form, the id it had, and where it stood. Raises InputErrors as a load does.

    Ceilings that came from its suite are not in it.
    """
    file, line = place_of(place or f"the stored case {name}:1")
    return msgspec.structs.replace(build_case(Row(raw, file, line or 1)), id=name)


def brief_hash(brief: Brief, scene: Scene) -> str:
    """Of what a trial can depend on; the answers are not in it."""
    return content_hash([brief, scene])


def _content(form: CaseForm) -> dict[str, Any]:
    """What makes the case the case it is, without what is left at its default and what is for people only."""
    return {name: value for name in _CONTENT if (value := getattr(form, name)) is not UNSET and not _same(value, _DEFAULTS[name])}


def _same(one: Any, two: Any) -> bool:
    return type(one) is type(two) and one == two


def _stated(value: Any) -> Any:
    return None if value is UNSET else value


def _brief(form: CaseForm) -> Brief:
    return Brief(
        task=form.task,
        facts=form.facts,
        history=tuple(msgspec.to_builtins(turn) for turn in form.history),
        slots=form.slots,
        principal=_stated(form.principal),
        budget=form.budget or Budget(),
        deadline_s=form.timeout_s,
    )


def _scene(form: CaseForm) -> Scene:
    visible = {name: note.visible_to for name, note in form.fact_notes.items() if note.visible_to is not None}
    return Scene(
        state=form.state,
        faults=tuple(msgspec.to_builtins(fault) for fault in form.faults),
        injections=tuple(_plant(one) for one in form.injections),
        approvals=dict(form.approvals),
        user=scene_user(form.user, form.secrets) if form.user else None,
        visible_to=visible,
        max_steps=_stated(form.max_steps),
        role=_stated(form.role) if form.tier == "agent" else None,
        call=_stated(form.call) if form.tier == "unit" else None,
        args=form.args if form.tier == "unit" else {},
    )


def _plant(form: InjectionForm) -> dict[str, Any]:
    """An injection as the stage needs it: what shows that it was obeyed is an answer, and stays out."""
    return {name: value for name, value in msgspec.to_builtins(form).items() if name != "obeyed_if"}


def _key(form: CaseForm, row: Row, errors: list[FairtrialError]) -> Key:
    def checks(raw: Iterable[Any], *path: str | int, under: str = "must") -> tuple[Check, ...]:
        return collect(errors, parse_checks, list(raw), path=path, where=row.place, under=under) or ()

    obeyed = {
        one.id: sign
        for place, one in enumerate(form.injections)
        if (sign := collect(errors, _sign, one, ("injections", place, "obeyed_if"), row)) is not None
    }
    return Key(
        must=checks(form.must, "must"),
        must_not=checks(form.must_not, "must_not", under="must_not"),
        limits=checks(form.limits, "limits", under="limits"),
        subtasks=tuple(
            Subtask(id=part.id, checks=checks(part.checks, "subtasks", place, "checks")) for place, part in enumerate(form.subtasks)
        ),
        unknown_ok=form.unknown_ok,
        expect_state=form.expect_state,
        reference=form.reference,
        solution=form.solution,
        known_bad=form.known_bad,
        required_tools=form.required_tools,
        fact_notes=form.fact_notes,
        secrets=form.secrets,
        obeyed_if=obeyed,
    )


def _sign(form: InjectionForm, path: Path, row: Row) -> Check:
    return parse_check(form.obeyed_if, path=path, where=row.place, under="must_not")


def _budget_faults(budget: Budget | msgspec.UnsetType, row: Row) -> list[InputError]:
    return budget_faults(budget, row, ("budget",)) if isinstance(budget, Budget) else []


def budget_faults(budget: Budget, row: Row, path: Path) -> list[InputError]:
    """Ceilings must be finite and not below zero."""
    faults = []
    for name in budget.__struct_fields__:
        value = getattr(budget, name)
        if value is not None and not (_is_finite(value) and value >= 0):
            what = f"the ceiling {name!r} must be a finite number, zero or more"
            faults.append(InputError(what, place=row.place(*path, name), value=str(value), mend="leave it out for no ceiling"))
    return faults


def _is_finite(value: Decimal | float) -> bool:
    return value.is_finite() if isinstance(value, Decimal) else isfinite(value)


def _tier_faults(form: CaseForm, row: Row) -> list[InputError]:
    faults = []
    for tier, key, example in (("agent", "role", "the role that is tried alone"), ("unit", "call", '"module:function"')):
        if form.tier == tier and not getattr(form, key):
            faults.append(InputError(f"a case of tier {tier} needs {key!r}", place=row.place("tier"), mend=f"add {key}: {example}"))
    for key in _FOR_AGENTS if form.tier == "unit" else ():
        if getattr(form, key):
            what = f"{key!r} says something to an agent, and a case of tier unit has none"
            faults.append(InputError(what, place=row.place(key), mend=f"remove {key}, or write what it says into args"))
    return faults


def _with_ids(cases: list[Case], errors: list[FairtrialError]) -> list[Case]:
    """Every case with its one id: as written, else from the content; equal cases without ids are told apart by order."""
    seen: dict[str, Case] = {}
    for case in cases:
        if case.id and case.id in seen:
            what = f"the id {case.id!r} is given twice, first at {seen[case.id].place}"
            errors.append(InputError(what, place=case.place, value=case.id, mend="give one of them another id"))
        elif case.id:
            seen[case.id] = case
    named: list[Case] = []
    for case in cases:
        if not case.id:
            base = "case-" + case.hash.removeprefix("sha256:")[:12]
            number, free = 1, base
            while free in seen:
                number += 1
                free = f"{base}#{number}"
            case = seen[free] = msgspec.structs.replace(case, id=free)  # noqa: PLW2901 - the same case, now with its id
        named.append(case)
    return named
