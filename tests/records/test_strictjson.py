"""JSON that is read strictly and written so that every other reader takes it."""

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairtrial.records.errors import InputError
from fairtrial.records.text import canonical, content_hash, dumps, encode, key_lines, loads, read_text, reread, split_lines

PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=())).filter(lambda text: not PAIR.search(text))
"""Halves of surrogate pairs as well, but no two that make a pair: JSON cannot tell those from the character they make."""
ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT
JSON = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4), max_leaves=12)


@given(JSON)
def test_what_is_written_reads_back_equal_by_us_and_by_others(value: Any) -> None:
    text = encode(value).decode("utf-8")
    assert loads(text) == value
    assert json.loads(text) == value
    assert reread(encode(value)) == value
    assert "\n" not in text


@given(JSON)
@example(["half \ud800", 1])
def test_indented_json_holds_the_same(value: Any) -> None:
    assert json.loads(dumps(value, indent=2)) == value


def test_two_halves_side_by_side_are_read_as_the_character_they_make() -> None:
    assert loads(encode("\ud83d\ude42").decode()) == "🙂"


@given(st.dictionaries(ANY_TEXT, JSON, max_size=5))
def test_the_order_of_keys_never_changes_a_content_hash(value: dict[str, Any]) -> None:
    assert content_hash(value) == content_hash(dict(reversed(value.items())))
    assert loads(canonical(value).decode()) == value


def test_different_values_have_different_hashes() -> None:
    assert len({content_hash(value) for value in (1, "1", True, None, [1], {"a": 1}, {"a": "1"}, 1.5, [], {}, "")}) == 11


@pytest.mark.parametrize(
    "text", ['{"a": NaN}', '{"a": Infinity}', '{"a": -Infinity}', '{"a": 1e999}', '{"a": 1, "a": 2}', '{"a": {"b": 1, "b": 1}}']
)
def test_what_others_would_change_in_silence_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        loads(text)


def test_known_fault_values_are_refused_with_line_and_reason(shared: Path) -> None:
    lines = split_lines(read_text(shared / "known-faults/inputs/L19_nan.jsonl"))
    errors = []
    for number, line in enumerate(lines, 1):
        with pytest.raises(InputError) as caught:
            loads(line, source="f.jsonl", line=number)
        errors.append(str(caught.value))
    assert [error.split(": ", 1)[0] for error in errors] == ["f.jsonl:1", "f.jsonl:2", "f.jsonl:3", "f.jsonl:4"]
    assert "NaN" in errors[0]
    assert "Infinity" in errors[1]
    assert "1e999" in errors[2]
    assert "'weight' is given twice" in errors[3]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n"a": 1,\n"b": {"a": 2},\n"a": 3}', 4),
        ('[{"x": 1},\n {"y": [1,\n {"z": 1, "q": "NaN",\n "z": 2}]}]', 4),
        ('{"a": "NaN",\n"b": [1,\n NaN]}', 3),
        ('{"a": 1.0,\n"b": 0.12345678901234567890123}', 2),
        ('{"a": 1,\n "b": }', 2),
    ],
)
def test_the_line_of_a_refused_value_is_named(text: str, line: int) -> None:
    with pytest.raises(InputError) as caught:
        loads(text, source="f.json")
    assert caught.value.place == f"f.json:{line}"


@pytest.mark.parametrize(
    ("text", "mend"),
    [("{'a': 1}", "double quotes"), ('{"a": 1,}', "comma"), ('{"a": 1}\n{"a": 2}', r"\.jsonl"), ("[1, 2,]", "comma")],
)
def test_common_slips_are_mended_by_name(text: str, mend: str) -> None:
    with pytest.raises(InputError, match=mend):
        loads(text)


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5000, "", "\x00"])
def test_hopeless_texts_are_input_errors_as_well(text: str) -> None:
    with pytest.raises(InputError):
        loads(text)


def test_large_whole_numbers_stay_exact() -> None:
    assert loads("9007199254740993") == 9007199254740993
    assert loads(dumps(2**200)) == 2**200


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**12), max_value=10**12))
def test_money_survives_being_read(amount: Decimal) -> None:
    assert Decimal(repr(loads(f"{amount:f}"))) == amount


@given(st.from_regex(r"-?(0|[1-9][0-9]{0,25})\.[0-9]{1,25}(e-?[0-9]{1,3})?", fullmatch=True))
def test_a_number_is_kept_exactly_or_refused(text: str) -> None:
    try:
        value = loads(text)
    except InputError:
        return
    assert Decimal(repr(value)) == Decimal(text)


def test_numbers_that_are_not_are_written_as_null() -> None:
    assert encode([float("nan"), float("inf")]) == b"[null,null]"
    assert encode(["\ud800", float("nan")]) == b'["\\ud800",null]'


def test_what_json_does_not_know_is_written_readably() -> None:
    assert loads(dumps({"usd": Decimal("3200.00"), ("a", 1): {2, 1}})) == {"usd": "3200.00", "('a', 1)": [1, 2]}


@given(JSON)
def test_every_key_and_item_is_traced_to_its_line(value: Any) -> None:
    text = json.dumps(value, indent=1)
    lines = key_lines(text)
    for path in _paths(value):
        assert path in lines
    rows = text.split("\n")
    for path, line in lines.items():
        if path and isinstance(path[-1], str):
            assert rows[line - 1].strip().startswith(json.dumps(path[-1]) + ":")


def _paths(value: Any, above: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    return [above, *(path for key, item in pairs for path in _paths(item, (*above, key)))]
