"""The exam of a judge: what is truth, what is a verdict, what is counted where, and when a bar is met."""

from typing import Any

import pytest

from fairtrial.records.errors import InputError
from fairtrial.records.exam import Exam
from fairtrial.records.rating import Rating
from fairtrial.study.exam import ExamOptions, read_exam


def rated(rater: str, *labels: str | None, **more: Any) -> list[Rating]:
    """One rating an item: i0, i1, …"""
    return [Rating(item=f"i{place}", rater=rater, label=label, **more) for place, label in enumerate(labels)]


def exam(ratings: list[Rating], bar: dict[str, Any] | None = None, **options: Any) -> Exam:
    return read_exam(ratings, ExamOptions(**options), bar)


PASSED_ALL = rated("human:1", *["pass"] * 9, "fail") + rated("j", *["pass"] * 10)


def test_a_judge_that_always_passes_is_seen_through() -> None:
    found = exam(PASSED_ALL)
    assert (found.agreement.value, found.kappa.value, found.specificity.value) == (0.9, 0.0, 0.0)
    assert "caught 0 of 1 failure" in found.says
    assert exam(PASSED_ALL, {"agreement": "0.8"}).passes is True
    assert exam(PASSED_ALL, {"kappa": "0.6"}).passes is False


def test_where_all_is_one_label_kappa_has_a_reason_and_agreement_its_value() -> None:
    found = exam(rated("human:1", *["pass"] * 10) + rated("j", *["pass"] * 10), {"kappa": "0.1"})
    assert found.agreement.value == 1.0 and found.kappa.value is None and "one label" in (found.kappa.reason or "")
    assert found.passes is False, "a bar that cannot be computed is not met"
    assert found.bar[0].why


def test_items_that_one_side_left_out_are_counted_and_in_no_figure() -> None:
    ratings = rated("human:1", "pass", None, "fail", "pass") + rated("j", "pass", "fail", "fail", None)
    found = exam([*ratings[:1], *ratings[2:7]])
    assert (found.n, found.aside.no_truth, found.aside.no_judge) == (2, 1, 1)
    assert exam(ratings).aside.gaps == 2


def test_truth_is_what_most_people_say_and_a_tie_is_none() -> None:
    ratings = rated("human:1", "PASS", "PASS", "PASS") + rated("human:2", "PASS", "FAIL", "FAIL") + rated("human:3", "FAIL", "FAIL")
    found = exam([*ratings, *rated("j", "PASS", "FAIL", "FAIL")])
    assert (found.n, found.aside.ties) == (2, 1)
    assert found.confusion == {"PASS": {"PASS": 1, "FAIL": 0}, "FAIL": {"PASS": 0, "FAIL": 1}}


def test_what_people_cannot_tell_is_no_truth_and_no_label() -> None:
    found = exam(rated("human:1", "PASS", "UNKNOWN", "FAIL") + rated("j", "PASS", "PASS", "FAIL"))
    assert (found.n, found.aside.unknown, found.labels) == (2, 1, ["PASS", "FAIL"])


def test_a_raters_last_word_counts_and_earlier_ones_are_told() -> None:
    ratings = rated("human:1", "PASS", "FAIL") + rated("j", "FAIL", "FAIL") + rated("j", "PASS", "FAIL")
    found = exam(ratings)
    assert found.agreement.value == 1.0
    assert (found.n, found.aside.earlier, found.aside.changed) == (2, 2, 1)


def settles(rater: str, item: str, label: str) -> Rating:
    return Rating(item=item, rater=rater, label=label, settles=True)


TWO = rated("human:1", "PASS", "PASS", "FAIL") + rated("human:2", "PASS", "FAIL", "FAIL") + rated("j", "FAIL", "FAIL", "FAIL")


def test_a_difference_is_settled_by_a_third_person_and_nobody_else() -> None:
    assert (exam(TWO).n, exam(TWO).aside.ties) == (2, 1)
    found = exam([*TWO, settles("human:3", "i1", "FAIL")])
    assert (found.n, found.aside.settles_nothing) == (3, 0) and found.agreement.value == pytest.approx(2 / 3)
    for rater in ("j", "other", "human:1", "Human: 2"):
        found = exam([*TWO, settles(rater, "i1", "FAIL")], judge="j")
        assert (found.n, found.aside.ties, found.aside.settles_nothing) == (2, 1, 1), rater


def test_whoever_settles_overrules_nobody_who_agrees_and_never_as_their_own_examinee() -> None:
    found = exam([*TWO, settles("human:3", "i0", "FAIL")])
    assert (found.n, found.agreement.value, found.aside.settles_nothing) == (2, 0.5, 1)
    people = [*TWO, *rated("human:3", "PASS", "FAIL", "FAIL"), settles("human:3", "i1", "FAIL")]
    assert exam(people, judge="human:3").aside.settles_nothing == 1


def test_two_who_settle_differently_settle_nothing_in_any_order() -> None:
    both = [settles("human:3", "i1", "FAIL"), settles("human:4", "i1", "PASS")]
    for own in (both, both[::-1]):
        found = exam([*TWO, *own])
        assert (found.n, found.aside.settles_nothing) == (2, 2)


def test_one_person_in_several_spellings_is_one_and_the_last_word_counts() -> None:
    spelt = rated("human:Ann", "PASS") + rated("human:ann ", "PASS") + rated("HUMAN:a\u200bnn", "FAIL") + rated("human:bo", "FAIL")
    found = exam(spelt + rated("j", "FAIL"))
    assert (found.n, found.aside.earlier, list(found.raters)) == (1, 2, ["human:Ann|human:bo"])
    assert exam(spelt + rated("j", "FAIL"), truth="human:ANN").agreement.value == 1.0
    with pytest.raises(InputError, match="its own truth"):
        exam(spelt, judge="human:Ann", truth="human:ann")


def test_the_order_of_lines_changes_nothing_that_is_stated_of_an_item() -> None:
    lines = [
        Rating(item="a", rater="human:1", label="FAIL", severity="minor", cluster="x", slice={"lang": "zh"}),
        Rating(item="a", rater="human:2", label="FAIL", severity="critical", cluster="y", slice={"lang": "en", "kind": "k"}),
        Rating(item="a", rater="human:3", label="FAIL", severity="odd"),
        Rating(item="a", rater="j", label="PASS"),
    ]
    found = [exam(own) for own in (lines, lines[::-1], lines[1:] + lines[:1])]
    assert [list(one.by_severity) for one in found] == [["critical"]] * 3
    assert found[0].slices == found[1].slices == found[2].slices


@pytest.mark.parametrize(("good", "bad"), [("通过", "不通过"), ("true", "false"), ("yes", "no"), ("1", "0"), ("正确", "错误")])
def test_pairs_that_everybody_knows_have_a_good_label(good: str, bad: str) -> None:
    found = exam(rated("human:1", good, good) + rated("j", good, bad))
    assert (found.positive, found.labels, found.invalid) == (good, [good, bad], 0)


INVALID = rated("human:1", "0", "1", "2", "1", "2", "0") + rated("j", "0", "1", "I cannot say", "2", "2", "")


def test_a_reply_that_is_no_verdict_is_counted_and_shown_under_every_rule() -> None:
    found = exam(INVALID)
    assert (found.invalid, found.rule, found.labels) == (2, "wrong", ["0", "1", "2"])
    assert [found.under[rule].agreement.value for rule in ("wrong", "tie", "drop")] == [pytest.approx(x) for x in (3 / 6, 4 / 6, 3 / 4)]
    assert [found.under[rule].n for rule in ("wrong", "tie", "drop")] == [6, 6, 4]
    assert found.confusion["2"]["not a verdict"] == 1
    assert exam(INVALID, rule="drop").agreement.value == pytest.approx(3 / 4)


def test_labels_without_a_tie_have_no_figure_under_that_rule() -> None:
    ratings = rated("human:1", "PASS", "FAIL") + rated("j", "PASS", "maybe")
    found = exam(ratings)
    assert found.under["tie"].agreement.value is None and found.under["tie"].agreement.reason
    assert found.specificity.value == 0.0, "a reply that is no verdict has caught nothing"
    with pytest.raises(InputError, match="no tie"):
        exam(ratings, rule="tie")


def test_of_a_known_pair_the_other_half_is_a_label_though_nobody_gave_it() -> None:
    found = exam(rated("human:1", "PASS", "PASS") + rated("j", "PASS", "FAIL"))
    assert (found.invalid, found.labels, found.positive) == (0, ["PASS", "FAIL"], "PASS")


def test_case_and_outer_space_make_no_other_label() -> None:
    found = exam(rated("human:1", "PASS", "FAIL") + rated("j", " pass", "Fail"))
    assert (found.invalid, found.agreement.value) == (0, 1.0)


def test_the_positive_label_can_be_named_and_must_be_one() -> None:
    found = exam(PASSED_ALL, positive="fail")
    assert (found.recall.value, found.specificity.value, found.precision.value) == (0.0, 1.0, None)
    with pytest.raises(InputError, match="no label"):
        exam(PASSED_ALL, positive="good")


def test_labels_that_nobody_knows_have_no_positive_one_but_means_over_all() -> None:
    found = exam(rated("human:1", "a", "b", "c") + rated("j", "a", "b", "b"))
    assert found.positive is None and found.precision.value is None and found.precision.reason
    assert found.macro.recall == pytest.approx(2 / 3)
    assert found.macro.precision is None and "c" in found.reasons["macro_precision"]


def test_failures_are_told_by_severity_the_most_severe_first() -> None:
    ratings = [
        *rated("human:1", "FAIL", "FAIL", severity="minor"),
        *[Rating(item=f"c{n}", rater="human:1", label="FAIL", severity="critical") for n in range(4)],
        Rating(item="x", rater="human:1", label="PASS", severity="odd"),
        *rated("j", "FAIL", "FAIL"),
        *[Rating(item=f"c{n}", rater="j", label="FAIL" if n < 3 else "PASS") for n in range(4)],
        Rating(item="x", rater="j", label="PASS"),
    ]
    found = exam(ratings, {"recall_critical": "0.9"})
    assert list(found.by_severity) == ["critical", "minor", "odd"]
    critical = found.by_severity["critical"]
    assert (critical.failures, critical.caught, critical.recall.value) == (4, 3, 0.75)
    assert found.by_severity["odd"].recall.value is None
    assert found.passes is False
    assert exam(ratings, {"recall_major": "0.1"}).passes is False, "none of that severity is in the file"


def test_slices_have_their_own_n() -> None:
    ratings = rated("human:1", "PASS", "FAIL", slice={"lang": "zh"}) + rated("j", "PASS", "PASS", "PASS")
    ratings.append(Rating(item="i2", rater="human:1", label="PASS", slice={"lang": "en"}))
    found = exam(ratings)
    assert {value: part.n for value, part in found.slices["lang"].items()} == {"en": 1, "zh": 2}
    assert found.slices["lang"]["zh"].agreement.value == 0.5


def test_people_are_held_against_each_other() -> None:
    ratings = rated("human:1", "PASS", "FAIL", "PASS", "FAIL") + rated("human:2", "PASS", "FAIL", "PASS", None)
    found = exam([*ratings, *rated("j", *["PASS"] * 4)])
    pair = found.raters["human:1|human:2"]
    assert (pair.n, pair.agreement, pair.kappa) == (3, 1.0, 1.0)
    assert found.alpha == 1.0 and found.fleiss_kappa == 1.0
    assert exam(PASSED_ALL).reasons["alpha"].startswith("one person rated")


def test_any_rater_can_be_the_truth_but_never_the_judge() -> None:
    assert exam(PASSED_ALL, judge="j", truth="human:1").n == 10
    assert exam(PASSED_ALL, judge="human:1", truth="j").labels == ["pass", "fail"]
    for wrong in ("j", "human:9"):
        with pytest.raises(InputError):
            exam(PASSED_ALL, judge="j", truth=wrong)


def test_whose_exam_it_is_must_be_clear() -> None:
    with pytest.raises(InputError, match="whose exam"):
        exam([*PASSED_ALL, *rated("other", "pass")])
    with pytest.raises(InputError, match="no rating by 'k'"):
        exam(PASSED_ALL, judge="k")
    with pytest.raises(InputError, match="no rating by a person"):
        exam(rated("a", "PASS") + rated("b", "PASS"), judge="a")
    with pytest.raises(InputError, match="no item has both"):
        exam([Rating(item="a", rater="human:1", label="PASS"), Rating(item="b", rater="j", label="PASS")])


def test_ratings_of_another_version_of_the_judge_are_set_aside() -> None:
    old = rated("j", "FAIL", "FAIL", version="sha256:old")
    new = rated("j", "PASS", "FAIL", version="sha256:new")
    found = exam([*rated("human:1", "PASS", "FAIL"), *new, *old], version="sha256:new", judge="j")
    assert found.agreement.value == 1.0 and found.aside.other_version == 2


@pytest.mark.parametrize(
    "bar", [{"kapa": "0.6"}, {"kappa": "60%"}, {"kappa": 60}, {"recall_huge": "0.5"}, {"kappa": True}, {"kappa": "nan"}]
)
def test_a_bar_that_is_none_is_an_error(bar: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        exam(PASSED_ALL, bar)


def test_a_bar_may_ask_for_the_lower_end() -> None:
    found = exam(PASSED_ALL, {"agreement": "0.9", "agreement_low": "0.9"})
    assert [row.met for row in found.bar] == [True, False]


def test_free_text_is_no_label() -> None:
    with pytest.raises(InputError, match="different labels"):
        exam(rated("human:1", *map(str, range(200))) + rated("j", *map(str, range(200))))
