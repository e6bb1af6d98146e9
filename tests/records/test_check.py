"""The strict reading of checks: one subject, expectations that can fail, faults told with place and nearest key."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.check import GROUPS, parse_check, parse_checks
from fairtrial.records.errors import InputError, InputErrors
from fairtrial.records.subjects import SUBJECTS


def refusal(raw: Any, **how: Any) -> str:
    with pytest.raises(InputError) as caught:
        parse_check(raw, **how)
    return str(caught.value)


EXAMPLES: list[dict[str, Any]] = [
    {"output": "demand", "equals": 20},
    {"state": "orders", "length": 0},
    {"query": "SELECT 1", "equals": 1},
    {"text": "$", "matches": "^ok"},
    {"question": "demand"},
    {"question": "demand", "unknown_values": ["?", None]},
    {"changes": None, "allow": ["orders"]},
    {"changes": {"none": True}},
    {"command": ["pytest", "-q"]},
    {"command": ["pytest"], "exit": 1, "stdout": {"contains": "x"}, "timeout_s": 5},
    {"fact": "stock", "used": True},
    {"fact": "stock", "received_by": "lead", "used_by": "lead", "proof": "found"},
    {"adjustment": "uplift", "applied": "once"},
    {"conflict": "size", "ends": ["resolved"], "settled_by": "ceo", "cites": ["cash"]},
    {"tool": "pay", "called": True, "with": {"amount": {"max": 3}, "to": "x"}, "before": "look", "result": {"ok": True}},
    {"tool": "pay", "with": {}},
    {"effect": "pay", "unique_by": ["id"]},
    {"ui_card": "list", "shown": True, "at_turn": 2},
    {"role": "router", "intent": "refund", "steps": {"include": ["a"]}, "slots": {"a": 1}},
    {"rule": "output.x <= 3"},
    {"access": {"only": "principal"}},
    {"leak": ["secrets", "facts", "sk-[a-z]+"]},
    {"approval": "refund"},
    {"forbidden": {"commands": ["rm"], "paths": ["/etc"]}},
    {"retention": {"gone": ["users[0]"]}},
    {"citations": "sources", "fetched": True},
    {"grounded": "$", "in": ["tools", "facts"], "allow": [24, "five days"]},
    {"recovery": None, "handled": True},
    {"recovery": {"handled": True, "no_false_success": True}},
    {"injection": "mail-1", "obeyed": False},
    {"process": {"no_repeats": True, "verified": True}},
    {"judge": "quality", "min": "3.5"},
    {"grader": "late_fee"},
    {"all_of": [{"output": "a", "equals": 1}, {"any_of": [{"not": {"tool": "x", "called": True}}]}]},
]


@pytest.mark.parametrize("raw", EXAMPLES)
def test_every_form_of_the_contract_is_read(raw: dict[str, Any]) -> None:
    check = parse_check({**raw, "name": "n", "card": "safety", "severity": "minor", "why": "w", "fix": "f"})
    assert (check.name, check.card, check.severity, check.why, check.fix) == ("n", "safety", "minor", "w", "f")
    assert check.subject in raw and not {"name", "card"} & check.expect.keys()


def test_every_subject_has_an_example_here() -> None:
    assert {next(key for key in raw if key in SUBJECTS) for raw in EXAMPLES} | {"any_of", "not"} == set(SUBJECTS)


@pytest.mark.parametrize(
    ("raw", "card"),
    [
        ({"output": "a", "equals": 1}, "outcome"),
        ({"fact": "a", "used": True}, "outcome"),
        ({"fact": "a", "used_by": "lead"}, "coordination"),
        ({"tool": "a", "called": True}, "process"),
        ({"rule": "true"}, "decision"),
        ({"leak": ["secrets"]}, "safety"),
        ({"any_of": [{"rule": "true"}, {"output": "a", "equals": 1}]}, "decision"),
    ],
)
def test_the_default_card_is_that_of_the_subject(raw: dict[str, Any], card: str) -> None:
    assert parse_check(raw).card == card


@pytest.mark.parametrize(
    ("raw", "must", "must_not"),
    [
        ({"output": "a", "equals": 1}, "major", "major"),
        ({"rule": "true"}, "major", "major"),
        ({"tool": "a", "called": True}, "major", "critical"),
        ({"state": "a", "equals": 1}, "major", "critical"),
        ({"query": "SELECT 1", "equals": 1}, "major", "critical"),
        ({"changes": None, "forbid": ["a"]}, "major", "critical"),
        ({"leak": ["secrets"]}, "critical", "critical"),
        ({"approval": "a"}, "critical", "critical"),
        ({"effect": "a", "unique_by": ["id"]}, "major", "major"),
        ({"any_of": [{"output": "a", "equals": 1}, {"tool": "a", "called": True}]}, "major", "critical"),
        ({"tool": "a", "called": True, "severity": "minor"}, "minor", "minor"),
    ],
)
def test_severity_follows_subject_and_side(raw: dict[str, Any], must: str, must_not: str) -> None:
    assert (parse_check(raw).severity, parse_check(raw, under="must_not").severity) == (must, must_not)


def test_checks_that_cannot_fail_are_refused(shared: Path) -> None:
    """The known empty patterns and lists, each as our own form of it."""
    forms = {
        "regex": ("matches", "pattern"),
        "contains": ("contains", "value"),
        "contains_any": ("in", "values"),
        "contains_all": ("contains", "values"),
    }
    known = json.loads((shared / "known-faults/inputs/G08_empty_pattern.json").read_text(encoding="utf-8"))["graders"]
    assert len(known) == 4
    for number, grader in enumerate(known):
        word, key = forms[grader["type"]]
        says = refusal({"output": "$", word: grader[key]}, path=("must", number), where=lambda *path: "cases.jsonl:7")
        assert says.startswith(f"cases.jsonl:7: must[{number}]: `{word}` is ") and "empty" in says


@pytest.mark.parametrize(
    "raw",
    [
        {"output": "a", "not_in": []},
        {"output": "a", "not_contains": ""},
        {"output": "a", "contains": ["x", ""]},
        {"output": "a", "subset_of": []},
        {"output": "a", "schema": {}},
        {"output": "a", "normalise": []},
        {"output": "a", "normalise": ["case"]},
        {"output": "a", "between": [3, 1]},
        {"output": "a", "between": [1]},
        {"output": "a", "min": "many"},
        {"output": "a", "min": True},
        {"output": "a", "min": " 3"},
        {"output": "a", "max": "NaN"},
        {"output": "a", "approx": {"abs": 1}},
        {"output": "a", "length": -1},
        {"output": "a", "length": 1.5},
        {"output": "a", "exists": "yes"},
        {"output": "a", "unordered": True},
        {"output": "", "equals": 1},
        {"output": 3, "equals": 1},
        {"output": "a"},
        {"leak": []},
        {"forbidden": {}},
        {"forbidden": {"command": ["rm"]}},
        {"access": {"only": "me"}},
        {"rule": ""},
        {"rule": "x" * 2001},
        {"tool": "a"},
        {"tool": "a", "exact": True},
        {"tool": "a", "with": {"q": {"matches": ""}}},
        {"fact": "a", "used": False},
        {"fact": "a", "proof": "found"},
        {"conflict": "a", "ends": []},
        {"conflict": "a", "ends": ["won"]},
        {"adjustment": "a", "applied": "twice"},
        {"changes": None},
        {"changes": None, "none": False},
        {"changes": ["a"], "none": True},
        {"command": "pytest -q"},
        {"command": []},
        {"all_of": []},
        {"any_of": {}},
        {"not": []},
        {"not": {"leak": ["secrets"]}},
        {"any_of": [{"question": "a"}]},
        {},
        [],
        None,
        "rule",
    ],
)
def test_what_could_never_fail_or_never_hold_is_refused(raw: Any) -> None:
    assert refusal(raw)


def test_a_guard_is_not_turned_round_inside_a_group() -> None:
    assert len(parse_check({"all_of": [{"leak": ["secrets"]}, {"approval": "x"}]}).parts) == 2
    assert "already says" in refusal({"any_of": [{"leak": ["secrets"]}]}, under="must_not")
    assert "already says" in refusal({"not": {"any_of": [{"leak": ["secrets"]}]}})


@pytest.mark.parametrize(
    ("raw", "mend"),
    [
        ({"outptu": "a", "equals": 1}, "did you mean 'output'?"),
        ({"output": "a", "equls": 1}, "did you mean 'equals'?"),
        ({"tool": "a", "caled": True}, "did you mean 'called'?"),
        ({"output": "a", "called": True}, "`called` belongs to `tool`"),
        ({"output": "a", "equals": 1, "severty": "minor"}, "did you mean 'severity'?"),
        ({"any_of": [{"output": "a", "equls": 1}]}, "did you mean 'equals'?"),
    ],
)
def test_a_wrong_key_is_answered_with_the_nearest_right_one(raw: dict[str, Any], mend: str) -> None:
    assert mend in refusal(raw)


def test_one_check_has_one_subject() -> None:
    assert "`output`, `rule`" in refusal({"output": "a", "equals": 1, "rule": "x"})


def test_all_faults_of_a_list_are_told_with_their_places() -> None:
    lines = {("must", 0): 3, ("must", 1): 8}

    def where(*path: str | int) -> str:
        found = next(line for end in range(len(path), -1, -1) if (line := lines.get((str(path[0]), int(path[1])))) or not end)
        return f"case.yaml:{found}"

    with pytest.raises(InputErrors) as caught:
        parse_checks([{"output": "a"}, {"any_of": [{"tool": "x"}, {"rule": ""}]}], path=("must",), where=where)
    told = [str(error) for error in caught.value.errors]
    assert [line.splitlines()[0].split(":")[1] for line in told] == ["3", "8", "8"]
    assert "must[1].any_of[1]" in told[2]


def test_a_place_travels_with_the_check() -> None:
    assert parse_check({"rule": "x"}, path=("limits", 2), where=lambda *path: "c.jsonl:9").place == "c.jsonl:9"
    assert parse_check({"rule": "x"}, path=("limits", 2)).place == "limits[2]"


def test_nesting_is_bounded() -> None:
    raw: dict[str, Any] = {"rule": "x"}
    for _ in range(30):
        raw = {"not": raw}
    assert "nested" in refusal(raw)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*SUBJECTS, "equals", "in", "min"]), inner, max_size=3),
    max_leaves=5,
)
KEYS = [*SUBJECTS, "equals", "min", "in", "matches", "called", "with", "used", "none", "name", "card", "severity", "outptu"]


@given(st.dictionaries(st.sampled_from(KEYS), values, max_size=4), st.sampled_from(["must", "must_not", "limits"]))
def test_any_object_is_a_check_or_an_input_error(raw: dict[str, Any], under: str) -> None:
    try:
        check = parse_check(raw, under=under)
    except InputError:
        return
    assert check.subject in raw
    assert bool(check.parts) is (check.subject in GROUPS)


@pytest.mark.parametrize(
    ("check", "words"),
    [
        ({"citations": "s", "fetched": True, "min_covered": 0.5}, "min_covered"),
        ({"citations": "s", "covers": ["a"], "min_covered": 1.5}, "share"),
        ({"citations": "s", "covers": ["a"], "by": "j"}, "by"),
        ({"citations": "s", "opinions": "yes"}, "opinions"),
        ({"grounded": "$", "look": ["figure"]}, "figures"),
        ({"grounded": "$", "allow": [True]}, "text"),
    ],
)
def test_what_asks_nothing_of_sources_is_refused(check: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_check(check)
    assert words in f"{caught.value} {caught.value.allowed} {caught.value.mend}"
