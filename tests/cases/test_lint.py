"""A suite's static findings: each fault is found once, with file, line and mend, and clean suites stay clean."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.lint import lint
from fairtrial.cases.lint_twins import near_duplicates
from fairtrial.cases.load import build_case
from fairtrial.cases.rows import Row
from fairtrial.cases.suite import load_suite
from fairtrial.records.finding import Finding

CLEAN: dict[str, Any] = {
    "id": "demand",
    "task": "Last week this lamp sold 20 times. Judge next week's demand and advise on ordering.",
    "facts": {"sales": 20, "days": 4, "cash": 100},
    "fact_notes": {"days": {"found_as": ["empty shelf"], "visible_to": ["coo"], "critical": True}},
    "unknown_ok": True,
    "must": [
        {"fact": "days", "used": True},
        {"fact": "days", "received_by": "lead"},
        {"output": "spend", "max": 100},
        {"tool": "read_sales", "called": True},
    ],
    "must_not": [{"output": "demand", "equals": 20}, {"tool": "order", "called": True}],
    "limits": [{"rule": "output.spend <= facts.cash"}],
    "reference": "Nobody can know demand while the shelf stands empty.",
    "solution": {"demand": "unknown", "spend": 0},
    "known_bad": [{"demand": 20, "spend": 40}],
    "required_tools": ["read_sales"],
}
SUITE: dict[str, Any] = {
    "cases": "cases.jsonl",
    "setups": {"single": {"agent": "a:one"}, "team": {"agent": "a:team", "roles": ["coo", "ceo"], "lead": "ceo"}},
    "handoffs": [{"from": "coo", "to": "ceo", "requires": ["days"]}],
}
TOOLS = ("read_sales", "order")


def findings(folder: Path, *cases: dict[str, Any], suite: dict[str, Any] | None = None, tools: Any = TOOLS) -> list[Finding]:
    (folder / "cases.jsonl").write_text("\n".join(json.dumps(case, ensure_ascii=False) for case in cases), "utf-8")
    (folder / "suite.yaml").write_text(json.dumps(SUITE | (suite or {}), indent=1), "utf-8")
    found = lint(load_suite(folder), tools=tools)
    assert all(finding.mend and finding.message and finding.file for finding in found)
    return found


def codes(found: list[Finding]) -> list[str]:
    return [finding.code for finding in found]


def without(*keys: str) -> dict[str, Any]:
    return {key: value for key, value in CLEAN.items() if key not in keys}


def test_a_clean_suite_has_no_finding(tmp_path: Path) -> None:
    assert findings(tmp_path, CLEAN) == []


@pytest.mark.parametrize(
    "name", ["stockout/suite.yaml", "stockout/teams.yaml", "card-bill/suite.yaml", "card-bill/truth.yaml", "outside-agent/suite.yaml"]
)
def test_the_shipped_examples_are_clean(name: str) -> None:
    assert lint(load_suite(Path(__file__).parents[2] / "examples" / name)) == []


@pytest.mark.parametrize(
    ("case", "code"),
    [
        (without("must_not"), "no_must_not"),
        (without("solution"), "no_solution"),
        (without("known_bad"), "no_known_bad"),
        ({"id": "x", "task": "t", "facts": {"days": 4}, "must_not": CLEAN["must_not"], "solution": 1, "known_bad": [2]}, "no_must"),
    ],
)
def test_a_missing_part_is_found(tmp_path: Path, case: dict[str, Any], code: str) -> None:
    (finding,) = findings(tmp_path, case)
    assert finding.code == code
    assert finding.file.endswith("cases.jsonl")
    assert finding.line == 1
    assert finding.case == case["id"]


def test_a_case_that_checks_nothing_is_found(tmp_path: Path) -> None:
    assert "nothing_checked" in codes(findings(tmp_path, {"task": "t"}))
    assert "nothing_checked" not in codes(findings(tmp_path, {"task": "t"}, suite={"checks": [{"output": "a", "equals": 1}]}))


@pytest.mark.parametrize(
    ("task", "found"),
    [
        ("Last week this lamp sold 20 times. Judge next week's demand and advise on ordering!", True),
        ("last week this  lamp sold 20 times - judge next week's demand and advise on ordering", True),
        ("Last week the lamp sold 20 times. Judge next week's demand and advise on ordering.", True),
        ("Last week this lamp sold 30 times. Judge next week's demand and advise on ordering.", False),
        ("Tell the customer why the lamp, sold 20 times last week, cannot be ordered today.", False),
    ],
)
def test_tasks_in_nearly_the_same_words_are_found(tmp_path: Path, task: str, found: bool) -> None:
    second = CLEAN | {"id": "second", "task": task}
    seen = findings(tmp_path, CLEAN, second)
    assert codes(seen) == (["near_duplicate"] if found else [])
    if found:
        assert seen[0].case == "second"
        assert seen[0].line == 2
        assert "'demand'" in seen[0].message


@pytest.mark.parametrize(
    "change", [{"facts": CLEAN["facts"] | {"days": 0}}, {"state": {"a": 1}}, {"faults": [{"tool": "order", "call": 1, "fault": "timeout"}]}]
)
def test_the_same_words_in_another_situation_are_another_case(tmp_path: Path, change: dict[str, Any]) -> None:
    assert findings(tmp_path, CLEAN, CLEAN | {"id": "second"} | change) == []


def test_chinese_tasks_are_compared_as_well(tmp_path: Path) -> None:
    one = CLEAN | {"task": "上周这款台灯卖出20件，缺货四天，请判断下周需求并给出订货建议。"}
    two = one | {"id": "second", "task": "上周这款台灯卖出20件，缺货四天，请判断下周需求并给出订货意见。"}
    assert codes(findings(tmp_path, one, two)) == ["near_duplicate"]


def test_among_very_many_cases_a_twin_is_still_found() -> None:
    words = [
        f"{a}{b}" for a in ("am", "bi", "ce", "de", "em", "fli", "gro", "hea") for b in ("ber", "rch", "dar", "lta", "int", "ve", "th")
    ]

    def row(n: int) -> Row:
        task = " ".join(words[(n * (k + 3) + n // 7 + k * k) % len(words)] for k in range(12))
        return Row({"id": f"c{n}", "task": task}, "f", n)

    cases = [build_case(row(n)) for n in range(1500)]
    seen: dict[frozenset[str], str] = {}
    repeated = [case.id for case in cases if seen.setdefault(frozenset(case.brief.task.split()), case.id) != case.id]
    twin = build_case(Row({"id": "twin", "task": cases[77].brief.task.upper() + "!"}, "f", 1))
    found = [finding.case for finding in near_duplicates([*cases, twin])]
    assert found[-1] == "twin"
    assert set(repeated) <= set(found)


WORDS = st.sampled_from(["amber", "birch", "cedar", "delta", "ember"])


@given(st.lists(st.lists(WORDS, min_size=4, max_size=9).map(" ".join), min_size=2, max_size=12))
def test_the_quick_search_finds_what_comparing_all_pairs_finds(tasks: list[str]) -> None:
    cases = [build_case(Row({"id": f"c{place}", "task": task}, "f", place)) for place, task in enumerate(tasks)]
    groups = [{task[start : start + 4] for start in range(len(task) - 3)} for task in tasks]
    expected = [
        f"c{later}"
        for later in range(len(tasks))
        if any(len(groups[later] & groups[earlier]) / len(groups[later] | groups[earlier]) >= 0.75 for earlier in range(later))
    ]
    assert [finding.case for finding in near_duplicates(cases)] == expected


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"task": CLEAN["task"] + " Nobody can know demand while the shelf  stands empty."}, "task"),
        ({"facts": CLEAN["facts"] | {"note": "nobody can know demand while the shelf stands empty."}}, "facts.note"),
        ({"history": [{"from": "user", "text": "Nobody can know demand while the shelf stands empty."}]}, "history[0]"),
        ({"facts": CLEAN["facts"] | {"hint": [{"demand": "unknown", "spend": 0, "x": 1}]}}, "facts.hint"),
        ({"task": "Which code opens it? The right answer is 7431.", "must": [{"output": "code", "equals": 7431}]}, "task"),
        ({"task": "钥匙在哪里？正确答案：蓝色抽屉", "must": [{"output": "place", "equals": "蓝色抽屉"}]}, "task"),
        ({"facts": CLEAN["facts"] | {"expected_city": "Lyon"}, "must": [{"output": "city", "equals": "Lyon"}]}, "facts.expected_city"),
        ({"task": "Say the word. It is xyzzy-42.", "solution": "xyzzy-42", "known_bad": ["plugh-17"]}, "task"),
    ],
)
def test_an_answer_that_the_agent_is_shown_is_found(tmp_path: Path, change: dict[str, Any], place: str) -> None:
    found = [finding for finding in findings(tmp_path, CLEAN | change) if finding.code == "visible_answer"]
    assert len(found) == 1
    assert found[0].message.startswith(f"{place} tells the agent the answer")


@pytest.mark.parametrize(
    "change",
    [
        {"must": [{"output": "demand", "equals": 20}, *CLEAN["must"]], "must_not": CLEAN["must_not"][1:]},
        {"task": "Answer with refund, exchange or review.", "solution": "refund", "known_bad": ["exchange"]},
        {"task": "Give the correct answer.", "solution": {"ok": True, "n": 3, "why": None}},
        {"task": "Is it allowed? The answer is yes or no.", "must": [{"output": "n", "equals": 1}], "solution": {"n": 1}},
        {"solution": {"demand": "unknown", "spend": 0, "note": ""}},
    ],
)
def test_what_an_answer_shares_with_the_facts_is_no_leak(tmp_path: Path, change: dict[str, Any]) -> None:
    assert "visible_answer" not in codes(findings(tmp_path, CLEAN | change))


def test_a_text_check_is_named_as_form_only(tmp_path: Path) -> None:
    case = CLEAN | {"must": [*CLEAN["must"], {"text": "$", "contains": "sorry"}]}
    (finding,) = findings(tmp_path, case)
    assert finding.code == "surface_only"


@pytest.mark.parametrize("expect", [{"contains": "unknown"}, {"matches": "unk.*"}, {"length": {"max": 9}}, {"exists": True}])
def test_a_case_that_looks_at_form_only_is_found(tmp_path: Path, expect: dict[str, Any]) -> None:
    case = without("must", "limits", "required_tools", "fact_notes") | {"must": [{"output": "demand", **expect}]}
    found = findings(tmp_path, case, suite={"handoffs": []})
    assert codes(found) == ["surface_only"]
    deeper = case | {"must": [*case["must"], {"state": "orders", "equals": []}]}
    assert findings(tmp_path, deeper, suite={"handoffs": []}) == []


def test_forbidding_a_text_is_no_fault(tmp_path: Path) -> None:
    assert findings(tmp_path, CLEAN | {"must_not": [{"output": "$", "contains": "password"}]}) == []


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"role": "coo"}, "role 'coo' is read only where tier is agent"),
        ({"args": {"n": 1}}, "args {'n': 1} is read only where tier is unit"),
        ({"fact_notes": CLEAN["fact_notes"] | {"cash": {"critical": True}}}, "the fact 'cash' is critical"),
    ],
)
def test_an_expectation_that_no_check_reads_is_found(tmp_path: Path, change: dict[str, Any], part: str) -> None:
    (finding,) = findings(tmp_path, CLEAN | change)
    assert finding.code == "unread_expectation"
    assert part in finding.message


def test_required_tools_and_secrets_need_no_check_of_their_own(tmp_path: Path) -> None:
    change = {"required_tools": ["read_sales", "order"], "must_not": CLEAN["must_not"][:1], "secrets": ["sk-test-1"]}
    assert findings(tmp_path, CLEAN | change) == []


@pytest.mark.parametrize(
    ("change", "code", "part"),
    [
        ({"must": [*CLEAN["must"], {"fact": "sale", "used": True}]}, "unknown_fact", "did you mean 'sales'?"),
        ({"limits": [{"rule": "output.spend <= facts.csh and facts['days'] > 0"}]}, "unknown_fact", "did you mean 'cash'?"),
        ({"must": [*CLEAN["must"], {"conflict": "q", "ends": ["resolved"], "cites": ["nope"]}]}, "unknown_fact", "fact_notes"),
        ({"must": [*CLEAN["must"], {"fact": "days", "used_by": "cfo"}]}, "unknown_role", "did you mean"),
        ({"must": [*CLEAN["must"], {"any_of": [{"fact": "days", "received_by": "boss"}]}]}, "unknown_role", "name a role"),
        ({"fact_notes": {"days": {"visible_to": ["cmo"], "critical": True}}}, "unknown_role", "did you mean"),
        ({"must": [*CLEAN["must"], {"tool": "read_sale", "called": True}]}, "unknown_tool", "did you mean 'read_sales'?"),
        ({"must": [*CLEAN["must"], {"tool": "order", "before": "check_stock", "called": False}]}, "unknown_tool", "name a tool"),
        ({"faults": [{"tool": "reed_sales", "call": 1, "fault": "timeout"}]}, "unknown_tool", "did you mean 'read_sales'?"),
        ({"approvals": {"orders": "deny"}}, "unknown_tool", "did you mean 'order'?"),
        ({"must": [*CLEAN["must"], {"grader": "late_fee"}]}, "unknown_grader", "suite.yaml under graders"),
        ({"tier": "agent", "role": "cto"}, "unknown_role", "did you mean"),
    ],
)  # fmt: skip
def test_a_name_that_leads_nowhere_is_found(tmp_path: Path, change: dict[str, Any], code: str, part: str) -> None:
    (finding,) = findings(tmp_path, CLEAN | change)
    assert finding.code == code
    assert part in finding.mend


def test_names_that_were_not_opened_are_not_judged(tmp_path: Path) -> None:
    case = CLEAN | {"must": [*CLEAN["must"], {"tool": "whatever", "called": True}, {"fact": "days", "used_by": "anyone"}]}
    suite = {"setups": {"single": {"agent": "a:one"}}, "handoffs": []}
    assert findings(tmp_path, case, suite=suite, tools=None) == []


def test_names_of_the_suite_itself_are_looked_at(tmp_path: Path) -> None:
    change = {"handoffs": [{"from": "coo", "to": "cfo", "requires": ["dayz"]}], "checks": [{"tool": "oder", "called": False}]}
    found = findings(tmp_path, CLEAN, suite=change)
    assert sorted(codes(found)) == ["unknown_fact", "unknown_role", "unknown_tool"]
    assert all(finding.file.endswith("suite.yaml") and not finding.case for finding in found)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"must": [*CLEAN["must"], {"output": "n", "min": 5, "max": "4.5"}]}, "min 5 is above max 4.5"),
        ({"must": [*CLEAN["must"], {"tool": "order", "min_times": 2, "max_times": 1}], "must_not": CLEAN["must_not"][:1]}, "min_times 2"),
        ({"must_not": [*CLEAN["must_not"], {"output": "n", "min": 5, "max": 4}]}, "so nothing can fail"),
        (
            {"must_not": [*CLEAN["must_not"], {"tool": "order", "called": True, "times": 0}]},
            "to be called, and not at all, so nothing can fail",
        ),
        ({"must": [*CLEAN["must"], {"tool": "order", "called": False, "min_times": 2}]}, "not at all and 2 times, so nothing can pass"),
        ({"must": [*CLEAN["must"], {"output": "demand", "equals": 20}]}, "demanded under must and forbidden under must_not"),
        ({"must": [*CLEAN["must"], {"tool": "order", "times": 3}], "max_steps": 3}, "4 tool calls are demanded, and max_steps allows 3"),
        ({"budget": {"tool_calls": 0}}, "budget.tool_calls allows 0"),
    ],
)
def test_a_bar_that_nothing_can_reach_is_found(tmp_path: Path, change: dict[str, Any], part: str) -> None:
    (finding,) = findings(tmp_path, CLEAN | change)
    assert finding.code == "unreachable_bar"
    assert part in finding.message


@pytest.mark.parametrize("bad", [{}, [], None, " "])
def test_an_empty_answer_is_no_known_bad_one(tmp_path: Path, bad: Any) -> None:
    (finding,) = findings(tmp_path, CLEAN | {"known_bad": [*CLEAN["known_bad"], bad]})
    assert (finding.code, f"answer {len(CLEAN['known_bad']) + 1} is empty" in finding.message) == ("no_known_bad", True)


@pytest.mark.parametrize(
    ("gate", "part"),
    [
        ({"severe": 0, "upper_bound": "0.03"}, "needs 99 cases"),
        ({"pass_hat": {"k": 3, "min": "0.5"}}, "needs as many trials of each case, and there are 1"),
        ({"tool_call_accuracy": {"tier": "e2e"}, "min": "0.67"}, "can only be met by 3 of 3 (2 of 3 is 0.6667)"),
    ],
)
def test_a_gate_that_this_suite_is_too_small_for_is_found(tmp_path: Path, gate: dict[str, Any], part: str) -> None:
    cases = [CLEAN | {"id": f"c{n}", "facts": CLEAN["facts"] | {"sales": n}} for n in range(3)]
    (tmp_path / "release.yaml").write_text("gates:\n  - {coverage: '0.9'}\n  - " + json.dumps(gate) + "\n", "utf-8")
    (finding,) = findings(tmp_path, *cases, suite={"policy": "release.yaml"})
    assert part in finding.message
    assert finding.file.endswith("release.yaml")
    assert finding.line == 3


@pytest.mark.parametrize(
    ("gate", "part"),
    [
        ({"regression": "all"}, "no case is of library regression"),
        ({"success_rate": {"tag": "nobody"}, "min": "0.1"}, "no case is of tag nobody"),
        ({"success_rate": "overall", "not_below": "baseline"}, "names no baseline"),
    ],
)
def test_a_gate_that_looks_at_nothing_is_found(tmp_path: Path, gate: dict[str, Any], part: str) -> None:
    (tmp_path / "release.yaml").write_text("gates:\n  - " + json.dumps(gate) + "\n", "utf-8")
    (finding,) = findings(tmp_path, CLEAN, suite={"policy": "release.yaml"})
    assert (part in finding.message, finding.line) == (True, 2)


def test_a_gate_that_can_be_met_is_no_finding(tmp_path: Path) -> None:
    (tmp_path / "release.yaml").write_text(
        "gates: [{severe: 0, upper_bound: '0.99'}, {stability: overall, min: '0.5'}, {coverage: '0.98'}]", "utf-8"
    )
    assert findings(tmp_path, CLEAN, CLEAN | {"id": "b", "state": 1}, suite={"policy": "release.yaml"}) == []


def test_rules_for_the_library_that_no_score_can_meet_are_found(tmp_path: Path) -> None:
    library = {"graduate": {"batches": 5, "above": "5.0"}, "demote": {"batches": 1, "below": "1"}}
    assert codes(findings(tmp_path, CLEAN, suite={"library": library})) == ["unreachable_bar"] * 2


def test_a_finding_reads_as_one_line_with_its_mend(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, without("must_not"))
    assert str(finding) == f"{finding.file}:1: demand: {finding.message}\n  mend: {finding.mend} [no_must_not]"


def test_a_check_that_could_find_support_nowhere_is_found(tmp_path: Path) -> None:
    grounded = {"grounded": "$", "in": ["tools"]}
    case = CLEAN | {"must": [*CLEAN["must"], grounded]}
    assert "groundless" in codes(findings(tmp_path, case))
    (tmp_path / "tools.py").write_text("", encoding="utf-8")
    assert "groundless" not in codes(findings(tmp_path, case, suite={"tools": "tools.py"}))
    assert "groundless" not in codes(findings(tmp_path, CLEAN | {"must": [*CLEAN["must"], {"grounded": "$"}]}))


def test_a_judge_that_is_asked_about_statements_must_be_there(tmp_path: Path) -> None:
    case = CLEAN | {"must": [*CLEAN["must"], {"grounded": "$", "by": "sourcs"}]}
    judged = {"judges": {"sources": {"model": "test:x", "rubric": "statement"}}}
    assert codes(findings(tmp_path, case, suite=judged)).count("unknown_judge") == 1
    case["must"][-1]["by"] = "sources"
    assert not {"unknown_judge", "unused_judge"} & set(codes(findings(tmp_path, case, suite=judged)))
