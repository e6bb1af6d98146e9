"""Answers of models that are kept: covered by their texts alone, and a damaged row counts as not there."""

import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from fairtrial.records.opinion import Answer
from fairtrial.store.redact import Redactor
from fairtrial.store.sql import Store

SECRET = "wonderful-otter-8841"
ANSWER = Answer(
    model="m", repeat=1, score=4.0, passed=True, marks={"password": 4.0, "token": 3.0}, reason="good", replies=("it is so",),
    input_tokens=5, usd=Decimal("0.1"),
)  # fmt: skip


def test_what_an_answer_says_is_covered_and_what_it_marks_is_not(path: str) -> None:
    told = Answer(model="m", repeat=1, score=4.0, marks={"password": 4.0}, reason=f"it is {SECRET}", replies=(f'{{"x": "{SECRET}"}}',))
    with Store.open(path, redactor=Redactor([SECRET])) as store:
        store.answers.put("a", ANSWER)
        store.answers.put("b", told)
        store.answers.flush()
        assert (found := store.answers.get("a")) is not None and found.marks == ANSWER.marks and found.cached
        assert (covered := store.answers.get("b")) is not None and covered.marks == told.marks
        assert covered.reason == "it is [redacted:known]" and SECRET not in str(covered)
    assert SECRET.encode() not in b"".join(file.read_bytes() for file in Path(path).parent.iterdir())


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"\x28\xb5\x2f\xfdxx", b"null", b"[]", b'{"model":"m","repeat":1}', 5, "x"])
def test_a_damaged_row_counts_as_not_there_and_is_replaced(path: str, body: object) -> None:
    with Store.open(path) as store:
        store.answers.put("a", ANSWER)
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("UPDATE answers SET body = ?", (body,))
    with Store.open(path) as store:
        assert store.answers.get("a") is None
        store.answers.put("a", ANSWER)
        store.answers.flush()
        assert store.answers.get("a") is not None
    with Store.open(path) as store:
        assert store.answers.get("a") is not None
