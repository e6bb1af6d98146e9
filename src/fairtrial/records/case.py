"""One thing asked, with what must and what must never happen.

A case is split in four when it is loaded. `Brief` is what the agent is told. `Scene` is what the stage needs to set up the
world. `Key` holds the answers and is seen by the grading side only. `Labels` is what reports break down by.
The side that runs trials imports Brief and Scene, never Case or Key; a test holds that wall.
"""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.records.budget import Budget
from fairtrial.records.check import Check
from fairtrial.records.fact import FactNote


class Brief(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an agent is told of a case: no id, no answers. `tools` are the names it may call; `deadline_s` its wall time."""

    task: str
    facts: dict[str, Any] = {}
    tools: tuple[str, ...] = ()
    history: tuple[dict[str, Any], ...] = ()
    slots: dict[str, Any] = {}
    principal: dict[str, Any] | None = None
    budget: Budget = Budget()
    deadline_s: float = 300.0


class Scene(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the stage needs: the start of the world, planned trouble, approvals, the simulated user, limits."""

    state: Any = None
    faults: tuple[dict[str, Any], ...] = ()
    injections: tuple[dict[str, Any], ...] = ()
    approvals: dict[str, str] = {}
    user: dict[str, Any] | None = None
    visible_to: dict[str, tuple[str, ...]] = {}
    """For facts that only some roles of a team may see: the roles. Setups without roles see all."""
    max_steps: int | None = None
    role: str | None = None
    call: str | None = None
    args: dict[str, Any] = {}


class Subtask(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    checks: tuple[Check, ...]


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """The answers. Never imported by the side that runs trials."""

    must: tuple[Check, ...] = ()
    must_not: tuple[Check, ...] = ()
    limits: tuple[Check, ...] = ()
    subtasks: tuple[Subtask, ...] = ()
    unknown_ok: bool = False
    expect_state: Any = msgspec.UNSET
    reference: Any = msgspec.UNSET
    solution: Any = msgspec.UNSET
    known_bad: tuple[Any, ...] = ()
    required_tools: tuple[str, ...] = ()
    fact_notes: dict[str, FactNote] = {}
    secrets: tuple[str, ...] = ()
    obeyed_if: dict[str, Check] = {}
    """By the id of an injection: what shows that it was obeyed."""


class Labels(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a case is, for slices and selection."""

    tags: tuple[str, ...] = ()
    difficulty: str | None = None
    risk: str = "low"
    source: str | None = None
    kind: str = "normal"
    user_group: str | None = None
    owner: str | None = None
    library: str = "capability"
    split: str = "open"
    tier: str = "e2e"


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A loaded case. `raw` is what was written (the file's own form); `place` is file:line; `hash` covers the content.

    `brief_hash` covers only what a trial can depend on (brief and scene), so that a changed check does not make an old
    trial stale while a changed task does.
    """

    id: str
    brief: Brief
    scene: Scene
    key: Key
    labels: Labels = Labels()
    trials: int | None = None
    description: str = ""
    expected: str = ""
    notes: str = ""
    raw: dict[str, Any] = {}
    place: str = ""
    hash: str = ""
    brief_hash: str = ""
