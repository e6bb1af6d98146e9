"""Numbers in text: the known spellings, and that no changed digit is ever read as the same number."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.compare import same_number
from fairtrial.graders.numbers import Ambiguous, plain_number, read_number

amounts = st.decimals(min_value=0, max_value=10**9, places=2, allow_nan=False, allow_infinity=False)


def rows(shared: Path) -> list[dict[str, Any]]:
    text = (shared / "known-faults/inputs/G01_number_extract.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def outcome(row: dict[str, Any], **how: Any) -> str:
    read = read_number(row["output"], **how)
    if isinstance(read, Ambiguous):
        return "unknown"
    wanted = plain_number(row["expect"])
    return "pass" if read is not None and wanted is not None and read == wanted else "fail"


def test_known_spellings_are_read_as_people_mean_them(shared: Path) -> None:
    for row in rows(shared):
        want = row["want"]
        if want == "pass-with-tolerance":
            read = read_number(row["output"])
            assert isinstance(read, Decimal) and same_number(float(read), float(row["expect"]))
        else:
            assert outcome(row) == want.partition("-")[0], row


def test_a_stated_locale_resolves_what_is_unknown_without_it(shared: Path) -> None:
    row = next(row for row in rows(shared) if row["want"] == "unknown-unless-locale-set")
    assert outcome(row) == "unknown"
    assert outcome(row, locale="de") == "pass"


def test_percent_mode_is_opt_in(shared: Path) -> None:
    row = next(row for row in rows(shared) if row["want"] == "fail-unless-percent-mode")
    assert outcome(row) == "fail"
    assert outcome(row, percent=True) == "pass"


def test_a_lone_comma_is_not_a_number() -> None:
    assert read_number("The total is 72 clips, altogether.") == 72
    assert read_number(", , .") is None


@pytest.mark.parametrize(
    "text", ["1,5", "0,500", "12,34,567", "1.234.567", "3 200", "1,000,00", "1/2", "3-5", "5k", "3.2万", "10²", "1_000", "1e999", "a - 5"]
)
def test_what_could_be_another_number_is_ambiguous(text: str) -> None:
    assert isinstance(read_number(text), Ambiguous)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-$5", "-5"),
        ("$-5", "-5"),
        ("−5", "-5"),
        ("SKU-9", "9"),
        ("USD3200", "3200"),
        ("共3件", "3"),
        (".5", "0.5"),
        ("1e-3", "0.001"),
        ("3\u202f200", "3200"),
        ("¥3,200.00元", "3200"),
        ("٣٢٠٠", "3200"),
        ("paid 3,200.00 on 2026-12-05 at 10:30", "3200"),
    ],
)
def test_signs_currencies_and_other_digits_are_understood(text: str, value: str) -> None:
    assert read_number(text) == Decimal(value)


@pytest.mark.parametrize("text", ["B2B", "v3", "1.2.3", "②", "x²", "2026-11-20", "三千", "NaN", "inf", ""])
def test_digits_inside_words_dates_and_circled_digits_are_no_numbers(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize("text", ["3 items", "about 3", "1,2,3", "3.", "(3)", "3 4", "2026-11-20"])
def test_a_whole_text_must_be_one_number(text: str) -> None:
    assert read_number(text, whole=True) is None


def test_a_whole_text_may_carry_a_sign_and_a_currency() -> None:
    assert read_number(" -$3,200.00 ", whole=True) == Decimal("-3200")
    assert isinstance(read_number("3.200,00 EUR", whole=True), Ambiguous)


def write(amount: Decimal, separator: str, point: str) -> str:
    return f"{amount:,.2f}".translate(str.maketrans(",.", separator + point))


@given(amounts, st.sampled_from([("en", ",", "."), ("de", ".", ","), ("fr", "\u202f", ","), ("ch", "'", ".")]))
def test_what_a_locale_writes_it_reads(amount: Decimal, style: tuple[str, str, str]) -> None:
    locale, separator, point = style
    text = f"total {write(amount, separator, point)} due"
    assert read_number(text, locale) == amount


@given(amounts)
def test_no_locale_reads_the_plain_and_the_english_form(amount: Decimal) -> None:
    assert read_number(str(amount)) == amount
    assert read_number(write(amount, ",", "."), whole=True) == amount


@given(amounts, st.data())
def test_a_changed_digit_never_reads_as_the_same_number(amount: Decimal, data: st.DataObject) -> None:
    text = write(amount, ",", ".")
    at = data.draw(st.sampled_from([place for place, char in enumerate(text) if char.isdigit()]))
    digit = data.draw(st.sampled_from([char for char in "0123456789" if char != text[at]]))
    assert read_number(text[:at] + digit + text[at + 1 :]) != amount


@given(amounts, st.data())
def test_an_added_digit_never_reads_as_the_same_number(amount: Decimal, data: st.DataObject) -> None:
    text = str(amount)
    at = data.draw(st.integers(0, len(text.partition(".")[0])))
    assert read_number(text[:at] + data.draw(st.sampled_from("123456789")) + text[at:]) != amount


@given(st.text(max_size=60), st.sampled_from([None, "en", "de", "fr", "ch", "in"]), st.booleans())
def test_any_text_at_all_gives_a_finite_decimal_ambiguous_or_nothing(text: str, locale: str | None, whole: bool) -> None:
    read = read_number(text, locale, whole=whole)
    assert read is None or isinstance(read, Ambiguous) or read.is_finite()


@given(st.text(alphabet="0123456789.,' -+eE/%$k()", max_size=30))
def test_number_like_noise_never_raises(text: str) -> None:
    for locale in (None, "en", "de", "fr", "ch", "in"):
        read_number(text, locale)
        read_number(text, locale, whole=True, percent=True)
