"""Paths into plain data: what is found, what is missing, what is no path."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.compare import ABSENT, step
from fairtrial.graders.paths import compile_path
from fairtrial.records.errors import InputError

DATA = {"orders": [{"amount": 3, "note": None}, {"amount": 0}], "a.b": {"c d": 1}, "需求": "unknown", "": 1}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("$", DATA),
        ("orders[0].amount", 3),
        ("$.orders[-1].amount", 0),
        ("orders[0].note", None),
        ("orders[*].amount", [3, 0]),
        ('["a.b"]["c d"]', 1),
        ("['a.b']['c d']", 1),
        ("需求", "unknown"),
        ('[""]', 1),
    ],
)
def test_a_path_leads_to_its_value(path: str, value: Any) -> None:
    assert compile_path(path).read(DATA) == value


@pytest.mark.parametrize(
    "path", ["none", "orders[2]", "orders.amount", "orders[*].note2", "orders[0].note.x", "需求.x", "需求[0]", "orders[*].note"]
)
def test_missing_is_told_apart_from_null_and_falsy(path: str) -> None:
    found = compile_path(path).read(DATA)
    assert found == [None, ABSENT] or found is ABSENT


def test_an_entry_without_the_key_makes_the_whole_missing() -> None:
    path = compile_path("orders[*].note")
    assert path.read(DATA) is ABSENT
    assert "orders[1]" in path.why_absent(DATA)


def test_what_is_missing_is_explained_by_what_is_there() -> None:
    why = compile_path("orders[0].amout").why_absent(DATA)
    assert "'amout'" in why and "orders[0]" in why and "amount, note" in why


@pytest.mark.parametrize("path", ["", "a..b", ".a", "a.", "a b", "$a", "a[", "a[x]", "a[1", "$$", "a]b", "a['x']y", "*"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(InputError, match="path"):
        compile_path(path)


def test_attributes_of_objects_are_out_of_reach() -> None:
    assert compile_path("__class__").read({}) is ABSENT
    assert compile_path("upper").read("text") is ABSENT
    assert compile_path("[0]").read("text") is ABSENT


@given(st.lists(st.text(max_size=8), min_size=1, max_size=4))
def test_the_path_written_for_a_place_leads_back_to_it(keys: list[str]) -> None:
    tree: Any = "leaf"
    for key in reversed(keys):
        tree = {key: tree}
    text = "".join(map(step, keys)).removeprefix(".")
    assert compile_path(text).read(tree) == "leaf"


@given(st.text(max_size=30))
def test_any_text_is_a_path_or_an_input_error(text: str) -> None:
    try:
        path = compile_path(text)
    except InputError:
        return
    path.read({"a": [1, {"b": 2}]})
