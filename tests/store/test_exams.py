"""The log of exams: what was written is read back, nothing is taken away, and no secret gets in."""

import re
from pathlib import Path

import pytest

from fairtrial.records.standing import Sitting
from fairtrial.store import schema, sqlite
from fairtrial.store.redact import Redactor
from fairtrial.store.sql import Store
from tests.store import samples


def sitting(identity: str = "id-1", **more: object) -> Sitting:
    fields = {"at_ns": 7, "judge": "quality", "identity": identity, "suite": "s", "parts": {"model": "m"}, **more}
    return Sitting(**fields)  # type: ignore[arg-type]


def test_exams_are_read_back_by_the_name_of_the_judge_oldest_first(store: Store, path: str) -> None:
    first = sitting(figures={"kappa": {"value": 0.61, "low": 0.5, "high": 0.7}}, bar={"kappa": "0.6"}, passes=True, who="ada")
    second = sitting("id-2", passes=None)
    for one in (first, second, sitting(judge="safety")):
        store.exams.add(one)
    with Store.open(path) as again:
        assert again.exams.of("quality") == [first, second]
        assert again.exams.of("nobody") == []


def test_no_statement_changes_or_removes_an_exam() -> None:
    said = [text for name, text in vars(schema).items() if isinstance(text, str) and name.isupper()]
    assert any("exams" in text for text in said)
    assert [text for text in said if re.search(r"\b(UPDATE|DELETE|REPLACE)\b.*\bexams\b", text, re.DOTALL)] == []


def test_a_secret_in_an_exam_is_covered(path: str) -> None:
    with Store.open(path, redactor=Redactor(["hunter2-hunter2"])) as store:
        store.exams.add(sitting(figures={"note": "the key is hunter2-hunter2"}))
        assert "hunter2" not in str(store.exams.of("quality"))
    assert b"hunter2" not in Path(path).read_bytes()


def test_a_store_of_the_third_format_is_brought_up_and_keeps_its_runs(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as older:
        older.setattr(sqlite, "STEPS", schema.STEPS[:3])
        with Store.open(path) as store:
            store.create_run("r-1", samples.manifest(), {})
    with Store.open(path) as store:
        assert store.run("r-1").id == "r-1"
        assert store.exams.of("quality") == []
