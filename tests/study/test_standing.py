"""What a judge's exams are worth today."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.standing import Sitting, Standing
from fairtrial.study.standing import figure, standing, unmet

DAY = 86_400_000_000_000
PARTS = {"model": "m-1", "rubric": "sha256:a", "repeats": "1"}
FIGURES: dict[str, Any] = {
    "kappa": {"value": 0.62, "low": 0.5, "high": 0.7},
    "precision": {"value": 0.9, "low": 0.8, "high": 0.95},
    "by_severity": {"critical": {"recall": {"value": 0.94, "low": 0.8, "high": 1.0}}},
}


def sat(identity: str = "now", **more: Any) -> Sitting:
    fields: dict[str, Any] = {"at_ns": DAY, "judge": "quality", "identity": identity, "suite": "s", "parts": PARTS, "figures": FIGURES}
    return Sitting(**(fields | more))


def of(sittings: list[Sitting], bar: dict[str, str], parts: dict[str, str] = PARTS) -> Standing:
    return standing(("quality", "now"), parts, "s", bar, sittings)


def test_a_judge_that_sat_no_exam_decides_nothing_where_a_bar_is_stated() -> None:
    found = of([], {"kappa": "0.6"})
    assert (found.state, found.counts, found.examined) == ("none", False, None)
    assert found.mend == "fairtrial judge exam LABELS --judge quality"


def test_without_a_bar_its_verdicts_count_and_it_is_said_that_it_was_never_examined() -> None:
    found = of([], {})
    assert found.counts
    assert found.why == "quality was never examined"


def test_a_passed_exam_counts_and_shows_its_date_and_figures() -> None:
    found = of([sat(bar={"kappa": "0.6"}, passes=True)], {"kappa": "0.6", "recall_critical": "0.9"})
    assert (found.state, found.counts, found.examined) == ("passed", True, "1970-01-02T00:00:00Z")
    assert found.why == "quality passed its exam of 1970-01-02: kappa 0.620 (0.50 to 0.70), recall_critical 0.940 (0.80 to 1.00)"


def test_a_bar_that_was_met_on_few_cases_says_that_luck_may_have_met_it() -> None:
    few = {"kappa": {"value": 0.61, "low": 0.05, "high": 0.9, "n": 24, "clusters": 12}}
    found = of([sat(figures=few)], {"kappa": "0.6"})
    assert found.counts
    assert "kappa 0.610 (0.05 to 0.90 over 12 independent cases); on 12 independent cases an exam is passed by luck as well" in found.why
    assert "luck" not in of([sat(figures={"kappa": {**few["kappa"], "clusters": 30}})], {"kappa": "0.6"}).why
    assert "luck" not in of([sat(figures=few)], {"kappa_low": "0.01"}).why


def test_a_stricter_bar_is_held_against_the_figures_and_not_against_what_was_decided_then() -> None:
    found = of([sat(bar={"kappa": "0.6"}, passes=True)], {"kappa": "0.7"})
    assert (found.state, found.counts) == ("failed", False)
    assert found.why == "quality has not passed its exam of 1970-01-02: kappa 0.620, 0.7 is asked"


def test_a_softer_bar_is_met_by_an_exam_that_failed_a_harder_one() -> None:
    assert of([sat(bar={"kappa": "0.9"}, passes=False)], {"kappa": "0.6"}).state == "passed"


def test_a_judge_that_changed_since_its_exam_is_told_what_changed() -> None:
    found = of([sat("before", parts={**PARTS, "rubric": "sha256:b"})], {"kappa": "0.6"})
    assert (found.state, found.counts) == ("stale", False)
    assert found.why == "quality changed since its exam of 1970-01-02: rubric"
    other = of([sat("before", parts={"model": "m-0", "rubric": "sha256:b"})], {"kappa": "0.6"})
    assert other.why.endswith("model, rubric")
    assert of([sat("before")], {}).why.endswith("what it is made of")


def test_another_suites_judge_of_the_same_name_is_another_judge() -> None:
    assert of([sat("before", suite="other")], {}).state == "none"
    assert of([sat("now", suite="other")], {"kappa": "0.6"}).state == "passed"


def test_the_newest_exam_of_the_same_judge_decides_and_the_earlier_ones_are_counted() -> None:
    worse = {**FIGURES, "kappa": {"value": 0.3}}
    found = of([sat(), sat(at_ns=2 * DAY, figures=worse)], {"kappa": "0.6"})
    assert found.state == "failed"
    assert "exam 2 of this judge" in found.why


@pytest.mark.parametrize(
    ("name", "value"), [("kappa", 0.62), ("kappa_low", 0.5), ("recall_critical", 0.94), ("recall_critical_low", 0.8), ("alpha", 0.5)]
)
def test_a_figure_is_found_by_the_name_that_a_bar_gives_it(name: str, value: float) -> None:
    figures = FIGURES | {"alpha": 0.5, "intervals": {"alpha": {"value": 0.5, "low": 0.4, "high": 0.6}}}
    assert figure(figures, name) == value
    assert figure(FIGURES, "recall_minor") is None


@pytest.mark.parametrize("figures", [{}, {"kappa": None}, {"kappa": {"value": None}}, {"kappa": float("nan")}, {"kappa": True}])
def test_a_figure_that_the_exam_could_not_give_is_missed(figures: dict[str, Any]) -> None:
    assert unmet(figures, {"kappa": "0"}) == ["kappa could not be had, 0 is asked"]


def test_a_bar_that_is_no_number_is_never_met() -> None:
    assert unmet(FIGURES, {"kappa": "high"}) == ["kappa: its bar 'high' is no number"]
    assert unmet(FIGURES, {"kappa": "nan"}) != []


@given(value=st.floats(0, 1), least=st.decimals(0, 1, places=6))
def test_what_is_shown_of_a_missed_figure_lies_below_its_bar(value: float, least: Any) -> None:
    told = unmet({"kappa": value}, {"kappa": str(least)})
    assert bool(told) == (figure({"kappa": value}, "kappa") is not None and not (value >= least))
    if told:
        assert Decimal(told[0].split()[1].rstrip(",")) < least
