"""Runs orders through a real pool, for tests: a stage of agents, a sink that remembers."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairtrial.records.budget import Budget
from fairtrial.records.case import Brief, Scene
from fairtrial.records.run import Planned
from fairtrial.records.setup import Seat, Setup
from fairtrial.records.trial import TrialBody, TrialHead, TrialKey
from fairtrial.store.codec import read_body
from fairtrial.trials.drive import Drive
from fairtrial.trials.home import run_root
from fairtrial.trials.order import Order, StageSpec
from fairtrial.trials.plan import in_order, trial_seed
from fairtrial.trials.pool import NurseryPool, Pool
from fairtrial.trials.shared import SharedPool
from tests.walls import SANDBOX

FOLDER = Path(__file__).parent
LEVELS = ("fork", "shared", "process", SANDBOX)


@dataclass
class Memory:
    """A sink that keeps everything."""

    heads: dict[TrialKey, TrialHead] = field(default_factory=dict)
    bodies: dict[TrialKey, TrialBody] = field(default_factory=dict)
    tries: list[TrialHead] = field(default_factory=list)
    accepted: int = 0

    def accept(self, head: TrialHead, body: bytes) -> None:
        self.accepted += 1
        self.heads[head.key] = head
        self.bodies[head.key] = read_body(body)

    def tried(self, head: TrialHead, body: bytes) -> None:
        self.tries.append(head)

    def idle(self) -> None: ...


@dataclass
class Ran:
    memory: Memory
    seats: list[Seat]
    root: Path

    def head(self, setup: str, attempt: int = 1) -> TrialHead:
        return self.memory.heads[TrialKey("case", setup, attempt)]

    def body(self, setup: str, attempt: int = 1) -> TrialBody:
        return self.memory.bodies[TrialKey("case", setup, attempt)]


def pool_of(level: str, spec: StageSpec, root: str, jobs: int) -> Pool:
    if level == "shared":
        return SharedPool(spec, root, jobs=jobs)
    return NurseryPool(spec, root, jobs=jobs, level=level)


def run_agents(
    agents: list[str],
    level: str = "fork",
    *,
    trials: int = 1,
    timeout_s: float = 10.0,
    jobs: int = 10,
    **more: Any,
) -> Ran:
    """Run each named agent of `stage_agents` at one case. `more`: facts, budget, scene, setups, and the parts of a StageSpec."""
    setups = more.get("setups") or {name: Setup(agent=f"stage_agents:{name}") for name in agents}
    suite = {name: more[name] for name in ("world", "env", "confinement", "models", "prices") if name in more}
    spec = StageSpec(folder=str(FOLDER), tools=more.get("tools", "stage_tools.py"), setups=setups, **suite)
    brief = Brief(task="try", facts=more.get("facts", {"mark": 1}))
    scene = more.get("scene", Scene(state={"total": 0})) or Scene()
    root = run_root()
    memory = Memory()
    pool = pool_of(level, spec, str(root), jobs)

    def make(key: TrialKey, ticket: int, token: str, tries: int) -> Order:
        budget = more.get("budget", Budget())
        return Order(ticket, token, key, trial_seed(0, key), brief, scene, budget, timeout_s, "timeout_s", "hash", tries)

    try:
        seats = pool.open()
        keys: Iterator[TrialKey] = in_order([Planned("case", name, trials) for name in setups], 0)
        assert Drive(pool, memory, make).run(keys)
    finally:
        pool.close()
        shutil.rmtree(root, ignore_errors=True)
    return Ran(memory, seats, root)
