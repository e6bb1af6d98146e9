"""The rate over everything planned, with what is unknown beside it."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import TrialHead
from fairtrial.records.verdict import Verdict
from fairtrial.study import tally
from fairtrial.study.report import read_run, read_setup
from tests.study.tables import info, one

LETTERS = st.text(alphabet="PFUE-", min_size=1, max_size=6)
TABLES = st.dictionaries(st.text(alphabet="abcdefgh", min_size=1, max_size=2), LETTERS, min_size=1, max_size=8)


def known(shared: Path, name: str) -> Any:
    return json.loads((shared / "known-faults" / "inputs" / name).read_bytes())


def reference(cases: dict[str, str]) -> dict[str, Any]:
    """The definitions of the public contract, read straight from the letters."""
    run = {case: letters.replace("-", "") for case, letters in cases.items()}
    shares = [letters.count("P") / len(letters) for letters in run.values() if letters]
    best = [1 - letters.count("F") / len(letters) for letters in run.values() if letters]
    everything = "".join(cases.values())
    tried = everything.replace("-", "")
    first = [letters[0] == "P" for letters in cases.values() if letters[0] != "-"]
    steady = [1 - 2 * abs(p - round(p)) for p, n in zip(shares, filter(None, run.values()), strict=True) if len(n) > 1]
    return {
        "planned": len(everything),
        "counts": (tried.count("P"), tried.count("F"), tried.count("U") + tried.count("E"), everything.count("-")),
        "errors": everything.count("E"),
        "value": sum(shares) / len(shares) if shares else None,
        "best": sum(best) / len(best) if best else None,
        "trial": tried.count("P") / len(tried) if tried else None,
        "first": sum(first) / len(first) if first else None,
        "all": shares.count(1.0) / len(shares) if shares else None,
        "stability": sum(steady) / len(steady) if steady else None,
        "shape": (shares.count(1.0), len(shares) - shares.count(1.0) - shares.count(0.0), shares.count(0.0)),
        "streak": max((len(part) for letters in cases.values() for part in cut(letters)), default=0) if shares else None,
    }


def cut(letters: str) -> list[str]:
    return "".join(letter if letter == "P" else " " for letter in letters).split()


@given(TABLES)
def test_a_random_table_reads_as_the_contract_defines(cases: dict[str, str]) -> None:
    found, expected = read_setup(one(cases).lane()), reference(cases)
    assert found.planned == expected["planned"] == found.passed + found.fail + found.unknown + found.not_run
    assert (found.passed, found.fail, found.unknown, found.not_run) == expected["counts"]
    assert found.errors == expected["errors"]
    for name, figure in (
        ("value", found.success_rate.value),
        ("value", found.success_rate.worst),
        ("best", found.success_rate.best),
        ("trial", found.trial_success_rate),
        ("first", found.first_try),
        ("all", found.all_trials),
        ("stability", found.stability),
    ):
        assert figure == (None if expected[name] is None else pytest.approx(expected[name])), name
    assert (found.shape.always, found.shape.sometimes, found.shape.never) == expected["shape"]
    assert (found.longest_streak.max if found.longest_streak else None) == expected["streak"]


@given(TABLES, st.data())
def test_turning_a_scored_trial_into_an_error_never_raises_a_headline_number(cases: dict[str, str], data: st.DataObject) -> None:
    scored = [(case, place) for case, letters in cases.items() for place, letter in enumerate(letters) if letter in "PF"]
    if not scored:
        return
    case, place = data.draw(st.sampled_from(scored))
    worse = {**cases, case: cases[case][:place] + "E" + cases[case][place + 1 :]}
    before, after = read_setup(one(cases).lane()), read_setup(one(worse).lane())
    for name in ("trial_success_rate", "first_try", "all_trials"):
        assert getattr(after, name) is None or getattr(after, name) <= getattr(before, name)
    assert after.success_rate.value is not None
    assert before.success_rate.value is not None
    assert after.success_rate.value <= before.success_rate.value + 1e-12
    for k, share in after.pass_hat.items():
        assert share <= before.pass_hat[k] + 1e-12
        assert after.pass_at[k] <= before.pass_at[k] + 1e-12
    assert after.passed + after.fail == before.passed + before.fail - 1
    assert after.planned == before.planned


@given(TABLES)
def test_no_figure_is_missing_without_a_reason(cases: dict[str, str]) -> None:
    found = read_setup(one(cases).lane())
    for name in (
        "severe_upper", "trial_success_rate", "first_try", "all_trials", "longest_streak", "stability", "human_score",
        "tool_call_accuracy", "handover_rate", "recovery_rate", "step_efficiency", "chain_product", "chain_joint",
    ):  # fmt: skip
        assert (getattr(found, name) is None) == (name in found.reasons), name
    assert (found.success_rate.value is None) == ("success_rate" in found.reasons)
    assert (found.cost_usd.per_success is None) == ("cost_usd.per_success" in found.reasons)
    assert (found.latency_ms.mean is None) == ("latency_ms" in found.reasons)


def test_the_example_of_the_contract_has_its_interval_and_its_caution() -> None:
    found = read_setup(one({"steady": "PPPPP", "shaky": "PPPFU"}).lane())
    rate = found.success_rate
    assert (rate.n, rate.cases) == (10, 2)
    assert (rate.value, rate.worst, rate.best) == pytest.approx((0.8, 0.8, 0.9))
    assert (rate.low, rate.high) == pytest.approx((0.4549, 0.9504), abs=1e-4)
    assert found.reasons["success_rate.interval"].startswith("this interval covers less than it states: with 2 independent cases")
    assert "success_rate" not in found.reasons


def test_many_cases_or_single_trials_need_no_caution() -> None:
    assert "success_rate.interval" not in read_setup(one({"a": "P", "b": "F"}).lane()).reasons
    many = {f"c{place}": "PPF" if place % 2 else "PPP" for place in range(10)}
    assert "success_rate.interval" not in read_setup(one(many).lane()).reasons


def test_infrastructure_errors_stay_below_the_line(shared: Path) -> None:
    source = known(shared, "M03_tau2_infra.json")
    cases = {task["id"]: "" for task in source["tasks"]}
    for trial in source["simulations"]:
        cases[trial["task_id"]] += "E" if trial["reward_info"] is None else "P"
    report = read_run(one(cases))
    found = report.setups["solo"]
    assert (found.planned, found.passed, found.errors) == (6, 1, 5)
    assert found.trial_success_rate == pytest.approx(1 / 6)
    assert found.success_rate.value == found.success_rate.worst == pytest.approx(1 / 6)
    assert found.success_rate.best == 1.0
    assert found.pass_hat["1"] == pytest.approx(1 / 6)
    assert "solo: 1 of 6 planned trials scored; no trial of 2 cases could be scored: 1, 2" in report.notes


def test_errors_unknown_and_broken_scores_are_bounds_and_never_leave_the_denominator(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "known-faults/inputs/M06_mixed_outcomes.jsonl").read_bytes().splitlines()]
    letters = {("scored", True): "P", ("scored", False): "F", ("error", None): "E", ("unknown", None): "U"}
    broken = [row["case"] for row in rows if isinstance(row["score"], str) or (row["score"] or 0) > 1]
    assert broken == ["k8", "k9"]
    cases = {row["case"]: "U" if row["case"] in broken else letters[row["status"], row["passed"]] for row in rows}
    report = read_run(one(cases))
    found = report.setups["solo"]
    assert (found.planned, found.passed, found.fail, found.unknown, found.errors) == (10, 4, 1, 5, 2)
    assert found.success_rate.worst == pytest.approx(0.4)
    assert found.success_rate.best == pytest.approx(0.9)
    assert any("5 of 10 planned trials scored" in note for note in report.notes)


def test_a_mean_over_one_of_four_is_not_a_mean_over_all(shared: Path) -> None:
    graders = known(shared, "M07_partial_coverage.json")["graders"]
    cases = {f"c{place}": "U" if score is None else "P" for place, score in enumerate(graders["flaky_score"])}
    report = read_run(one(cases))
    found = report.setups["solo"]
    assert (found.success_rate.value, found.success_rate.best) == (0.25, 1.0)
    assert (found.passed, found.unknown) == (1, 3)
    assert any("1 of 4 planned trials scored" in note for note in report.notes)


def test_the_error_rate_after_a_resume_is_over_everything_planned(shared: Path) -> None:
    numbers = known(shared, "R12_resume_error_rate.json")
    errors = numbers["resumed_rows"]["error"]
    cases = {f"c{place}": "E" if place < errors else "P" for place in range(numbers["planned_rows"])}
    found = read_setup(one(cases).lane())
    assert found.errors / found.planned == pytest.approx(0.033333, abs=1e-6)


def test_unknown_only_cases_do_not_show_that_nothing_severe_happened() -> None:
    assert tally.severe_upper(one({"a": "P", "b": "U"}).lane()) == pytest.approx(0.95)
    assert tally.severe_upper(one({"a": "P", "b": "P"}).lane()) == pytest.approx(1 - 0.05**0.5)
    assert tally.severe_upper(one({"a": "U", "b": "-"}).lane()) is None


def test_the_severe_bound_counts_independent_cases_and_not_trials() -> None:
    assert tally.severe_upper(one({"a": "PPPP", "b": "PPPP"}).lane()) == tally.severe_upper(one({"a": "P", "b": "P"}).lane())
    infos = {name: info(name, cluster="one incident") for name in "ab"}
    assert tally.severe_upper(one({"a": "P", "b": "P"}, infos=infos).lane()) == pytest.approx(0.95)


def test_severe_counts_trials_and_its_bound_lies_above_the_share_of_cases() -> None:
    def hurt(trial: TrialHead, graded: Scorecard) -> None:
        graded.severe = 2 if graded.verdict is Verdict.FAIL else 0

    found = read_setup(one({"a": "FF", "b": "P", "c": "P"}, hurt).lane())
    assert found.severe == 2
    assert found.severe_upper is not None
    assert 1 / 3 < found.severe_upper < 1


def test_a_card_is_counted_by_its_own_verdict() -> None:
    def grade(trial: TrialHead, graded: Scorecard) -> None:
        graded.cards["coordination"] = Verdict.FAIL
        graded.not_applicable = 2
        graded.subtasks = {"sees": Verdict.PASS, "acts": Verdict.UNKNOWN}

    found = read_setup(one({"a": "PU"}, grade).lane())
    counted = {name: (c.passed, c.fail, c.unknown) for name, c in found.cards.items() if c.passed + c.fail + c.unknown}
    assert counted == {"outcome": (1, 0, 1), "coordination": (0, 2, 0)}
    assert list(found.cards) == ["outcome", "coordination", "decision", "process", "recovery", "safety"]
    assert found.not_applicable == 4
    assert (found.subtasks.rate, found.subtasks.by_id) == (0.5, {"sees": 1.0, "acts": 0.0})


@pytest.mark.parametrize("letters", ["".join(letters) for letters in product("PF", repeat=3)])
def test_repeats_of_one_case_never_make_the_interval_as_narrow_as_that_many_cases(letters: str) -> None:
    one_case = tally.success_rate(one({"a": letters}).lane())
    three_cases = tally.success_rate(one({name: letter for name, letter in zip("abc", letters, strict=True)}).lane())
    assert one_case.low is not None and one_case.high is not None and three_cases.low is not None and three_cases.high is not None
    assert one_case.high - one_case.low >= three_cases.high - three_cases.low - 1e-9
