"""A run whose cases ask a judge: code first, the judge last, and nothing that it says or does not say becomes a pass by itself."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.errors import FairtrialError
from fairtrial.workflow import RunOptions, grade, run, show_trial
from tests.steps.judged import make_judged


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the scripted judge notes every call."""
    path = tmp_path / "calls.log"
    monkeypatch.setenv("JUDGE_LOG", str(path))
    return path


def calls(log: Path) -> list[str]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def verdicts(report: Any) -> dict[str, list[str]]:
    return {case.id: case.verdicts for case in report.cases}


def trial(folder: Path, case: str) -> dict[str, Any]:
    return show_trial(None, "last", case, 1, start=str(folder))


def test_a_judge_passes_and_fails_trials_that_code_let_through(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5", "poor": "mark 2", "broken": "broken"})
    outcome = run(str(folder), RunOptions(isolate="shared"))
    assert verdicts(outcome.report) == {"good": ["PASS"], "poor": ["FAIL"], "broken": ["FAIL"]}
    assert outcome.exit_code == 0
    assert len(calls(log)) == 2


def test_the_same_question_is_paid_once(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5", "poor": "mark 2"})
    run(str(folder), RunOptions(isolate="shared"))
    again = grade(None, "last", start=str(folder))
    assert verdicts(again.report) == {"good": ["PASS"], "poor": ["FAIL"]}
    assert len(calls(log)) == 2


def check_codes(folder: Path) -> dict[str, str]:
    from fairtrial.workflow import check

    return {finding.code: finding.message for finding in check(str(folder)).findings}


def test_the_suite_checks_its_judges_without_asking_one(tmp_path: Path, log: Path) -> None:
    must = [{"output": "ok", "equals": True}, {"judge": "qualty"}, {"judge": "rubric.yaml", "card": "safety"}]
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5"}, must=must)
    found = check_codes(folder)
    assert "qualty" in found["unknown_judge"] and "safety" in found["judge_alone"]
    assert "unused_judge" not in found and calls(log) == []


def test_a_judge_that_nobody_asks_is_told(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5"}, must=[{"output": "ok", "equals": True}])
    assert "quality" in check_codes(folder)["unused_judge"]


@pytest.mark.parametrize(
    ("judge", "words"),
    [({"rubric": "rubrik.yaml"}, "no such rubric"), ({"rubric": "dialog"}, "'dialogue'"), ({"quorum": 2}, "quorum of 2")],
)
def test_what_cannot_be_asked_stops_the_load(tmp_path: Path, judge: dict[str, Any], words: str) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5"}, **judge)
    with pytest.raises(FairtrialError, match=words):
        run(str(folder), RunOptions(isolate="shared"))


def test_an_unknown_judge_is_told_before_a_trial_is_spent(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5"}, must=[{"judge": "qualty"}])
    with pytest.raises(FairtrialError, match="did you mean 'quality'"):
        run(str(folder), RunOptions(isolate="shared"))


def test_the_figures_of_a_judge_stand_apart_from_the_result(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5", "poor": "mark 2", "broken": "broken", "odd": "malformed"}, trials=2)
    report = run(str(folder), RunOptions(isolate="shared")).report
    found = report.setups["solo"].rubrics["quality"]
    assert (found.mean, found.min, found.max, found.n, found.unknown, found.not_asked) == (3.25, 2.0, 4.5, 4, 2, 2)
    assert found.by_dimension == {"quality": 3.25}
    spent = report.judging
    assert spent is not None and (spent.trials, spent.not_asked) == (6, 2)
    assert spent.calls + spent.cached == 4 + 4, "each malformed reply was asked for once more"
    assert report.setups["solo"].cost_usd.total is None, "the agent spent nothing"


def test_asked_again_from_what_is_kept_nothing_is_paid(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5", "poor": "mark 2"})
    first = run(str(folder), RunOptions(isolate="shared")).report.judging
    again = grade(None, "last", start=str(folder)).report.judging
    assert first is not None and (first.calls, first.cached, str(first.usd), first.complete) == (2, 0, "0.002", True)
    assert again is not None and (again.calls, again.cached, str(again.usd), again.input_tokens) == (0, 2, "0", 0)
