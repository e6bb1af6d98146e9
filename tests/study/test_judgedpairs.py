"""Pairs counted by case: a case is one observation, ties are nobody's, and what is unknown could have gone the other way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairtrial.records.opinion import Answer
from fairtrial.records.pairs import Double, PairCase, PairsReport, SideBySide
from fairtrial.study.judgedpairs import empty_report, read_pairs, sign_test

SAID = {
    "base": ("first", "second"),
    "new": ("second", "first"),
    "tie": ("tie", "tie"),
    "biased": ("first", "first"),
    "unknown": ("error", "tie"),
}


def seen(word: str, answers: tuple[Answer, ...] = ()) -> SideBySide:
    ab, ba = SAID[word]
    outcome = "tie" if word == "biased" else word
    double = Double(model="m", repeat=1, ab=ab, ba=ba, outcome=outcome, flag="first" if word == "biased" else "")
    return SideBySide(outcome=outcome, why="it is cut off" if word == "unknown" else "", doubles=(double,), answers=answers)


def report(**cases: str) -> PairsReport:
    pairs = {name: [seen(word) for word in words.split()] for name, words in cases.items()}
    return read_pairs(empty_report("r:a", "r:b", "quality", "sha256:i", "sha256:r"), pairs)


def test_pairs_are_counted_and_summed_to_one_sign_a_case() -> None:
    found = report(one="new new base", two="new", three="base new", four="tie biased", five="unknown")
    assert (found.pairs, found.new_wins, found.base_wins, found.ties, found.unknown) == (9, 4, 2, 2, 1)
    assert (found.sign.new, found.sign.base, found.sign.even, found.sign.unknown) == (2, 0, 2, 1)
    assert found.sign.p_value == pytest.approx(0.5)
    assert found.verdict == "cannot_tell"
    assert found.cases[4].why == "it is cut off"
    assert "quality cannot tell the two apart: b wins 2 cases, a 0, 2 even, 1 unknown" in found.says


def test_the_bias_is_a_share_of_the_double_looks_that_can_be_used() -> None:
    found = report(one="biased new", two="biased tie", three="unknown new")
    assert found.bias.value == pytest.approx(0.4)
    assert (found.bias.n, found.bias.first, found.bias.second) == (5, 2, 0)
    assert found.bias.low is not None and found.bias.high is not None
    assert 0 < found.bias.low < 0.4 < found.bias.high < 1
    assert "in 40 % of 5 double looks the place decided" in found.says
    none = report(one="unknown")
    assert (none.bias.value, none.sign.p_value) == (None, None)
    assert set(none.reasons) == {"bias", "sign.p_value"}


def test_a_clear_win_is_told_and_repeats_of_a_case_are_not_counted_as_cases() -> None:
    many = report(**{f"c{place}": "new" for place in range(8)})
    assert many.verdict == "new_better"
    assert many.sign.p_value == pytest.approx(2 / 2**8)
    assert report(one=" ".join(["new"] * 50)).verdict == "cannot_tell"
    assert report(**{f"c{place}": "base base" for place in range(8)}).verdict == "base_better"


def test_a_win_that_unknown_pairs_could_turn_is_none() -> None:
    cases = {f"c{place}": "new" for place in range(8)}
    found = report(**cases, **{f"u{place}": "unknown" for place in range(4)})
    assert found.verdict == "cannot_tell"
    assert "but 4 pairs without an answer could turn it" in found.says


def test_a_win_of_nobody_is_told_as_such() -> None:
    found = report()
    assert (found.pairs, found.verdict) == (0, "cannot_tell")
    assert "No case and attempt is there on both sides" in found.says


NETS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), max_size=12)


@given(NETS)
def test_the_sign_test_is_that_of_scipy_and_the_worst_case_is_never_better(nets: list[tuple[int, int, int]]) -> None:
    found = sign_test([PairCase(id=str(place), new=new, base=base, unknown=unknown) for place, (new, base, unknown) in enumerate(nets)])
    signed = [new - base for new, base, _ in nets if new != base]
    if not signed:
        assert found.p_value is None
        return
    want = stats.binomtest(sum(net > 0 for net in signed), len(signed)).pvalue
    assert found.p_value == pytest.approx(min(1.0, want))
    assert found.worst is not None
    if not any(unknown for *_, unknown in nets):
        assert found.worst == found.p_value or found.new == found.base


def test_the_price_is_that_of_what_was_asked_now() -> None:
    def answer(**more: Any) -> Answer:
        return Answer(model="m", repeat=1, score=1.0, replies=("{}",), input_tokens=10, output_tokens=1, ms=2.0, **more)

    pairs = {"one": [seen("new", (answer(), answer(cached=True)))]}
    found = read_pairs(empty_report("a", "b", "q", "i", "r"), pairs).asking
    assert (found.calls, found.cached, found.input_tokens, found.output_tokens, found.ms, found.usd) == (1, 1, 10, 1, 2.0, None)
