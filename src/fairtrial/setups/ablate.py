"""A team with roles removed, replaced or mended, and what they knew kept.

A removed role's facts, tools and mail go on to whoever it fed, at the moment at which it would have acted; what fed it feeds
those. Facts come from the brief alone: nothing of a case's answers is within reach here. An agent that is no Team is changed by
its own function. Kept out: which roles are changed and what a removal loses all the same (`steps/`), and graphs (`graph.py`).
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.plugins import load
from fairtrial.records.change import MEND, REMOVE, REPLACE, Change, Changed
from fairtrial.records.errors import InputError, nearest
from fairtrial.setups.python import PythonAgent
from fairtrial.setups.team import Role, Team, names_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fairtrial.records.case import Brief
    from fairtrial.records.setup import Setup
    from fairtrial.setups.agent import Agent, InnerDesk

WAYS = 'an ft.Team; a LangGraph graph, named under `graph: "module:name"`; a function, named under `changed: "module:function"`'
"""How an agent can be one whose roles are changed."""


class ChangedTeam(Team):
    """`team` with the changes made. Raises InputError for a role that it does not have, and for a lead that would be removed."""

    def __init__(self, team: Team, changes: Sequence[Change]) -> None:
        by_role = {role.name: role for role in team.roles}
        for change in changes:
            _refuse(change, by_role, team.lead)
        gone = {change.role: change for change in changes if change.kind == REMOVE}
        heirs = {name: _heirs(name, gone, by_role) for name in gone}
        self._mended = {change.role: change for change in changes if change.kind == MEND}
        replaced = {change.role: change for change in changes if change.kind == REPLACE}
        kept = [_rewired(role, heirs) for role in team.roles if role.name not in gone]
        kept = [_endowed(role, [by_role[name] for name in gone if role.name in heirs[name]]) for role in kept]
        kept = [_replaced(role, replaced[role.name]) if role.name in replaced else role for role in kept]
        kept = [_told(role, self._mended[role.name]) if role.name in self._mended else role for role in kept]
        super().__init__(kept, team.lead)
        self._left = _vacant(team.roles, heirs)
        self._inherits = {role.name: [by_role[name] for name in gone if role.name in heirs[name]] for role in kept}

    def sit(self, role: Role, brief: Brief, desk: InnerDesk) -> tuple[Brief, InnerDesk, Any]:
        for gone, heirs in self._left.get(role.name, ()):
            for heir in heirs if (facts := _facts_of(gone, brief, desk)) else ():
                desk.deliver(heir, facts)
        mended = self._mended.get(role.name)
        told = _stated(brief, mended.receives) if mended else {}
        if told:
            desk.deliver(role.name, told)
        seen, own, span = super().sit(role, brief, desk)
        for gone in self._inherits.get(role.name, ()):
            told = _facts_of(gone, brief, desk) | told
        return (msgspec.structs.replace(seen, facts=seen.facts | told) if told else seen), own, span

    def handed(self, role: Role, said: Any, brief: Brief) -> dict[str, Any] | None:
        facts = super().handed(role, said, brief)
        mended = self._mended.get(role.name)
        if mended is None or role.name == self.lead:
            return facts
        return (facts or {}) | _stated(brief, mended.hands) or None


def changed_agent(what: str, agent: Agent, setup: Setup) -> Agent:
    """The setup's agent with its changes made: by its own function where it names one, else in its graph, else as a Team.

    Raises InputError where the agent is none of these, with the three ways there are.
    """
    done = setup.change or Changed(of="")
    if setup.changed is not None:
        return _made(what, setup.changed, done.changes)
    if setup.graph is not None:
        from fairtrial.setups.graph import SwitchedAgent, open_graph, roles_of

        lead = setup.lead or roles_of(setup, what=what)[0][-1]
        return SwitchedAgent(agent, open_graph(setup.graph, what=f"{what}, graph"), done.changes, lead)
    if not isinstance(agent, Team):
        raise unchangeable(what, setup.agent)
    return ChangedTeam(agent, done.changes)


def unchangeable(what: str, agent: Any, place: str | None = None) -> InputError:
    """That an agent is none of those whose roles can be changed, and the three ways to make it one."""
    told = f"{what}: nobody knows how to take a role out of this agent, for it is neither a Team nor a graph"
    mend = "take one of these three ways; docs/writing-agents.md has an example of each"
    return InputError(told, place=place, value=agent, allowed=WAYS, mend=mend)


def _made(what: str, target: str, changes: Sequence[Change]) -> Agent:
    make = load(target, what=f"{what}, changed")
    if not callable(make):
        raise InputError(f"{what}, changed: this is no function", value=target, mend="name a function that takes the changes")
    told = ", ".join(f"{change.kind} {change.role}" for change in changes)
    mend = "return the changed agent (a function that takes a brief and a desk, or a ft.Team), or ask for other changes with --how"
    try:
        made = make(tuple(changes))
    except Exception as error:
        what = f"{what}, changed: {target} gave no agent for {told}, but raised {type(error).__name__}"
        raise InputError(what, value=str(error)[:200], mend=mend) from error
    if isinstance(made, Team):
        return made
    if callable(made):
        return PythonAgent(made)
    raise InputError(f"{what}, changed: {target} gave no agent for {told}", value=repr(made)[:80], mend=mend)


def hand_on(brief: Brief, desk: Any) -> dict[str, Any]:
    """What acts in the place of a replaced role: it hands on what reached it and what it may see, and adds nothing."""
    return {**brief.facts, **desk.inbox}


def _refuse(change: Change, roles: Mapping[str, Role], lead: str) -> None:
    if change.role not in roles:
        near = nearest(change.role, roles)
        mend = f"did you mean {near!r}?" if near else None
        raise InputError("no such role in the team", value=change.role, allowed=", ".join(roles), mend=mend)
    if change.kind not in (REMOVE, REPLACE, MEND):
        raise InputError("a Team cannot be changed so", value=change.kind, allowed=", ".join((REMOVE, REPLACE, MEND)))
    if change.role == lead and (change.kind == REMOVE or (change.kind == REPLACE and not change.stand_in)):
        what = f"the lead {lead!r} gives the answer, so it can be mended or replaced by a stand-in, and not be taken out"
        raise InputError(what, value=change.kind, mend=f"name another role, or give --stand-in {lead}=module:function")


def _heirs(name: str, gone: Mapping[str, Change], roles: Mapping[str, Role]) -> tuple[str, ...]:
    """Whom a removed role fed; where one of these is removed as well, whom that one fed."""
    found: dict[str, None] = {}
    for target in gone[name].heirs or roles[name].hands_to:
        found |= dict.fromkeys(_heirs(target, gone, roles) if target in gone else (target,))
    return tuple(found)


def _rewired(role: Role, heirs: Mapping[str, Sequence[str]]) -> Role:
    targets: dict[str, None] = {}
    for target in role.hands_to:
        targets |= dict.fromkeys(heirs.get(target, (target,)))
    targets.pop(role.name, None)
    return replace(role, hands_to=tuple(targets))


def _endowed(role: Role, gone: Sequence[Role]) -> Role:
    """A role with what removed ones could see and call besides its own."""
    for one in gone:
        role = replace(role, sees=_joined(role.sees, one.sees), tools=_joined(role.tools, one.tools))
    return role


def _joined(one: Sequence[str] | None, two: Sequence[str] | None) -> tuple[str, ...] | None:
    """Both lists; None, which is all, where either is."""
    return None if one is None or two is None else tuple(dict.fromkeys([*one, *two]))


def _replaced(role: Role, change: Change) -> Role:
    if change.stand_in is None:
        return replace(role, act=hand_on, hands_to=change.heirs or role.hands_to)
    what = f"the stand-in for {role.name!r}"
    act: Callable[..., Any] = load(change.stand_in, what=what)
    if not callable(act):
        raise InputError(f"{what} is no function", value=change.stand_in, mend="name a function that takes a brief and a desk")
    return replace(role, act=act)


def _told(role: Role, change: Change) -> Role:
    return replace(role, sees=_joined(role.sees, change.receives), hands_to=role.hands_to or change.heirs)


def _vacant(roles: Sequence[Role], heirs: Mapping[str, Sequence[str]]) -> dict[str, list[tuple[Role, Sequence[str]]]]:
    """By role that is still there, the removed ones that would have acted since the one before it, with their heirs."""
    found: dict[str, list[tuple[Role, Sequence[str]]]] = {}
    waiting: list[tuple[Role, Sequence[str]]] = []
    for role in roles:
        if role.name in heirs:
            waiting.append((role, heirs[role.name]))
        elif waiting:
            found[role.name], waiting = waiting, []
    return found


def _facts_of(gone: Role, brief: Brief, desk: InnerDesk) -> dict[str, Any]:
    return desk.visible(brief, gone.name, names_in(gone.sees)).facts


def _stated(brief: Brief, names: Sequence[str]) -> dict[str, Any]:
    """The facts of these names that the case has, in copies of their own."""
    return {name: copy.deepcopy(brief.facts[name]) for name in names if name in brief.facts}
