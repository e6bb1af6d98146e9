"""Are setups a fair match? The same facts, the same tools and rights, the same total budget, whatever their form.

Each difference is one sentence that names the field, the setups and the values, so that it can be mended without a look
at the code. What was tried (model, prompt and other versions) may differ, for that is what a match is about; `notes` lists
it. Keeps out what is done about an unfair match: refusing it or carrying it is decided above.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from fairtrial.records.budget import Budget

if TYPE_CHECKING:
    from fairtrial.records.setup import RoleSeat, Seat

Facts = Mapping[str, Collection[str]] | Iterable[str]
"""The facts of the cases: their names, or a mapping from name to the roles that may see it (empty: every role)."""


def audit(seats: Sequence[Seat], facts: Facts = ()) -> list[str]:
    """Every difference between what the setups were given; an empty list is a fair match.

    A team sees what its roles see together, and may do what they may do together. Without the facts' names only the lists
    that setups were narrowed to (`facts:`) can be laid side by side.
    """
    allowed = _roles_by_fact(facts)
    sight = {seat.setup: _seen(seat, allowed) if allowed else _narrowed(seat) for seat in seats}
    return [
        *_differ("facts", sight, "sees", "does not see"),
        *_differ("tools", {seat.setup: effective_tools(seat) for seat in seats}, "has", "does not have"),
        *_differ("rights", {seat.setup: rights(seat) for seat in seats}, "may call", "may not call", only_shared=True),
        *_differ("budget", {seat.setup: ceilings(seat.budget) for seat in seats}, "has", "has no"),
    ]


def notes(seats: Sequence[Seat]) -> list[str]:
    """Declared versions in which the setups differ: no unfairness, but what a comparison is then about."""
    return _differ("versions", {seat.setup: dict(seat.versions) for seat in seats}, "states", "does not state")


def concerns(difference: str, one: str, two: str) -> bool:
    """Whether a sentence of `audit` tells setup `one` apart from setup `two`."""
    groups = [part.rpartition("[")[2].partition("]")[0].split(", ") for part in difference.split("; ")]
    return any(one in group and two not in group for group in groups) and any(two in group for group in groups)


def effective_tools(seat: Seat) -> dict[str, str]:
    """Tool to schema hash, as far as someone in the setup can call it."""
    held = [role.tools for role in seat.roles]
    if not held or any(tools is None for tools in held):
        return dict(seat.tools)
    names = {tool for tools in held if tools is not None for tool in tools}
    return {tool: schema for tool, schema in seat.tools.items() if tool in names}


def _roles_by_fact(facts: Facts) -> dict[str, frozenset[str]]:
    if isinstance(facts, Mapping):
        return {fact: frozenset(roles) for fact, roles in facts.items()}
    return {fact: frozenset() for fact in facts}


def _seen(seat: Seat, allowed: Mapping[str, frozenset[str]]) -> dict[str, str]:
    given = set(allowed if seat.facts is None else seat.facts)
    return {fact: "" for fact in sorted(given) if not seat.roles or _some_role_sees(fact, seat.roles, allowed.get(fact))}


def _narrowed(seat: Seat) -> dict[str, str]:
    return {"facts": "all" if seat.facts is None else ", ".join(sorted(seat.facts)) or "none"}


def _some_role_sees(fact: str, roles: Sequence[RoleSeat], allowed: frozenset[str] | None) -> bool:
    """`visible_to` binds a setup only where it has one of the named roles."""
    bound = [role for role in roles if allowed and role.name in allowed] or list(roles)
    return any(role.sees is None or fact in role.sees for role in bound)


def rights(seat: Seat) -> dict[str, str]:
    """Tool to its flags; who of a team holds a right makes no difference to what the team may do."""
    names = {role.name for role in seat.roles}
    return {
        tool: ", ".join(sorted(flag for flag in flags if flag not in names and flag.partition(":")[0] != "role")) or "no mark"
        for tool, flags in seat.rights.items()
    }


def ceilings(budget: Budget) -> dict[str, str]:
    """The ceilings that a budget sets, each as one text however it was written (0.12 and 0.120 are one)."""
    given = {name: getattr(budget, name) for name in Budget.__struct_fields__}
    return {name: _plain(value) for name, value in given.items() if value is not None}


def _plain(value: object) -> str:
    return f"{value.normalize():f}" if isinstance(value, Decimal) else f"{value:g}" if isinstance(value, float) else str(value)


def _differ(field: str, given: Mapping[str, Mapping[str, str]], has: str, lacks: str, *, only_shared: bool = False) -> list[str]:
    """One sentence for each item that the setups do not hold alike, as in `tools: [single] has x (1a2b); [team] does not have x`."""
    found = []
    for item in sorted({item for items in given.values() for item in items}):
        groups: dict[str | None, list[str]] = {}
        for setup, items in given.items():
            if item in items or not only_shared:
                groups.setdefault(items.get(item), []).append(setup)
        if len(groups) > 1:
            parts = [f"[{', '.join(setups)}] {_holds(item, value, has, lacks)}" for value, setups in groups.items()]
            found.append(f"{field}: " + "; ".join(parts))
    return found


def _holds(item: str, value: str | None, has: str, lacks: str) -> str:
    if value is None:
        return f"{lacks} {item}"
    return f"{has} {item} ({value})" if value else f"{has} {item}"
