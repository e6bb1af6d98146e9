"""Worlds start the same every time and are read as they really are."""

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.case import Scene
from fairtrial.records.errors import InputError
from fairtrial.records.strictjson import encode
from fairtrial.records.trial import TrialBody
from fairtrial.store.codec import read_body
from fairtrial.worlds.changes import diff
from fairtrial.worlds.json import JsonWorld
from fairtrial.worlds.sqlite import SqliteWorld
from fairtrial.worlds.starts import Starts
from fairtrial.worlds.tools import find_tools, make_tool, tool

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def bank(tmp_path: Path) -> SqliteWorld:
    seed = tmp_path / "seed.sql"
    seed.write_text("CREATE TABLE bills (id INTEGER PRIMARY KEY, user TEXT, minor INTEGER); INSERT INTO bills VALUES (1, 'u1', 5);")
    return SqliteWorld(seed)


def test_a_json_world_is_fresh_for_every_trial() -> None:
    scene = Scene(state={"orders": [1]})
    one, two = JsonWorld().open(scene), JsonWorld().open(scene)
    one.live["orders"].append(2)
    assert two.live == {"orders": [1]} and scene.state == {"orders": [1]}
    assert one.start_hash == two.start_hash
    assert one.after() == {"orders": [1, 2]}
    assert two.after() is msgspec.UNSET


@pytest.mark.parametrize(("value", "seen"), [(float("inf"), "Infinity"), (float("-inf"), "-Infinity"), (float("nan"), "NaN")])
@pytest.mark.parametrize("before", [1, None])
def test_what_json_has_no_number_for_is_not_taken_for_null(value: float, seen: str, before: Any) -> None:
    live = JsonWorld().open(Scene(state={"rows": [{"sum": before, "none": None}]}))
    live.live["rows"][0]["sum"] = value
    assert live.after() == {"rows": [{"sum": seen, "none": None}]}


def test_a_sqlite_world_is_fresh_and_holds_the_case_s_own_rows(bank: SqliteWorld) -> None:
    scene = Scene(state={"bills": [{"id": 2, "user": "u2", "minor": 7}]})
    one, two = bank.open(scene), bank.open(scene)
    one.live.execute("DELETE FROM bills")
    one.live.commit()
    assert one.after() == {"bills": []}
    assert two.before == {"bills": [{"id": 1, "user": "u1", "minor": 5}, {"id": 2, "user": "u2", "minor": 7}]}
    assert two.after() is msgspec.UNSET
    assert one.start_hash == two.start_hash
    one.close()
    two.close()


def test_what_was_never_committed_did_not_happen(bank: SqliteWorld) -> None:
    live = bank.open(Scene())
    live.live.execute("INSERT INTO bills VALUES (9, 'u9', 9)")
    assert live.after() is msgspec.UNSET
    live.close()


@pytest.mark.parametrize("state", [{"nowhere": [{"id": 1}]}, "INSERT INTO nowhere VALUES (1)", 7, {"bills": [{"nope": 1}]}, {"bills": 3}])
def test_a_state_that_does_not_fit_is_named(bank: SqliteWorld, state: Any) -> None:
    with pytest.raises(InputError):
        bank.open(Scene(state=state))


def test_a_seed_that_cannot_be_run_is_named(tmp_path: Path) -> None:
    seed = tmp_path / "seed.sql"
    seed.write_text("CREATE TABL x")
    with pytest.raises(InputError, match=r"seed\.sql"):
        SqliteWorld(seed)


@given(PLAIN)
def test_nothing_differs_from_itself(value: Any) -> None:
    assert diff(value, msgspec.json.decode(msgspec.json.encode(value))) == []


@given(PLAIN, PLAIN)
def test_there_is_a_difference_exactly_where_the_states_differ(before: Any, after: Any) -> None:
    same = msgspec.json.encode(before, order="sorted") == msgspec.json.encode(after, order="sorted")
    assert (diff(before, after) == []) is same


def test_true_is_not_one() -> None:
    assert [change.path for change in diff({"a": 1}, {"a": True})] == ["a"]


def test_differences_name_path_and_values() -> None:
    found = diff({"a": {"b": 1}, "l": [1, 2], "gone": 0}, {"a": {"b": 2}, "l": [1, 2, 3], "new": None})
    assert [(change.path, change.kind, change.before, change.after) for change in found] == [
        ("a.b", "changed", 1, 2),
        ("l[2]", "added", None, 3),
        ("gone", "removed", 0, None),
        ("new", "added", None, None),
    ]


def test_a_tool_s_schema_comes_from_its_hints_and_leaves_the_world_out() -> None:
    @tool(outside=True)
    def send(to: str, amount: int = 3, world: sqlite3.Connection | None = None) -> str:
        """Send."""
        return f"{to}{amount}"

    made = make_tool(send)
    assert made.schema["parameters"]["required"] == ["to"]
    assert set(made.schema["parameters"]["properties"]) == {"to", "amount"}
    assert (made.flags, made.takes_world) == (("outside",), True)
    assert made.bind({"to": "x"}) == {"to": "x"}


def test_two_tools_of_one_name_are_refused() -> None:
    @tool(name="same")
    def one() -> None: ...

    @tool(name="same")
    def two() -> None: ...

    with pytest.raises(InputError, match="two tools are named 'same'"):
        find_tools([one, two])


def test_a_tool_without_a_schema_is_refused() -> None:
    @tool
    def loose(**anything: Any) -> None: ...

    with pytest.raises(InputError, match="no schema"):
        make_tool(loose)


def test_the_end_state_is_read_the_same_whatever_a_tool_set_on_its_connection(bank: SqliteWorld) -> None:
    live = bank.open(Scene())
    live.live.row_factory = lambda cursor, row: {entry[0]: value for entry, value in zip(cursor.description, row, strict=True)}
    live.live.execute("CREATE TABLE odd (word TEXT)")
    live.live.execute("INSERT INTO odd VALUES (CAST(x'61ff' AS TEXT))")
    live.live.commit()
    assert live.after()["odd"] == [{"word": r"a\xff"}]


@pytest.mark.parametrize(
    ("statement", "seen"),
    [
        ("UPDATE sqlite3_users SET name = 'x'", "sqlite3_users[0].name"),
        ("UPDATE odd SET v = CAST(x'fe' AS TEXT) WHERE id = 1", "odd[0].v"),
        ("UPDATE odd SET v = 9e999 WHERE id = 2", "odd[1].v"),
        ("UPDATE odd SET v = 1.0 WHERE id = 3", "odd[2].v"),
    ],
)
@pytest.mark.parametrize("size", [0, 200_000])
def test_no_name_and_no_value_hides_a_change(statement: str, seen: str, size: int, tmp_path: Path) -> None:
    (tmp_path / "seed.sql").write_text(
        "CREATE TABLE sqlite3_users (name); INSERT INTO sqlite3_users VALUES ('a');"
        "CREATE TABLE odd (id INTEGER PRIMARY KEY, v); INSERT INTO odd VALUES (1, CAST(x'ff' AS TEXT)), (2, NULL), (3, 1);"
        "CREATE TABLE filler (x); INSERT INTO filler VALUES (hex(zeroblob(SIZE / 2)));".replace("SIZE", str(size))
    )
    live = SqliteWorld(tmp_path / "seed.sql", Starts(tmp_path / "starts")).open(Scene())
    live.live.execute(statement)
    live.live.commit()
    body = TrialBody()
    live.tell_start(body)
    live.tell_end(body)
    assert [change.path for change in body.changes] == [seen]
    stored = read_body(encode(body)).changes[0]  # as JSON, the two sides differ as well
    assert (type(stored.before), stored.before) != (type(stored.after), stored.after)
    live.close()
