"""Checks on values: what holds, what fails, what is firm under must_not, and what evidence a failure carries."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.assess import Assessor
from fairtrial.graders.contract import Contract
from fairtrial.records.errors import InputError
from tests.graders.making import FAIL, PASS, UNKNOWN, Ending, assess, both_ways, grade_of, make_case, make_trial, verdict_of

ORDER = {
    "total": 12.5,
    "money": "12.50",
    "note": "Saved. Amount due 3,200.00",
    "lines": [{"sku": "a", "qty": 2}, {"sku": "b", "qty": 1}],
    "flag": False,
    "none": None,
    "empty": "",
    "tags": ["x", "y"],
}

HOLD: list[tuple[str, dict[str, Any]]] = [
    ("total", {"equals": 12.5}),
    ("flag", {"equals": False}),
    ("none", {"equals": None}),
    ("total", {"not_equals": 3}),
    ("total", {"in": [1, 12.5]}),
    ("total", {"not_in": [1, 2]}),
    ("total", {"min": 12, "max": 13}),
    ("total", {"min": "12.5"}),
    ("money", {"min": "12.5", "max": "12.50"}),
    ("total", {"between": [12, 13]}),
    ("total", {"approx": {"value": 12.4, "abs": 0.1}}),
    ("total", {"approx": 12.500001}),
    ("note", {"matches": "Amount due [0-9,.]+$"}),
    ("note", {"contains": "Saved"}),
    ("note", {"contains": ["Saved", "due"]}),
    ("note", {"not_contains": "failed"}),
    ("tags", {"contains": "x"}),
    ("lines", {"contains": {"qty": 1, "sku": "b"}}),
    ("$", {"contains": {"flag": False}}),
    ("note", {"exists": True}),
    ("nothing", {"exists": False}),
    ("tags", {"length": 2}),
    ("tags", {"length": {"min": 1, "max": 3}}),
    ("tags", {"unordered": ["y", "x"]}),
    ("tags", {"equals": ["y", "x"], "unordered": True}),
    ("tags", {"subset_of": ["x", "y", "z"]}),
    ("lines", {"schema": {"type": "array", "items": {"type": "object", "required": ["sku", "qty"]}}}),
    ("lines[*].qty", {"equals": [2, 1]}),
    ("note", {"as": "number", "equals": 3200}),
    ("note", {"as": "number", "min": 3000}),
    ("note", {"normalise": ["case", "punctuation"], "contains": "SAVED amount"}),
]


@pytest.mark.parametrize(("path", "expect"), HOLD)
def test_what_holds_passes_and_its_opposite_fails(path: str, expect: dict[str, Any]) -> None:
    assert both_ways({"output": path, **expect}, make_trial(ORDER)) == (PASS, FAIL)


MISS: list[tuple[str, dict[str, Any]]] = [
    ("total", {"equals": 12}),
    ("flag", {"equals": 0}),
    ("money", {"equals": 12.5}),
    ("total", {"not_equals": 12.5}),
    ("total", {"in": [1, 2]}),
    ("total", {"not_in": [12.5]}),
    ("total", {"min": 13}),
    ("total", {"max": "12.49"}),
    ("total", {"between": [13, 14]}),
    ("total", {"approx": 12.6}),
    ("note", {"matches": "^Amount"}),
    ("note", {"contains": "failed"}),
    ("note", {"not_contains": "Saved"}),
    ("tags", {"contains": "z"}),
    ("tags", {"length": 3}),
    ("tags", {"equals": ["y", "x"]}),
    ("tags", {"unordered": ["x", "x"]}),
    ("tags", {"subset_of": ["x"]}),
    ("lines", {"schema": {"items": {"required": ["price"]}}}),
    ("note", {"as": "number", "equals": 32000}),
    ("nothing", {"exists": True}),
    ("note", {"exists": False}),
]


@pytest.mark.parametrize(("path", "expect"), MISS)
def test_what_does_not_hold_fails_and_its_opposite_passes(path: str, expect: dict[str, Any]) -> None:
    assert both_ways({"output": path, **expect}, make_trial(ORDER)) == (FAIL, PASS)


FIRM: list[tuple[str, dict[str, Any]]] = [
    ("nothing", {"equals": 1}),
    ("nothing.more", {"contains": "x"}),
    ("note", {"min": 3}),
    ("money", {"min": 3}),
    ("none", {"contains": "x"}),
    ("total", {"matches": "1"}),
    ("flag", {"length": 1}),
    ("empty", {"contains": "ERROR"}),
    ("empty", {"not_contains": "ERROR"}),
    ("tags", {"as": "number", "equals": 3}),
    ("note", {"contains": 3}),
]


@pytest.mark.parametrize(("path", "expect"), FIRM)
def test_what_cannot_be_asked_fails_both_ways(path: str, expect: dict[str, Any]) -> None:
    assert both_ways({"output": path, **expect}, make_trial(ORDER)) == (FAIL, FAIL)


def test_negation_is_the_exact_opposite_on_a_valid_output(shared: Path) -> None:
    """Known rows: negated checks, no output at all, and falsy outputs that are outputs."""
    text = (shared / "known-faults/inputs/G09_negations.jsonl").read_text(encoding="utf-8")
    for row in map(json.loads, text.splitlines()):
        grader, output = row["grader"], row["output"]
        if grader["type"] == "is_refusal":
            continue  # a refusal is an ending here, not a check
        broken = row.get("agent_status") == "error"
        trial = make_trial(ending=Ending.AGENT_ERROR) if broken else make_trial(output)
        under = "must_not" if grader.get("negate") else "must"
        card = assess(make_case(**{under: [{"output": "$", grader["type"]: grader["value"]}]}), trial)
        assert str(card.verdict) == {"fail": FAIL, "pass": PASS}.get(row["want"], FAIL), row


def test_a_failed_negation_says_what_was_found_and_that_it_must_not_be() -> None:
    grade = grade_of({"output": "note", "contains": "Saved"}, make_trial(ORDER), under="must_not")
    assert "found at note" in grade.why and "must not be" in grade.why
    assert grade.evidence is not None and grade.evidence.seen == ORDER["note"]
    assert grade.evidence.expected == {"not": {"contains": "Saved"}}
    assert grade.check == "output note without Saved"


def test_a_failure_points_at_the_very_place() -> None:
    grade = grade_of({"output": "lines", "equals": [{"sku": "a", "qty": 2}, {"sku": "b", "qty": 3}]}, make_trial(ORDER))
    assert grade.evidence is not None
    assert (grade.evidence.path, grade.evidence.expected, grade.evidence.seen) == ("lines[1].qty", 3, 1)
    assert grade.fix


def test_a_missing_path_says_what_is_there_instead() -> None:
    grade = grade_of({"output": "totl", "equals": 1}, make_trial(ORDER))
    assert "total, money" in grade.why and grade.kind == "format_error"


def test_a_declined_trial_is_excused_only_where_declining_is_right() -> None:
    check = {"output": "total", "equals": 1}
    for under in ("must", "must_not"):
        grade = grade_of(check, make_trial(None, decline="not enough evidence"), under=under, unknown_ok=True)
        assert (str(grade.verdict), grade.excused) == (UNKNOWN, True)
        assert verdict_of(check, make_trial(None, decline="no"), under=under) == FAIL


def test_ambiguous_numbers_are_unknown_and_a_locale_settles_them() -> None:
    trial = make_trial("It is 3.200,00 EUR")
    check = {"output": "$", "as": "number", "equals": 3200}
    assert verdict_of(check, trial) == UNKNOWN
    assert verdict_of({**check, "locale": "de"}, trial) == PASS


def test_a_value_that_was_covered_in_the_store_is_unknown() -> None:
    trial = make_trial({"user": {"key": "[redacted:key]"}, "total": 3}, altered={"output.user.key": "[redacted:key]"})
    assert verdict_of({"output": "user.key", "equals": "abc"}, trial) == UNKNOWN
    assert verdict_of({"output": "user", "not_equals": {"key": "abc"}}, trial) == UNKNOWN
    assert verdict_of({"output": "total", "equals": 3}, trial) == PASS


def test_state_is_what_was_kept_and_the_start_where_nothing_changed() -> None:
    check = {"state": "orders[0].sku", "equals": "a"}
    assert verdict_of(check, make_trial(1, before={"orders": []}, after={"orders": [{"sku": "a"}]})) == PASS
    assert verdict_of(check, make_trial(1, before={"orders": [{"sku": "a"}]})) == PASS
    assert verdict_of(check, make_trial(1, before={"orders": []})) == FAIL
    assert verdict_of(check, make_trial(1, before=None, start_state="")) == UNKNOWN


def test_state_is_graded_also_where_the_agent_gave_no_answer() -> None:
    trial = make_trial(ending=Ending.TIMEOUT, before={"n": 1})
    card = assess(make_case(must_not=[{"state": "n", "equals": 1}]), trial)
    assert [str(grade.verdict) for grade in card.grades] == [FAIL, FAIL] and card.severe == 1


@pytest.mark.parametrize(
    "check",
    [
        {"output": "a..b", "equals": 1},
        {"output": "a", "matches": "("},
        {"output": "a", "matches": ".*"},
        {"output": "a", "schema": {"tpye": "object"}},
        {"output": "a", "schema": {"type": "objct"}},
        {"output": "a", "as": "number", "equals": "many"},
        {"rule": "output.a ="},
        {"grader": "nobody"},
        {"access": {"only": "principal"}},
    ],
)
def test_what_cannot_be_read_is_refused_before_any_trial(check: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Assessor(make_case(must=[check]), Contract())


def test_a_pattern_that_never_ends_is_unknown() -> None:
    trial = make_trial("a" * 40 + "!")
    assert both_ways({"output": "$", "matches": r"^(a|a|aa)+$"}, trial) == (UNKNOWN, UNKNOWN)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=4) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
expectations = st.sampled_from(
    [
        {"equals": 1},
        {"not_equals": 1},
        {"in": [1, "a"]},
        {"min": 2},
        {"max": "2"},
        {"matches": "a"},
        {"contains": "a"},
        {"not_contains": "a"},
        {"length": 1},
        {"subset_of": ["a"]},
        {"approx": 1},
        {"schema": {"type": "string"}},
        {"as": "number", "equals": 1},
        {"unordered": [1, 2]},
    ]
)


@given(json_values, expectations)
def test_any_value_gets_a_verdict_and_never_passes_both_ways(value: Any, expect: dict[str, Any]) -> None:
    assert both_ways({"output": "$", **expect}, make_trial(value)) in {(PASS, FAIL), (FAIL, PASS), (FAIL, FAIL), (UNKNOWN, UNKNOWN)}
