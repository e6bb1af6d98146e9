"""What holds of groundedness whatever is said: more support never harms, a changed digit always does, and order counts for nothing."""

from datetime import date, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.graders.backing import Backing
from fairtrial.graders.claims import claims_in
from fairtrial.graders.given import Source
from tests.graders.making import FAIL, PASS, UNKNOWN, Tape, make_trial, verdict_of

CHECK: dict[str, Any] = {"grounded": "$"}
RANK = {FAIL: 0, UNKNOWN: 1, PASS: 2}
KINDS = st.sampled_from(["${:,.2f}", "{:.2f}", "{:.2f} 元", "It costs {:,.2f} euros", "共{:.2f}元"])
AMOUNTS = st.integers(10**4, 10**9).map(lambda cents: cents / 100)
TEXTS = st.text(
    alphabet=st.characters(codec="utf-8", exclude_characters="\x00") | st.sampled_from('0123456789.,-/:%$#"“”年月日千万 \n'), max_size=80
)


def verdict(answer: Any, results: list[Any]) -> str:
    tape = Tape()
    for number, result in enumerate(results):
        tape.call(f"t{number}", {}, result)
    return verdict_of(CHECK, make_trial(answer, tape.spans))


@given(TEXTS, AMOUNTS, KINDS)
def test_a_supported_sentence_more_never_makes_it_worse(text: str, amount: float, kind: str) -> None:
    results = [{"amount": amount}, {"note": "nothing"}]
    before = verdict({"first": text}, results)
    assert RANK[verdict({"first": text, "second": kind.format(amount)}, results)] >= RANK[before]


@given(AMOUNTS, KINDS, st.data())
def test_a_changed_digit_of_a_supported_figure_always_fails(amount: float, kind: str, data: st.DataObject) -> None:
    text = kind.format(amount)
    assert verdict(text, [{"amount": amount}]) == PASS
    place = data.draw(st.sampled_from([place for place, char in enumerate(text) if char.isdigit()]))
    digit = data.draw(st.sampled_from([char for char in "123456789" if char != text[place]]))
    assert verdict(text[:place] + digit + text[place + 1 :], [{"amount": amount}]) == FAIL


@given(st.dates(), st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%Y年%m月%d日", "%d %b %Y", "%Y/%m/%d"]), st.integers(1, 400))
def test_a_date_is_one_date_however_it_is_spelt(day: date, form: str, later: int) -> None:
    day = day.replace(year=1900 + day.year % 200)
    other = day + timedelta(days=later)
    assert verdict(f"It began on {day.strftime(form)}.", [{"began": day.isoformat()}]) == PASS
    assert verdict(f"It began on {other.strftime(form)}.", [{"began": day.isoformat()}]) == FAIL


@given(st.lists(st.one_of(AMOUNTS, TEXTS, st.dictionaries(st.sampled_from("abc"), AMOUNTS)), max_size=5), TEXTS, st.randoms())
def test_the_order_of_results_counts_for_nothing(results: list[Any], answer: str, chance: Any) -> None:
    shuffled = list(results)
    chance.shuffle(shuffled)
    assert verdict(answer, results) == verdict(answer, shuffled)


@given(TEXTS)
def test_what_was_returned_word_for_word_is_always_borne_out(text: str) -> None:
    given_ = Backing([Source("tools", "t", text)])
    assert [claim for claim in claims_in(text) if not given_.holds(claim)] == []


@settings(max_examples=300)
@given(TEXTS, TEXTS)
def test_any_text_can_be_looked_at(answer: str, result: str) -> None:
    assert verdict(answer, [result]) in (PASS, FAIL, UNKNOWN)
    for claim in claims_in(answer):
        assert 0 <= claim.start < claim.end <= len(answer)
