"""The report of a run: every figure in its place, every failure with its evidence, nothing unsaid."""

import subprocess
import sys

import msgspec
import pytest

from fairtrial.records.grade import Evidence, Grade, Scorecard
from fairtrial.records.remark import Met, Remark
from fairtrial.records.report import RunReport
from fairtrial.records.trial import Decline, Ending, TrialHead
from fairtrial.records.verdict import Verdict
from fairtrial.study.report import read_run, read_setup
from tests.study.tables import one, spent, table


def test_the_report_is_strict_json_with_the_names_of_the_contract() -> None:
    report = read_run(table({"x": {"a": "PF-", "b": "UEP"}, "y": {"a": "---", "b": "PPP"}}))
    written = msgspec.json.decode(msgspec.json.encode(report))
    assert {"run", "status", "suite", "manifest", "fairness", "setups", "cases", "notes"} <= set(written)
    assert written["setups"]["x"]["pass"] == 2
    assert written["setups"]["x"]["cards"]["outcome"] == {"pass": 2, "fail": 1, "unknown": 2}
    assert written["setups"]["y"]["not_run"] == 3
    assert written["setups"]["y"]["slices"]["kind"]["normal"]["n"] == 3
    assert msgspec.convert(written, RunReport).setups["x"].planned == 6


def test_cases_come_in_planned_order_with_their_setups_side_by_side() -> None:
    report = read_run(table({"x": {"b": "P", "a": "-"}, "y": {"b": "F", "a": "U"}}))
    assert [(case.id, case.setup, case.verdicts) for case in report.cases] == [
        ("b", "x", ["PASS"]),
        ("b", "y", ["FAIL"]),
        ("a", "x", ["NOT_RUN"]),
        ("a", "y", ["UNKNOWN"]),
    ]


def test_each_failure_keeps_its_own_evidence_and_attempt() -> None:
    def grade(trial: TrialHead, graded: Scorecard) -> None:
        seen = Evidence(span=f"s{trial.key.attempt}", path="output.demand", expected="unknown", seen=20 + trial.key.attempt)
        failed = Grade(check="demand", card="outcome", verdict=Verdict.FAIL, kind="wrong_state", why="said 20", evidence=seen, fix="read")
        graded.grades = [failed, Grade(check="other", card="outcome", verdict=Verdict.PASS)]

    (case,) = read_run(one({"a": "FF"}, grade)).cases
    assert [failure["attempt"] for failure in case.failed] == [1, 2]
    assert case.failed[1] == {
        "attempt": 2,
        "check": "demand",
        "card": "outcome",
        "severity": "major",
        "kind": "wrong_state",
        "why": "said 20",
        "evidence": {"span": "s2", "path": "output.demand", "expected": "unknown", "seen": 22},
        "fix": "read",
    }


def test_an_excused_question_of_a_passed_trial_stays_visible_as_unknown() -> None:
    def grade(trial: TrialHead, graded: Scorecard) -> None:
        graded.grades.append(Grade(check="question demand", card="outcome", verdict=Verdict.UNKNOWN, why="abstained", excused=True))

    report = read_run(one({"a": "P"}, grade))
    assert report.setups["solo"].passed == 1
    assert report.cases[0].failed == []
    assert report.cases[0].unknown == [{"attempt": 1, "check": "question demand", "card": "outcome", "why": "abstained", "excused": True}]


def test_a_failure_without_a_grade_is_told_by_its_ending() -> None:
    def end(trial: TrialHead, graded: Scorecard) -> None:
        trial.ending, trial.note, graded.grades = Ending.TIMEOUT, "30 s passed", []

    (case,) = read_run(one({"a": "F"}, end)).cases
    assert [(failure["check"], failure["why"]) for failure in case.failed] == [("ending: timeout", "30 s passed")]


def test_sums_over_trials_are_counted_once() -> None:
    def work(trial: TrialHead, graded: Scorecard) -> None:
        trial.spend = spent("0.01", tool_calls=3, steps=5, retries=1)
        trial.over_budget = "usd" if trial.key.attempt == 1 else ""
        graded.tool_args, graded.required_tools = (2, 3), 2
        if trial.key.attempt == 2:
            trial.ending, trial.decline = Ending.DECLINED, Decline("not enough evidence", to="human")

    found = read_setup(one({"a": "PPF-"}, work).lane())
    assert (found.tool_calls, found.steps, found.retries, found.over_budget) == (9, 15, 3, 1)
    assert found.declined == 1
    assert found.handover_rate == pytest.approx(1 / 3)
    assert found.tool_call_accuracy == pytest.approx(6 / 9)
    assert found.step_efficiency == pytest.approx(0.4)
    assert found.endings == {"finished": 2, "declined": 1}


def test_declining_to_nobody_is_not_a_hand_over() -> None:
    def decline(trial: TrialHead, graded: Scorecard) -> None:
        trial.ending, trial.decline = Ending.DECLINED, Decline("unknown")

    found = read_setup(one({"a": "P"}, decline).lane())
    assert (found.declined, found.handover_rate) == (1, 0.0)


def test_step_efficiency_is_capped_and_only_of_passed_trials_with_steps() -> None:
    def work(trial: TrialHead, graded: Scorecard) -> None:
        trial.spend = spent("0", steps=(1, 8, 0, 2)[trial.key.attempt - 1])
        graded.required_tools = 4

    assert read_setup(one({"a": "PPPF"}, work).lane()).step_efficiency == pytest.approx((1.0 + 0.5) / 2)


def test_recovery_is_the_mean_over_cases_that_met_a_failure() -> None:
    """Failures are counted, not trials: a met four and handled two, b met and handled one, c met none."""
    came_of_it = {("a", 1): ["retried", "left", "claimed"], ("a", 2): ["reported"], ("b", 1): ["other_path", "unknown"]}

    def work(trial: TrialHead, graded: Scorecard) -> None:
        found = came_of_it.get((trial.key.case, trial.key.attempt), [])
        graded.met = [Met(fault="error", tool="t", span="1", how=how) for how in found]
        graded.unfired = trial.key.case == "c"

    found = read_setup(one({"a": "PP", "b": "P", "c": "P"}, work).lane())
    assert found.recovery_rate == 0.75
    assert msgspec.to_builtins(found.recoveries) == {
        "met": 6, "retried": 1, "other_path": 1, "reported": 1, "came_right": 0, "went_on": 0,
        "claimed": 1, "left": 1, "unknown": 1, "unfired": 1,
    }  # fmt: skip


def test_a_planned_fault_that_never_came_gives_no_recovery_rate_and_says_so() -> None:
    found = read_setup(one({"a": "PP"}, lambda trial, graded: setattr(graded, "unfired", 1)).lane())
    assert (found.recovery_rate, found.recoveries.unfired) == (None, 2)
    assert found.reasons["recovery_rate"] == "no trial met a tool failure; 2 planned faults never came, which gives no score"


def test_process_findings_are_counted_by_trial_and_by_time() -> None:
    def work(trial: TrialHead, graded: Scorecard) -> None:
        names = ["went_on", "useless_repeat", "useless_repeat"] if trial.key.attempt == 1 else ["useless_repeat"]
        graded.remarks = [Remark(name=name, spans=["2"], why="w") for name in names]

    run = one({"a": "PP"}, work)
    found = read_setup(run.lane())
    assert msgspec.to_builtins(found.process) == {"useless_repeat": {"trials": 2, "times": 3}, "went_on": {"trials": 1, "times": 1}}
    assert (found.passed, found.failure_kinds) == (2, {})
    listed = read_run(run).cases[0].process
    assert listed[0] == {"attempt": 1, "name": "went_on", "spans": ["2"], "why": "w"} and len(listed) == 4


def test_step_efficiency_is_of_safe_trials_alone() -> None:
    def work(trial: TrialHead, graded: Scorecard) -> None:
        trial.spend, graded.required_tools = spent("0", steps=4), 2
        graded.severe = trial.key.attempt == 1

    assert read_setup(one({"a": "P"}, work).lane()).step_efficiency is None
    assert read_setup(one({"a": "PP"}, work).lane()).step_efficiency == 0.5


def test_a_tool_failure_that_no_check_decided_gives_no_recovery_rate() -> None:
    found = read_setup(one({"a": "P"}, lambda trial, graded: setattr(trial, "tool_failures", 2)).lane())
    assert found.recovery_rate is None
    assert found.reasons["recovery_rate"] == "1 trial met a tool failure, and it is not known what came of it"


def test_failure_kinds_are_counted_by_trial_most_frequent_first() -> None:
    def grade(trial: TrialHead, graded: Scorecard) -> None:
        kinds = ["timeout"] if trial.key.attempt == 1 else ["handoff_loss", "handoff_loss"]
        graded.grades = [Grade(check="c", card="outcome", verdict=Verdict.FAIL, kind=kind) for kind in kinds]

    found = read_setup(one({"a": "FFF"}, grade).lane())
    assert list(found.failure_kinds.items()) == [("handoff_loss", 2), ("timeout", 1)]


def test_an_unfair_match_is_carried_into_the_report() -> None:
    told = ("tools: [x] has t (1); [y] does not have t",)
    carried = read_run(table({"x": {"a": "P"}, "y": {"a": "P"}}, fair=False, differences=told, settings={"allow_unfair": True}))
    assert carried.fairness == {"fair": False, "differences": list(told), "carried": True}
    assert carried.notes == [f"unfair match (carried on request): {told[0]}"]
    refused = read_run(table({"x": {"a": "P"}, "y": {"a": "P"}}, fair=False, differences=told))
    assert refused.notes == [f"unfair match (the setups may not be compared): {told[0]}"]


def test_reading_a_run_needs_no_numpy() -> None:
    """It would cost a quarter of a second before the first figure is shown."""
    code = (
        "import sys; from tests.study.tables import one; from fairtrial.study.report import read_run;"
        "read_run(one({f'c{n}': 'PFU-P' for n in range(40)}));"
        "sys.exit(int('numpy' in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
