"""A shop with three setups and cases of all three tiers, for tests of whole runs."""

import json
from pathlib import Path
from typing import Any

AGENTS = """
import fairtrial as ft

def router(brief, desk):
    intent = "return" if "back" in brief.task else "question"
    desk.note("router", intent)
    return {"intent": intent, "sees": sorted(brief.facts), "inbox": desk.inbox, "role": desk.role}

def executor(brief, desk):
    order = desk.inbox["order_id"]
    found = desk.call("find_order", order_id=order)
    desk.note("executor", "slots", slots={"order_id": order, **brief.slots})
    return {"order": found["id"], "sees": sorted(brief.facts)}

def planner(brief, desk):
    return {"order_id": brief.facts["order_id"]}

team = ft.Team(
    [
        ft.Role("router", router, tools=[], hands_to=["executor"]),
        ft.Role("planner", planner, tools=[], hands_to=["executor"]),
        ft.Role("executor", executor, sees=[]),
    ],
    lead="executor",
)

async def part(brief, desk):
    await desk.spend(usd="0.01")
    desk.note("router", "return")
    return {"intent": "return", "role": desk.role, "inbox": desk.inbox}

async def whole(brief, desk):
    return {"order": brief.facts["order_id"]}

def single(brief, desk):
    return {"order": brief.facts["order_id"]}
"""
MONEY = """
from os import system
import asyncio

def parse(text, currency="CNY"):
    if not text:
        return None
    return {"amount": text.replace(",", ""), "currency": currency, "whole": float(text.replace(",", ""))}

async def later(n):
    await asyncio.sleep(0)
    return n + 1

class Amount:
    pass
"""
TOOLS = '''
from fairtrial import tool

@tool
def find_order(order_id: str) -> dict:
    """One order."""
    return {"id": order_id}
'''
SETUPS: dict[str, Any] = {
    "single": {"agent": "agents:single"},
    "plain": {"agent": "agents:whole", "roles": ["router", "executor"], "parts": {"router": "agents:part"}},
    "team": {"agent": "agents:team"},
}


def case(name: str, tier: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "tier": tier, "task": f"{name}: send it back", "must": [{"output": "$", "exists": True}], **more}


CASES = [
    case("path", "e2e", facts={"order_id": "A-17"}, must=[{"output": "order", "equals": "A-17"}]),
    case("routes", "agent", role="router", must=[{"role": "router", "intent": "return"}]),
    case(
        "fills",
        "agent",
        role="executor",
        facts={"order_id": "A-17"},
        slots={"reason": "size"},
        must=[{"role": "executor", "slots": {"order_id": "A-17"}, "slots_present": ["reason"]}, {"output": "order", "equals": "A-17"}],
    ),
    case("reads", "unit", call="money:parse", args={"text": "3,200.00"}, must=[{"output": "amount", "equals": "3200.00"}]),
    case("nothing", "unit", call="money:parse", args={"text": ""}, must=[{"output": "$", "equals": None}]),
    case("waits", "unit", call="money:later", args={"n": 1}, must=[{"output": "$", "equals": 2}]),
]


def make_shop(folder: Path, cases: list[dict[str, Any]] | None = None, setups: dict[str, Any] | None = None, **more: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    rows = CASES if cases is None else cases
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for name, text in (("agents", AGENTS), ("money", MONEY), ("tools", TOOLS)):
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    suite = {"name": "shop", "cases": "cases.jsonl", "tools": "tools.py", "setups": SETUPS if setups is None else setups, **more}
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    return folder
