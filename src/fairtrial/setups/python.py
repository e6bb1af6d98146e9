"""The way in for Python: "module:name" becomes an agent.

The name may be a sync or async callable taking (brief, desk), or an `ft.Team`.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.records.case import Brief
    from fairtrial.setups.agent import InnerDesk


class PythonAgent:
    """A callable seated as an agent."""

    def __init__(self, act: Callable[..., Any]) -> None:
        self._act = act
        self.is_sync = not is_async(act)

    def answer(self, brief: Brief, desk: InnerDesk) -> Any:
        return self._act(brief, desk.sync_face() if self.is_sync else desk)


def is_async(act: Callable[..., Any]) -> bool:
    """Whether calling it gives a coroutine: an async function, or an object whose __call__ is one."""
    return inspect.iscoroutinefunction(act) or inspect.iscoroutinefunction(getattr(act, "__call__", None))  # noqa: B004 - asks what it is, not whether
