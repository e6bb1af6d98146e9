"""Text normalisation: only when asked, both sides alike, never a number changed."""

import json
import re
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.normalise import STEPS, normaliser
from fairtrial.records.expectations import NORMALISATIONS

USUAL = ("unicode", "width", "case", "space")


def rows(shared: Path) -> list[dict[str, Any]]:
    text = (shared / "known-faults/inputs/G07_text_normalise.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_known_pairs_are_the_same_only_when_asked(shared: Path) -> None:
    for row in rows(shared):
        assert row["expect"] != row["actual"]
        want = row["normalised"]
        steps = ("punctuation", "no_space") if want.startswith("pass-with") else USUAL
        fold = normaliser(steps)
        assert (fold(row["expect"]) == fold(row["actual"])) is want.startswith("pass"), row


def test_the_words_a_check_may_use_are_the_steps_there_are() -> None:
    assert set(NORMALISATIONS) == set(STEPS)


def test_texts_inside_lists_and_objects_are_normalised_and_keys_are_kept() -> None:
    assert normaliser(["case"])({"A": ["B", 1, None]}) == {"A": ["b", 1, None]}


@given(st.from_regex(r"[-+$€]?[0-9]{1,3}(,[0-9]{3})*(\.[0-9]{1,3})?%?", fullmatch=True), st.sets(st.sampled_from(sorted(STEPS))))
def test_no_step_changes_a_number(number: str, steps: set[str]) -> None:
    assert normaliser(sorted(steps))(number) == number


@given(st.text(max_size=40), st.sets(st.sampled_from(sorted(STEPS))))
def test_normalising_twice_changes_nothing_more(text: str, steps: set[str]) -> None:
    fold = normaliser(sorted(steps))
    once = fold(text)
    assert fold(once) == once


@given(st.text(alphabet="0123456789.,-② ²", max_size=20), st.data())
def test_a_changed_digit_stays_a_difference(text: str, data: st.DataObject) -> None:
    digits = [at for at, char in enumerate(text) if char in "0123456789"]
    if digits:
        at = data.draw(st.sampled_from(digits))
        other = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
        assert all(normaliser([step])(text) != normaliser([step])(other) for step in STEPS)


@given(st.text(alphabet="0123456789 .,;-_$%\u2003", max_size=20), st.sets(st.sampled_from(sorted(STEPS))))
def test_two_numbers_never_become_one(text: str, steps: set[str]) -> None:
    before = re.findall("[0-9]+", text)
    assert re.findall("[0-9]+", normaliser(sorted(steps))(text)) == before
