"""A fresh store for every test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.store.sql import Store


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / ".fairtrial" / "store.db")


@pytest.fixture
def store(path: str) -> Iterator[Store]:
    with Store.open(path) as opened:
        yield opened
