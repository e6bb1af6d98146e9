"""The shop's graph: router, guard, three sub-graphs, reply. Built once, when it is imported; a talk is in its state and nowhere else.

Whose desk and which model a turn uses comes in as LangGraph's run context, so that no trial can meet another's.
"""

import json
import os
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from roles import DESKS, ROLES, Role
from state import State

import fairtrial as ft

TRACING = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2")
os.environ.update(dict.fromkeys(TRACING, "false"))  # whatever the caller has set: nothing of a trial goes to a tracing service

NOTED = {"intent": "intent", "decision": "decision", "skill": "skill", "plan": "steps", "slots": "slots", "retrieved": "retrieved"}
"""What of a role's answer is recorded as its own decision, and under which name."""


@dataclass(frozen=True)
class Counter:
    """Where a customer is served: the desk of this trial and the model that speaks for every role."""

    desk: Any
    model: BaseChatModel


def thinks(role: Role) -> Any:
    """The node in which a role asks its model, and hands on what it found once it wants no more tools."""

    def node(state: State, runtime: Runtime[Counter]) -> dict[str, Any]:
        desk = runtime.context.desk.for_role(role.name, role.tools)
        desk.receive()
        shown = json.dumps({key: state[key] for key in role.shows}, ensure_ascii=False)
        message = runtime.context.model.invoke([SystemMessage(role.told, name=role.name), HumanMessage(shown)])
        used = message.usage_metadata or {}
        desk.spend(model="scripted", input_tokens=used.get("input_tokens"), output_tokens=used.get("output_tokens"), usd="0")
        found = {key: value for key, value in json.loads(str(message.content)).items() if key in role.finds}
        if not message.tool_calls:
            for key in found.keys() & NOTED.keys():
                desk.note(NOTED[key], key, value=found[key])
            if to := role.then({**state, **found}):
                desk.hand_off(to, found)
        return {**found, "calls": message.tool_calls}

    return node


def acts(role: Role) -> Any:
    """The node in which the calls of a role are made. A failure is an answer as well."""

    def node(state: State, runtime: Runtime[Counter]) -> dict[str, Any]:
        desk = runtime.context.desk.for_role(role.name, role.tools)
        trail = list(state["trail"])
        for call in state["calls"]:
            step = {"tool": call["name"], "args": call["args"]}
            try:
                trail.append({**step, "result": desk.call(call["name"], **call["args"])})
            except (ft.ToolFailed, ft.Refused) as error:
                trail.append({**step, "failed": getattr(error, "kind", "refused")})
        return {"trail": trail, "calls": []}

    return node


Graph = CompiledStateGraph[Any, Any, Any, Any]


def alone(role: Role) -> Graph:
    """One role with its tools: think, act, think again, until it calls no more."""
    built = StateGraph(State, context_schema=Counter)
    built.add_node(role.name, thinks(role))
    built.add_edge(START, role.name)
    if not role.tools:
        built.add_edge(role.name, END)
        return built.compile()
    built.add_node("tools", acts(role))
    built.add_edge("tools", role.name)
    built.add_conditional_edges(role.name, lambda state: "tools" if state["calls"] else END, ["tools", END])
    return built.compile()


def tickets() -> Graph:
    """The sub-graph of four roles: skills, planner, executor, follow-up questions."""
    built = StateGraph(State, context_schema=Counter)
    for name in ("skills", "planner", "executor", "follow_up"):
        built.add_node(name, ALONE[name])
    built.add_edge(START, "skills")
    built.add_conditional_edges("skills", ROLES["skills"].then, {"planner": "planner", "reply": END})
    built.add_edge("planner", "executor")
    built.add_conditional_edges("executor", ROLES["executor"].then, {"follow_up": "follow_up", "reply": END})
    built.add_edge("follow_up", END)
    return built.compile()


def shop() -> Graph:
    """The whole assistant. One invocation is one turn: from what was said to what is answered."""
    built = StateGraph(State, context_schema=Counter)
    for name in ("router", "guard", "reply"):
        built.add_node(name, ALONE[name])
    parts = {"ticket": tickets(), "recommend": ALONE["recommender"], "question": ALONE["answerer"]}
    for name, part in parts.items():
        built.add_node(name, part)
        built.add_edge(name, "reply")
    built.add_edge(START, "router")
    built.add_edge("router", "guard")
    built.add_conditional_edges("guard", ROLES["guard"].then, {**{DESKS[name]: name for name in parts}, "reply": "reply"})
    built.add_edge("reply", END)
    return built.compile()


ALONE = {name: alone(role) for name, role in ROLES.items()}
SHOP = shop()
