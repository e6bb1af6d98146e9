"""fairtrial: can I trust this agent, is the team worth its cost, may this version ship?

The names people type. Each is opened when it is first used, so that importing the package stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairtrial.face import arun, check, compare, credit, gate, grade, lift, plan, run, show, trend, use
    from fairtrial.models.model import MalformedReply
    from fairtrial.records.case import Brief
    from fairtrial.records.errors import FairtrialError, OverBudget, ProviderOutage, Refused, ToolFailed
    from fairtrial.setups.agent import Desk
    from fairtrial.setups.team import Role, Team
    from fairtrial.worlds.tools import tool

__version__ = "0.1.0"

_PLACES = {
    "Brief": "fairtrial.records.case",
    "Desk": "fairtrial.setups.agent",
    "FairtrialError": "fairtrial.records.errors",
    "MalformedReply": "fairtrial.models.model",
    "OverBudget": "fairtrial.records.errors",
    "ProviderOutage": "fairtrial.records.errors",
    "Refused": "fairtrial.records.errors",
    "Role": "fairtrial.setups.team",
    "Team": "fairtrial.setups.team",
    "ToolFailed": "fairtrial.records.errors",
    "arun": "fairtrial.face",
    "check": "fairtrial.face",
    "compare": "fairtrial.face",
    "credit": "fairtrial.face",
    "gate": "fairtrial.face",
    "grade": "fairtrial.face",
    "lift": "fairtrial.face",
    "plan": "fairtrial.face",
    "run": "fairtrial.face",
    "show": "fairtrial.face",
    "tool": "fairtrial.worlds.tools",
    "trend": "fairtrial.face",
    "use": "fairtrial.face",
}

__all__ = [
    "Brief",
    "Desk",
    "FairtrialError",
    "MalformedReply",
    "OverBudget",
    "ProviderOutage",
    "Refused",
    "Role",
    "Team",
    "ToolFailed",
    "arun",
    "check",
    "compare",
    "credit",
    "gate",
    "grade",
    "lift",
    "plan",
    "run",
    "show",
    "tool",
    "trend",
    "use",
]


def __getattr__(name: str) -> Any:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module 'fairtrial' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(place), name)
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
