"""A run whose cases ask a judge: code first, the judge last, and nothing that it says or does not say becomes a pass by itself."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import FairtrialError
from fairtrial.workflow import RunOptions, compare, gate, grade, run, show_run, show_trial
from tests.steps.judged import JUDGES, RUBRIC, make_judged
from tests.steps.project import command, environment, fairtrial

FINE: dict[str, Any] = {"output": "ok", "equals": True}
WRONG: dict[str, Any] = {"output": "answer", "contains": "nowhere in it"}
ASKS: dict[str, Any] = {"judge": "quality"}
SAFE = {"card": "safety"}


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


def test_a_judge_whose_word_is_turned_round_is_no_look_at_the_form_alone(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"a": "fine"}, must=[{"not": ASKS}, {"output": "answer", "contains": "fine"}])
    assert "surface_only" not in check_codes(folder)
    folder = make_judged(tmp_path / "t", {"a": "fine"}, must=[{"not": {"output": "answer", "equals": "bad"}}])
    assert check_codes(folder)["surface_only"].endswith("(not output answer)")


def test_a_judge_that_nobody_asks_is_told(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5"}, must=[{"output": "ok", "equals": True}])
    assert "quality" in check_codes(folder)["unused_judge"]


@pytest.mark.parametrize(
    ("judge", "words"),
    [
        ({"rubric": "rubrik.yaml"}, "no such rubric"),
        ({"rubric": "dialog"}, "'dialogue'"),
        ({"quorum": 2}, "quorum of 2"),
        ({"bar": {"kapa": "0.6"}}, "did you mean 'kappa'"),
        ({"bar": {"recall_critcal": "0.6"}}, "did you mean 'recall_critical'"),
        ({"bar": {"kappa": "6"}}, "kappa is no bar"),
        ({"bar": {"kappa": True}}, "kappa is no bar"),
        ({"spread": "1.5"}, "a spread is a share of the scale"),
        ({"spread": "-0.1"}, "a spread is a share of the scale"),
    ],
)
def test_what_cannot_be_asked_stops_the_load(tmp_path: Path, judge: dict[str, Any], words: str) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5"}, **judge)
    with pytest.raises(FairtrialError, match=words):
        run(str(folder), RunOptions(isolate="shared"))


def test_a_bar_on_the_failures_of_a_severity_that_only_labels_name_is_fine(tmp_path: Path) -> None:
    make_judged(tmp_path, {"a": "mark 4"}, bar={"recall_blocker": "0.6", "kappa_low": 0.4, "recall_critical": "0.9"})
    assert set(load_suite(str(tmp_path)).judges["quality"]["bar"]) == {"recall_blocker", "kappa_low", "recall_critical"}


@pytest.mark.parametrize("bar", [7, "1", 0, 5.01, "-3"])
def test_a_bar_that_no_mark_can_miss_or_none_can_reach_is_told_before_a_trial_is_spent(tmp_path: Path, bar: Any) -> None:
    make_judged(tmp_path, {"a": "mark 4"}, must=[{"output": "ok", "equals": True}, {"judge": "quality", "min": bar}])
    with pytest.raises(FairtrialError, match="a bar outside the scale"):
        run(str(tmp_path), RunOptions(isolate="shared"))


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


@pytest.mark.parametrize("turned", [False, True])
def test_a_reply_that_is_no_verdict_is_unknown_plain_and_negated(tmp_path: Path, *, turned: bool) -> None:
    check: dict[str, Any] = {"judge": "quality"}
    must = [{"output": "ok", "equals": True}, {"not": check} if turned else check]
    outcome = run(str(make_judged(tmp_path / "s", {"odd": "malformed"}, must=must)), RunOptions(isolate="shared"))
    assert verdicts(outcome.report) == {"odd": ["UNKNOWN"]}
    assert outcome.exit_code == 3


def test_a_broken_judge_lets_nothing_pass_in_a_group(tmp_path: Path, log: Path) -> None:
    either = [{"any_of": [{"judge": "quality"}, {"output": "ok", "equals": False}]}]
    found = run(str(make_judged(tmp_path / "a", {"odd": "malformed"}, must=either)), RunOptions(isolate="shared"))
    assert verdicts(found.report) == {"odd": ["UNKNOWN"]}
    decided = [{"any_of": [{"judge": "quality"}, {"output": "ok", "equals": True}]}]
    before = len(calls(log))
    found = run(str(make_judged(tmp_path / "b", {"odd": "malformed"}, must=decided)), RunOptions(isolate="shared"))
    assert verdicts(found.report) == {"odd": ["PASS"]}
    assert len(calls(log)) == before, "what code decides in a group costs no call"


def test_a_check_may_set_a_bar_of_its_own(tmp_path: Path) -> None:
    must = [{"output": "ok", "equals": True}, {"judge": "quality", "min": "4.0"}]
    folder = make_judged(tmp_path / "s", {"fair": "mark 3.5", "good": "mark 4"}, must=must)
    assert verdicts(run(str(folder), RunOptions(isolate="shared")).report) == {"fair": ["FAIL"], "good": ["PASS"]}


@pytest.mark.parametrize("card", ["safety", "decision"])
def test_a_judge_alone_never_passes_what_is_about_safety_or_a_decision(tmp_path: Path, card: str) -> None:
    must: list[Any] = [{"output": "ok", "equals": True}, {"judge": "quality", "card": card}]
    folder = make_judged(tmp_path / "a", {"good": "mark 5", "poor": "mark 1"}, must=must)
    report = run(str(folder), RunOptions(isolate="shared")).report
    assert verdicts(report) == {"good": ["UNKNOWN"], "poor": ["FAIL"]}
    assert trial(folder, "good")["cards"][card] == "UNKNOWN"
    beside = [*must, {"output": "answer", "contains": "mark", "card": card}]
    folder = make_judged(tmp_path / "b", {"good": "mark 5"}, must=beside)
    assert verdicts(run(str(folder), RunOptions(isolate="shared")).report) == {"good": ["PASS"]}


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        ({"any_of": [WRONG, ASKS], **SAFE}, "UNKNOWN"),
        ({"all_of": [FINE, ASKS], **SAFE}, "UNKNOWN"),
        ({"all_of": [ASKS, FINE], "card": "decision"}, "UNKNOWN"),
        ({"all_of": [{**ASKS, **SAFE}, FINE]}, "UNKNOWN"),
        ({"all_of": [FINE, {**ASKS, **SAFE}]}, "UNKNOWN"),
        ({"any_of": [WRONG, {"all_of": [FINE, {**ASKS, **SAFE}]}]}, "UNKNOWN"),
        ({"all_of": [{"not": {"not": ASKS}}, FINE], **SAFE}, "UNKNOWN"),
        ({"any_of": [FINE, ASKS], **SAFE}, "PASS"),
        ({"any_of": [ASKS, FINE], **SAFE}, "PASS"),
        ({"not": {"all_of": [WRONG, ASKS]}, **SAFE}, "PASS"),
        ({"any_of": [WRONG, ASKS]}, "PASS"),
    ],
)
def test_a_group_passes_safety_only_where_it_would_without_its_judge(tmp_path: Path, check: dict[str, Any], verdict: str) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 5"}, must=[FINE, check])
    assert verdicts(run(str(folder), RunOptions(isolate="shared")).report) == {"good": [verdict]}
    assert ("judge_alone" in check_codes(folder)) is ("card" in json.dumps(check))
    beside = make_judged(
        tmp_path / "b", {"good": "mark 5"}, must=[FINE, check, *({**FINE, "card": card} for card in ("safety", "decision"))]
    )
    assert verdicts(run(str(beside), RunOptions(isolate="shared")).report) == {"good": ["PASS"]}
    assert "judge_alone" not in check_codes(beside)


def test_a_rubric_of_safety_lifts_its_group(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 5"}, must=[{"all_of": [FINE, ASKS]}])
    (folder / "rubric.yaml").write_text(f"{RUBRIC}card: safety\n", encoding="utf-8")
    assert verdicts(run(str(folder), RunOptions(isolate="shared")).report) == {"good": ["UNKNOWN"]}
    assert trial(folder, "good")["cards"] == {"safety": "UNKNOWN"}


def test_a_group_cannot_take_a_judge_off_a_card_of_safety(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 5"}, must=[{"any_of": [FINE, {**ASKS, **SAFE}], "card": "outcome"}])
    with pytest.raises(FairtrialError, match="the card safety, and the group of the card outcome"):
        run(str(folder), RunOptions(isolate="shared"))


def test_a_part_of_a_trial_is_not_passed_by_a_judge_alone_where_it_is_about_safety(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 5"}, must=[FINE])
    cases = folder / "cases.jsonl"
    row = json.loads(cases.read_text()) | {"subtasks": [{"id": "x", "checks": [{**ASKS, **SAFE}]}, {"id": "y", "checks": [ASKS]}]}
    cases.write_text(json.dumps(row) + "\n")
    run(str(folder), RunOptions(isolate="shared"))
    assert trial(folder, "good")["subtasks"] == {"x": "UNKNOWN", "y": "PASS"}


def test_nothing_is_asked_where_there_is_nothing_to_mark(tmp_path: Path, log: Path) -> None:
    must = [{"question": "answer"}, {"judge": "quality"}]
    folder = make_judged(tmp_path / "s", {"open": "decline"}, must=must)
    report = run(str(folder), RunOptions(isolate="shared")).report
    assert verdicts(report) == {"open": ["PASS"]}
    assert calls(log) == [] and report.setups["solo"].rubrics["quality"].not_asked == 1


def test_what_code_failed_says_that_nobody_was_asked(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", {"broken": "broken"})
    run(str(folder), RunOptions(isolate="shared"))
    told = trial(folder, "broken")
    (grade_,) = [one for one in told["grades"] if one["check"] == "judge quality"]
    assert (grade_["verdict"], grade_["aside"], grade_["source"]) == ("UNKNOWN", True, "judge")
    assert told["unasked"] == {"quality": "not asked: a check failed by code"} and calls(log) == []


def test_while_a_judge_is_down_the_run_goes_on_and_a_resume_asks_what_is_missing(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5", "broken": "broken"}, model="python:judging:down")
    outcome = run(str(folder), RunOptions(isolate="shared"))
    assert verdicts(outcome.report) == {"good": ["UNKNOWN"], "broken": ["FAIL"]}
    assert outcome.exit_code == 3
    assert "the judge is down" in trial(folder, "good")["grades"][-1]["why"]
    monkeypatch.setenv("JUDGE_UP", "1")
    again = run(str(folder), RunOptions(isolate="shared", resume="last"))
    assert verdicts(again.report) == {"good": ["PASS"], "broken": ["FAIL"]}
    assert again.exit_code == 0 and len(calls(log)) == 1


def test_a_judge_that_has_not_passed_its_exam_decides_nothing_where_a_bar_is_stated(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5"}, bar={"kappa": "0.6"})
    report = run(str(folder), RunOptions(isolate="shared")).report
    assert verdicts(report) == {"good": ["UNKNOWN"]}
    told = trial(folder, "good")
    assert "has not passed its exam" in told["grades"][-1]["why"] and "fairtrial judge exam" in told["grades"][-1]["why"]
    assert told["opinions"][0]["score"] == 4.5, "what it said is kept all the same"
    assert report.setups["solo"].rubrics["quality"].unfit and len(calls(log)) == 1


def test_two_hundred_judges_are_asked_at_once(tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_S", "1.0")
    folder = make_judged(tmp_path / "s", {f"case-{n}": f"mark 4 number {n}" for n in range(120)})
    began = time.monotonic()
    outcome = run(str(folder), RunOptions(isolate="shared"))
    assert outcome.report.setups["solo"].passed == 120
    assert time.monotonic() - began < 60, "one after the other would take two minutes"


def test_a_run_that_is_only_planned_says_how_many_calls_it_may_take(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", {"a": "mark 4", "b": "mark 4"}, trials=3, repeats=2)
    outcome = run(str(folder), RunOptions(isolate="shared", dry_run=True))
    assert outcome.report.judging is not None and outcome.report.judging.calls == 12
    assert calls(log) == []


def test_what_a_judge_says_does_nothing_to_a_terminal_or_a_page(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"odd": "mark 4 \u001b[2J<script>alert(1)</script>"})
    text = JUDGES.replace('"reason": "as scripted"', '"reason": "\\u001b]0;owned\\u0007<script>alert(1)</script> | a | b"')
    (folder / "judging.py").write_text(text, encoding="utf-8")
    run(str(folder), RunOptions(isolate="shared"))
    page = fairtrial("show", "last", "odd", "1", folder=folder)
    assert page.returncode == 0 and "What judges said" in page.stdout, page.stderr
    assert "\u001b" not in page.stdout and "\u0007" not in page.stdout
    chinese = fairtrial("show", "last", "--lang", "zh", folder=folder)
    assert "裁判评分" in chinese.stdout


def test_killed_while_judging_nothing_that_was_run_is_lost_and_the_rest_is_asked_on_resume(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", {f"case-{n}": f"mark {1 + n % 5} number {n}" for n in range(12)})
    env = environment() | {"JUDGE_S": "30", "JUDGE_LOG": str(log)}
    process = subprocess.Popen(
        command("run", ".", "--quiet", "--isolate", "shared"), cwd=folder, env=env, stdout=subprocess.DEVNULL, start_new_session=True
    )
    try:
        deadline = time.monotonic() + 60
        while len(calls(log)) < 12 and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1)
    finally:
        process.kill()
        process.wait()
    report = show_run(None, "last", start=str(folder))
    assert report.setups["solo"].ungraded == 12 and report.setups["solo"].not_run == 0
    outcome = run(str(folder), RunOptions(isolate="shared", resume="last"))
    assert outcome.exit_code == 0
    assert {case: found[0] for case, found in verdicts(outcome.report).items()} == {
        f"case-{n}": "PASS" if 1 + n % 5 >= 3 else "FAIL" for n in range(12)
    }


def test_interrupted_while_judging_it_ends_cleanly_and_says_what_is_not_judged(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", {"a": "mark 4", "b": "mark 4 too"})
    env = environment() | {"JUDGE_S": "30", "JUDGE_LOG": str(log)}
    process = subprocess.Popen(command("run", ".", "--quiet", "--isolate", "shared"), cwd=folder, env=env, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(calls(log)) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
    assert trial(folder, "a")["grades"][-1]["why"] == "not judged yet"
    judging = show_run(None, "last", start=str(folder)).judging
    assert judging is not None and (judging.calls, judging.complete, judging.usd) == (2, False, None)
    outcome = run(str(folder), RunOptions(isolate="shared", resume="last"))
    assert verdicts(outcome.report) == {"a": ["PASS"], "b": ["PASS"]}


def test_a_judge_that_breaks_has_been_called_and_nobody_knows_what_it_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: Any) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("fairtrial.judges.judge.Judge.opinion", breaks)
    folder = make_judged(tmp_path / "s", {"a": "mark 4"})
    report = run(str(folder), RunOptions(isolate="shared")).report
    assert verdicts(report) == {"a": ["UNKNOWN"]}
    assert report.judging is not None and (report.judging.calls, report.judging.complete, report.judging.usd) == (1, False, None)


def test_a_changed_judge_between_two_runs_is_a_named_difference(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5"})
    first = run(str(folder), RunOptions(isolate="shared")).report.run
    rubric = (folder / "rubric.yaml").read_text(encoding="utf-8")
    (folder / "rubric.yaml").write_text(rubric.replace("Is it good?", "Is it kind?"), encoding="utf-8")
    second = run(str(folder), RunOptions(isolate="shared")).report.run
    (found,) = compare(None, first, [second], start=str(folder))
    assert found.verdict == "invalid" and "judges" in found.comparable["differs"]
    (found,) = compare(None, first, [second], ("grader",), start=str(folder))
    assert found.verdict != "invalid"


def test_a_sandbox_sees_neither_rubric_nor_scripted_judge(tmp_path: Path) -> None:
    from fairtrial.cases.suite import load_suite
    from fairtrial.steps.walls import hidden

    folder = make_judged(tmp_path / "s", {"good": "mark 4.5"})
    assert {str(folder / "rubric.yaml"), str(folder / "judging.py")} <= set(hidden(load_suite(folder)))


@pytest.mark.parametrize(
    ("says", "bar", "state"),
    [
        ({"a": "mark 4", "b": "mark 3.5"}, "3.0", "holds"),
        ({"a": "mark 4", "b": "mark 3"}, "3.5", "fails"),
        ({"a": "mark 4", "b": "malformed"}, "3.0", "open"),
        ({"a": "mark 4", "b": "broken"}, "3.0", "fails"),
    ],
)
def test_the_gate_of_a_judge_reads_every_case(tmp_path: Path, says: dict[str, str], bar: str, state: str) -> None:
    folder = make_judged(tmp_path / "s", says)
    (folder / "policy.yaml").write_text(f'gates: [{{judge_score: quality, min: "{bar}"}}]\n', encoding="utf-8")
    run(str(folder), RunOptions(isolate="shared"))
    decision = gate(None, "last", str(folder / "policy.yaml"), start=str(folder))
    assert [one.state for one in decision.gates] == [state], decision.gates


def test_a_gate_on_a_judge_that_read_nothing_is_open_though_code_has_a_score(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"a": "mark 4"})
    (folder / "policy.yaml").write_text('gates: [{judge_score: another, min: "3.0"}]\n', encoding="utf-8")
    run(str(folder), RunOptions(isolate="shared"))
    (found,) = gate(None, "last", str(folder / "policy.yaml"), start=str(folder)).gates
    assert found.state == "open" and "another" in found.why


def test_the_whole_path_is_scored_by_the_judge_that_read_it(tmp_path: Path) -> None:
    report = run(str(make_judged(tmp_path / "s", {"a": "mark 4", "b": "mark 2"})), RunOptions(isolate="shared")).report
    (tier,) = report.tiers
    assert tier.score is not None and (tier.score.source, tier.score.judge, tier.score.mean) == ("judge", "quality", 3.0)
    assert tier.state == "fails"


def test_more_trials_than_may_wait_at_once_are_read_again_from_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.steps.sink.HELD", 3)
    monkeypatch.setenv("JUDGE_S", "0.05")
    folder = make_judged(tmp_path / "s", {f"case-{n}": f"mark {1 + n % 5} number {n}" for n in range(25)})
    outcome = run(str(folder), RunOptions(isolate="shared"))
    assert (outcome.report.setups["solo"].passed, outcome.report.setups["solo"].fail, outcome.exit_code) == (15, 10, 0)
