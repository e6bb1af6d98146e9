"""Which changed teams are tried for credit, and what each change takes away besides the role itself.

A removal keeps information: what the role may see, its tools and its mail go on to whoever it fed. What cannot be kept (what it
works out alone and a contract asks for, tools that nobody is left to call) is named, so that a loss is not put down to the role
alone. Kept out: making the change (`setups/`) and trying it (`crediting.py`).
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.change import MEND, REMOVE, REPLACE, Change, changed_name
from fairtrial.records.credit import Variant
from fairtrial.stats.shapley import coalitions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.setup import RoleSeat, Seat
    from fairtrial.records.suite import HandoffContract

KEPT, REMOVED, UNKNOWN = "kept", "removed", "unknown"


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """What the changes are derived from: the whole team as it was seated, its contracts, and the facts of the cases.

    `way` is how the agent is changed: team, graph, or changed (by a function of its own). `facts` are those that any case has.
    """

    setup: str
    seat: Seat
    way: str
    contracts: tuple[HandoffContract, ...]
    facts: tuple[str, ...]
    stand_ins: dict[str, str] = {}

    def role(self, name: str) -> RoleSeat:
        return next(role for role in self.seat.roles if role.name == name)

    def fed(self, name: str) -> tuple[str, ...]:
        """Whom a role hands to: as the team says, and as the contracts do."""
        there = {role.name for role in self.seat.roles}
        owed = [contract.target for contract in self.contracts if contract.source == name and contract.target in there]
        return tuple(dict.fromkeys([*self.role(name).hands_to, *owed]))


def ground_of(setup: str, seat: Seat, way: str, cases: Sequence[Case], contracts: Sequence[HandoffContract]) -> Ground:
    """The ground of a team at these cases."""
    every = dict.fromkeys(name for case in cases for name in case.brief.facts)
    return Ground(
        setup=setup,
        seat=seat,
        way=way,
        contracts=tuple(contracts),
        facts=tuple(every),
    )


def singles(ground: Ground, roles: Sequence[str], kinds: Collection[str]) -> list[Variant]:
    """Each role removed, replaced and mended, one at a time."""
    makers = {REMOVE: _removed, REPLACE: _replaced, MEND: _mended}
    return [makers[kind](ground, role) for kind in makers if kind in kinds for role in roles]


def pairs(ground: Ground, roles: Sequence[str]) -> list[Variant]:
    """Every two of the roles removed together."""
    return [removal(ground, pair) for pair in combinations(roles, 2)]


def groups(ground: Ground, roles: Sequence[str]) -> dict[frozenset[str], Variant | None]:
    """By coalition of roles the team in which all the others are removed; None for the whole team."""
    found: dict[frozenset[str], Variant | None] = {}
    for stay in coalitions(roles):
        gone = [role for role in roles if role not in stay]
        found[stay] = removal(ground, gone) if gone else None
    return found


def removal(ground: Ground, roles: Iterable[str]) -> Variant:
    """All these roles removed."""
    gone = tuple(roles)
    changes = tuple(Change(kind=REMOVE, role=role, heirs=ground.fed(role) if ground.way == "team" else ()) for role in gone)
    lost = [told for role in gone for told in _lost(ground, role, gone)]
    return _variant(ground, REMOVE, changes, lost)


def _removed(ground: Ground, role: str) -> Variant:
    if role == ground.seat.lead:
        why = f"the lead {role} gives the answer: without it there is none; replace it by a stand-in, or mend it"
        return _refused(ground, Change(kind=REMOVE, role=role), why)
    return removal(ground, [role])


def _replaced(ground: Ground, role: str) -> Variant:
    stand_in = ground.stand_ins.get(role)
    if stand_in is not None:
        return _variant(ground, REPLACE, (Change(kind=REPLACE, role=role, stand_in=stand_in),), [])
    change = Change(kind=REPLACE, role=role, heirs=ground.fed(role) if ground.way == "team" else ())
    if role == ground.seat.lead:
        return _refused(ground, change, f"the lead {role} gives the answer: only a stand-in can take its place")
    if ground.way == "graph":
        return _refused(ground, change, "in a graph a removed node is one replaced by a pass-through already")
    return _variant(ground, REPLACE, (change,), [*_made_alone(ground, role, (role,)), *_idle_tools(ground, role)])


def _mended(ground: Ground, role: str) -> Variant:
    receives, hands = _needed(ground, role)
    change = Change(kind=MEND, role=role, receives=receives, hands=hands)
    if receives or hands or ground.way == "changed":
        return _variant(ground, MEND, (change,), [])
    where = "no fact of the cases is a key of the graph's state" if ground.way == "graph" else "no fact of the cases is one that it needs"
    return _refused(ground, change, f"{where}, so there is nothing to put right")


def _needed(ground: Ground, role: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The facts that are to reach a role, and those that are to be in what it hands on.

    As the contracts say; where none is about this side of the role, what those before it may see, and what it may see itself.
    """
    if ground.way == "graph":
        shared = tuple(name for name in ground.facts if name in ground.seat.state)
        return shared, shared
    owed_to = [fact for contract in ground.contracts if contract.target == role for fact in contract.requires]
    owed_by = [fact for contract in ground.contracts if contract.source == role for fact in contract.requires]
    before = _joined(ground, [ground.role(one).sees for one in sorted(_before(ground, role))])
    receives = owed_to or before
    hands = [] if role == ground.seat.lead else owed_by or _joined(ground, [ground.role(role).sees])
    known = dict.fromkeys(ground.facts)
    return tuple(dict.fromkeys(fact for fact in receives if fact in known)), tuple(dict.fromkeys(f for f in hands if f in known))


def _joined(ground: Ground, sights: Sequence[Sequence[str] | None]) -> list[str]:
    return list(ground.facts) if any(seen is None for seen in sights) else [fact for seen in sights for fact in seen or ()]


def _before(ground: Ground, role: str) -> set[str]:
    """Every role whose word can reach this one."""
    found: set[str] = set()
    left = [role]
    while left:
        target = left.pop()
        for one in ground.seat.roles:
            if one.name not in found and one.name != role and target in ground.fed(one.name):
                found.add(one.name)
                left.append(one.name)
    return found


def _lost(ground: Ground, role: str, gone: Collection[str]) -> list[str]:
    """What removing the role takes away although its facts and tools are handed on."""
    found = _made_alone(ground, role, gone)
    seat = ground.role(role)
    if ground.way == "team" and not ground.fed(role) and (seat.sees is None or seat.sees or seat.tools is None or seat.tools):
        found.append(f"{role} hands to nobody by name, so what it may see and call goes to nobody")
    return found


def _made_alone(ground: Ground, role: str, gone: Collection[str]) -> list[str]:
    """What a contract asks of the role and no case states, where nobody else who is left owes it to the same reader."""
    found = []
    for contract in ground.contracts:
        if contract.source != role or contract.target in gone:
            continue
        others = [one for one in ground.contracts if one.target == contract.target and one.source not in gone]
        elsewhere = {fact for one in others for fact in one.requires}
        alone = [fact for fact in contract.requires if fact not in ground.facts and fact not in elsewhere]
        if alone:
            found.append(f"{', '.join(alone)}: {role} alone works it out, and {contract.target} is owed it")
    return found


def with_tools(variant: Variant, called: Mapping[str, Collection[str]]) -> Variant:
    """A removal of roles that hold their own tools, as in a graph: what only they called in the whole team's trials is gone."""
    if variant.refused or variant.kind == MEND or any(change.stand_in for change in variant.changes):
        return variant
    others = {tool for role, tools in called.items() if role not in variant.roles for tool in tools}
    gone = sorted({tool for role in variant.roles for tool in called.get(role, ())} - others)
    if not gone:
        return variant
    lost = f"what {', '.join(gone)} would tell or do: only {' and '.join(variant.roles)} called it"
    return msgspec.structs.replace(variant, information=REMOVED, lost=(*variant.lost, lost))


def _idle_tools(ground: Ground, role: str) -> list[str]:
    """Tools that only a replaced role may call: the pass-through in its place calls none."""
    own = ground.role(role).tools
    others = [one.tools for one in ground.seat.roles if one.name != role]
    if not own or any(tools is None for tools in others):
        return []
    idle = [tool for tool in own if not any(tool in (tools or ()) for tools in others)]
    return [f"what {', '.join(idle)} would tell: only {role} may call it"] if idle else []


def _variant(ground: Ground, kind: str, changes: tuple[Change, ...], lost: Sequence[str]) -> Variant:
    information = REMOVED if lost else UNKNOWN if ground.way == "changed" else KEPT
    name = changed_name(ground.setup, changes)
    return Variant(setup=name, kind=kind, changes=changes, information=information, lost=tuple(lost))


def _refused(ground: Ground, change: Change, why: str) -> Variant:
    return Variant(setup=changed_name(ground.setup, (change,)), kind=change.kind, changes=(change,), refused=why)
