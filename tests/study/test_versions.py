"""Several versions against one base: one table over the cases they all share, and which of them no other beats in everything."""

from decimal import Decimal

import pytest

from fairtrial.records.trial import TrialHead
from fairtrial.records.versions import Version, Versions
from fairtrial.study.comparison import compare
from fairtrial.study.table import Table
from fairtrial.study.versions import read_versions
from tests.study.tables import Change, info, one, spent


def priced(usd: str | None, ms: float, severe: str = "") -> Change:
    def change(trial: TrialHead, graded: object) -> None:
        trial.spend, trial.stated_ms = spent(usd), ms
        if trial.key.case in severe.split():
            graded.severe = 1  # type: ignore[attr-defined]

    return change


def side(run: str, passed: int, usd: str | None = "0.03", ms: float = 600.0, *, of: int = 20, severe: str = "") -> Table:
    return one({f"c{place:03}": "P" if place < passed else "F" for place in range(of)}, priced(usd, ms, severe), run=run)


def laid(*tables: Table) -> Versions:
    base, *news = ((table, "solo") for table in tables)
    return read_versions(base, news)


def in_front(*tables: Table) -> list[str]:
    return [place.label for place in laid(*tables).places if place.front]


def test_the_price_of_a_success_in_the_fourth_article() -> None:
    found = laid(side("A", 78, "0.03", 18_000, of=100), side("B", 84, "0.12", 55_000, of=100), side("C", 82, "0.04", 23_000, of=100))
    assert [place.label for place in found.places] == ["A", "B", "C"]
    assert [round(place.cost_per_success or 0, 4) for place in found.places] == [Decimal("0.0385"), Decimal("0.1429"), Decimal("0.0488")]
    assert [(place.success_rate.value, place.latency_p50_ms, place.latency_p95_ms) for place in found.places] == [
        (0.78, 18_000, 18_000),
        (0.84, 55_000, 55_000),
        (0.82, 23_000, 23_000),
    ]
    assert [place.front for place in found.places] == [True, True, True]
    assert found.says == (
        "Of 3 versions on 100 shared cases, not beaten in everything by another: A, B, C; against A: cannot tell B, C; "
        "next: add cases before choosing by success, or choose by cost and time among those in front."
    )


def test_the_price_of_a_success_has_its_interval_or_says_why_not() -> None:
    first, second = laid(side("a", 10), side("b", 0, of=20)).places
    assert first.cost_per_success_low is not None
    assert first.cost_per_success_high is not None
    assert first.cost_per_success is not None
    assert first.cost_per_success_low < first.cost_per_success < first.cost_per_success_high
    assert (second.cost_per_success, second.cost_per_success_low, second.cost_per_success_high) == (None, None, None)
    assert second.reasons["cost_usd.per_success"] == "no trial passed"


def test_a_version_that_another_beats_in_everything_is_not_in_front_and_says_by_whom() -> None:
    found = laid(side("a", 10), side("b", 14, "0.06", 900), side("c", 12, "0.09", 900))
    assert [place.front for place in found.places] == [True, True, False]
    assert found.places[2].beaten_by == ["b"]


def test_equal_versions_do_not_beat_each_other() -> None:
    assert in_front(side("a", 10), side("b", 10)) == ["a", "b"]


def test_a_severe_failure_is_never_outweighed_by_success() -> None:
    assert in_front(side("a", 10), side("b", 15, severe="c019")) == ["a", "b"]
    assert in_front(side("a", 10), side("b", 10, severe="c019")) == ["a"]


def test_an_unknown_price_speaks_in_nobodys_favour() -> None:
    dear, silent = side("a", 10, "0.90"), side("b", 10, None)
    assert in_front(dear, silent) == ["a"]
    assert in_front(dear, side("b", 12, None)) == ["a", "b"]
    both = laid(side("a", 10, None), side("b", 9, None))
    assert [place.front for place in both.places] == [True, False]
    assert both.places[0].reasons["cost_usd.mean"] == "the cost is fully known for 0 of 20 run trials"


def test_a_part_of_the_costs_is_no_lower_price() -> None:
    def some(trial: TrialHead, graded: object) -> None:
        trial.spend, trial.stated_ms = spent("0.01" if trial.key.case == "c000" else None), 600.0

    part = one({f"c{place:03}": "P" if place < 10 else "F" for place in range(20)}, some, run="b")
    found = laid(side("a", 10), part)
    assert (found.places[1].cost_mean, found.places[1].front) == (None, False)
    assert found.notes[-1] == "a cost that is not fully known counts as dearer than any that is"


@pytest.mark.parametrize("letter", ["U", "-", "E"])
def test_undecided_and_unrun_trials_do_not_pass(letter: str) -> None:
    cases = {f"c{place:03}": "P" if place < 10 else letter for place in range(20)}
    found = laid(side("a", 11), one(cases, priced("0.03", 600.0), run="b"))
    assert [place.front for place in found.places] == [True, False]
    assert (found.places[1].unknown, found.places[1].not_run) == ((0, 10) if letter == "-" else (10, 0))


def test_only_cases_that_all_versions_share_are_in_the_table() -> None:
    less = one({"c000": "P", "c001": "F"}, priced("0.03", 600.0), run="b")
    changed = one({"c000": "P", "c001": "P", "x": "P"}, priced("0.03", 600.0), run="c", infos={"c001": info("c001", hash="sha256:other")})
    found = laid(side("a", 1, of=3), less, changed)
    assert (found.cases, found.left_out) == (1, ["c001", "c002", "x"])
    assert [place.planned for place in found.places] == [1, 1, 1]


def test_a_version_that_may_not_be_compared_stands_outside_the_ranking() -> None:
    found = laid(side("a", 10), one({f"c{place:03}": "P" for place in range(20)}, priced("0.01", 1.0), run="b", grader="g2"))
    assert [(place.verdict, place.front) for place in found.places] == [(None, True), ("invalid", False)]
    assert found.next == "keep a"


def test_of_many_candidates_that_are_all_alike_none_is_better_by_number_alone() -> None:
    """Seven cases that flip are p = .016: enough for one look, not for five."""
    base = side("a", 10, of=40)
    other = side("b", 17, of=40)
    alone = compare(base, "solo", other, "solo")
    assert (alone.verdict, alone.p_holm) == ("better", None)
    found = laid(base, other, *(side(name, 10, of=40) for name in "cdef"))
    one_of_five = found.comparisons[0]
    assert one_of_five.p_value == alone.p_value
    assert one_of_five.p_holm == pytest.approx(5 * (alone.p_value or 0))
    assert one_of_five.verdict == "cannot_tell"
    assert "p = 0.016, p = 0.078 as one of 5 candidates" in one_of_five.says
    assert found.notes[0] == "p-values are corrected (Holm) for 5 candidates; intervals are each for one look"


def test_the_best_of_those_surely_better_is_named() -> None:
    found = laid(side("a", 5, of=60), side("b", 40, of=60), side("c", 50, "0.05", of=60))
    assert [place.verdict for place in found.places] == [None, "better", "better"]
    assert found.next == "take c, if its cost and time will do"


def test_versions_are_called_by_as_much_of_their_name_as_tells_them_apart() -> None:
    found = laid(side("r1", 10), side("r2", 10))
    assert [(place.name, place.label) for place in found.places] == [("r1:solo", "r1"), ("r2:solo", "r2")]
    assert isinstance(found.places[0], Version)
