"""The logs that only grow: what was written is read back, and no statement of the store takes a line away."""

import re
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.errors import StoreError
from fairtrial.records.ledger import Look, Moved
from fairtrial.records.moment import moment
from fairtrial.records.text import utf8
from fairtrial.store import schema, sqlite
from fairtrial.store.redact import Redactor
from fairtrial.store.sql import Store
from tests.store import samples


def look(case: str = "c", **more: object) -> Look:
    fields = {"at_ns": 5, "who": "ada", "verb": "show", "suite": "s", "case": case, "hash": "h", "brief_hash": "b", "run": "r", **more}
    return Look(**fields)  # type: ignore[arg-type]


def test_looks_and_moves_are_read_back_in_the_order_they_were_written(store: Store, path: str) -> None:
    looks = [look("a"), look("b", setup="team", attempt=3), look("a", verb="replay")]
    for one in looks:
        store.ledger.add_look(one)
    moves = [Moved(at_ns=n, who="ada", suite="s", case="a", hash="h", move="graduated", evidence={"scores": [5, n]}) for n in (1, 2)]
    store.ledger.add_moves(moves)
    store.ledger.add_moves([])
    with Store.open(path) as again:
        assert again.ledger.looks() == looks
        assert again.ledger.moves("s") == moves
        assert again.ledger.moves("other") == []


def test_no_statement_changes_or_removes_a_line_of_the_logs() -> None:
    said = [text for name, text in vars(schema).items() if isinstance(text, str) and name.isupper()]
    assert any("looks" in text for text in said)
    assert [text for text in said if re.search(r"\b(UPDATE|DELETE|REPLACE)\b.*\b(looks|moves)\b", text, re.DOTALL)] == []


def test_a_store_of_the_second_format_is_brought_up_and_keeps_its_runs(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as older:
        older.setattr(sqlite, "STEPS", schema.STEPS[:2])
        with Store.open(path) as store:
            store.create_run("r-1", samples.manifest(), {})
    with Store.open(path) as store:
        assert store.run("r-1").id == "r-1"
        assert store.ledger.looks() == []
        store.ledger.add_look(look())
    assert Path(f"{path}.format-2").exists()
    with monkeypatch.context() as older:
        older.setattr(sqlite, "STEPS", schema.STEPS[:2])
        with pytest.raises(StoreError, match=r"newer than this program: its format is \d+"):
            Store.open(path)


def test_secrets_in_the_evidence_of_a_move_are_covered(path: str) -> None:
    with Store.open(path, redactor=Redactor(["hunter2-hunter2"])) as store:
        store.ledger.add_moves([Moved(at_ns=1, who="a", suite="s", case="c", hash="", move="demoted", evidence={"why": "hunter2-hunter2"})])
    database = sqlite3.connect(path)
    assert "hunter2" not in str(database.execute("SELECT * FROM moves").fetchall())
    database.close()


@given(text=st.text())
def test_any_name_of_a_case_can_be_written_down(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    with Store.open(tmp_path_factory.mktemp("ledger") / "store.db") as store:
        store.ledger.add_look(look(text, suite=text))
        assert [(one.case, one.suite) for one in store.ledger.looks()] == [(utf8(text).decode(),) * 2]


def test_a_moment_is_said_in_utc_to_the_second() -> None:
    assert moment(0) == "1970-01-01T00:00:00Z"
    assert moment(1_764_460_800_999_999_999) == "2025-11-30T00:00:00Z"
