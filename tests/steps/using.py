"""Teams with a planted truth, for the tests of use: who rests on the fact, who only says so, and what the others do before."""

import json
from pathlib import Path
from typing import Any

AGENTS = '''
import random

import fairtrial as ft


def scout(brief, desk):
    """Looks, writes down what it saw, and hands it on; states its cost and how often it has acted."""
    seen = desk.call("look", name="lamp")
    desk.call("write_down", text=f"lamp {seen}")
    desk.spend(model="m", usd="0.05", input_tokens=10, output_tokens=1)
    desk.adjust("season", factor="1.1")
    return {"days": brief.facts["days"], "report": {"depth": brief.facts["depth"]}, "seen": seen}


async def scout_async(brief, desk):
    seen = await desk.call("look", name="lamp")
    await desk.call("write_down_async", text=f"lamp {seen}")
    await desk.spend(model="m", usd="0.05")
    return {"days": brief.facts["days"], "report": {"depth": brief.facts["depth"]}, "seen": seen}


def rings_up(brief, desk):
    desk.call("ring_up", whom="shop")
    return {"days": brief.facts["days"]}


def talks(brief, desk):
    desk.say("Shall I?")
    return {"days": brief.facts["days"]}


def uses(brief, desk):
    desk.use("days")
    desk.spend(model="m", usd="0.01", input_tokens=1, output_tokens=1)
    return {"order": 0 if desk.inbox.get("days") else 10, "why": "days"}


async def uses_async(brief, desk):
    desk.use("days")
    await desk.spend(model="m", usd="0.01")
    return {"order": 0 if desk.inbox.get("days") else 10}


def only_says_so(brief, desk):
    desk.use("days")
    return {"order": 10, "why": f"days is {desk.inbox.get('days')}"}


def in_silence(brief, desk):
    return {"order": 0 if desk.inbox["days"] else 10}


def wavers(brief, desk):
    desk.use("days")
    return {"order": random.Random(str(desk.inbox) + str(desk.seed)).randrange(3)}


def trusts_nobody(brief, desk):
    told = {parcel.facts["days"] for parcel in desk.parcels if "days" in parcel.facts}
    return {"order": 5 if len(told) > 1 else 10}


def counts_notes(brief, desk):
    return {"order": desk.call("count_notes") * 10 + (0 if desk.inbox["days"] else 1)}


def sees_it(brief, desk):
    return {"order": 0 if brief.facts.get("days") else 10}


def reads_depth(brief, desk):
    return {"order": desk.inbox["report"]["depth"]}


def crashes(brief, desk):
    return {"order": desk.inbox["days"] + 1 if "days" in desk.inbox else 1 / 0}


def team(lead, scout=scout, sees=()):
    return ft.Team([ft.Role("scout", scout, hands_to=["lead"]), ft.Role("lead", lead, sees=sees)], lead="lead")


user, liar, silent, noisy = team(uses), team(only_says_so), team(in_silence), team(wavers)
wary, counting, seeing, deep = team(trusts_nobody), team(counts_notes), team(sees_it, sees=["days"]), team(reads_depth)
ringing, talking, crashing = team(uses, rings_up), team(uses, talks), team(crashes)
waiting, mixed = team(uses_async, scout_async), team(uses, scout_async)


def relayed(brief, desk):
    return {"days": desk.inbox["days"]}


longer = ft.Team(
    [
        ft.Role("scout", scout, hands_to=["clerk", "lead"]),
        ft.Role("clerk", relayed, sees=[], hands_to=["lead"]),
        ft.Role("lead", in_silence, sees=[]),
    ],
    lead="lead",
)


def whole(brief, desk):
    """A team in one function: the roles go through the desk."""
    desk.spend(model="m", usd="0.05", by="scout")
    desk.hand_off("lead", {"days": brief.facts["days"]}, by="scout")
    got = desk.receive(by="lead")
    desk.use("days", by="lead")
    return {"order": 0 if got[0].facts["days"] else 10}


def forgetful(brief, desk):
    """Hands the fact on in every other trial only."""
    if desk.seed % 2:
        desk.hand_off("lead", {"days": brief.facts["days"]}, by="scout")
    got = desk.receive(by="lead")
    return {"order": 0 if got and got[0].facts["days"] else 10}


def single(brief, desk):
    return {"order": 0}
'''
TOOLS = '''
from fairtrial import tool


@tool
def look(name: str, world: dict) -> int:
    """What is there."""
    return world["shelf"][name]


@tool
def write_down(text: str, world: dict) -> int:
    """Leave a note."""
    world["notes"].append(text)
    return len(world["notes"])


@tool
async def write_down_async(text: str, world: dict) -> int:
    """Leave a note."""
    world["notes"].append(text)
    return len(world["notes"])


@tool
def count_notes(world: dict) -> int:
    """How many notes there are."""
    return len(world["notes"])


@tool(outside=True)
def ring_up(whom: str, world: dict) -> str:
    """Reaches another system."""
    return "ringing"
'''
TEAMS = (
    "user",
    "liar",
    "silent",
    "noisy",
    "wary",
    "counting",
    "seeing",
    "deep",
    "ringing",
    "talking",
    "crashing",
    "waiting",
    "mixed",
    "longer",
)


def use_project(folder: Path, *, cases: int = 4, extra: dict[str, Any] | None = None) -> Path:
    """A suite with all these teams. Every other case has days of none."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "id": f"case-{number}",
            "task": "advise",
            "facts": {"days": number % 2 * 4, "depth": number, "colour": "blue"},
            "state": {"shelf": {"lamp": number}, "notes": []},
            "must": [{"output": "order", "between": [0, 1000]}],
            "must_not": [{"output": "order", "equals": -1}],
            **(extra or {}),
        }
        for number in range(1, cases + 1)
    ]
    setups: dict[str, Any] = {name: {"agent": f"agents:{name}"} for name in TEAMS}
    setups["whole"] = {"agent": "agents:whole", "roles": ["scout", "lead"], "lead": "lead"}
    setups["forgetful"] = {"agent": "agents:forgetful", "roles": ["scout", "lead"], "lead": "lead"}
    setups["retried"] = {"agent": "agents:user", "retry": {"attempts": 1}}
    setups["single"] = {"agent": "agents:single"}
    suite = {"name": "facts", "cases": "cases.jsonl", "tools": "tools.py", "setups": setups, "budget": {"usd": "1"}}
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "agents.py").write_text(AGENTS, encoding="utf-8")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    return folder


GRAPHS = """
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph


class Shop(TypedDict, total=False):
    days: int
    depth: int
    order: int


def look(state: Shop) -> dict[str, Any]:
    return {"depth": state["depth"] + 1}


def decide(state: Shop) -> dict[str, Any]:
    return {"order": 0 if state.get("days") else 10}


made = StateGraph(Shop)
made.add_node("look", look)
made.add_node("decide", decide)
made.add_edge(START, "look")
made.add_edge("look", "decide")
made.add_edge("decide", END)
graph = made.compile()


def ask(brief, desk):
    found = graph.invoke({"days": brief.facts["days"], "depth": brief.facts["depth"]})
    return {"order": found["order"]}


async def ask_async(brief, desk):
    found = await graph.ainvoke({"days": brief.facts["days"], "depth": brief.facts["depth"]})
    return {"order": found["order"]}
"""


def graph_project(folder: Path) -> Path:
    """A team that is a LangGraph graph: it passes facts in the state that its nodes share."""
    use_project(folder)
    (folder / "graphs.py").write_text(GRAPHS, encoding="utf-8")
    suite = json.loads((folder / "suite.json").read_text(encoding="utf-8"))
    way = {"graph": "graphs:graph", "roles": ["look", "decide"], "lead": "decide"}
    suite["setups"] = {"graph": {"agent": "graphs:ask", **way}, "graph-async": {"agent": "graphs:ask_async", **way}}
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    return folder
