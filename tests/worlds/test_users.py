"""The user's own side: whether its goal is reached is seen in the world as it is, and nothing is changed by looking."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.case import Scene
from fairtrial.records.errors import InputError
from fairtrial.worlds.ends import reached
from fairtrial.worlds.sqlite import SqliteWorld

SEED = "CREATE TABLE orders (id TEXT, status TEXT); INSERT INTO orders VALUES ('A-17', 'open'); CREATE TABLE big (n INTEGER);"


def test_looking_into_a_database_leaves_what_is_not_committed(tmp_path: Path) -> None:
    (tmp_path / "seed.sql").write_text(SEED, encoding="utf-8")
    live: Any = SqliteWorld(tmp_path / "seed.sql").open(Scene())
    live.live.row_factory = sqlite3.Row
    live.live.execute("UPDATE orders SET status = 'returned'")
    assert live.live.in_transaction
    assert reached({"state": "orders[0].status", "equals": "returned"}, live)
    assert not reached({"state": "orders[1].status", "equals": "returned"}, live)
    assert list(live.peek("orders")) == ["orders"] and set(live.peek()) == {"orders", "big"}
    assert live.live.in_transaction and live.live.row_factory is sqlite3.Row
    live.live.close()
    with pytest.raises(InputError, match="cannot be read"):
        live.peek()
