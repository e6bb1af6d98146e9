"""Queries to the end state: read-only, bounded, and fit for what was stored."""

from typing import Any

import pytest

from fairtrial.graders.queries import ask
from fairtrial.graders.rebuilt import QueryFailed
from tests.graders.making import FAIL, PASS, UNKNOWN, both_ways, grade_of, make_trial, verdict_of

STATE = {"bills": [{"id": 1, "user": "u1", "minor": 320000}, {"id": 2, "user": "u2", "minor": 5}], "empty": []}


def test_one_value_is_compared_as_that_value_and_rows_as_rows() -> None:
    trial = make_trial({}, before={}, after=STATE)
    count = {"query": "SELECT count(*) FROM bills WHERE user = 'u1'"}
    assert both_ways({**count, "equals": 1}, trial) == (PASS, FAIL)
    assert both_ways({**count, "max": 0}, trial) == (FAIL, PASS)
    assert verdict_of({"query": "SELECT user, minor FROM bills ORDER BY id", "contains": {"user": "u2", "minor": 5}}, trial) == PASS
    assert verdict_of({"query": "SELECT user FROM bills WHERE minor > 10", "equals": [{"user": "u1"}]}, trial) == PASS
    assert verdict_of({"query": "SELECT * FROM bills WHERE minor < 0", "length": 0}, trial) == PASS
    assert both_ways({"query": "SELECT * FROM bills WHERE user = 'u2'", "exists": True}, trial) == (PASS, FAIL)


def test_a_failed_query_check_is_about_the_state() -> None:
    grade = grade_of({"query": "SELECT count(*) FROM bills", "equals": 1}, make_trial({}, before={}, after=STATE), under="must")
    assert (str(grade.verdict), grade.kind, grade.evidence and grade.evidence.seen) == (FAIL, "wrong_state", 2)


def test_columns_of_an_empty_table_are_known_from_the_start_or_do_not_matter() -> None:
    assert ask("SELECT count(*) AS n FROM empty WHERE whatever = 3 AND more > 1", STATE, {}) == [{"n": 0}]
    assert ask("SELECT * FROM bills", {"bills": []}, STATE) == []


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM bills",
        "INSERT INTO bills VALUES (1, 2, 3)",
        "ATTACH '/tmp/x.db' AS x",
        "PRAGMA user_version",
        "CREATE TABLE t (a)",
        "SELECT 1; SELECT 2",
        "SELECT load_extension('x')",
        "SELECT nothing FROM bills",
        "SELECT * FROM nowhere",
        "not sql",
        "SELECT zeroblob(100000000)",
        "SELECT zeroblob(9000000) FROM bills AS a, bills AS b, bills AS c, bills AS d",
        "SELECT 1 AS n, count(*) AS n FROM bills",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 20000) SELECT x FROM n",
    ],
)
def test_what_is_no_bounded_reading_is_unknown_and_changes_nothing(sql: str) -> None:
    with pytest.raises(QueryFailed):
        ask(sql, STATE, {})
    assert verdict_of({"query": sql, "equals": 1}, make_trial({}, before={}, after=STATE)) == UNKNOWN


@pytest.mark.parametrize("state", [{"a": 1}, [1], {"a": [1]}, None])
def test_a_state_without_tables_is_unknown(state: Any) -> None:
    with pytest.raises(QueryFailed):
        ask("SELECT 1", state, None)


def test_names_cannot_break_out_of_their_quotes() -> None:
    hostile = {'a"; DROP TABLE b; --': [{'x") VALUES (1); --': 1}], "b": [{"k": 1}]}
    assert ask("SELECT count(*) AS n FROM b", hostile, {}) == [{"n": 1}]


def test_nested_values_are_json_text() -> None:
    assert ask("SELECT json_extract(v, '$.a') AS a FROM t", {"t": [{"v": {"a": 3}}]}, {}) == [{"a": 3}]


def test_what_is_no_table_is_left_aside() -> None:
    assert ask("SELECT count(*) AS n FROM orders", {"orders": [{"a": 1}], "cash": 5, "tags": ["x"]}, {}) == [{"n": 1}]
