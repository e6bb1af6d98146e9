"""The same rate in every part of the suite."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.study.slices import read_slices, rows_by_label
from fairtrial.study.tally import success_rate
from tests.study.tables import info, one

LABELLED = st.fixed_dictionaries(
    {
        "tags": st.lists(st.sampled_from("xyz"), max_size=3).map(tuple),
        "difficulty": st.sampled_from([None, "easy", "hard"]),
        "risk": st.sampled_from(["low", "high"]),
        "library": st.sampled_from(["capability", "regression"]),
    }
)


def test_a_case_counts_once_in_each_of_its_tags() -> None:
    found = rows_by_label([info("a", tags=("x", "y", "x")), info("b", tags=("y",)), info("c")])
    assert found["tag"] == {"x": [0], "y": [0, 1]}


def test_a_label_that_no_case_has_is_left_out_and_none_is_no_value() -> None:
    found = rows_by_label([info("a"), info("b", difficulty="hard")])
    assert found["difficulty"] == {"hard": [1]}
    assert "source" not in found
    assert "user_group" not in found
    assert list(found) == ["difficulty", "kind", "risk", "library", "tier"]


@given(st.lists(LABELLED, min_size=1, max_size=12))
def test_every_label_is_grouped_as_a_plain_loop_would(labels: list[dict[str, Any]]) -> None:
    cases = [info(f"c{place}", **made) for place, made in enumerate(labels)]
    found = rows_by_label(cases)
    for label in ("difficulty", "source", "kind", "risk", "user_group", "library", "tier"):
        plain: dict[str, list[int]] = {}
        for row, case in enumerate(cases):
            if getattr(case.labels, label) is not None:
                plain.setdefault(getattr(case.labels, label), []).append(row)
        assert found.get(label, {}) == plain


def test_two_parts_can_differ_where_the_total_does_not_show_it() -> None:
    infos = {"a": info("a", difficulty="easy"), "b": info("b", difficulty="hard"), "c": info("c", difficulty="hard")}
    lane = one({"a": "PP", "b": "FF", "c": "FU"}, infos=infos).lane()
    found = read_slices(lane, success_rate(lane))
    assert list(found["difficulty"]) == ["easy", "hard"]
    assert (found["difficulty"]["easy"].value, found["difficulty"]["hard"].value) == (1.0, 0.0)
    assert found["difficulty"]["hard"].best == 0.25
    assert found["difficulty"]["hard"].n == 4


def test_a_part_that_holds_every_case_is_the_total() -> None:
    lane = one({"a": "PF", "b": "F"}).lane()
    overall = success_rate(lane)
    assert read_slices(lane, overall)["kind"]["normal"] is overall
