"""What was said against what was done (known input G25), played on each kind of world and graded as it is stored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.steps.options import RunOptions
from fairtrial.workflow import run, show_trial

AGENTS = """
def importer(brief, desk):
    for row in brief.facts["rows"]:
        desk.call("save", user=row["user"], amount_minor=row["amount_minor"], currency=row["currency"])
    if not brief.facts["rows"]:
        try:
            desk.call("save", user="u1", amount_minor="much", currency="CNY")
        except Exception:
            pass
    return brief.facts["say"]
"""
SAVE = '''
import json, sqlite3
from pathlib import Path
from fairtrial import tool

@tool
def save(user: str, amount_minor: int, currency: str, world: {hint}) -> None:
    """Save a bill."""
    {act}
'''
FILE_ACT = (
    'file = world / "bills.json"; '
    'file.write_text(json.dumps([*json.loads(file.read_text()), {"user": user, "amount_minor": amount_minor, "currency": currency}]))'
)
WORLDS: dict[str, dict[str, Any]] = {
    "json": {
        "hint": "dict",
        "act": 'world["bills"].append({"user": user, "amount_minor": amount_minor, "currency": currency})',
        "world": {"kind": "json"},
        "state": {"bills": []},
    },
    "sqlite": {
        "hint": "sqlite3.Connection",
        "act": 'world.execute("INSERT INTO bills VALUES (?, ?, ?)", (user, amount_minor, currency)); world.commit()',
        "world": {"kind": "sqlite", "seed": "seed.sql"},
        "state": None,
    },
    "files": {"hint": "Path", "act": FILE_ACT, "world": {"kind": "files"}, "state": {"bills.json": "[]"}},
}
SAYS = {
    "said-not-done": ("said done, not done", "false_success"),
    "wrong-user": ("", "wrong_state"),
    "twice": ("", "wrong_state"),
    "done-not-said": ("done, not said", "format_error"),
}


def make_suite(folder: Path, kind: str, known: dict[str, Any]) -> None:
    world = WORLDS[kind]
    expected = known["case"]["expect_state"]
    if kind == "files":
        expected = {"bills.json": json.dumps(expected["bills"])}
    must = [{"output": "$", "as": "number", "equals": int(word)} for word in known["case"]["expect_say"]]
    cases = [
        {
            "id": row["name"],
            "task": f"import the bill ({row['name']})",
            "facts": {"rows": row["state"]["bills"], "say": row["say"]},
            "must": must,
            "expect_state": expected,
        }
        | ({} if world["state"] is None else {"state": world["state"]})
        for row in known["runs"]
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (folder / "seed.sql").write_text("CREATE TABLE bills (user TEXT, amount_minor INTEGER, currency TEXT);")
    (folder / "agents.py").write_text(AGENTS)
    (folder / "tools.py").write_text(SAVE.format(hint=world["hint"], act=world["act"]))
    suite = {"name": "said", "cases": "cases.jsonl", "tools": "tools.py", "setups": {"one": {"agent": "agents:importer"}}}
    (folder / "suite.json").write_text(json.dumps(suite | {"world": world["world"]}))


@pytest.mark.parametrize("kind", WORLDS)
def test_only_what_was_done_and_said_passes_and_each_other_run_names_its_fault(kind: str, tmp_path: Path, shared: Path) -> None:
    known = json.loads((shared / "known-faults/inputs/G25_state_vs_words.json").read_text(encoding="utf-8"))
    make_suite(tmp_path, kind, known)
    outcome = run(str(tmp_path), RunOptions())
    store = f"sqlite:///{tmp_path / '.fairtrial' / 'store.db'}"
    for row in known["runs"]:
        trial = show_trial(store, outcome.report.run, row["name"], 1)
        assert trial["verdict"] == ("PASS" if row["want"] == "pass" else "FAIL"), (row["name"], trial["grades"])
        failed = [grade for grade in trial["grades"] if grade["verdict"] == "FAIL"]
        if row["want"] == "pass":
            continue
        (grade,) = failed
        said, fault = SAYS[row["name"]]
        assert grade["why"].startswith(said) and grade["kind"] == fault
        assert grade["evidence"]["path"]
        if row["name"] == "said-not-done":
            assert trial["changes"] == []
            span = next(span for span in trial["spans"] if span["id"] == grade["evidence"]["span"])
            assert (span["kind"], span["name"], span["attributes"]["outcome"]) == ("tool", "save", "refused")
        if row["name"] == "done-not-said" and kind != "files":
            span = next(span for span in trial["spans"] if span["id"] == grade["evidence"]["span"])
            assert span["attributes"]["wrote"] is True
