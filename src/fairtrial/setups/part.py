"""A part of the whole, seated as the agent: one role of a team alone (tier agent), or one function of the suite (tier unit).

The world, the tools, the budget and the record are those of any trial. Kept out: which setup has which parts (the stage), and
what is expected of them.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import InputError, nearest
from fairtrial.setups.python import is_async
from fairtrial.setups.team import names_in, take_seat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fairtrial.records.case import Brief
    from fairtrial.setups.agent import InnerDesk
    from fairtrial.setups.team import Role


class RoleAlone:
    """One role; what it returns is the answer.

    It sees what it sees in its team. The case's other facts reach it as a parcel, as they would from a colleague; a role
    without `sees` finds all of them in its brief and in its inbox.
    """

    def __init__(self, role: Role) -> None:
        self._role = role
        self.is_sync = not is_async(role.act)

    def answer(self, brief: Brief, desk: InnerDesk) -> Any:
        return self._answer_sync(brief, desk) if self.is_sync else self._answer_async(brief, desk)

    def _answer_sync(self, brief: Brief, desk: InnerDesk) -> Any:
        seen, own, span = self._sit_down(brief, desk)
        said = self._role.act(seen, own.sync_face())
        own.end(span)
        return said

    async def _answer_async(self, brief: Brief, desk: InnerDesk) -> Any:
        seen, own, span = self._sit_down(brief, desk)
        said = await self._role.act(seen, own)
        own.end(span)
        return said

    def _sit_down(self, brief: Brief, desk: InnerDesk) -> tuple[Brief, InnerDesk, Any]:
        role = self._role
        seen = desk.visible(brief, role.name, names_in(role.sees))
        others = {name: value for name, value in brief.facts.items() if role.sees is None or name not in seen.facts}
        if others:
            desk.deliver(role.name, others)
        return seen, *take_seat(role, desk)


def refuse_misfit(name: str, function: Callable[..., Any], given: Sequence[str]) -> None:
    """Raises InputError where a call with arguments of these names could not even begin.

    The call is what counts: a decorator that takes anything takes these as well, whatever it wraps.
    """
    try:
        signature = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return  # no signature can be told, so nothing can be said against the call
    try:
        signature.bind(**dict.fromkeys(given))
    except TypeError as error:
        takes = [part.name for part in signature.parameters.values() if part.kind in (part.POSITIONAL_OR_KEYWORD, part.KEYWORD_ONLY)]
        free = [word for word in takes if word not in given]
        strange = next((word for word in given if word not in takes), None)
        near = nearest(strange, free) if strange else None
        mend = f"did you mean {near!r}?" if near else "give these under args, by name"
        what = f"call {name!r} cannot take its args: {error}"
        raise InputError(what, value=list(given), allowed=", ".join(takes) or "no arguments", mend=mend) from None


class UnitCall:
    """One function with its arguments; what it returns is the answer, None as well. It gets neither brief nor desk."""

    def __init__(self, function: Callable[..., Any], args: Mapping[str, Any]) -> None:
        self._function = function
        self._args = args
        self.is_sync = not is_async(function)

    def answer(self, brief: Brief, desk: InnerDesk) -> Any:
        return self._function(**self._args)
