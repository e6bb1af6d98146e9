"""Checks that could never fail, or never find anything, are refused or decide nothing: green only where something was looked at."""

from typing import Any

import pytest

from fairtrial.graders.compare import unordered_difference
from fairtrial.graders.schemas import compile_schema
from fairtrial.records.errors import InputError, InputErrors
from tests.graders.making import FAIL, PASS, UNKNOWN, Change, Tape, assess, both_ways, grade_of, make_case, make_trial, verdict_of

EMPTY: list[dict[str, Any]] = [
    {"output": "x", "unordered": False},
    {"output": "x", "length": {"min": 0}},
    {"output": "x", "approx": {"value": 1, "rel": -1}},
    {"output": "x", "schema": {"title": "an answer"}},
    {"output": "x", "schema": {"$defs": {"a": {"type": "string"}}}},
    {"output": "x", "schema": {"type": "string", "format": "email"}},
    {"output": "x", "schema": {"anyOf": []}},
    {"output": "x", "schema": {"allOf": []}},
    {"output": "x", "schema": {"multipleOf": 0}},
    {"tool": "pay", "min_times": 0},
    {"changes": {"allow": ["$"]}},
    {"changes": {"allow": ["orders", "*"]}},
    {"rule": "true"},
    {"not": {"rule": "facts.cash == 2"}},
    {"all_of": [{"rule": "facts.cash == 1"}, {"rule": "facts.cash > 0"}]},
]


@pytest.mark.parametrize("check", EMPTY)
@pytest.mark.parametrize("under", ["must", "must_not"])
def test_a_check_that_nothing_could_fail_is_refused(check: dict[str, Any], under: str) -> None:
    with pytest.raises((InputError, InputErrors)):
        assess(make_case(**{under: [check]}, facts={"cash": 1}), make_trial({"x": 1}))


@pytest.mark.parametrize("sql", ["SELECT 1", "-- nothing", "SELECT 1 WHERE 0", "SELECT count(*) FROM sqlite_master", "VALUES (1)"])
def test_a_query_that_reads_no_table_says_nothing_of_the_trial(sql: str) -> None:
    trial = make_trial({"x": 1}, before={"orders": [{"id": 1}]})
    assert both_ways({"query": sql, "exists": True}, trial) == (UNKNOWN, UNKNOWN)
    assert verdict_of({"query": "SELECT count(*) FROM orders", "equals": 1}, trial) == PASS


def test_calls_without_the_key_they_are_told_apart_by_are_not_called_different() -> None:
    twice = make_trial({"x": 1}, Tape().call("pay", {"order": 1}).call("pay", {"order": 1}).spans)
    assert verdict_of({"effect": "pay", "unique_by": ["order"]}, twice) == FAIL
    assert verdict_of({"effect": "pay", "unique_by": ["ordr"]}, twice) == UNKNOWN
    assert verdict_of({"effect": "pay", "unique_by": ["order", "note"]}, twice) == FAIL
    once = make_trial({"x": 1}, Tape().call("pay", {"order": 1}).spans)
    assert verdict_of({"effect": "pay", "unique_by": ["ordr"]}, once) == PASS


def test_facts_that_must_stay_inside_are_looked_for_only_where_there_are_any() -> None:
    card = assess(make_case(must=[{"leak": ["facts"]}], facts={"cash": 1}), make_trial({"x": 1}))
    assert (str(card.verdict), card.not_applicable) == (UNKNOWN, 1)
    kept = assess(make_case(must=[{"leak": ["facts"]}], facts={"plan": "sell all"}), make_trial({"x": 1}))
    assert str(kept.verdict) == PASS


def test_a_value_too_deep_for_its_schema_is_unknown_both_ways() -> None:
    deep: Any = {}
    for _ in range(150):
        deep = {"next": deep}
    tree = {"$ref": "#/$defs/node", "$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}}}}}
    assert both_ways({"output": "tree", "schema": tree}, make_trial({"tree": deep})) == (UNKNOWN, UNKNOWN)


@pytest.mark.parametrize(("value", "fits"), [(10**300, True), (1e300, True), (0.015, False), (3.25, True), (-0.01, True)])
def test_multiples_are_exact_however_large(value: Any, fits: bool) -> None:
    assert (compile_schema({"multipleOf": 0.01})(value) is None) is fits


def test_what_an_agent_says_cannot_make_grading_crawl() -> None:
    many = [{"id": number} for number in range(20_000)]
    assert verdict_of({"output": "rows", "schema": {"uniqueItems": True}}, make_trial({"rows": many})) == PASS
    assert verdict_of({"output": "rows", "schema": {"uniqueItems": True}}, make_trial({"rows": [*many, {"id": 7}]})) == FAIL
    tape = Tape()
    for number in range(5_000):
        tape.call("pay", {"order": number})
    changes = [Change(f"orders[{number}]", "added", None, {"n": number}) for number in range(5_000)]
    assert verdict_of({"effect": "pay", "unique_by": ["order"]}, make_trial({"x": 1}, tape.spans, changes=changes)) == PASS
    assert unordered_difference(list(range(5_000)), list(range(5_000, 0, -1))) is not None
    assert grade_of({"output": "rows", "length": 1}, make_trial({"rows": many})).evidence is not None


def test_thousands_of_grants_are_matched_one_to_one_in_time() -> None:
    tape = Tape()
    for number in range(3_000):
        tape.add("approval", "pay", decision="granted", args={"order": number}).call("pay", {"order": number}, flags=["approval"])
    assert verdict_of({"approval": "pay"}, make_trial({"x": 1}, tape.spans)) == PASS
    assert str(assess(make_case(must=[{"output": "x", "equals": 1}]), make_trial({"x": 1}, tape.spans)).verdict) == PASS
    tape.call("pay", {"order": 7}, flags=["approval"])
    assert verdict_of({"approval": "pay"}, make_trial({"x": 1}, tape.spans)) == FAIL
