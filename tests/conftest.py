"""What every test may ask for. It keeps out anything that belongs to one room: such fixtures stand beside their tests."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.modelserver import ModelServer

# Cores are shared with other work, so a deadline on one example would fail at random; the time limit of the test holds instead.
# Under CI the examples are the same each time: a red run means the change, not the draw.
settings.register_profile("house", deadline=None, derandomize=os.environ.get("CI", "") not in {"", "0", "false"})
settings.load_profile("house")

PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data and known-fault inputs, read in place and never written; tests without it are skipped.

    It is FAIRTRIAL_SHARED where that is set, else the folder `shared` beside the project.
    """
    named = os.environ.get("FAIRTRIAL_SHARED")
    place = Path(named) if named else PROJECT.parent / "shared"
    if not place.is_dir():
        pytest.skip(f"needs the shared data: {place} is not there (set FAIRTRIAL_SHARED to its path)")
    return place


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A language model's service on loopback that says whatever its `script` says (tests/modelserver.py)."""
    with ModelServer() as server:
        yield server
