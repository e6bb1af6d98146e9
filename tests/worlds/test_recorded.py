"""A large SQLite world tells what changed without reading itself whole, and comes to the very same."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.records.case import Scene
from fairtrial.records.edits import applied
from fairtrial.records.errors import InputError
from fairtrial.records.start import INLINE
from fairtrial.records.strictjson import encode, reread
from fairtrial.records.trial import TrialBody
from fairtrial.store.codec import read_body
from fairtrial.worlds.changes import diff
from fairtrial.worlds.recorded import LiveRecorded
from fairtrial.worlds.rows import dump, plainly
from fairtrial.worlds.sqlite import LiveSqlite, SqliteWorld
from fairtrial.worlds.starts import Starts

TABLES = """
CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, age);
CREATE TABLE "odd ""name" (rowid TEXT, "a b" BLOB);
CREATE TABLE bills (user TEXT, minor INTEGER, twice INTEGER GENERATED ALWAYS AS (minor * 2) VIRTUAL);
CREATE VIEW owed AS SELECT user, sum(minor) AS minor FROM bills GROUP BY user;
CREATE TABLE words (word TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID;
INSERT INTO words VALUES ('a', 1), ('b', 2);
INSERT INTO "odd ""name" VALUES ('x', x'00ff');
WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 104)
    INSERT INTO users SELECT n, printf('u%d %1000s', n, 'x'), n FROM n;
WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 19) INSERT INTO bills SELECT 'u' || (n % 7), n FROM n;
"""
USERS = 104
assert USERS * 1000 > INLINE


def seed(folder: Path, more: str = "") -> Path:
    file = folder / "seed.sql"
    file.write_text(TABLES + more, encoding="utf-8")
    return file


@pytest.fixture
def world(tmp_path: Path) -> SqliteWorld:
    return SqliteWorld(seed(tmp_path), Starts(tmp_path / "starts"))


def told(live: LiveRecorded | LiveSqlite) -> TrialBody:
    body = TrialBody()
    live.tell_start(body)
    live.tell_end(body)
    return read_body(encode(body))


def states(body: TrialBody, place: Path) -> tuple[Any, Any]:
    """What a reader makes of a record: the start and the end."""
    assert body.start is not None
    before = applied(reread((place / body.start.base).read_bytes()), body.start.edits)
    return before, applied(before, body.end)


def run(live: LiveRecorded | LiveSqlite, *script: str) -> None:
    for sql in script:
        live.live.execute(sql)
    live.live.commit()


ACTS = st.sampled_from(
    [
        "INSERT INTO users (name, age) VALUES ('new' || abs(random()), 1)",
        "INSERT INTO users VALUES (-3, 'first', 0.5)",
        "UPDATE users SET age = age + 1 WHERE id = 7",
        "UPDATE users SET age = CAST(age AS REAL) WHERE id = 8",
        "UPDATE users SET id = id + 5000 WHERE id = 12",
        "UPDATE users SET age = age WHERE id < 20",
        "DELETE FROM users WHERE id = 3",
        "DELETE FROM users WHERE id > 90",
        "REPLACE INTO users (id, name, age) SELECT 4, name, 99 FROM users WHERE id = 5",
        "INSERT OR IGNORE INTO users (id, name) VALUES (9, 'ignored')",
        "INSERT INTO users VALUES (10, 'up', 1) ON CONFLICT (id) DO UPDATE SET age = -1",
        "DELETE FROM bills",
        "DELETE FROM bills WHERE rowid = 5",
        "INSERT INTO bills (user, minor) VALUES ('u1', 320000)",
        "UPDATE bills SET minor = minor + 1 WHERE user = 'u2'",
        'UPDATE "odd ""name" SET "a b" = x\'01\'',
        "UPDATE words SET n = 5 WHERE word = 'a'",
        "CREATE TABLE later (x)",
        "DROP TABLE bills",
        "ALTER TABLE users ADD COLUMN mail TEXT",
        "CREATE TEMP TABLE bills AS SELECT 1 AS mine",
        "PRAGMA recursive_triggers = 0",
        'DROP TRIGGER temp."fairtrial 0 INSERT"',
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT s",
        "ROLLBACK TO s",
    ]
)


@settings(max_examples=60, deadline=None)
@given(acts=st.lists(ACTS, max_size=6), state=st.none() | st.lists(ACTS, max_size=2))
def test_what_is_recorded_is_what_reading_all_of_it_would_find(
    acts: list[str], state: list[str] | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("w")
    world = SqliteWorld(seed(folder), Starts(folder / "starts"))
    scene = Scene(state=None if state is None else {"users": [{"name": f"s{n}"} for n in range(len(state))], "bills": [{"user": "u9"}]})
    first = ""
    for _ in range(2):
        live = world.open(scene)
        assert isinstance(live, LiveRecorded)
        before = dump(plainly(live.live))
        live.live.row_factory, live.live.text_factory = sqlite3.Row, bytes
        for act in acts:
            try:
                live.live.execute(act)
            except sqlite3.Error:
                continue
        live.live.commit()
        body = told(live)
        after = dump(plainly(live.live))
        assert states(body, folder / "starts") == (before, after)
        assert body.changes == read_body(encode(TrialBody(changes=diff(before, after)))).changes
        first = first or live.start_hash
        assert live.start_hash == first
        live.close()
    world.close()


def free(world: SqliteWorld) -> int:
    return len(world._seeded._free)  # type: ignore[union-attr]


def test_trials_work_one_after_the_other_on_one_database_that_is_put_right(world: SqliteWorld) -> None:
    scene = Scene(state={"users": [{"name": "own"}]})
    for act in (
        "INSERT INTO users (name) VALUES ('n')",
        "DELETE FROM users WHERE id % 3 = 0",
        "UPDATE users SET id = -id",
        "REPLACE INTO users SELECT id + 1, name, 1 FROM users WHERE id < 30",
        "DELETE FROM bills",
        "UPDATE bills SET rowid = rowid + 100",
    ):
        live = world.open(scene)
        run(live, act)
        assert told(live).world_note == ""
        live.close()
        assert free(world) == 1
        live = world.open(Scene())
        assert told(live).end == []
        assert dump(plainly(live.live)) == dump(world._seeded.database)  # type: ignore[union-attr]
        assert live.live.execute("SELECT seq FROM sqlite_sequence WHERE name = 'users'").fetchone() == (USERS,)
        live.close()


def test_a_trial_s_connection_is_its_own(world: SqliteWorld) -> None:
    first = world.open(Scene())
    first.live.execute("PRAGMA foreign_keys = 1")
    first.live.execute("CREATE TEMP TABLE mine (x)")
    first.live.row_factory = sqlite3.Row
    late = first.live
    first.close()
    second = world.open(Scene())
    assert second.live.execute("PRAGMA foreign_keys").fetchone() == (0,)
    with pytest.raises(sqlite3.OperationalError):
        second.live.execute("SELECT * FROM mine")
    with pytest.raises(sqlite3.ProgrammingError):
        late.execute("DELETE FROM users")
    second.close()


@pytest.mark.parametrize(
    ("acts", "why"),
    [
        (["CREATE TABLE later (x)"], "its schema was changed"),
        (["UPDATE words SET n = 9"], "the table words was changed"),
        (["PRAGMA recursive_triggers = 0"], "a tool set PRAGMA recursive_triggers"),
        (['DROP TRIGGER temp."fairtrial 0 INSERT"', "INSERT INTO bills (user) VALUES ('u')"], "a temporary trigger was dropped"),
        (["UPDATE sqlite_sequence SET seq = 1"], "more rows were written than the record has"),
    ],
)
def test_where_the_record_may_not_be_whole_all_is_compared_and_the_trial_says_so(world: SqliteWorld, acts: list[str], why: str) -> None:
    live = world.open(Scene())
    run(live, *acts)
    body = told(live)
    assert why in body.world_note
    live.close()
    assert free(world) == 0


def test_a_write_past_sql_is_noted(world: SqliteWorld) -> None:
    live = world.open(Scene())
    with live.live.blobopen('odd "name', "a b", 1) as blob:
        blob.write(b"\x01\x02")
    body = told(live)
    assert "blobopen" in body.world_note
    assert [(change.path, change.after) for change in body.changes] == [(r'["odd \"name"][0]["a b"]', "AQI=")]
    live.close()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (
            "CREATE TRIGGER stamp AFTER UPDATE ON users BEGIN UPDATE users SET age = 0 WHERE id = NEW.id; END;",
            "triggers of its own (stamp)",
        ),
        ("CREATE VIRTUAL TABLE papers USING fts5 (text);", "a virtual table (papers)"),
    ],
)
def test_a_database_that_cannot_be_recorded_is_copied_and_says_so(tmp_path: Path, more: str, why: str) -> None:
    world = SqliteWorld(seed(tmp_path, more), Starts(tmp_path / "starts"))
    live = world.open(Scene())
    run(live, "UPDATE users SET age = 5 WHERE id = 7")
    body = told(live)
    assert why in body.world_note
    before, after = states(body, tmp_path / "starts")
    assert (before, after) == (live.before, dump(plainly(live.live)))
    live.close()


def test_a_case_that_builds_a_large_database_by_itself_shares_it_as_well(tmp_path: Path) -> None:
    world = SqliteWorld(None, Starts(tmp_path / "starts"))
    scene = Scene(state="CREATE TABLE t (x); INSERT INTO t VALUES (hex(zeroblob(40000))), ('short')")
    live = world.open(scene)
    assert isinstance(live, LiveRecorded)
    run(live, "DELETE FROM t WHERE rowid = 1")
    body = told(live)
    assert body.end != [] and states(body, tmp_path / "starts")[1] == {"t": [{"x": "short"}]}
    live.close()
    world.close()


def test_a_case_s_state_that_changes_the_schema_of_a_large_seed_costs_a_copy(world: SqliteWorld, tmp_path: Path) -> None:
    live = world.open(Scene(state="ALTER TABLE bills ADD COLUMN paid"))
    run(live, "UPDATE bills SET paid = 1 WHERE user = 'u1'")
    body = told(live)
    assert "with the case's own state, its schema was changed" in body.world_note
    assert states(body, tmp_path / "starts")[1] == dump(plainly(live.live))
    live.close()


def test_the_hash_of_a_start_is_of_its_content_alone(tmp_path: Path) -> None:
    hashes = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        world = SqliteWorld(seed(folder), Starts(folder / "starts"))
        for state in (None, {"bills": [{"user": "u9"}]}, "DELETE FROM bills"):
            for _ in range(2):
                live = world.open(Scene(state=state))
                hashes.append(live.start_hash)
                run(live, "DELETE FROM users WHERE id < 5")
                live.close()
        world.close()
    assert hashes[:6] == hashes[6:]
    assert hashes[0:6:2] == hashes[1:6:2] and len(set(hashes)) == 3


def test_a_fork_leaves_the_shared_database_as_it_was(world: SqliteWorld) -> None:
    def trial(look: Callable[[LiveRecorded | LiveSqlite], None]) -> int:
        live = world.open(Scene())
        pid = os.fork()
        if not pid:
            try:
                look(live)
                live.close()
                os._exit(0)
            finally:
                os._exit(1)
        live.forget()
        return os.waitpid(pid, 0)[1]

    def changes(live: LiveRecorded | LiveSqlite) -> None:
        run(live, "DELETE FROM users WHERE id > 3")
        assert len(told(live).changes) > 10

    def is_fresh(live: LiveRecorded | LiveSqlite) -> None:
        assert told(live).changes == [] and live.live.execute("SELECT count(*) FROM users").fetchone() == (USERS,)

    assert [trial(changes), trial(is_fresh), trial(changes)] == [0, 0, 0]
    assert free(world) == 1


@pytest.mark.parametrize("state", [{"nowhere": [{"id": 1}]}, "INSERT INTO nowhere VALUES (1)", 7, {"users": [{"id": 1, "name": "twice"}]}])
def test_a_state_that_does_not_fit_costs_that_trial_and_leaves_no_trace(world: SqliteWorld, state: Any) -> None:
    with pytest.raises(InputError, match=r"does not fit|takes SQL text"):
        world.open(Scene(state=state))
    live = world.open(Scene())
    assert told(live).end == []
    live.close()


def test_a_statement_that_is_still_under_way_does_not_hold_up_the_next_trial(world: SqliteWorld) -> None:
    live = world.open(Scene())
    under_way = live.live.execute("SELECT * FROM users")
    under_way.fetchone()
    run(live, "DELETE FROM users WHERE id = 5")
    live.live.execute("BEGIN IMMEDIATE")
    live.close()
    fresh = world.open(Scene())
    assert fresh.live.execute("SELECT count(*) FROM users").fetchone() == (USERS,)
    fresh.close()


def test_a_start_that_cannot_be_laid_down_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be laid down"):
        SqliteWorld(seed(tmp_path), Starts(tmp_path / "file" / "starts"))


@pytest.mark.parametrize("setting", ["user_version", "application_id"])
def test_a_setting_of_the_database_does_not_reach_the_next_trial(setting: str, world: SqliteWorld) -> None:
    for _ in range(3):
        live = world.open(Scene())
        assert live.live.execute(f"PRAGMA {setting}").fetchone()[0] == 0
        live.live.execute(f"PRAGMA {setting} = 7")
        live.close()
