"""A team in our own words: roles with what they see, may call and hand to.

Because the harness seats the roles itself, it can later take one out, replace it or mend it with its information kept.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import InputError
from fairtrial.setups.python import is_async

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairtrial.records.case import Brief
    from fairtrial.setups.agent import InnerDesk


@dataclass(frozen=True)
class Role:
    """One member. `act(brief, desk)` sees only the facts in `sees` (None: all) and what reached it (`desk.inbox`).

    A dict that it returns is handed to every role in `hands_to`; the lead's return value is the team's answer.
    """

    name: str
    act: Callable[..., Any]
    sees: Sequence[str] | None = None
    tools: Sequence[str] | None = None
    hands_to: Sequence[str] = field(default_factory=tuple)


class Team:
    """Roles that act once each, in the order of their hand-offs, the lead last."""

    def __init__(self, roles: Sequence[Role], lead: str) -> None:
        names = [role.name for role in roles]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputError(f"two roles are named {twice[0]!r}", mend="give every role its own name")
        for role in roles:
            for target in role.hands_to:
                if target not in names:
                    raise InputError(f"role {role.name!r} hands to {target!r}, which is no role of the team", allowed=", ".join(names))
        if lead not in names:
            raise InputError("the lead is no role of the team", value=lead, allowed=", ".join(names))
        self.lead = lead
        self.roles = _in_order(list(roles), lead)
        self.is_sync = not any(is_async(role.act) for role in roles)

    def answer(self, brief: Brief, desk: InnerDesk) -> Any:
        return self._answer_sync(brief, desk) if self.is_sync else self._answer_async(brief, desk)

    def _answer_sync(self, brief: Brief, desk: InnerDesk) -> Any:
        said: Any = None
        for role in self.roles:
            seen, own, span = self.sit(role, brief, desk)
            said = role.act(seen, own.sync_face())
            self._stand(role, (brief, own), (span, said))
        return said

    async def _answer_async(self, brief: Brief, desk: InnerDesk) -> Any:
        said: Any = None
        for role in self.roles:
            seen, own, span = self.sit(role, brief, desk)
            said = role.act(seen, own if is_async(role.act) else own.sync_face())
            said = await said if inspect.isawaitable(said) else said
            self._stand(role, (brief, own), (span, said))
        return said

    def sit(self, role: Role, brief: Brief, desk: InnerDesk) -> tuple[Brief, InnerDesk, Any]:
        """What the role sees, its own desk and the open span of its act."""
        own, span = take_seat(role, desk)
        return desk.visible(brief, role.name, names_in(role.sees)), own, span

    def handed(self, role: Role, said: Any, brief: Brief) -> dict[str, Any] | None:
        """What the role hands on to every role it feeds; None for nothing."""
        return said if isinstance(said, dict) and role.name != self.lead else None

    def _stand(self, role: Role, seated: tuple[Brief, InnerDesk], ended: tuple[Any, Any]) -> None:
        (brief, desk), (span, said) = seated, ended
        facts = self.handed(role, said, brief)
        for target in role.hands_to if facts is not None else ():
            desk.hand_off(target, facts or {})
        desk.end(span)


def take_seat(role: Role, desk: InnerDesk) -> tuple[InnerDesk, Any]:
    """The role's own desk, with what has reached it, and the open span of its act."""
    own = desk.for_role(role.name, names_in(role.tools))
    span = own.begin("agent", role.name, role=role.name)
    own.parcels = own.receive()
    own.inbox = {name: value for parcel in own.parcels for name, value in parcel.facts.items()}
    return own, span


def names_in(given: Sequence[str] | None) -> tuple[str, ...] | None:
    """The names, or None where there is no list."""
    return None if given is None else tuple(given)


def _in_order(roles: list[Role], lead: str) -> list[Role]:
    """Whoever hands to a role acts before it; the listed order breaks ties; the lead acts last."""
    waiting, done, ordered = list(roles), set[str](), list[Role]()
    while waiting:
        ready = [role for role in waiting if all(role.name not in other.hands_to for other in waiting if other is not role)]
        others = [role for role in ready if role.name != lead] or ready
        if not others:
            circle = ", ".join(role.name for role in waiting)
            raise InputError(f"the hand-offs go in a circle among {circle}", mend="take one hands_to out")
        chosen = others[0]
        waiting.remove(chosen)
        done.add(chosen.name)
        ordered.append(chosen)
    if ordered[-1].name != lead:
        raise InputError(f"the lead {lead!r} hands on to others, so it cannot act last", mend="name the role that answers as lead")
    return ordered
