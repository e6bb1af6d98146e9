"""Repeats, read from real runs and from rows whose figures are known."""

import json
from pathlib import Path

import pytest

from fairtrial.study.reliability import MOST_K, read_reliability
from fairtrial.study.report import read_setup
from tests.study.tables import one


def rounded(series: dict[str, float]) -> dict[str, float]:
    return {k: round(share, 4) for k, share in series.items()}


def test_pass_hat_is_counted_and_averaged_over_cases(shared: Path) -> None:
    cases: dict[str, str] = {}
    for line in (shared / "known-faults/inputs/M02_pass_hat_k_rows.jsonl").read_bytes().splitlines():
        row = json.loads(line)
        cases[row["case"]] = cases.get(row["case"], "") + ("P" if row["passed"] else "F")
    found = read_reliability(one(cases).lane())
    expected = json.loads((shared / "known-faults/inputs/EXPECTED_NUMBERS.json").read_bytes())["M02"]
    assert found.pass_hat == pytest.approx(expected["suite_pass^k"], abs=1e-6)
    assert found.pass_at == pytest.approx(expected["suite_pass@k"], abs=1e-6)


def test_real_airline_runs_give_the_published_figures(shared: Path) -> None:
    runs = json.loads((shared / "data/taubench_airline_gpt4o/gpt-4o-airline.json").read_bytes())
    cases: dict[str, list[str]] = {}
    for run in sorted(runs, key=lambda run: (run["task_id"], run["trial"])):
        cases.setdefault(str(run["task_id"]), []).append("P" if run["reward"] == 1.0 else "F")
    found = read_setup(one({case: "".join(letters) for case, letters in cases.items()}).lane())
    assert rounded(found.pass_hat) == {"1": 0.42, "2": 0.2733, "3": 0.22, "4": 0.2}
    assert rounded(found.pass_at) == {"1": 0.42, "2": 0.5667, "3": 0.66, "4": 0.72}
    assert (found.shape.never, found.shape.sometimes, found.shape.always) == (14, 26, 10)
    assert (found.planned, found.success_rate.cases) == (200, 50)
    assert found.success_rate.value == pytest.approx(0.42)


def test_k_ends_at_the_fewest_trials_that_a_case_had() -> None:
    found = read_reliability(one({"a": "PPP", "b": "PF-", "c": "---"}).lane())
    assert list(found.pass_at) == list(found.pass_hat) == ["1", "2"]


def test_k_ends_at_a_hundred_and_the_reason_says_so() -> None:
    found = read_reliability(one({"a": "P" * 3000, "b": "PF" * 1500}).lane())
    assert list(found.pass_at) == list(found.pass_hat) == [str(k) for k in range(1, MOST_K + 1)]
    assert found.reasons["pass_hat"] == "given for k up to 100 only; each case that was tried has 3000 run trials or more"
    assert found.reasons["pass_at"] == found.reasons["pass_hat"]
    whole = read_reliability(one({"a": "P" * 3000, "b": "PF" * 50, "c": "-" * 9}).lane())
    assert list(whole.pass_at) == list(found.pass_at)
    assert not {"pass_at", "pass_hat"} & set(whole.reasons)


def test_two_suites_of_75_percent_are_told_apart() -> None:
    """The second article: every case 3 of 4, or three cases always and one never."""
    swaying = read_reliability(one(dict.fromkeys("abcd", "PPPF")).lane())
    split = read_reliability(one({"a": "PPPP", "b": "PPPP", "c": "PPPP", "d": "FFFF"}).lane())
    assert [(found.shape.always, found.shape.sometimes, found.shape.never) for found in (swaying, split)] == [(0, 4, 0), (3, 0, 1)]
    assert (swaying.stability, split.stability) == (0.5, 1.0)


def test_a_steady_failure_is_stable_and_a_coin_is_not() -> None:
    assert read_reliability(one({"a": "FFFF"}).lane()).stability == 1.0
    assert read_reliability(one({"a": "PFPF"}).lane()).stability == 0.0
    assert read_reliability(one({"a": "PPPF", "b": "P"}).lane()).stability == 0.5


def test_an_attempt_that_was_not_run_ends_a_streak() -> None:
    found = read_reliability(one({"a": "PP-PPP", "b": "FP", "c": "UU"}).lane())
    assert found.longest_streak is not None
    assert (found.longest_streak.min, found.longest_streak.median, found.longest_streak.max) == (0, 1.0, 3)


def test_the_first_try_is_attempt_one_and_no_other() -> None:
    assert read_reliability(one({"a": "FP", "b": "PF", "c": "-P"}).lane()).first_try == 0.5


def test_the_bill_reader_fails_one_case_of_three_every_time() -> None:
    broken = read_setup(one({"plain": "PPP", "cents": "PPP", "thousands": "FFF"}).lane())
    assert (broken.planned, broken.passed) == (9, 6)
    assert {round(figure or 0, 4) for figure in (broken.trial_success_rate, broken.first_try, broken.all_trials)} == {0.6667}
    mended = read_setup(one({"plain": "PPP", "cents": "PPP", "thousands": "PPP"}).lane())
    assert (mended.passed, mended.trial_success_rate) == (9, 1.0)


def test_without_a_run_trial_nothing_is_said() -> None:
    found = read_reliability(one({"a": "--"}).lane())
    assert (found.pass_at, found.pass_hat, found.all_trials, found.longest_streak) == ({}, {}, None, None)
    assert found.reasons["all_trials"] == "no trial has been run"
