"""A team of which some roles do not act again: what they did in a recorded trial stands in for them.

The others act as they always do, on what reaches them. Kept out: what is done to a fact on its way.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from fairtrial.setups.team import Team

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fairtrial.records.case import Brief
    from fairtrial.records.trace import Span
    from fairtrial.setups.agent import InnerDesk


def replaying(team: Team, recorded: Mapping[str, Sequence[Span]]) -> Team:
    """The team with each recorded role replaced by its record; async where the team is, since its trial was seated as such."""
    stand_in = _direct if team.is_sync else _waiting
    roles = [dataclasses.replace(role, act=stand_in(recorded[role.name])) if role.name in recorded else role for role in team.roles]
    return Team(roles, team.lead)


def _direct(spans: Sequence[Span]) -> Callable[[Brief, InnerDesk], None]:
    def redo(_brief: Brief, desk: InnerDesk) -> None:
        desk.redo(spans)

    return redo


def _waiting(spans: Sequence[Span]) -> Callable[[Brief, InnerDesk], Any]:
    async def redo(_brief: Brief, desk: InnerDesk) -> None:
        await desk.redo(spans)

    return redo
