"""The file of the store: its format and what happens when it is not as it should be."""

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from fairtrial.records.errors import StoreError
from fairtrial.store import schema, sqlite
from fairtrial.store.sql import Store
from tests.store import samples


def test_a_store_is_made_where_it_is_named_and_opened_again(path: str) -> None:
    with Store.open(f"sqlite:///{path}") as store:
        store.create_run("r-1", samples.manifest(), {})
    with Store.open(path, create=False) as store:
        assert store.run("r-1").id == "r-1"
    with Store.open(store.url) as store:
        assert [line.run for line in store.runs()] == ["r-1"]


def test_a_store_that_is_not_there_is_not_made_by_looking(path: str) -> None:
    with pytest.raises(StoreError, match="no store yet"):
        Store.open(path, create=False)
    assert not os.path.exists(path)


def test_a_newer_format_is_refused_and_left_alone(path: str) -> None:
    Store.open(path).close()
    database = sqlite3.connect(path)
    database.execute("INSERT INTO schema_version VALUES (99, 0, 'fairtrial 9.9')")
    database.commit()
    database.close()
    with pytest.raises(StoreError, match="newer than this program: its format is 99") as error:
        Store.open(path)
    assert error.value.exit_code == 2
    assert "use the fairtrial that wrote it" in str(error.value)


def test_an_older_format_is_brought_up_step_by_step_with_a_copy_kept(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(path) as store:
        store.create_run("r-1", samples.manifest(), {})
    monkeypatch.setattr(sqlite, "STEPS", (*schema.STEPS, ("CREATE TABLE later (number {whole})",), ("INSERT INTO later VALUES (7)",)))
    with Store.open(path) as store:
        assert store.run("r-1").id == "r-1"
    database = sqlite3.connect(path)
    assert database.execute("SELECT number FROM later").fetchall() == [(7,)]
    assert [row[0] for row in database.execute("SELECT version FROM schema_version ORDER BY version")] == [*range(1, len(schema.STEPS) + 3)]
    database.close()
    with Store.open(f"{path}.format-{len(schema.STEPS)}") as copy:
        assert copy.run("r-1").id == "r-1"


def test_a_step_that_fails_leaves_the_old_format(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(path).close()
    with monkeypatch.context() as broken:
        broken.setattr(sqlite, "STEPS", (*schema.STEPS, ("CREATE TABLE later (number {whole})", "NOT SQL")))
        with pytest.raises(StoreError):
            Store.open(path)
    with Store.open(path) as store:
        assert store.runs() == []


def test_what_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    foreign = tmp_path / "other.db"
    database = sqlite3.connect(foreign)
    database.execute("CREATE TABLE letters (text TEXT)")
    database.commit()
    database.close()
    with pytest.raises(StoreError, match="another program's database"):
        Store.open(foreign)
    text = tmp_path / "notes.txt"
    text.write_bytes(b"This is not a database at all, whatever its name. " * 50)
    before = text.read_bytes()
    with pytest.raises(StoreError, match="not a store") as error:
        Store.open(text)
    assert str(text) in str(error.value)
    assert text.read_bytes() == before
    with pytest.raises(StoreError):
        Store.open(tmp_path)
    with pytest.raises(StoreError, match="folder cannot be made"):
        Store.open(text / "store.db")


def test_kinds_of_store_that_are_not_known_are_named_without_their_password() -> None:
    with pytest.raises(StoreError, match="not known here") as error:
        Store.open("postgresql://me:hunter2@host/db")
    assert "hunter2" not in str(error.value)
    with pytest.raises(StoreError, match="must be a file"):
        Store.open("sqlite:///:memory:")
    with pytest.raises(StoreError, match="not known here"):
        Store.open("sqlite://relative.db")


def test_many_may_make_the_same_store_at_the_same_moment(path: str) -> None:
    errors: list[BaseException] = []

    def make() -> None:
        try:
            Store.open(path).close()
        except StoreError as error:
            errors.append(error)

    threads = [threading.Thread(target=make) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_a_store_is_not_used_by_a_forked_child(store: Store) -> None:
    parent = store._face._process
    store._face._process = parent + 1
    try:
        with pytest.raises(StoreError, match="opened by another process"):
            store.runs()
    finally:
        store._face._process = parent


def test_a_full_disk_or_a_broken_file_is_said_with_its_mend(store: Store, path: str) -> None:
    store.create_run("r-1", samples.manifest(), {})
    with store._face.reading() as session:
        pages = session.execute("PRAGMA page_count").fetchone()[0]
    store._face._writer.execute(f"PRAGMA max_page_count = {pages}")
    keys = store.run("r-1").manifest.trial_keys()
    with pytest.raises(StoreError, match="full") as error:
        for _ in range(50):
            store.write_batch("r-1", [samples.row(key) for key in keys])
            store.set_aside("r-1", keys)
    assert "make room on the disk" in str(error.value)
    assert path in str(error.value)
    store._face._writer.execute("PRAGMA max_page_count = 100000")
    store.write_batch("r-1", [samples.row(key) for key in keys])
    assert len(store.keys_done("r-1")) == len(keys)


def test_a_disk_that_is_full_at_the_first_write_is_named_for_what_it_is(path: str) -> None:
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "from fairtrial.store.sql import Store\nStore.open(sys.argv[1])"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=False, timeout=60)
    assert "the disk has room" in done.stderr or "make room on the disk" in done.stderr, done.stderr
    assert "rollback" not in done.stderr.rpartition("StoreError")[2]
