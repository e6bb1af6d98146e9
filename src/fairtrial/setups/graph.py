"""A LangGraph graph whose nodes can be taken out, replaced or mended, whoever calls it.

The agent stays as it is and goes on calling its graph. Each node gets a switch before it, which looks at the changes of the
trial under way: without any the node acts, a removed one lets the state pass as it is. Only this file knows the framework.
"""

from __future__ import annotations

import copy
import inspect
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.plugins import load
from fairtrial.records.change import MEND, REMOVE, REPLACE, Change
from fairtrial.records.errors import InputError, ReplayBroken, nearest
from fairtrial.records.tamper import altered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from fairtrial.records.case import Brief
    from fairtrial.records.setup import Setup
    from fairtrial.records.tamper import Tamper
    from fairtrial.setups.agent import Agent, InnerDesk

START = "__start__"


class Switches(msgspec.Struct, frozen=True):
    """The changes of one trial, by node, with the stand-ins opened and the facts of its case; what is done to a fact on its way."""

    changes: dict[str, Change]
    stand_ins: dict[str, Any]
    facts: dict[str, Any] = {}
    tamper: Tamper | None = None


_NOW: ContextVar[Switches | None] = ContextVar("fairtrial_switches", default=None)
_SWITCHED: dict[int, Any] = {}
"""The nodes that have their switch, kept so that no other object can take the number of one."""


def open_graph(target: str, *, what: str) -> Any:
    """The compiled graph that "module:name" names. Raises InputError where it is none."""
    graph = load(target, what=what)
    if not isinstance(getattr(graph, "nodes", None), dict) or not callable(getattr(graph, "get_graph", None)):
        mend = "name the graph that compile() gave" if hasattr(graph, "compile") else "name a compiled LangGraph graph"
        raise InputError(f"{what} is no compiled LangGraph graph", value=target, mend=mend)
    return graph


def roles_of(setup: Setup, *, what: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The roles of a setup with a graph: those it names, else the nodes at the top; and the keys of the graph's state.

    Raises InputError for a role that is no node, at whatever depth.
    """
    graph = open_graph(setup.graph or "", what=f"{what}, graph")
    strange = next((role for role in setup.roles if not _find(graph, role)), None)
    if strange is not None:
        near = nearest(strange, nodes_of(graph))
        mend = f"did you mean {near!r}?" if near else "name the nodes as the graph does, or leave roles out"
        raise InputError(f"{what}: the graph has no node {strange!r}", value=strange, allowed=", ".join(nodes_of(graph)), mend=mend)
    return setup.roles or tuple(nodes_of(graph)), keys_of(graph)


def nodes_of(graph: Any) -> list[str]:
    """The nodes at the top, in the order in which they were added."""
    return [name for name in graph.nodes if name != START]


def keys_of(graph: Any) -> tuple[str, ...]:
    """The keys of the graph's state, as far as they can be told."""
    return tuple(name for name in getattr(graph, "channels", ()) if not name.startswith("__") and ":" not in name)


class SwitchedAgent:
    """`agent` with the nodes of its graph changed during its trials. Raises InputError for a node that is not there."""

    def __init__(self, agent: Agent, graph: Any, changes: Sequence[Change], lead: str | None) -> None:
        stand_ins = {}
        for change in changes:
            _refuse(change, graph, lead)
            if change.stand_in is not None:
                stand_ins[change.role] = _stand_in(change)
            for node in _find(graph, change.role):
                _put_switch(node, change.role)
        self._agent = agent
        self._changes = {change.role: change for change in changes}
        self._stand_ins = stand_ins
        self.is_sync = agent.is_sync

    def answer(self, brief: Brief, desk: InnerDesk) -> Any:
        return self._answer_sync(brief, desk) if self.is_sync else self._answer_async(brief, desk)

    def _answer_sync(self, brief: Brief, desk: InnerDesk) -> Any:
        token = _NOW.set(Switches(self._changes, self._stand_ins, brief.facts, desk.tamper))
        try:
            return self._agent.answer(brief, desk)
        finally:
            _NOW.reset(token)

    async def _answer_async(self, brief: Brief, desk: InnerDesk) -> Any:
        token = _NOW.set(Switches(self._changes, self._stand_ins, brief.facts, desk.tamper))
        try:
            answer = self._agent.answer(brief, desk)
            return await answer if inspect.isawaitable(answer) else answer
        finally:
            _NOW.reset(token)


def _refuse(change: Change, graph: Any, lead: str | None) -> None:
    if not _find(graph, change.role):
        near = nearest(change.role, nodes_of(graph))
        mend = f"did you mean {near!r}?" if near else "name a node of the graph"
        raise InputError("the graph has no such node", value=change.role, allowed=", ".join(nodes_of(graph)), mend=mend)
    if change.kind not in (REMOVE, REPLACE, MEND):
        raise InputError("a graph cannot be changed so", value=change.kind, allowed=", ".join((REMOVE, REPLACE, MEND)))
    if change.role == lead and (change.kind == REMOVE or (change.kind == REPLACE and not change.stand_in)):
        raise InputError(f"the lead {lead!r} gives the answer, so it cannot be taken out", value=change.kind, mend="name another role")


def _stand_in(change: Change) -> Callable[..., Any]:
    what = f"the stand-in for {change.role!r}"
    act: Callable[..., Any] = load(str(change.stand_in), what=what)
    if not callable(act):
        raise InputError(f"{what} is no function", value=change.stand_in, mend="name a function that takes the state, as a node does")
    return act


def _find(graph: Any, name: str) -> list[Any]:
    """The nodes of that name that lie nearest to the top, those of sub-graphs included."""
    level = {id(graph): graph}
    seen: set[int] = set()
    while level:
        found = {id(node): node for one in level.values() if (node := one.nodes.get(name)) is not None}
        if found:
            return list(found.values())
        seen |= level.keys()
        level = {id(inner): inner for one in level.values() for inner in _inner(one) if id(inner) not in seen}
    return []


def _inner(graph: Any) -> Iterator[Any]:
    for node in graph.nodes.values():
        for inner in (getattr(node, "bound", None), *(getattr(node, "subgraphs", None) or ())):
            if isinstance(getattr(inner, "nodes", None), dict):
                yield inner


def _put_switch(node: Any, name: str) -> None:
    """Done once for a node, and without effect on any trial that has no changes."""
    if id(node) in _SWITCHED:
        return
    from langchain_core.runnables import RunnableConfig, RunnableLambda

    bound = node.bound

    def act(state: Any, config: RunnableConfig) -> Any:
        chosen, shown = _chosen(name, state)
        said = bound.invoke(shown, config) if chosen is None else chosen(shown)
        return _told(name, said, shown)

    async def act_async(state: Any, config: RunnableConfig) -> Any:
        chosen, shown = _chosen(name, state)
        said = bound.ainvoke(shown, config) if chosen is None else chosen(shown)
        return _told(name, await said if inspect.isawaitable(said) else said, shown)

    node.bound = RunnableLambda(act, afunc=act_async, name=name)
    node.__dict__.pop("node", None)  # what was made of the node as it was
    _SWITCHED[id(node)] = node


def _chosen(name: str, state: Any) -> tuple[Callable[[Any], Any] | None, Any]:
    """What acts in the place of the node, None for itself; and the state it is shown."""
    now = _NOW.get()
    state = _tampered(now.tamper, name, state) if now is not None and now.tamper is not None else state
    change = now.changes.get(name) if now is not None else None
    if now is None or change is None:
        return None, state
    if change.kind == MEND:
        return None, {**state, **_stated(now, change.receives, state)} if isinstance(state, dict) else state
    return now.stand_ins.get(name, _pass), state


def _tampered(tamper: Tamper, name: str, state: Any) -> Any:
    """The state as it reaches the node where a fact is altered. Raises ReplayBroken where it does not hold the fact by its name."""
    if tamper.to != name:
        return state
    made, found = altered(state, tamper) if isinstance(state, dict) else (state, False)
    if not found:
        raise ReplayBroken(f"the state that reached {name} holds no {tamper.fact}, so it could not be altered there")
    return made


def switch_all(graph: Any, names: Sequence[str]) -> None:
    """A switch before each of these nodes, so that a fact can be altered as it reaches one."""
    for name in names:
        for node in _find(graph, name):
            _put_switch(node, name)


def _pass(_: Any) -> None:
    """A node that changes nothing: what reached it is in the state and goes on."""


def _told(name: str, said: Any, state: Any) -> Any:
    """What the node says, with the facts that a mended one hands on."""
    now = _NOW.get()
    change = now.changes.get(name) if now is not None else None
    if now is None or change is None or change.kind != MEND or not isinstance(said, dict | None):
        return said
    return {**(said or {}), **_stated(now, change.hands, state)}


def _stated(now: Switches, names: Sequence[str], state: Any) -> Mapping[str, Any]:
    return {name: copy.deepcopy(now.facts[name]) for name in names if name in now.facts and isinstance(state, dict) and name in state}
