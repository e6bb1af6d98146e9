"""How a team is changed is never read from a suite; how it can be changed is."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import FairtrialError
from fairtrial.records.setup import Setup


def _suite(folder: Path, setup: dict[str, Any]) -> Path:
    (folder / "cases.jsonl").write_text('{"id": "a", "task": "t", "must_not": [{"output": "x", "equals": 1}]}\n', encoding="utf-8")
    (folder / "suite.json").write_text(json.dumps({"cases": "cases.jsonl", "setups": {"team": setup}}), encoding="utf-8")
    return folder


def test_a_suite_names_a_graph_or_a_function_that_changes_the_team(tmp_path: Path) -> None:
    suite = load_suite(_suite(tmp_path, {"agent": "agents:team", "graph": "graph:SHOP", "changed": "agents:changed"}))
    assert suite.setups["team"] == Setup(agent="agents:team", graph="graph:SHOP", changed="agents:changed")
    assert suite.setups["team"].change is None


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"change": {"of": "team", "changes": []}}, "change"),
        ({"graph": "SHOP"}, "'graph' names no function"),
        ({"changed": "agents"}, "'changed' names no function"),
    ],
)
def test_a_change_itself_and_a_name_that_is_none_are_errors(tmp_path: Path, more: dict[str, Any], told: str) -> None:
    with pytest.raises(FairtrialError, match=told):
        load_suite(_suite(tmp_path, {"agent": "agents:team", **more}))
