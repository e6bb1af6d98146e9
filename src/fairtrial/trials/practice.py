"""A few trials of our own that a supervisor runs before it forks the first real one.

The interpreter adapts a function's code while it is first called, which writes to it; a child that does this alone copies the
pages and throws the work away with itself. Practised once in the supervisor, it is done for every child. Nothing of the user's
runs here, and nothing is kept.
"""

from __future__ import annotations

import asyncio
from typing import Any

from fairtrial.records.budget import Budget
from fairtrial.records.case import Brief, Scene
from fairtrial.records.strictjson import encode
from fairtrial.records.trial import TrialKey
from fairtrial.setups.python import PythonAgent
from fairtrial.trials.blackbox import BlackBox
from fairtrial.trials.child import new_loop
from fairtrial.trials.conduct import Act, perform, perform_sync
from fairtrial.trials.order import Order, Result, pack
from fairtrial.worlds.json import JsonWorld
from fairtrial.worlds.tools import Tool, make_tool

ROUNDS = 20
"""Calls after which the interpreter has settled on the form of what it runs, with room to spare."""


def count_up(n: int, world: dict[str, Any]) -> int:
    """The one tool of the practice."""
    world["n"] = world.get("n", 0) + n
    return int(world["n"])


async def _waiting(brief: Brief, desk: Any) -> dict[str, Any]:
    return {"n": await desk.call("count_up", n=len(brief.facts))}


def _direct(brief: Brief, desk: Any) -> dict[str, Any]:
    return {"n": desk.call("count_up", n=len(brief.facts))}


class _Practice:
    """What a trial needs of a stage."""

    def __init__(self) -> None:
        self.world = JsonWorld()
        self._tools = {"count_up": make_tool(count_up)}
        self._agents = {"waiting": PythonAgent(_waiting), "direct": PythonAgent(_direct)}

    def agent(self, setup: str, scene: Scene) -> PythonAgent:
        return self._agents[setup]

    def tools_of(self, setup: str) -> dict[str, Tool]:
        return self._tools

    def model(self, name: str) -> None:
        """Nobody is talked with here."""


def practise() -> None:
    """Run the practice; costs a few milliseconds, once."""
    stage, box = _Practice(), BlackBox()
    brief, scene = Brief(task="", facts={"a": 1}), Scene(state={"n": 0})
    for setup in ("waiting", "direct"):
        for number in range(ROUNDS):
            box.clear()
            order = Order(number, "", TrialKey("", setup, 1), 0, brief, scene, Budget(), 60.0, "timeout_s", "")
            act = Act(order, stage, box=box, run_async=asyncio.run)
            if act.agent.is_sync:
                perform_sync(act)
            else:
                loop = new_loop()
                loop.run_until_complete(perform(act))
                loop.close()
            head, body = act.finish()
            pack("R", [Result(number, "", encode(head), body)])
    box.close()
