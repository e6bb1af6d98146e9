"""A suite's check of itself, where its setups cannot be opened."""

from __future__ import annotations

from pathlib import Path

from fairtrial.steps.checking import check_suite

CASE = '{"id": "a", "task": "Say 1.", "must": [{"output": "n", "equals": 1}], "must_not": [{"output": "n", "equals": 2}]}'


def test_a_function_that_is_not_there_is_one_line_with_its_own_mend(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(CASE)
    (tmp_path / "agents_here.py").write_text("def clerk(brief, desk):\n    return {'n': 1}\n")
    (tmp_path / "suite.yaml").write_text('name: s\ncases: cases.jsonl\nsetups: {one: {agent: "agents_here:clark"}}\n')
    found = next(one for one in check_suite(str(tmp_path)).findings if one.code == "cannot_open")
    assert found.message == "setup 'one': module 'agents_here' has no 'clark'"
    assert found.mend == "did you mean agents_here:clerk?"
