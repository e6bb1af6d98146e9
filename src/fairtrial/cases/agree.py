"""Whether what a suite says agrees with itself: a baseline that is a setup, a lead that is a role, files that exist.

Each disagreement is an error with its line, for a run on such a suite would mean something else than was written.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from fairtrial.cases.load import budget_faults
from fairtrial.cases.policy import POLICIES
from fairtrial.cases.rows import shown
from fairtrial.cases.suiteforms import world_of
from fairtrial.cases.unread import unread_in_agent
from fairtrial.records.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fairtrial.cases.rows import Row
    from fairtrial.cases.suiteforms import SuiteForm
    from fairtrial.records.setup import SetupForm
    from fairtrial.records.suite import World

KINDS = ("json", "sqlite", "files")
READ_BY = {"sqlite": ("seed",), "files": ("from", "commit")}
"""What a world reads beside its kind; a start that is stated and not read would be another world than was written."""
_TARGET = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_FRAMEWORKS = ("langgraph", "openai_agents", "pydantic_ai")


def disagreements(form: SuiteForm, row: Row, folder: str) -> Iterator[InputError]:
    """Every name or path of the suite that leads nowhere, and every bound that cannot be."""
    yield from budget_faults(form.budget, row, ("budget",))
    for key in ("baseline", "candidate"):
        name = getattr(form, key)
        if name and name not in form.setups:
            yield _unknown(f"the {key}", name, form.setups, row.place(key))
    for name, setup in form.setups.items():
        yield from _setup_faults(name, setup, row)
    yield from _world_faults(world_of(form), row, folder)
    for key in ("tools", "prices", "policy"):
        path = getattr(form, key)
        if path and ":" not in path and not os.path.exists(os.path.join(folder, path)) and not (key == "policy" and path in POLICIES):
            near = nearest(path, POLICIES) if key == "policy" else None
            mend = f"did you mean {near!r}?" if near else f"paths are taken from {shown(folder)}"
            allowed = f"a file, or {', '.join(POLICIES)}" if key == "policy" else None
            yield InputError(f"{key}: no such file", place=row.place(key), value=path, allowed=allowed, mend=mend)
    for path in form.sandbox.show:
        if not os.path.exists(os.path.join(folder, path)):
            mend = f"paths are taken from {shown(folder)}"
            yield InputError("sandbox.show: no such file or folder", place=row.place("sandbox", "show"), value=path, mend=mend)


def _setup_faults(name: str, setup: SetupForm, row: Row) -> Iterator[InputError]:
    place = row.place("setups", name)
    if setup.lead is not None and setup.roles and setup.lead not in setup.roles:
        yield _unknown(f"the lead of {name!r}", setup.lead, setup.roles, row.place("setups", name, "lead"))
    if len(set(setup.roles)) < len(setup.roles):
        yield InputError(f"the setup {name!r} names a role twice", place=place, value=list(setup.roles), mend="name each role once")
    yield from _part_faults(name, setup, row.place("setups", name, "parts"))
    yield from unread_in_agent(name, setup, row)
    if setup.retry is not None and setup.retry.attempts < 1:
        yield InputError("'retry.attempts' must be 1 or more", place=row.place("setups", name, "retry"), value=setup.retry.attempts)
    if setup.retry is not None and setup.retry.until is not None and not _TARGET.fullmatch(setup.retry.until):
        yield _no_target("retry.until", setup.retry.until, row.place("setups", name, "retry"))
    for key in ("graph", "changed"):
        target = getattr(setup, key)
        if target is not None and not _TARGET.fullmatch(target):
            yield _no_target(key, target, row.place("setups", name, key))
    if setup.budget is not None:
        yield from budget_faults(setup.budget, row, ("setups", name, "budget"))
    if isinstance(setup.agent, str):
        prefix, _, rest = setup.agent.partition(":")
        if not _TARGET.fullmatch(rest if prefix in _FRAMEWORKS else setup.agent):
            yield _no_target("agent", setup.agent, row.place("setups", name, "agent"))
    elif not {"command", "http"} & setup.agent.keys():
        near = next((near for key in setup.agent if (near := nearest(key, ("command", "http")))), None)
        mend = f"did you mean {near!r}?" if near else "say how the agent is reached"
        allowed = '"module:name", {command: [PROGRAM, ARGUMENT…]} or {http: URL}'
        yield InputError(f"the agent of {name!r}", place=row.place("setups", name, "agent"), value=setup.agent, allowed=allowed, mend=mend)


def _part_faults(name: str, setup: SetupForm, place: str) -> Iterator[InputError]:
    if isinstance(setup.parts, str) and not setup.roles:
        yield InputError(f"the parts of {name!r} are of no role", place=place, value=setup.parts, mend="name the roles: roles: [ROLE, …]")
    named = {"all": setup.parts} if isinstance(setup.parts, str) else setup.parts
    for role, target in named.items():
        if role not in setup.roles and named is setup.parts:
            yield _unknown(f"a part of {name!r}", role, setup.roles, place)
        if not _TARGET.fullmatch(target):
            yield _no_target(f"parts.{role}", target, place)


def _world_faults(world: World, row: Row, folder: str) -> Iterator[InputError]:
    place = row.place("world", "kind")
    if world.kind not in KINDS and not _TARGET.fullmatch(world.kind):
        near = nearest(world.kind, KINDS)
        yield InputError(
            f"no world of kind {world.kind!r}",
            place=place,
            value=world.kind,
            allowed=", ".join(KINDS) + ', or "module:Name"',
            mend=f"did you mean {near!r}?" if near else None,
        )
    else:
        yield from _unread(world, row)
    for key, path in (("seed", world.seed), ("from", world.source)):
        if path and "://" not in path and not os.path.exists(os.path.join(folder, path)):
            place = row.place("world", key)
            yield InputError(f"world.{key}: no such file", place=place, value=path, mend=f"paths are taken from {shown(folder)}")


def _unread(world: World, row: Row) -> Iterator[InputError]:
    read = READ_BY.get(world.kind, ())
    for key, value in (("seed", world.seed), ("from", world.source), ("commit", world.commit)):
        if value and key not in read:
            mend = "a start is stated by the case's `state`" if key == "seed" else "take it out"
            what = f"a world of kind {world.kind!r} does not read {key!r}"
            yield InputError(what, place=row.place("world", key), value=value, allowed=", ".join(("kind", *read)), mend=mend)


def _unknown(what: str, name: str, known: Iterable[str], place: str) -> InputError:
    names = list(known)
    near = nearest(name, names)
    mend = f"did you mean {near!r}?" if near else None
    return InputError(f"{what} is not there: {name!r}", place=place, value=name, allowed=", ".join(names) or "nothing yet", mend=mend)


def _no_target(key: str, value: str, place: str) -> InputError:
    return InputError(f"{key!r} names no function", place=place, value=value, allowed='"module:function"', mend="write module, colon, name")
