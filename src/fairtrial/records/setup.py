"""Who is tried: one agent, one agent with retries, or a team; and what each is given."""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.records.budget import Budget
from fairtrial.records.change import Changed

UNIT = "unit"
"""The setup that cases of tier unit are tried under, once each: a function of the suite's own is the same whoever is tried."""


class Retry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Try again up to `attempts` times until the agent's own check `until` (module:function) is content.

    The check is called as until(brief, answer, trace) and sees no grade.
    """

    attempts: int
    until: str | None = None


class SetupForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One entry of a suite's `setups`, as it is written. `agent` is "module:name", {"command": [...]}, {"http": URL, "headers": {}}.

    `tools`, `facts` and `budget` narrow what this setup is given; a setup that is given less than another is an unfair
    match and is reported as one. `versions` names what was tried (model, prompt, harness, context, memory). `parts` names
    for a role of `roles` the function that plays it alone, {router: "agents:router"}, or one function that can play them all;
    a Team's roles need none. How a role is taken out, replaced or mended where the agent is no Team: `graph` names the LangGraph
    graph that the agent calls, `changed` a function that takes the changes and gives the agent.
    """

    agent: str | dict[str, Any]
    retry: Retry | None = None
    roles: tuple[str, ...] = ()
    lead: str | None = None
    parts: str | dict[str, str] = {}
    versions: dict[str, str] = {}
    tools: tuple[str, ...] | None = None
    facts: tuple[str, ...] | None = None
    budget: Budget | None = None
    env: dict[str, str] = {}
    graph: str | None = None
    changed: str | None = None


class Setup(SetupForm, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who is tried: an entry of the suite, or one with its team changed. `change` comes from a step of ours, never from a file."""

    change: Changed | None = None


class RoleSeat(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One role of a team, as it is seated. `alone`: it can be tried by itself (tier agent)."""

    name: str
    sees: tuple[str, ...] | None = None
    tools: tuple[str, ...] | None = None
    hands_to: tuple[str, ...] = ()
    alone: bool = False


class Seat(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a setup is really given, found by opening it: the ground of the fairness audit and of the manifest.

    `tools` maps each tool to the hash of its schema; `rights` maps each tool to its flags and the roles that may call it.
    `facts` are the fact names withheld by the setup itself (`facts:`), None for all. `change` says what was done to the team,
    `state` names the keys of the state that the nodes of its graph share.
    """

    setup: str
    roles: tuple[RoleSeat, ...] = ()
    lead: str | None = None
    tools: dict[str, str] = {}
    rights: dict[str, tuple[str, ...]] = {}
    facts: tuple[str, ...] | None = None
    budget: Budget = Budget()
    versions: dict[str, str] = {}
    change: Changed | None = None
    state: tuple[str, ...] = ()
