"""The way in for Python: "module:name" becomes an agent.

The name may be a sync or async callable taking (brief, desk), or an `ft.Team`.
"""

from __future__ import annotations

import importlib
import inspect
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import InputError, nearest

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


def load(target: str, *, what: str) -> Any:
    """Import "module:name". Raises InputError naming what was looked for, with the import's own error."""
    module_name, _, name = target.partition(":")
    if not module_name or not name:
        raise InputError(f"{what} is not of the form module:name", value=target, mend='write "agents:analyst"')
    try:
        module = importlib.import_module(module_name)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        raise InputError(f"{what}: importing {module_name!r} failed: {type(error).__name__}: {error}", value=target) from error
    try:
        return getattr(module, name)
    except AttributeError:
        near = nearest(name, vars(module))
        mend = f"did you mean {module_name}:{near}?" if near else None
        raise InputError(f"{what}: module {module_name!r} has no {name!r}", value=target, mend=mend) from None
