"""The pages of one trial, one case, a list of runs, a check and an import."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from fairtrial.records.finding import Finding
from fairtrial.report.case_view import case_sheet, trial_sheet
from fairtrial.report.list_view import findings_sheet, import_sheet, runs_sheet, written_sheet
from fairtrial.report.words import Words

Text = Callable[..., str]


def _trial(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "case": "three-thousand", "setup": "broken", "attempt": 2, "ending": "finished", "verdict": "FAIL",
        "failure_reason": "read 3 where the bill says 3,200.00", "steps": 3, "tools_called": ["read_bill", "save_bill", "read_bill"],
        "latency_ms": 12.5, "tokens": {"input": None, "output": None},
        "cost_usd": Decimal("0.01"), "cost_complete": False, "output": {"amount": "3", "saved": True},
        "changes": [{"path": "bills.1.amount", "kind": "changed", "before": 0, "after": 3}],
        "cards": {"outcome": "FAIL", "decision": "PASS"},
        "grades": [
            {"check": "rule output.amount > 0", "card": "decision", "verdict": "PASS"},
            {"check": "output amount == 3200", "card": "outcome", "verdict": "FAIL", "severity": "critical", "kind": "wrong_state",
             "why": "3 is not 3200", "evidence": {"span": "4", "path": "output.amount", "expected": "3200", "seen": "3"},
             "fix": "compare what was written with what was asked"},
            {"check": "question due", "card": "outcome", "verdict": "UNKNOWN", "why": "not stated", "excused": True},
            {"check": "fact limit used", "card": "outcome", "verdict": "PASS", "proof": "declared"},
        ],
    }  # fmt: skip
    return {**made, **changes}


TRIAL = """\
three-thousand  broken  attempt 2  FAIL
ended: finished: read 3 where the bill says 3,200.00
cost a trial at least $0.01   latency 12 ms   steps 3   tokens in / out – / –
tool calls read_bill ×2, save_bill

Answer
  {"amount":"3","saved":true}

What really changed
  path            change   before  after
  bills.1.amount  changed  0       3

Scorecards
  outcome FAIL   decision PASS

Checks
  FAIL     output amount == 3200  [outcome · critical · wrong_state]
           3 is not 3200
           span 4  output.amount  expected "3200"  seen "3"
           mend: compare what was written with what was asked
  UNKNOWN  question due  [outcome · excused]
           not stated
  PASS     rule output.amount > 0  [decision]
  PASS     fact limit used  [outcome · declared]

next, walk it step by step: fairtrial replay r1:broken three-thousand 2
"""


def test_the_page_of_a_trial(text_of: Text) -> None:
    assert text_of(trial_sheet("r1", _trial(), Words())) == TRIAL


def test_a_negated_check_shows_what_was_found_and_is_not_allowed(text_of: Text) -> None:
    found = 'found "guaranteed" at character 7, which must not be there'
    grade = {"check": "output text contains no guaranteed", "card": "outcome", "verdict": "FAIL", "why": found,
             "evidence": {"path": "output.text", "expected": {"not_contains": "guaranteed"}, "seen": "It is guaranteed"}}  # fmt: skip
    page = text_of(trial_sheet("r1", _trial(grades=[grade]), Words()))
    assert found in page
    assert 'expected {"not_contains":"guaranteed"}  seen "It is guaranteed"' in page


def test_a_trial_that_says_nothing_and_changes_nothing_says_so(text_of: Text) -> None:
    page = text_of(trial_sheet("r1", _trial(ending="timeout", output=None, changes=[], grades=[], cards={}, failure_reason=None), Words()))
    assert "ended: timeout\n" in page
    assert "What really changed\n  nothing\n" in page


def test_an_agent_cannot_steer_the_terminal_with_its_answer(text_of: Text) -> None:
    page = text_of(trial_sheet("r1", _trial(output="\x1b[2J\x07[bold red]hi[/]", failure_reason="\x1b]0;title\x07"), Words()))
    assert "\x1b" not in page and "\x07" not in page
    assert "[bold red]hi[/]" in page
    assert "\\x1b]0;title\\x07" in page


def test_a_stated_latency_of_zero_is_shown_as_such(text_of: Text) -> None:
    assert "latency 0 ms" in text_of(trial_sheet("r1", _trial(latency_ms=0), Words()))


def test_the_page_of_a_case_has_a_line_for_each_trial(text_of: Text) -> None:
    trials = [_trial(attempt=1, verdict="PASS", grades=[]), _trial(), _trial(attempt=3, ending="timeout")]
    page = text_of(case_sheet("r1", trials, Words()))
    assert "broken        2  FAIL     finished  at least $0.01    12 ms  output amount == 3200" in page
    assert page.splitlines()[-1] == "next, look at one trial: fairtrial show r1:broken three-thousand 2"


def test_the_list_of_runs(text_of: Text) -> None:
    run = {"run": "20261130-1", "suite": "缺货", "status": "interrupted", "started": "2026-11-30T07:00:00Z"}
    counts = {"planned": 20_000, "pass": 1, "fail": 2, "unknown": 3, "not_run": 4}
    page = text_of(runs_sheet([{**run, **counts}], Words()))
    assert "20261130-1  缺货   interrupted  2026-11-30T07:00:00Z   20,000       1       2          3          4" in page
    assert page.endswith("next, see it in full: fairtrial show 20261130-1\n")


def test_an_empty_store_says_how_to_fill_it(text_of: Text) -> None:
    assert text_of(runs_sheet([], Words())) == "no run in this store yet\n\nnext, run a suite: fairtrial run SUITE\n"


def test_findings_name_file_line_and_mend(text_of: Text) -> None:
    finding = Finding(
        code="no_must_not", message="nothing is forbidden", mend="say what must never happen", case="c1", file="cases.jsonl", line=3
    )
    page = text_of(findings_sheet("s", [finding], 2, Words()))
    assert page == (
        "cases.jsonl:3  c1  nothing is forbidden  [no_must_not]\n"
        "    mend: say what must never happen\n"
        "1 finding in 2 cases\n\nnext, mend and check again: fairtrial check s\n"
    )


def test_findings_of_one_code_stand_together_and_say_once_what_they_share(text_of: Text) -> None:
    def found(code: str, case: str, message: str = "m", mend: str = "do") -> Finding:
        return Finding(code=code, message=message, mend=mend, case=case, file="c.jsonl", line=int(case[1:]))

    findings = [
        *(found("no_solution", "c1"), found("surface_only", "c1", "one"), found("no_solution", "c2"), found("surface_only", "c2", "two")),
        *(found("unread", "c1", "x", "first"), found("unread", "c3", "x", "then"), found("no_must", "c3")),
    ]
    page = text_of(findings_sheet("s", findings, 3, Words()))
    assert page.splitlines()[:-3] == [
        *("m  [no_solution] ×2", "  c.jsonl:1  c1", "  c.jsonl:2  c2", "    mend: do"),
        *("surface_only  ×2", "  c.jsonl:1  c1  one", "  c.jsonl:2  c2  two", "    mend: do"),
        *("x  [unread] ×2", "  c.jsonl:1  c1", "      mend: first", "  c.jsonl:3  c3", "      mend: then"),
        *("c.jsonl:3  c3  m  [no_must]", "    mend: do"),
    ]
    assert "7 findings in 3 cases" in page


def test_a_clean_suite_is_told_to_run(text_of: Text) -> None:
    assert text_of(findings_sheet("s", [], 2, Words())) == "clean: 2 cases, nothing found\n\nnext, run it: fairtrial run s\n"


def test_an_import_lists_what_it_refused(text_of: Text) -> None:
    done = {"runs": ["r1"], "rows": 9, "refused": [{"file": "a.csv", "line": n, "why": f"bad {n}"} for n in range(25)]}
    page = text_of(import_sheet(done, Words()))
    assert "9 rows read; runs: r1" in page
    assert "a.csv:7 bad 7" in page.replace("  ", " ")
    assert "5 more with --json" in page


def test_an_import_of_several_files_tells_which_run_each_became(text_of: Text) -> None:
    files = [{"file": f"{name}.json", "run": run, "rows": 2} for name, run in (("base", "r1"), ("new", "r2"))]
    page = text_of(import_sheet({"runs": ["r1", "r2"], "rows": 4, "files": files}, Words())).splitlines()
    assert page[1:3] == ["  base.json  →  r1", "  new.json  →  r2"]
    assert page[-1] == "next, compare two setups: fairtrial compare r1 r2"
    alone = text_of(import_sheet({"runs": ["r1"], "rows": 2, "files": files[:1]}, Words()))
    assert "base.json" not in alone


def test_files_of_several_setups_are_compared_by_run_and_setup(text_of: Text) -> None:
    files = [{"file": f"{run}.csv", "run": run, "rows": 2, "setups": ["one", "two"]} for run in ("r1", "r2")]
    page = text_of(import_sheet({"runs": ["r1", "r2"], "rows": 4, "files": files}, Words()))
    assert page.splitlines()[-1].endswith("fairtrial compare r1:one r1:two r2:one r2:two")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_init_wrote_is_listed(text_of: Text, language: str) -> None:
    page = text_of(written_sheet("d", ["d/suite.yaml", "d/agents.py"], Words(language)))
    assert "d/agents.py" in page
    assert page.endswith("fairtrial check d/suite.yaml\n")


def test_of_a_command_the_end_of_what_it_printed_is_read_line_by_line(text_of: Text) -> None:
    seen = {"exit": 1, "printed": "…line 1\n\x1b[31mline 2\nline 3\nAssertionError: 5 != 7"}
    grade = {"check": "the tests pass", "card": "outcome", "verdict": "FAIL", "evidence": {"path": "pytest", "seen": seen}}
    page = text_of(trial_sheet("r1", {**_trial(), "grades": [grade]}, Words()))
    assert 'pytest  expected null  seen {"exit":1}\n             …line 1\n' in page
    assert "AssertionError: 5 != 7\n" in page and "\x1b" not in page


def test_no_answer_is_not_the_answer_null(text_of: Text) -> None:
    assert "Answer\n  there is none\n" in text_of(trial_sheet("r1", _trial(output=None, answered=False), Words()))
    assert "Answer\n  null\n" in text_of(trial_sheet("r1", _trial(output=None, answered=True), Words()))
