"""A copy of a database is what its connection sees, whatever stands in it and whatever a tool set."""

import sqlite3

import pytest

from fairtrial.worlds.copying import copied
from fairtrial.worlds.rows import dump, plainly

TABLES = """
CREATE TABLE "q""uo't e" (a, "b c");
CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, v, w GENERATED ALWAYS AS (id * 2) STORED);
CREATE TABLE words (word TEXT PRIMARY KEY, n) WITHOUT ROWID;
CREATE TABLE keyed (k TEXT PRIMARY KEY, v UNIQUE);
CREATE INDEX by_v ON counted (v);
CREATE VIEW twice AS SELECT v, v AS again FROM counted;
CREATE TRIGGER add_word AFTER INSERT ON counted BEGIN INSERT OR IGNORE INTO words VALUES (NEW.v, 1); END;
INSERT INTO counted (v) VALUES ('a'), ('b'), ('c');
DELETE FROM counted WHERE id > 1;
INSERT INTO keyed VALUES ('x', 1);
PRAGMA user_version = 7;
"""
ODD = """
INSERT INTO "q""uo't e" (rowid, a, "b c") VALUES (5, 'a' || char(0) || 'b', CAST(x'ff61' AS TEXT));
INSERT INTO "q""uo't e" VALUES (9e999, x'ff61'), (-9e999, NULL), (9223372036854775807, 0.1);
"""


def _whole(database: sqlite3.Connection) -> object:
    rows = dump(plainly(database))
    typed = database.execute('SELECT rowid, typeof(a), hex(a), typeof("b c"), hex("b c") FROM "q""uo\'t e"').fetchall()
    schema = database.execute("SELECT type, name FROM sqlite_master ORDER BY 1, 2").fetchall()
    counters = database.execute("SELECT * FROM sqlite_sequence").fetchall()
    return rows, typed, schema, counters, database.execute("PRAGMA user_version").fetchone()


@pytest.mark.parametrize("committed", [True, False])
def test_a_copy_holds_odd_names_and_values_as_they_are(committed: bool) -> None:
    live = sqlite3.connect(":memory:")
    live.executescript(TABLES)
    for statement in ODD.strip().split(";\n")[: 2 if committed else None]:
        live.execute(statement)
    if committed:
        live.commit()
    live.text_factory, live.row_factory = bytes, sqlite3.Row
    made = copied(live)
    assert live.in_transaction is not committed
    assert (live.text_factory, live.row_factory, made.text_factory) == (bytes, sqlite3.Row, bytes)
    assert _whole(made) == _whole(live)
    made.execute("DELETE FROM counted")
    made.commit()
    assert live.execute("SELECT count(*) FROM counted").fetchone()[0] == 1


def test_a_virtual_table_is_copied_by_what_it_stores() -> None:
    live = sqlite3.connect(":memory:")
    try:
        live.execute("CREATE VIRTUAL TABLE mails USING fts5(body)")
    except sqlite3.OperationalError as error:
        pytest.skip(f"this SQLite has no full-text search: {error}")
    live.execute("INSERT INTO mails VALUES ('the first bill'), ('nothing')")
    assert live.in_transaction
    made = copied(live)
    assert made.execute("SELECT rowid, body FROM mails WHERE mails MATCH 'bill'").fetchall() == [(1, "the first bill")]
