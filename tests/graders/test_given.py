"""What counts as given: by whom, to whom, by when; and what an agent says itself, which never does."""

from decimal import Decimal
from typing import Any

import pytest

from fairtrial.graders.dates import Day, moments_in
from fairtrial.graders.figures import figures_in
from fairtrial.graders.numbers import fold_digits
from fairtrial.graders.numerals import read_numeral
from tests.graders.making import FAIL, PASS, TEAM, UNKNOWN, Tape, make_trial, verdict_of

CHECK: dict[str, Any] = {"grounded": "$"}


def test_facts_of_the_brief_count_where_the_check_lets_them() -> None:
    assert verdict_of(CHECK, make_trial("It is 46.", []), facts={"demand": 46}) == PASS
    assert verdict_of({**CHECK, "in": ["tools"]}, make_trial("It is 46.", []), facts={"demand": 46}) == FAIL
    assert verdict_of({**CHECK, "allow": [46, "24 hours"]}, make_trial("It is 46 within 24 hours.", [])) == PASS


def test_a_fact_that_only_another_role_may_see_counts_once_it_was_handed_on() -> None:
    raw: dict[str, Any] = {"facts": {"stockout_days": 4}, "visible_to": {"stockout_days": ("coo",)}, "seat": TEAM}
    assert verdict_of(CHECK, make_trial("Out for 4 days.", Tape().call("t", role="coo").spans), **raw) == FAIL
    told = Tape().hand("coo", "ceo", {"stockout_days": 4})
    assert verdict_of(CHECK, make_trial("Out for 4 days.", told.spans), **raw) == PASS
    twisted = Tape().hand("coo", "ceo", {"stockout_days": 9})
    assert verdict_of(CHECK, make_trial("Out for 9 days.", twisted.spans), **raw) == FAIL, "the fact counts, not what became of it"


def test_the_agents_own_words_are_no_evidence() -> None:
    note = "the bridge is 62 metres high"
    assert verdict_of(CHECK, make_trial("It is 62 high.", Tape().call("note", {"text": note}, {"saved": note}).spans)) == FAIL
    assert verdict_of(CHECK, make_trial("It is 62 high.", Tape().call("ask", {"height": 62}, None).spans)) == FAIL
    searched = Tape().call("search", {"height": 62}, {"height": 62, "hits": []}, wrote=False)
    assert verdict_of(CHECK, make_trial("It is 62 high.", searched.spans)) == FAIL
    paid = Tape().call("pay", {"amount": 62}, {"paid": 62}, wrote=True)
    assert verdict_of(CHECK, make_trial("62 was paid.", paid.spans)) == PASS


def test_what_a_call_was_asked_counts_only_where_the_check_says_so() -> None:
    tape = Tape().call("flights", {"on": "2025-05-19"}, [{"flight": "HAT136"}])
    answer = "Flight HAT136 leaves on 19 May 2025."
    assert verdict_of(CHECK, make_trial(answer, tape.spans)) == FAIL
    assert verdict_of({**CHECK, "in": ["tools", "calls"]}, make_trial(answer, tape.spans)) == PASS


def test_an_error_tells_something_too() -> None:
    tape = Tape().call("pay", {}, outcome="failed", error={"kind": "failed", "message": "the price is 305"})
    assert verdict_of(CHECK, make_trial("The price is 305.", tape.spans)) == PASS


def test_what_was_said_to_the_user_is_held_to_what_was_known_by_then() -> None:
    def said(before: Tape) -> str:
        return verdict_of({**CHECK, "said": True}, make_trial("Done, thank you.", before.spans))

    assert said(Tape().call("t", {}, {"price": 62}).add("message", "user", text="It costs 62.")) == PASS
    assert said(Tape().add("message", "user", text="It costs 62.").call("t", {}, {"price": 62})) == FAIL
    assert said(Tape().add("user", "user", text="I paid 62.").add("message", "user", text="You paid 62.")) == PASS


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("100 and 50 make 150.", PASS),
        ("100 less 50 leaves 50, and 50 of 100 is 50%.", PASS),
        ("All 3 cost 230.", PASS),
        ("In all 230.", PASS),
        ("100, 50 and 80 make 230.", PASS),
        ("100 and 50 make 160.", FAIL),
        ("It comes to 180.", FAIL),
    ],
)
def test_reckoned_figures_follow_only_from_what_is_in_sight(answer: str, verdict: str) -> None:
    tape = Tape().call("t", {}, [{"price": 100}, {"price": 50}, {"price": 80}])
    assert verdict_of({**CHECK, "arithmetic": True}, make_trial(answer, tape.spans)) == verdict


def test_rounding_is_as_fine_as_it_was_written_and_can_be_ruled_out() -> None:
    tape = Tape().call("t", {}, {"value": 3_184_900, "share": 0.1234})
    for answer in ("3.18 million", "318万", "12.3%", "12%"):
        assert verdict_of(CHECK, make_trial(answer, tape.spans)) == PASS, answer
        assert verdict_of({**CHECK, "exact": True}, make_trial(answer, tape.spans)) == FAIL, answer
    for answer in ("3.19 million", "3.2 billion", "319万", "12.4%", "0.13"):
        assert verdict_of(CHECK, make_trial(answer, tape.spans)) == FAIL, answer


def test_numbers_that_only_number_things_are_no_claims() -> None:
    answer = "Step 3: read it [1]. See section 12. The 2nd is fine. B2B, GPT-4, 24/7.\n1. First\n2. Second\n第3章"
    assert verdict_of(CHECK, make_trial(answer, Tape().call("t", {}, "x").spans)) == UNKNOWN


def test_an_answer_too_long_to_be_read_whole_never_passes() -> None:
    tape = Tape().call("t", {}, {"price": 62})
    assert verdict_of(CHECK, make_trial("It costs 62. " * 90_000, tape.spans)) == UNKNOWN
    assert verdict_of(CHECK, make_trial("It costs 63. " + "It costs 62. " * 90_000, tape.spans)) == FAIL


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三千二百", 3200),
        ("二〇二五", 2025),
        ("3万5千", 35_000),
        ("1亿2000万", 120_000_000),
        ("一百零五", 105),
        ("一百五", 150),
        ("十五", 15),
    ],
)
def test_chinese_numerals_are_read(text: str, value: int) -> None:
    assert read_numeral(text) == value


@pytest.mark.parametrize("text", ["三四百", "万一", "千万", "十分", ""])
def test_what_is_no_numeral_is_not_read(text: str) -> None:
    assert read_numeral(text) is None


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5-7 days", [[5], [7]]),
        ("$1,250.00", [[1250]]),
        ("3.200,00 EUR", [[3200]]),
        ("12%", [[12, Decimal("0.12")]]),
        ("百分之十二", [[12, Decimal("0.12")]]),
        ("- 15-inch", [[15]]),
        ("5k", [[5, 5000]]),
    ],
)
def test_a_number_has_all_its_readings(text: str, values: list[list[Any]]) -> None:
    found = [figure for figure in figures_in(fold_digits(text))]
    parts = [part for figure in found for part in ([figure.readings] if figure.readings else figure.parts)]
    assert [[reading.value for reading in part] for part in parts] == values


@pytest.mark.parametrize("text", ["2025-05-03", "3 May 2025", "May 3rd, 2025", "2025年5月3日", "二〇二五年五月三日", "2025/5/3"])
def test_one_date_in_many_spellings(text: str) -> None:
    assert [moment.days for moment in moments_in(text)] == [(Day(2025, 5, 3),)]


@pytest.mark.parametrize(
    ("text", "minute"), [("14:30", 870), ("2:30 PM", 870), ("下午2点半", 870), ("2025-05-03T14:30:00Z", 870), ("3pm", 900)]
)
def test_one_time_in_many_spellings(text: str, minute: int) -> None:
    assert [moment.minutes for moment in moments_in(text) if moment.minutes] == [(minute,)]
