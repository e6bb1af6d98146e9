"""Worlds with a large start, through the command line: the start is stored once, and every reading comes to the same."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.start import INLINE
from fairtrial.steps.reading import open_store
from tests.steps.project import fairtrial, verdicts
from tests.walls import needs_sandbox

LEVELS = ("fork", "shared", "process")
SEED = """
CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, mail TEXT, password TEXT);
CREATE TABLE bills (id INTEGER PRIMARY KEY, user INTEGER, minor INTEGER);
WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2000)
    INSERT INTO users SELECT n, 'user ' || n, 'u' || n || '@shop.example', 'geheim' || (n * 7919) FROM n;
INSERT INTO bills VALUES (1, 1, 500), (2, 2, 700), (3, 3, 900);
"""
TOOLS = '''
import sqlite3
from fairtrial import tool

@tool
def pay(user: int, minor: int, world: sqlite3.Connection) -> str:
    """Write a bill."""
    world.execute("INSERT INTO bills (user, minor) VALUES (?, ?)", (user, minor))
    world.execute("UPDATE users SET name = upper(name), password = 'geheim-neu-123' WHERE id = ?", (user,))
    world.commit()
    return "paid"

@tool
def drop(world: sqlite3.Connection) -> None:
    """Take the second bill away, and a table."""
    world.execute("DELETE FROM bills WHERE id = 2")
    world.execute("CREATE TABLE odd (x)")
    world.commit()
'''
AGENTS = """
def payer(brief, desk):
    if brief.facts.get("drop"):
        desk.call("drop")
    if brief.facts.get("pay"):
        desk.call("pay", user=brief.facts["user"], minor=brief.facts["pay"])
    return {"paid": True}
"""
CHECKS = """
def grown(trial):
    before = trial.trial.body.before
    return len(trial.state["bills"]) > len(trial.before["bills"]) and len(before["users"]) == 2000
"""
MARK = """
from fairtrial import tool

@tool
def mark(n: int, world: dict) -> None:
    "Mark an order as done."
    world["orders"][n]["done"] = True
"""


def case(name: str, facts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": name, "task": f"pay {name}", "facts": facts, **more}


def make_suite(folder: Path) -> Path:
    paid = [
        {"query": "SELECT minor FROM bills WHERE user = 7", "equals": 320000},
        {"query": "SELECT count(*) FROM users", "equals": 2000},
        {"query": "SELECT name FROM users WHERE id = 7", "equals": "USER 7"},
        {"state": "users[6].name", "equals": "USER 7"},
        {"state": "bills[*].minor", "contains": 320000},
        {"changes": {"allow": ["bills", "users[6]"]}},
        {"rule": "len(state.bills) == len(before.bills) + 1"},
        {"grader": "grown"},
    ]
    cases = [
        case("paid", {"user": 7, "pay": 320000}, must=paid),
        case(
            "own",
            {"user": 7, "pay": 320000},
            must=paid,
            state={"bills": [{"id": 0, "user": 9, "minor": 1}, {"id": 9, "user": 9, "minor": 2}]},
        ),
        case("idle", {"user": 7}, must=[{"state": "bills[0].minor", "equals": 500}, {"changes": {"none": True}}]),
        case("said", {"user": 7}, must=[{"query": "SELECT minor FROM bills WHERE user = 7", "equals": 320000}]),
        case(
            "dropped",
            {"drop": True, "user": 3},
            must=[{"query": "SELECT count(*) FROM bills", "equals": 2}, {"state": "odd", "equals": []}],
        ),
        case("asked", {"user": 7}, must=[{"query": "SELECT * FROM users WHERE id = 7", "exists": True}]),
        case("secret", {"user": 7, "pay": 1}, must=[{"state": "users[6].password", "equals": "geheim-neu-123"}]),
        case("other", {"user": 7, "pay": 1}, must=[{"state": "users[5].password", "exists": True}]),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "seed.sql").write_text(SEED)
    (folder / "tools.py").write_text(TOOLS)
    (folder / "agents.py").write_text(AGENTS)
    (folder / "checks.py").write_text(CHECKS)
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in cases))
    suite = {
        "name": "bank",
        "cases": "cases.jsonl",
        "tools": "tools.py",
        "trials": 2,
        "world": {"kind": "sqlite", "seed": "seed.sql"},
        "setups": {"payer": {"agent": "agents:payer"}},
        "graders": {"grown": "checks:grown"},
    }
    (folder / "suite.json").write_text(json.dumps(suite))
    return folder


WANTED = {
    "paid": "PASS",
    "own": "PASS",
    "idle": "PASS",
    "said": "FAIL",
    "dropped": "PASS",
    "secret": "UNKNOWN",
    "other": "UNKNOWN",
    "asked": "UNKNOWN",
}


@pytest.mark.parametrize("level", [*LEVELS, pytest.param("sandbox", marks=needs_sandbox)])
def test_a_large_database_is_stored_once_and_graded_alike(tmp_path: Path, level: str) -> None:
    folder = make_suite(tmp_path / "bank")
    done = fairtrial("run", "suite.json", "--isolate", level, "--trials", "2" if level in ("fork", "shared") else "1", folder=folder)
    assert done.returncode in (0, 3), done.stderr
    seen = {name: found for (name, _), found in verdicts(folder).items()}
    assert {name: set(found) for name, found in seen.items()} == {name: {verdict} for name, verdict in WANTED.items()}
    database = sqlite3.connect(folder / ".fairtrial" / "store.db")
    # Behind a wall there is no place to lay a start that all share: each case has one of its own.
    assert database.execute("SELECT count(*) FROM starts").fetchone() == (2 if level == "sandbox" else 1,)
    assert max(size for (size,) in database.execute("SELECT length(body) FROM trials")) < INLINE
    database.close()
    raw = b"".join(file.read_bytes() for file in (folder / ".fairtrial").iterdir())
    assert b"geheim79190" not in raw
    regraded = fairtrial("grade", "last", "--json", folder=folder)
    assert regraded.returncode in (0, 3), regraded.stderr
    assert {name: found for (name, _), found in verdicts(folder).items()} == seen
    shown = json.loads(fairtrial("show", "last", "paid", "1", "--json", folder=folder).stdout)
    assert [change["path"] for change in shown["changes"]] == ["bills[3]", "users[6].name", "users[6].password"]
    said = json.loads(fairtrial("show", "last", "said", "1", "--json", folder=folder).stdout)
    assert said["failure_reason"].startswith("said done, not done")
    dropped = json.loads(fairtrial("show", "last", "dropped", "1", "--json", folder=folder).stdout)
    assert level == "sandbox" or "its schema was changed" in dropped["world_note"]


def test_a_stored_end_is_rebuilt_from_the_start_and_what_differs(tmp_path: Path) -> None:
    folder = make_suite(tmp_path / "bank")
    fairtrial("run", "suite.json", "--case", "own", folder=folder)
    with open_store(str(folder), None) as store:
        run = store.run("last")
        for head, body in store.bodies(run.id):
            base = store.starts.base(run.id, body)
            assert base is not None and body.start is not None and body.before is None and body.after is None
            assert len(base.kept.state["users"]) == 2000 and head.start_state
            assert base.kept.state["users"][0]["password"] == "[redacted:key]"
            assert [edit.steps for edit in body.start.edits] == [["bills"], ["bills"]]


def test_a_large_json_state_is_stored_once_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "json"
    folder.mkdir()
    (folder / "tools.py").write_text(MARK)
    (folder / "agents.py").write_text("def one(brief, desk):\n    desk.call('mark', n=3)\n    return {'done': True}\n")
    state = {"orders": [{"id": n, "note": "x" * 500} for n in range(300)], "other": {"kept": 1}}
    must = [
        {"state": "orders[3].done", "equals": True},
        {"changes": {"allow": ["orders[3]"]}},
        {"query": "SELECT count(*) FROM orders WHERE done", "equals": 1},
    ]
    (folder / "cases.jsonl").write_text(json.dumps({"id": "a", "task": "t", "state": state, "must": must}))
    suite = {"name": "j", "cases": "cases.jsonl", "tools": "tools.py", "trials": 3, "setups": {"one": {"agent": "agents:one"}}}
    (folder / "suite.json").write_text(json.dumps(suite))
    for level in LEVELS:
        done = fairtrial("run", "suite.json", "--isolate", level, folder=folder)
        assert done.returncode == 0, done.stderr
        assert verdicts(folder) == {("a", "one"): ["PASS"] * 3}
        assert fairtrial("grade", "last", folder=folder).returncode == 0
    database = sqlite3.connect(folder / ".fairtrial" / "store.db")
    assert database.execute("SELECT count(*) FROM starts").fetchone() == (3,)
    assert max(size for (size,) in database.execute("SELECT length(body) FROM trials")) < 4000
    database.close()
