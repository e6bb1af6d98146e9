"""A suite's check of itself, where its setups cannot be opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.steps.checking import check_suite

CASE = '{"id": "a", "task": "Say 1.", "must": [{"output": "n", "equals": 1}], "must_not": [{"output": "n", "equals": 2}]}'


def test_a_function_that_is_not_there_is_one_line_with_its_own_mend(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(CASE)
    (tmp_path / "agents_here.py").write_text("def clerk(brief, desk):\n    return {'n': 1}\n")
    (tmp_path / "suite.yaml").write_text('name: s\ncases: cases.jsonl\nsetups: {one: {agent: "agents_here:clark"}}\n')
    found = next(one for one in check_suite(str(tmp_path)).findings if one.code == "cannot_open")
    assert found.message == "setup 'one': module 'agents_here' has no 'clark'"
    assert found.mend == "did you mean agents_here:clerk?"


@pytest.mark.parametrize(
    ("sql", "why"),
    [("DELETE FROM refunds", "not authorized"), ("SELECT cents FORM refunds", "syntax error"), ("SELECT cents FROM refunds", None)],
)
def test_a_query_that_nothing_could_answer_is_found_before_a_trial_is_spent(sql: str, why: str | None, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(json.dumps({**json.loads(CASE), "must": [{"query": sql, "equals": 1}]}))
    (tmp_path / "seed.sql").write_text("CREATE TABLE refunds (cents INTEGER); INSERT INTO refunds VALUES (1);")
    (tmp_path / "suite.yaml").write_text("name: s\ncases: cases.jsonl\nworld: {kind: sqlite, seed: seed.sql}\n")
    found = [one.message for one in check_suite(str(tmp_path)).findings if one.code == "query_fails"]
    assert [bool(why and why in message) for message in found] == [True] * bool(why)


def test_a_module_that_breaks_while_it_is_imported_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(CASE)
    (tmp_path / "agents_broken.py").write_text("import os\n\nraise RuntimeError('no key')\n")
    (tmp_path / "suite.yaml").write_text('name: s\ncases: cases.jsonl\nsetups: {one: {agent: "agents_broken:clerk"}}\n')
    found = next(one for one in check_suite(str(tmp_path)).findings if one.code == "cannot_open")
    assert "agents_broken.py:3: setup 'one': importing 'agents_broken' failed: RuntimeError: no key" in found.message


def test_a_role_that_is_tried_alone_answers_for_itself(tmp_path: Path) -> None:
    case = {
        "id": "a",
        "task": "I want to send it back.",
        "tier": "agent",
        "role": "router",
        "must": [{"role": "router", "intent": "return"}],
        "must_not": [{"role": "router", "intent": "buy"}],
        "solution": {"intent": "return"},
        "known_bad": [{"intent": "buy"}],
    }
    (tmp_path / "suite.yaml").write_text("name: s\ncases: cases.jsonl\n")
    (tmp_path / "cases.jsonl").write_text(json.dumps(case))
    assert [one.code for one in check_suite(str(tmp_path)).findings] == []
    (tmp_path / "cases.jsonl").write_text(json.dumps(case | {"solution": {"intent": "buy"}, "known_bad": [{"intent": "return"}]}))
    assert [one.code for one in check_suite(str(tmp_path)).findings] == ["solution_fails", "known_bad_passes"]
