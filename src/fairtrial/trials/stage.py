"""The stage: the suite's setups, tools and world, opened once in a worker and used by every trial there.

Opening imports the user's code, so it happens in a worker, never in the process that holds the answers. Of our own code only
what the suite needs is imported: what a supervisor has loaded, every child maps.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.plugins import load, load_own
from fairtrial.records.change import REMOVE
from fairtrial.records.errors import InputError, InputErrors, nearest, placed
from fairtrial.records.setup import UNIT, RoleSeat, Seat, Setup
from fairtrial.setups.part import RoleAlone, UnitCall, refuse_misfit
from fairtrial.setups.python import PythonAgent
from fairtrial.setups.retry import RetryAgent
from fairtrial.setups.team import Role, Team
from fairtrial.worlds.json import JsonWorld
from fairtrial.worlds.starts import Starts
from fairtrial.worlds.tools import Tool, find_tools

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from fairtrial.models.model import Model
    from fairtrial.records.case import Scene
    from fairtrial.records.prices import Prices
    from fairtrial.setups.agent import Agent
    from fairtrial.trials.order import StageSpec
    from fairtrial.worlds.world import World


class Stage:
    """Opened from a `StageSpec`; raises InputError naming what could not be opened. `place` is a folder of the run's own, `walled`
    tells that nothing outside can be reached."""

    def __init__(self, spec: StageSpec, place: str = "", *, walled: bool = False) -> None:
        self._spec = spec
        self._walled = walled
        self.folder = Path(spec.folder)
        if spec.folder not in sys.path:
            sys.path.insert(0, spec.folder)
        with self._at("tools"):
            self.tools = find_tools(_members(spec.tools, self.folder)) if spec.tools else {}
        with self._at("world"):
            self.world = open_world(spec, place)
        self._models: dict[str, Model | None] = {}
        for name in spec.models:
            with self._at(name):
                self._models[name] = _open_model(name, spec.prices)
        if spec.models:
            importlib.import_module("fairtrial.trials.talk")  # here once, and not in every trial
        self._agents: dict[str, Agent] = {}
        self._parts: dict[str, dict[str, Agent]] = {}
        self._allowed: dict[str, dict[str, Tool]] = {}
        for name, setup in spec.setups.items():
            with self._at(f"setups.{name}"):
                self._agents[name] = _open_agent(name, setup, self.folder)
                self._parts[name] = _parts(f"setup {name!r}", self._agents[name], setup)
                self._allowed[name] = self._tools_of(name, setup)
        self._calls = _open_calls(spec)

    def _at(self, key: str) -> AbstractContextManager[None]:
        return placed(self._spec.places.get(key))

    def agent(self, setup: str, scene: Scene) -> Agent:
        """Who acts in a trial of this setup: the setup's agent, or the part of it that the scene tries alone."""
        if scene.call is not None:
            return UnitCall(self._calls[scene.call], scene.args)
        return self._agents[setup] if scene.role is None else self._parts[setup][scene.role]

    def env_of(self, setup: str) -> dict[str, str]:
        """Environment variables that this setup's trials get on top of the caller's."""
        return self._spec.setups[setup].env if setup in self._spec.setups else {}

    def model(self, name: str) -> Model | None:
        """The model of that name, which plays a simulated user or is asked by an agent; None for no name. Raises InputError."""
        if name not in self._models:
            if self._walled and not name.startswith("python:"):
                mend = "use --isolate fork or process, or a model of the suite's own (python:module:function)"
                raise InputError("a sandboxed trial has no network, and this model is outside", value=name, mend=mend)
            self._models[name] = _open_model(name, self._spec.prices)
        return self._models[name]

    def tools_of(self, setup: str) -> dict[str, Tool]:
        return self._allowed.get(setup, {})

    def _tools_of(self, name: str, setup: Setup) -> dict[str, Tool]:
        if setup.tools is None:
            return self.tools
        for wanted in setup.tools:
            if wanted not in self.tools:
                near = nearest(wanted, self.tools)
                mend = f"did you mean {near!r}?" if near else "name a tool that the suite offers" if self.tools else "add tools: tools.py"
                what = f"setup {name!r} lists the tool {wanted!r}, which does not exist"
                raise InputError(what, value=wanted, allowed=", ".join(sorted(self.tools)) or None, mend=mend)
        return {tool: self.tools[tool] for tool in setup.tools}

    def seats(self) -> list[Seat]:
        """What each setup was really given."""
        unit = [Seat(setup=UNIT, budget=self._spec.budget)] if self._calls else []
        return [*unit, *(self._seat(name, setup) for name, setup in self._spec.setups.items())]

    def _seat(self, name: str, setup: Setup) -> Seat:
        team = self._agents[name]
        team = team.inner if isinstance(team, RetryAgent) else team
        state: tuple[str, ...] = ()
        if setup.graph is not None:
            from fairtrial.setups.graph import roles_of

            names, state = roles_of(setup, what=f"setup {name!r}")
            setup = msgspec.structs.replace(setup, roles=names)
        roles, lead = _roles(team, setup, self._parts[name])
        tools = self._allowed[name]
        if roles and all(role.tools is not None for role in roles):
            held = {tool for role in roles for tool in role.tools or ()}
            tools = {tool: spec for tool, spec in tools.items() if tool in held}
        return Seat(
            setup=name,
            roles=roles,
            lead=lead,
            tools={tool: spec.digest for tool, spec in sorted(tools.items())},
            rights={tool: spec.flags for tool, spec in sorted(tools.items())},
            facts=setup.facts,
            budget=self._spec.budget.tightened(setup.budget),
            versions=setup.versions,
            change=setup.change,
            state=state,
        )


def _open_calls(spec: StageSpec) -> dict[str, Callable[..., Any]]:
    """The functions that are tried by themselves. Raises InputErrors with all that are not there or cannot take their arguments."""
    found: dict[str, Callable[..., Any]] = {}
    errors: list[InputError] = []
    for one in spec.calls:
        try:
            with placed(one.place or None):
                if one.name not in found:
                    found[one.name] = load_own(one.name, spec.folder, what=f"call {one.name!r}")
                refuse_misfit(one.name, found[one.name], one.given)
        except InputError as error:
            errors.append(error)
    if errors:
        raise InputErrors(errors)
    return found


def _parts(what: str, agent: Any, setup: Setup) -> dict[str, Agent]:
    """By role what plays it alone: the roles of a Team, else the functions that the setup names."""
    agent = agent.inner if isinstance(agent, RetryAgent) else agent
    if isinstance(agent, Team):
        if setup.parts:
            raise InputError(f"{what}: a Team's roles can be tried alone as they are", value=setup.parts, mend="remove parts")
        return {role.name: RoleAlone(role) for role in agent.roles}
    named = dict.fromkeys(setup.roles, setup.parts) if isinstance(setup.parts, str) else setup.parts
    return {role: RoleAlone(Role(role, _function(f"{what}, parts, {role}", target))) for role, target in named.items()}


def _function(what: str, target: str) -> Callable[..., Any]:
    found: Callable[..., Any] = load(target, what=what)
    if not callable(found):
        raise InputError(f"{what}: this is no function", value=target, mend="name a function, or another object that can be called")
    return found


def _roles(agent: Any, setup: Setup, parts: dict[str, Agent]) -> tuple[tuple[RoleSeat, ...], str | None]:
    if not isinstance(agent, Team):
        gone = {change.role for change in setup.change.changes if change.kind == REMOVE} if setup.change else set()
        seats = tuple(RoleSeat(name=role, alone=role in parts) for role in setup.roles if role not in gone)
        return seats, setup.lead or (setup.roles[-1] if setup.roles else None)
    own = [
        RoleSeat(
            name=role.name,
            sees=None if role.sees is None else tuple(role.sees),
            tools=None if role.tools is None else tuple(role.tools),
            hands_to=tuple(role.hands_to),
            alone=True,
        )
        for role in agent.roles
    ]
    return tuple(own), agent.lead


def _members(tools: str, folder: Path) -> list[Any]:
    if not tools.endswith(".py"):
        return list(vars(importlib.import_module(tools)).values())
    path = (folder / tools).resolve()
    if not path.is_file():
        raise InputError("the file of tools does not exist", value=tools, place=str(folder))
    if str(path.parent) not in sys.path:
        sys.path.insert(1, str(path.parent))
    try:
        return list(vars(importlib.import_module(path.stem)).values())
    except Exception as error:
        told = f"importing the tools failed: {type(error).__name__}: {error}"
        raise InputError(told, place=str(path), mend="mend the module, or take what it needs in") from error


def open_world(spec: StageSpec, place: str = "") -> World:
    """The suite's kind of world, opened. `place` is a folder in which a world of files may put its own. Raises InputError."""
    world, folder = spec.world, Path(spec.folder)
    starts = Starts(spec.starts) if spec.starts else None
    if world.kind == "json":
        return JsonWorld(starts)
    if world.kind == "sqlite":
        from fairtrial.worlds.sqlite import SqliteWorld

        return SqliteWorld(None if world.seed is None else folder / world.seed, starts)
    if world.kind == "files":
        from fairtrial.worlds.files import FilesWorld

        return FilesWorld(world, folder, Path(place), starts)
    if ":" not in world.kind:
        raise InputError("there is no such kind of world", value=world.kind, allowed='json, sqlite, files, "module:Name"')
    from fairtrial.worlds.own import OwnWorld

    return OwnWorld(world.kind, load(world.kind, what=f"world {world.kind!r}"), starts)


def _open_agent(name: str, setup: Setup, folder: Path) -> Agent:
    what = f"setup {name!r}"
    agent = _way_in(what, setup.agent, folder)
    if setup.change is not None and setup.change.changes:
        from fairtrial.setups.ablate import changed_agent

        agent = changed_agent(what, agent, setup)
    elif setup.change is not None and setup.graph is not None:
        agent = _switched(what, agent, setup, setup.graph)
    if setup.retry is None:
        return agent
    if setup.retry.attempts < 1:
        raise InputError(f"{what}: retry needs at least one attempt", value=setup.retry.attempts)
    until = load(setup.retry.until, what=f"{what}, until") if setup.retry.until else None
    return RetryAgent(agent, setup.retry.attempts, until)


def _switched(what: str, agent: Agent, setup: Setup, target: str) -> Agent:
    """The agent with its graph made ready for a fact that is altered as it reaches a node."""
    from fairtrial.setups.graph import SwitchedAgent, open_graph, roles_of, switch_all

    graph = open_graph(target, what=f"{what}, graph")
    switch_all(graph, roles_of(setup, what=what)[0])
    return SwitchedAgent(agent, graph, (), setup.lead)


def _open_model(name: str, prices: Prices | None) -> Model | None:
    if not name:
        return None
    from fairtrial.models.open import open_model

    return open_model(name, lambda target: load(target, what=f"model {name!r}"), prices)


def _way_in(what: str, agent: str | dict[str, Any], folder: Path) -> Agent:
    if isinstance(agent, str):
        if agent.count(":") > 1:
            raise InputError(f"{what}: this version seats Python callables, commands and HTTP agents", value=agent, allowed="module:name")
        found = load(agent, what=what)
        if isinstance(found, Team):
            return found
        if not callable(found):
            mend = "name a function that takes a brief and a desk, or a ft.Team"
            raise InputError(f"{what}: the agent is neither callable nor a Team", value=agent, mend=mend)
        return PythonAgent(found)
    if set(agent) == {"command"}:
        from fairtrial.setups.command import CommandAgent

        return CommandAgent(agent["command"], folder)
    if "http" in agent and set(agent) <= {"http", "headers"}:
        from fairtrial.setups.http import HttpAgent

        return HttpAgent(agent["http"], agent.get("headers", {}))
    raise InputError(
        f"{what}: the agent is none of the known forms", value=agent, allowed='"module:name", {command: […]}, {http: URL, headers: {}}'
    )
