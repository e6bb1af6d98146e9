"""A node of a LangGraph graph removed, replaced, mended: whoever calls the graph, and without a trace in other trials."""

import asyncio
from dataclasses import dataclass
from typing import Any, TypedDict

import pytest

from fairtrial.records.case import Brief
from fairtrial.records.change import Change
from fairtrial.records.errors import InputError
from fairtrial.setups.python import PythonAgent

pytest.importorskip("langgraph", reason="needs LangGraph")

from langgraph.graph import END, START, StateGraph

from fairtrial.setups import graph as graphs
from fairtrial.setups.graph import SwitchedAgent, keys_of, nodes_of


class State(TypedDict):
    price: int
    units: int
    total: int
    trail: list[str]


def _node(name: str, **found: Any) -> Any:
    def node(state: State) -> dict[str, Any]:
        return {"trail": [*state["trail"], name], **{key: make(state) for key, make in found.items()}}

    return node


def _graph() -> Any:
    """reader -> inner (loser -> sums) -> chief; the loser loses the units."""
    inner = StateGraph(State)
    inner.add_node("loser", _node("loser", units=lambda _: 0))
    inner.add_node("sums", _node("sums", total=lambda state: state["price"] * state["units"]))
    inner.add_edge(START, "loser")
    inner.add_edge("loser", "sums")
    inner.add_edge("sums", END)
    outer = StateGraph(State)
    outer.add_node("reader", _node("reader"))
    outer.add_node("inner", inner.compile())
    outer.add_node("chief", _node("chief"))
    outer.add_edge(START, "reader")
    outer.add_edge("reader", "inner")
    outer.add_edge("inner", "chief")
    outer.add_edge("chief", END)
    return outer.compile()


@dataclass
class Quiet:
    """As much of a desk as these agents touch."""

    tamper: None = None

    def sync_face(self) -> Any:
        return self


BRIEF = Brief(task="sum", facts={"price": 3, "units": 4})


def _asked(graph: Any, *changes: Change) -> dict[str, Any]:
    def agent(brief: Brief, desk: Any) -> Any:
        return graph.invoke({**brief.facts, "total": -1, "trail": []})

    seated = SwitchedAgent(PythonAgent(agent), graph, changes, "chief") if changes else PythonAgent(agent)
    found: dict[str, Any] = seated.answer(BRIEF, Quiet())  # type: ignore[arg-type]
    return found


def test_a_removed_node_lets_the_state_pass_and_the_others_act() -> None:
    graph = _graph()
    assert _asked(graph)["trail"] == ["reader", "loser", "sums", "chief"]
    found = _asked(graph, Change(kind="remove", role="loser"))
    assert found["trail"] == ["reader", "sums", "chief"] and found["total"] == 12
    assert _asked(graph, Change(kind="remove", role="inner"), Change(kind="remove", role="reader"))["trail"] == ["chief"]
    assert _asked(graph)["trail"] == ["reader", "loser", "sums", "chief"]  # nothing is left of the change


def test_a_stand_in_takes_the_state_and_gives_an_update(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "load", lambda target, what: lambda state: {"total": 99})
    assert _asked(_graph(), Change(kind="replace", role="sums", stand_in="mine:sums"))["total"] == 99


def test_a_mended_node_is_shown_and_hands_on_the_facts_of_the_case() -> None:
    found = _asked(_graph(), Change(kind="mend", role="loser", hands=("units", "other")))
    assert found["total"] == 12 and "other" not in found
    assert _asked(_graph(), Change(kind="mend", role="sums", receives=("units",)))["total"] == 12


def test_trials_at_the_same_time_do_not_meet_each_others_changes() -> None:
    graph = _graph()

    async def agent(brief: Brief, desk: Any) -> Any:
        return await graph.ainvoke({**brief.facts, "total": -1, "trail": []})

    async def both() -> list[dict[str, Any]]:
        seated = [SwitchedAgent(PythonAgent(agent), graph, [Change(kind="remove", role=role)], "chief") for role in ("loser", "sums")]
        return await asyncio.gather(*(one.answer(BRIEF, Quiet()) for one in seated))  # type: ignore[arg-type]

    assert [found["total"] for found in asyncio.run(both())] == [12, -1]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (Change(kind="remove", role="looser"), "no such node"),
        (Change(kind="remove", role="chief"), "cannot be taken out"),
        (Change(kind="vanish", role="sums"), "cannot be changed so"),
    ],
)
def test_what_a_graph_cannot_do_is_told(change: Change, told: str) -> None:
    with pytest.raises(InputError, match=told):
        _asked(_graph(), change)


def test_nodes_and_keys_are_told() -> None:
    assert nodes_of(_graph()) == ["reader", "inner", "chief"] and set(keys_of(_graph())) == set(State.__annotations__)
