"""A suite's check of itself, where its setups cannot be opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fairtrial
from fairtrial.records.errors import InputErrors
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
    [
        ("DELETE FROM refunds", "not authorized"),
        ("SELECT cents FORM refunds", "syntax error"),
        ("SELECT cents FROM refund", "no such table: refund"),
        ("SELECT cent FROM refunds", "no such column: cent"),
        ("SELECT cents FROM refunds", None),
        ("SELECT text FROM notes", None),
    ],
)
def test_a_query_that_nothing_could_answer_is_found_before_a_trial_is_spent(sql: str, why: str | None, tmp_path: Path) -> None:
    other = {"answer": {"n": 1}, "state": {"notes": [{"text": "made by the agent"}]}}
    rows = [{**json.loads(CASE), "must": [{"query": sql, "equals": 1}]}, {**json.loads(CASE), "id": "b", "solution": other}]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "seed.sql").write_text("CREATE TABLE refunds (cents INTEGER); INSERT INTO refunds VALUES (1);")
    (tmp_path / "suite.yaml").write_text("name: s\ncases: cases.jsonl\nworld: {kind: sqlite, seed: seed.sql}\n")
    found = [one.message for one in check_suite(str(tmp_path)).findings if one.code == "query_fails"]
    assert [bool(why and why in message) for message in found] == [True] * bool(why)


def test_a_table_that_the_database_does_not_have_is_found_wherever_it_is_named(tmp_path: Path) -> None:
    case = {
        **json.loads(CASE),
        "must": [{"state": "refund[0].cents", "equals": 1}, {"changes": {"allow": ["refunds", "log"]}}],
        "must_not": [{"query": "SELECT * FROM notes", "exists": True}],
        "solution": {"answer": {"n": 1}, "state": {"refunds": [{"cents": 1}], "notes": [], "note": []}},
        "known_bad": [{"answer": {"n": 1}, "state": {"Refunds": []}}],
    }
    (tmp_path / "cases.jsonl").write_text(json.dumps(case))
    (tmp_path / "seed.sql").write_text("CREATE TABLE refunds (cents INTEGER);")
    (tmp_path / "suite.yaml").write_text("name: s\ncases: cases.jsonl\nworld: {kind: sqlite, seed: seed.sql}\n")
    found = {one.message: one.mend for one in check_suite(str(tmp_path)).findings if one.code == "unknown_table"}
    near, far = "did you mean 'refunds'?", "name one that is there ({}), or state its end in a solution"
    unknown = "states a table {!r} that the database does not have"
    assert found == {
        "there is no table 'refund' in the database: state refund[0].cents": near,
        "there is no table 'log' in the database: changes log": far.format("note, notes, refunds"),
        f"the solution {unknown.format('note')}": far.format("refunds"),
        f"known_bad answer 1 {unknown.format('Refunds')}": near,
    }


def test_arguments_that_a_function_cannot_take_are_found_in_every_case_that_gives_them(tmp_path: Path) -> None:
    rows = [
        {"id": name, "task": "t", "tier": "unit", "call": "words:slug", "args": args, "must": [{"output": "$", "equals": "a-b"}]}
        for name, args in (("one", {"txt": "A b"}), ("two", {"text": "A b", "sep": "-"}), ("three", {}), ("four", {"text": "A b"}))
    ]
    rows.append({**rows[0], "id": "five", "call": "word:slug"})
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "words.py").write_text("def slug(text):\n    return text.lower().replace(' ', '-')\n")
    (tmp_path / "suite.yaml").write_text("name: s\ncases: cases.jsonl\n")
    found = {(one.case, one.line): (one.message, one.mend) for one in check_suite(str(tmp_path)).findings if one.code == "cannot_open"}
    wrong, named = "call 'words:slug' cannot take its args:", "give these under args, by name (allowed: text)"
    assert found == {
        ("one", 1): (f"{wrong} missing a required argument: 'text'", "did you mean 'text'?"),
        ("two", 2): (f"{wrong} got an unexpected keyword argument 'sep'", named),
        ("three", 3): (f"{wrong} missing a required argument: 'text'", named),
        ("five", 5): ("call 'word:slug': 'word' is no module of the suite's own", "did you mean words:slug?"),
    }
    with pytest.raises(InputErrors, match=r"cases.jsonl:1: call 'words:slug' cannot take its args"):
        fairtrial.run(str(tmp_path))


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


SAVING = {
    "id": "a",
    "task": "Save it.",
    "state": {"notes": []},
    "faults": [{"tool": "save", "call": 1, "fault": "timeout"}],
    "must": [{"state": "notes", "length": 1}],
    "must_not": [{"tool": "drop", "called": True}],
    "known_bad": [{"answer": "done", "state": {"notes": []}}],
}


@pytest.mark.parametrize("faults", [SAVING["faults"], []])
def test_a_bare_solution_that_meets_no_check_is_told_so(faults: object, tmp_path: Path) -> None:
    (tmp_path / "suite.yaml").write_text("name: s\ncases: cases.jsonl\n")
    (tmp_path / "cases.jsonl").write_text(json.dumps(SAVING | {"faults": faults, "solution": "done"}))
    (found,) = (one for one in check_suite(str(tmp_path)).findings if one.code == "solution_fails")
    assert found.message == "its solution meets no check: they all look at what it leaves out"
    assert found.mend == "write out its trace and its state as well"


def test_a_stated_trace_tells_which_call_failed_and_was_made_again(tmp_path: Path) -> None:
    def call(number: str, outcome: str) -> dict[str, object]:
        return {"kind": "tool", "name": "save", "id": number, "attributes": {"args": {"n": 1}, "outcome": outcome}}

    fault = {"kind": "fault", "name": "save", "parent": "1", "attributes": {"fault": "timeout", "call": 1, "fired": True}}
    solution = {"answer": "done", "state": {"notes": [1]}, "trace": [call("1", "failed"), fault, call("3", "ok")]}
    (tmp_path / "suite.yaml").write_text("name: s\ncases: cases.jsonl\n")
    (tmp_path / "cases.jsonl").write_text(json.dumps(SAVING | {"solution": solution}))
    assert [one.code for one in check_suite(str(tmp_path)).findings] == []
    unchanged = solution | {"state": {"notes": []}}
    case = SAVING | {"must": [{"state": "notes", "length": 0}], "known_bad": [], "solution": unchanged}
    (tmp_path / "cases.jsonl").write_text(json.dumps(case))
    assert "solution_fails" not in [one.code for one in check_suite(str(tmp_path)).findings]
