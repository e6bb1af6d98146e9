"""The retail domain as the shared data has it: its tables, its tasks, and the runs recorded on it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairtrial.worlds.tools import Tool
from tests.real import retail_tools
from tests.real.retail_world import Tables
from tests.real.tau2_cases import case_of, tools_in
from tests.real.tau2_replay import Recording, recordings, write_suite

RETAIL = "retail"
STAGE = """
from pathlib import Path
from tests.real.retail_tools import *
from tests.real.retail_world import Tables
from tests.real.tau2_replay import doing, idle, replaying, talking

world = Tables(Path({!r}))
"""

Case = dict[str, Any]
MakeSuite = Callable[..., Path]


@pytest.fixture(scope="session")
def tau2(shared: Path) -> Path:
    folder = shared / "data" / "tau2_versions"
    if not folder.is_dir():
        pytest.skip(f"needs the data of tau2: {folder} is not there")
    return folder


@pytest.fixture(scope="session")
def retail(tau2: Path) -> Tables:
    """The tables; read once, and held to be as they were by a test."""
    return Tables(tau2 / "domains" / RETAIL / "db.json")


@pytest.fixture(scope="session")
def shop() -> dict[str, Tool]:
    return tools_in(retail_tools)


@pytest.fixture(scope="session")
def recorded(tau2: Path) -> list[Recording]:
    return recordings(tau2 / "runs", RETAIL)


@pytest.fixture(scope="session")
def retail_suite(tau2: Path, retail: Tables, shop: dict[str, Tool]) -> MakeSuite:
    """Writes a suite of tasks into a folder; each setup is a name and the expression that makes its agent. `alter` has the last
    word on each case."""

    def write(folder: Path, tasks: list[Case], setups: dict[str, str], alter: Callable[[Case], Case] = dict) -> Path:
        stage = STAGE.format(str(tau2 / "domains" / RETAIL / "db.json"))
        stage += "".join(f"{name} = {agent}\n" for name, agent in setups.items())
        cases = [alter(case_of(task, shop, retail.open())) for task in tasks]
        suite = {"world": "stage:world", "setups": {name: {"agent": f"stage:{name}"} for name in setups}}
        return write_suite(folder, RETAIL, stage, cases, suite)

    return write
