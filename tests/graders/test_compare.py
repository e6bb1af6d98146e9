"""The one deep comparison: symmetric, and no change of a tree goes unseen."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from fairtrial.graders.compare import (
    ABSENT,
    compile_compare,
    equal,
    exactly_equal,
    first_difference,
    pair_up,
    subset_difference,
    unordered_difference,
)

leaves = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "0", "1", "true", "null", "a"])
)
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=12
)


def rows(shared: Path) -> list[dict[str, Any]]:
    text = (shared / "known-faults/inputs/G03_struct_compare.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_known_pairs_compare_as_they_should(shared: Path) -> None:
    for row in rows(shared):
        same = compile_compare(row["expect"])(row["actual"]) is None
        assert same is row["want"].startswith("equal"), row


def test_order_can_be_told_not_to_count(shared: Path) -> None:
    row = next(row for row in rows(shared) if row["want"] == "different-unless-unordered")
    assert not equal(row["expect"], row["actual"])
    assert unordered_difference(row["expect"]["l"], row["actual"]["l"]) is None


def test_the_first_difference_names_path_and_both_values() -> None:
    found = first_difference({"bills": [{"user": "u1"}]}, {"bills": [{"user": "u2"}]})
    assert found is not None
    assert (found.path, found.expected, found.seen) == ("bills[0].user", "u1", "u2")


def test_a_repeated_entry_is_named_as_one() -> None:
    found = first_difference([{"a": 1}], [{"a": 1}, {"a": 1}])
    assert found is not None and "the same again" in found.why and found.expected is ABSENT


def test_a_key_that_could_be_misread_is_quoted() -> None:
    found = first_difference({"a.b": 1}, {"a.b": 2})
    assert found is not None and found.path == '["a.b"]'


def test_cents_of_large_amounts_are_told_apart() -> None:
    assert not equal(99_999_999.98, 99_999_999.99)
    assert equal(0.1 + 0.2, 0.3)


def test_decimals_are_exact_and_never_text() -> None:
    assert equal(Decimal("0.1"), 0.1)
    assert not equal(Decimal("0.3"), 0.1 + 0.2)
    assert not equal("0.1", Decimal("0.1"))


@given(trees)
def test_a_tree_equals_its_copy(tree: Any) -> None:
    copy = json.loads(json.dumps(tree))
    assert compile_compare(tree)(copy) is None
    assert exactly_equal(tree, copy)


@given(trees, trees)
def test_comparison_is_symmetric(one: Any, two: Any) -> None:
    assert equal(one, two) is equal(two, one)


@given(trees, trees)
def test_the_compiled_form_agrees_with_the_plain_one(one: Any, two: Any) -> None:
    assert compile_compare(one)(two) == first_difference(one, two)


def places(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path, *(place for key, value in inner for place in places(value, (*path, key)))]


def replaced(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[path[0]] = replaced(tree[path[0]], path[1:], value)
    return copy


def value_at(tree: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        tree = tree[key]
    return tree


@given(trees, st.data())
def test_a_change_anywhere_is_found_at_its_place(tree: Any, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(places(tree)))
    other = data.draw(leaves)
    assume(not equal(value_at(tree, path), other))
    changed = replaced(tree, path, other)
    assert compile_compare(tree)(changed) is not None
    assert compile_compare(changed)(tree) is not None


@given(trees, st.data())
def test_true_is_never_one_and_text_never_a_number_at_any_depth(tree: Any, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(places(tree)))
    pairs: list[tuple[Any, Any]] = [(True, 1), (False, 0), (True, 1.0), ("1", 1), (None, 0), ("", None), ([], {}), (0, "")]
    for one, two in pairs:
        assert compile_compare(replaced(tree, path, one))(replaced(tree, path, two)) is not None
        assert compile_compare(replaced(tree, path, two))(replaced(tree, path, one)) is not None


@given(st.integers(min_value=-(10**30), max_value=10**30))
def test_whole_numbers_are_exact_however_large(number: int) -> None:
    assert not equal(number, number + 1)
    if abs(number) > 2**53:
        assert equal(number, float(number)) is (number == float(number))


@given(st.lists(trees, max_size=5), st.data())
def test_unordered_lists_match_in_any_order_and_lose_nothing(entries: list[Any], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(entries))
    assert unordered_difference(entries, shuffled) is None
    if entries:
        assert unordered_difference(entries, shuffled[1:]) is not None
        assert unordered_difference(entries, [*shuffled, shuffled[0]]) is not None


def test_equal_calls_need_a_partner_each(shared: Path) -> None:
    data = json.loads((shared / "known-faults/inputs/G05_repeat_calls.json").read_text(encoding="utf-8"))
    matched = {name: pair_up(data["expected"], calls) for name, calls in data["traces"].items()}
    assert (len(matched["both"].pairs), matched["both"].missing, matched["both"].extra) == (2, [], [])
    assert (len(matched["one"].pairs), len(matched["one"].missing)) == (1, 1)
    assert (len(matched["three"].pairs), matched["three"].missing, len(matched["three"].extra)) == (2, [], 1)


def test_a_subset_may_repeat_but_adds_nothing() -> None:
    assert subset_difference(["a", "b"], ["a", "a"]) is None
    assert subset_difference(["a", "b"], ["a", "c"]) is not None
    assert subset_difference({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}) is None
    found = subset_difference({"a": {"b": 1}}, {"a": {"b": 2}})
    assert found is not None and found.path == "a.b"
    assert subset_difference({"a": 1}, [1]) is not None


@given(st.lists(trees, max_size=6), st.randoms())
def test_lists_in_any_order_pair_as_one_by_one_matching_does(entries: list[Any], chance: Any) -> None:
    mixed = [*entries, *(chance.choice(entries) for _ in range(2) if entries)][: chance.randint(0, 8)]
    chance.shuffle(mixed)
    found = unordered_difference(entries, mixed)
    paired = pair_up(entries, mixed)
    assert (found is None) is (not paired.missing and not paired.extra)


def test_a_float_finds_its_partner_among_whole_numbers_and_decimals() -> None:
    assert unordered_difference([0.1 + 0.2, 1, "a"], ["a", 1.0, 0.3]) is None
    assert unordered_difference([3, 0.3], [0.3, 4]) is not None
