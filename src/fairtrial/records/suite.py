"""Cases with their world, setups, budget and policy: the content of `suite.yaml`."""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.records.budget import Budget
from fairtrial.records.canary import StatedCanary
from fairtrial.records.case import Case
from fairtrial.records.check import Check
from fairtrial.records.prices import Prices
from fairtrial.records.setup import Setup


class World(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where trials happen. `kind` is json, sqlite, files or "module:Name"; `seed` is a SQL script (a path in the suite's folder)."""

    kind: str = "json"
    seed: str | None = None
    source: str | None = None
    commit: str | None = None


class Sandbox(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a trial of `--isolate sandbox` may have: memory and processes of all that it starts together, and paths that it may
    read beside the suite's folder."""

    memory_mb: int = 2048
    processes: int = 64
    show: tuple[str, ...] = ()


class HandoffContract(msgspec.Struct, frozen=True, kw_only=True):
    """What one role owes another: the facts that must be in what it hands over."""

    source: str
    target: str
    requires: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.source}->{self.target}"


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """A loaded suite. `folder` is absolute; `version` is `sha256:` over the content of the cases and what surrounds them."""

    name: str
    folder: str
    path: str
    cases: tuple[Case, ...]
    world: World = World()
    tools: str | None = None
    setups: dict[str, Setup] = {}
    handoffs: tuple[HandoffContract, ...] = ()
    baseline: str | None = None
    candidate: str | None = None
    env: tuple[str, ...] = ()
    sandbox: Sandbox = Sandbox()
    budget: Budget = Budget()
    trials: int = 1
    seed: int = 0
    checks: tuple[Check, ...] = ()
    graders: dict[str, str] = {}
    judges: dict[str, Any] = {}
    prices: Prices | None = None
    library: dict[str, Any] = {}
    policy: str | None = None
    canaries: tuple[StatedCanary, ...] = ()
    """Known answers that the suite states beside those of its cases, for its graders to be tried on."""
    version: str = ""
    frame: str = ""
    """A hash of what surrounds the cases: the world, the checks of all, hand-offs and budget."""
    places: dict[str, str] = {}
    """file:line of what the suite has opened, by key: tools, world, sandbox, setups.NAME."""
