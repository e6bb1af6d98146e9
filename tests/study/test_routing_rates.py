"""The measured rates of docs/statistics.md, counted again on fewer runs."""

from benchmarks.statistics.routing import MOST, measure


def test_false_rules_stay_rare_and_the_true_one_is_found() -> None:
    assert measure("eight points", (60, 3), 60)[1] <= MOST
    right, wrong = measure("on hard cases", (100, 5), 15)
    assert right >= 0.8
    assert wrong == 0.0
