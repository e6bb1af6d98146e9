"""What labels come to: two people at least, the majority, a third who settles; a tie is nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.label import SETTLES, Label
from fairtrial.records.person import human, person_of, rater_key
from fairtrial.records.verdict import Verdict
from fairtrial.study.settled import Settled, settle


def label(rater: str, said: str, **more: object) -> Label:
    return Label(item="i", rater=rater, label=Verdict(said), **more)  # type: ignore[arg-type]


def came(*said: Label) -> tuple[str, str | None]:
    found = settle(list(said))
    return found.state, None if found.label is None else found.label.value


@pytest.mark.parametrize(
    ("said", "state", "verdict"),
    [
        ("", "open", None),
        ("P", "open", None),
        ("PP", "settled", "PASS"),
        ("UU", "settled", "UNKNOWN"),
        ("PF", "split", None),
        ("PFF", "settled", "FAIL"),
        ("PFU", "split", None),
        ("PPFF", "split", None),
    ],
)
def test_people_agree_or_they_do_not(said: str, state: str, verdict: str | None) -> None:
    words = {"P": "PASS", "F": "FAIL", "U": "UNKNOWN"}
    assert came(*(label(f"r{n}", words[one]) for n, one in enumerate(said))) == (state, verdict)


def test_who_settles_has_the_last_word_and_settles_nothing_before_two_have_spoken() -> None:
    two = [label("ann", "PASS"), label("ben", "FAIL")]
    assert came(*two, label("cleo", "FAIL", role=SETTLES)) == ("settled", "FAIL")
    assert came(two[0], label("cleo", "FAIL", role=SETTLES)) == ("open", None)


def test_a_correction_is_the_last_word_of_the_same_person_however_the_name_is_written() -> None:
    assert came(label("Ann", "PASS"), label("ben", "FAIL"), label("ann ", "FAIL")) == ("settled", "FAIL")
    assert came(label("ann", "PASS"), label("ANN", "PASS")) == ("open", None)


def test_the_score_is_what_was_given_else_5_or_1() -> None:
    found: Settled = settle([label("ann", "PASS", score=4.0), label("ben", "PASS")])
    assert found.score == 4.5
    assert settle([label("ann", "UNKNOWN"), label("ben", "UNKNOWN")]).score is None
    worst = settle([label("ann", "FAIL", severity="minor"), label("ben", "FAIL", severity="critical"), label("c", "PASS")])
    assert (worst.score, worst.severity, worst.by) == (1.0, "critical", ("ann", "ben"))


@given(st.lists(st.sampled_from(["PASS", "FAIL", "UNKNOWN"]), min_size=0, max_size=6), st.randoms())
def test_the_order_in_which_people_speak_changes_nothing(said: list[str], chance: object) -> None:
    labels = [label(f"r{n}", one) for n, one in enumerate(said)]
    found = came(*labels)
    chance.shuffle(labels)  # type: ignore[attr-defined]
    assert came(*labels) == found


def test_names_are_told_apart_by_letters_alone() -> None:
    assert person_of("  ＡＮＮ\u00a0Lee ") == person_of("ann lee")
    assert person_of("ann") != person_of("anna")


SPELT = ["ann lee", "Ann  Lee", "ＡＮＮ\u3000Lee", "ann\u200b lee", "\ufeffann lee", "a\u00adnn lee", "ann\u2060 lee", "an\u034fn lee",
         "a\u200enn lee",
         "ann lee\ufe0f", "\u3164ann lee", "ann\x07 lee", "human:ann lee", "Human: ann lee",
         "ann\u00a0lee\U000e0041", "\ue000ann lee"]  # fmt: skip


@pytest.mark.parametrize("name", SPELT)
def test_nobody_is_two_people_by_what_nobody_sees(name: str) -> None:
    assert person_of(name) == "ann lee"
    assert rater_key(f"human:{name}") == rater_key("HUMAN:Ann Lee")


@given(st.text(max_size=8))
def test_a_folded_name_folds_to_itself(name: str) -> None:
    assert person_of(person_of(name)) == person_of(name)


@pytest.mark.parametrize("rater", ["human", "human:b", "Human:b", " human:c", "HUMAN:d", "human :e", "hum\u200ban:f", "ｈｕｍａｎ：g"])
def test_a_rater_that_looks_like_a_person_is_one(rater: str) -> None:
    assert human(rater)
    assert not human(f"x{rater}")


def test_whoever_settles_overrules_nobody_where_all_say_the_same_meanwhile() -> None:
    two = [label("ann", "PASS"), label("ben", "FAIL"), label("cleo", "FAIL", role=SETTLES)]
    assert came(*two) == ("settled", "FAIL")
    assert came(*two, label("ben", "PASS")) == ("settled", "PASS")
