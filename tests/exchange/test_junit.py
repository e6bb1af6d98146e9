"""JUnit XML: always well formed, never green unless every planned trial passed."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.exchange.junit import write
from fairtrial.records.grade import Scorecard
from fairtrial.records.report import CaseReport, Cost, Latency, Rate, RunReport, SetupReport, Shape, Subtasks, Tokens
from fairtrial.records.trial import Ending, TrialHead, TrialKey

RATE = Rate(value=0.5, low=0.1, high=0.9, n=4, cases=2, method="wilson", worst=0.5, best=0.75)
NO_TIME = Latency(mean=None, p50=None, p95=None, max=None, stated=False, n=0)
Row = tuple[TrialHead, Scorecard | None]


def _setup() -> SetupReport:
    return SetupReport(
        planned=4, passed=2, fail=1, unknown=1, not_run=0, errors=0, declined=0, not_applicable=0, severe=0, severe_upper=None,
        success_rate=RATE, trial_success_rate=0.5, cards={}, pass_at={"1": 0.5}, pass_hat={"1": 0.5, "2": 0.25}, first_try=None,
        all_trials=None, longest_streak=None, stability=None, shape=Shape(), subtasks=Subtasks(), human_score=None,
        cost_usd=Cost(total=None, mean=None, per_success=None, complete=False, known=0), latency_ms=NO_TIME, measured_ms=NO_TIME,
        tokens=Tokens(input=None, output=None, complete=False), tool_calls=0, tool_call_accuracy=None, steps=0, retries=0, over_budget=0,
        handover_rate=None, recovery_rate=None, step_efficiency=None, chain=[], endings={}, failure_kinds={}, slices={},
    )  # fmt: skip


def _report(*cases: CaseReport) -> RunReport:
    setups = {case.setup: _setup() for case in cases}
    return RunReport(run="r-1", status="complete", suite={"name": "shop"}, manifest={}, fairness={}, setups=setups, cases=list(cases))


def _case(name: str, *verdicts: str, setup: str = "team", failed: Any = (), unknown: Any = ()) -> CaseReport:
    return CaseReport(id=name, setup=setup, verdicts=list(verdicts), failed=list(failed), unknown=list(unknown))


def _row(case: str, attempt: int, ending: Ending = Ending.FINISHED, note: str = "") -> Row:
    return TrialHead(key=TrialKey(case, "team", attempt), seed=0, ending=ending, note=note, wall_ms=500.0), None


def _parsed(text: str) -> ET.Element:
    """The document as another program reads it."""
    return ET.fromstring(text.encode())  # noqa: S314 - our own document, which declares no entity


def _states(report: RunReport, rows: list[Row]) -> dict[str, str]:
    root = _parsed(write(report, rows))
    tests = root.iter("testcase")
    return {test.attrib["name"]: next((part.tag for part in test if part.tag != "properties"), "passed") for test in tests}


def test_a_case_is_green_only_where_every_planned_trial_passed() -> None:
    cases = [
        _case("all", "PASS", "PASS"),
        _case("one failed", "PASS", "FAIL"),
        _case("one unknown", "PASS", "UNKNOWN"),
        _case("one not run", "PASS", "NOT_RUN"),
        _case("one spoilt", "PASS", "UNKNOWN"),
        _case("spoilt and failed", "FAIL", "UNKNOWN"),
        _case("none planned"),
    ]
    spoilt = [_row(name, 2, Ending.PROVIDER_OUTAGE, "503") for name in ("one spoilt", "spoilt and failed")]
    assert _states(_report(*cases), spoilt) == {
        "all": "passed",
        "one failed": "failure",
        "one unknown": "skipped",
        "one not run": "skipped",
        "one spoilt": "error",
        "spoilt and failed": "failure",
        "none planned": "skipped",
    }


def test_counts_times_and_rates_stand_in_the_suite() -> None:
    rows = [_row("a", 1), _row("a", 2), _row("b", 1)]
    suite = _parsed(write(_report(_case("a", "PASS", "PASS"), _case("b", "FAIL", "UNKNOWN")), rows))[0]
    assert {name: suite.attrib[name] for name in ("name", "tests", "failures", "errors", "skipped", "time")} == {
        "name": "team", "tests": "2", "failures": "1", "errors": "0", "skipped": "0", "time": "1.500",
    }  # fmt: skip
    found = {prop.attrib["name"]: prop.attrib["value"] for prop in suite.find("properties") or ()}
    assert found["planned"] == "4" and found["unknown"] == "1" and found["pass^2"] == "0.25"
    assert (found["pass_rate"], found["pass_rate_low"], found["pass_rate_high"], found["pass_rate_method"]) == (
        "0.5",
        "0.1",
        "0.9",
        "wilson",
    )
    first = suite.find("testcase")
    assert first is not None and first.attrib["time"] == "1.000"
    assert {prop.attrib["name"]: prop.attrib["value"] for prop in first.find("properties") or ()} == {
        "k": "2",
        "passed": "2",
        "verdicts": "PASS PASS",
    }


def test_an_unfair_match_is_carried_into_the_document() -> None:
    report = _report(_case("a", "PASS"))
    report.fairness = {"fair": False, "differences": ["budget: 1 in team; 2 in single"], "carried": True}
    props = _parsed(write(report, [_row("a", 1)]))[0].find("properties") or ()
    found = {prop.attrib["name"]: prop.attrib["value"] for prop in props}
    assert (found["fair"], found["unfair"]) == ("false", "budget: 1 in team; 2 in single")


def test_a_failure_shows_its_checks_evidence_and_mend() -> None:
    failed = {
        "attempt": 2,
        "check": "state: stock",
        "severity": "critical",
        "why": "too few",
        "evidence": {"path": "stock", "expected": 7, "seen": 6, "span": None},
        "fix": "look here",
    }
    unknown = {"attempt": 1, "check": "judge", "why": "no model", "excused": False}
    root = _parsed(write(_report(_case("a", "PASS", "FAIL", failed=[failed]), _case("b", "UNKNOWN", unknown=[unknown])), []))
    failure, skipped = next(root.iter("failure")), next(root.iter("skipped"))
    assert failure.attrib["message"] == "1 of 2 trials failed: state: stock"
    assert failure.text == "trial 2: state: stock [critical] | too few | path stock, expected 7, seen 6 | look here"
    assert skipped.attrib["message"] == "1 unknown and 0 not run of 1 trials; judge: no model"


def test_setups_are_suites_of_their_own() -> None:
    root = _parsed(write(_report(_case("a", "PASS"), _case("a", "FAIL", setup="single")), []))
    assert [(suite.attrib["name"], suite.attrib["failures"]) for suite in root] == [("team", "0"), ("single", "1")]


def test_control_characters_leave_the_document_well_formed(shared: Path) -> None:
    cases = []
    for line in (shared / "known-faults" / "inputs" / "V03_control_chars.jsonl").read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        failed = (
            []
            if raw["passed"]
            else [{"attempt": 1, "check": raw["message"], "severity": "major", "why": raw["message"], "evidence": {}, "fix": ""}]
        )
        cases.append(_case(raw["case"], "PASS" if raw["passed"] else "FAIL", failed=failed))
    text = write(_report(*cases), [_row(cases[0].id, 1, note="\ud800\x00")])
    tests = list(_parsed(text).iter("testcase"))
    assert len(tests) == 2 and sum(test.find("failure") is not None for test in tests) == 1
    assert tests[0].attrib["name"] == "j1\\x00" and tests[1].attrib["name"] == "j2 & <b>"


@given(st.text(), st.text())
def test_any_text_gives_a_document_that_a_parser_reads(name: str, why: str) -> None:
    failed = {"attempt": 1, "check": name, "severity": "major", "why": why, "evidence": {"seen": why, "expected": [name]}, "fix": name}
    report = _report(_case(name, "FAIL", failed=[failed]), _case(why, "UNKNOWN", unknown=[{"check": name, "why": why}]))
    report.suite["name"] = name
    text = write(report, [_row(why, 1, Ending.WORKER_LOST, name)])
    root = _parsed(text)
    assert len(list(root.iter("testcase"))) == 2


def test_a_report_without_cases_is_a_document_too() -> None:
    assert list(_parsed(write(_report(), []))) == []
