"""What is secret in a case is nowhere in the store and in no question to a judge, whatever a judge says and whichever verb was used."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fairtrial.steps.mutating import MutateOptions
from fairtrial.steps.reviewing import Asked
from fairtrial.store.codec import unpack
from fairtrial.workflow import ExamOptions, RunOptions, grade, judge_exam, mutants, review, run
from tests.steps.judged import make_judged

SECRET = "wonderful-otter-8841"
JUDGE = """
import json, os, re
from fairtrial.records.errors import ProviderOutage


def telltale(messages):
    text = messages[-1]["content"]
    nonce = re.search(r"The nonce of this call is (\\w+)\\.", text)[1]
    with open(os.environ["JUDGE_LOG"], "a") as log:
        log.write(text)
    if "broken off" in text:
        raise ProviderOutage("no answer about SECRET")
    if "no verdict" in text:
        return "it holds SECRET"
    return json.dumps({"nonce": nonce, "reason": "it knew SECRET", "quality": 4, "pass": True})
""".replace("SECRET", SECRET)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUDGE_LOG", str(tmp_path / "calls.log"))
    says = {"told": f"it is {SECRET}", "off": "broken off", "bad": "no verdict", "fine": "fine"}
    folder = make_judged(tmp_path / "s", says, model="python:judging:telltale", bar={"kappa": "0.1"})
    (folder / "judging.py").write_text(JUDGE, encoding="utf-8")
    rubric = (folder / "rubric.yaml").read_text().replace("[output]", "[output, trace]")
    (folder / "rubric.yaml").write_text(f"{rubric}reference: true\n", encoding="utf-8")
    rows = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
    for row in rows:
        row |= {"secrets": [SECRET], "reference": f"{SECRET} it is", "task": f"{row['task']} and {SECRET}"}
        row["solution"] = {"answer": {"answer": f"by {SECRET}", "ok": True}}
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def kept(folder: Path) -> Iterator[tuple[str, bytes]]:
    """(table, value) of every text and blob of every table, unpacked."""
    for file in (path for path in folder.rglob("*") if path.is_file() and path.read_bytes()[:15] == b"SQLite format 3"):
        with closing(sqlite3.connect(file)) as base:
            tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                for row in base.execute(f"SELECT * FROM {table}"):  # noqa: S608 - names of our own tables
                    yield from ((table, told(value)) for value in row if isinstance(value, (str, bytes)))


def told(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else unpack(value)


def test_no_secret_is_in_any_column_of_the_store_nor_in_what_a_judge_is_shown(folder: Path, tmp_path: Path) -> None:
    run(str(folder), RunOptions(isolate="shared"))
    grade(None, "last", start=str(folder))
    ratings = tmp_path / "ratings.csv"
    review(None, Asked(reference="last", sample=4), start=str(folder))
    rows = [f"{item},{rater},{label}" for item in kept_items(folder) for rater, label in (("human:a", "PASS"), ("human:b", "PASS"))]
    for n in range(10):  # an exam takes ten items, and some that fail
        rows += [f"x{n},{rater},FAIL" for rater in ("human:a", "human:b", "quality")]
    ratings.write_text("\n".join(["item,rater,label", *rows]) + "\n", encoding="utf-8")
    judge_exam(str(ratings), ExamOptions(judge="quality"), suite=str(folder))
    mutants(str(folder), MutateOptions(with_judges=True))
    found = list(kept(folder))
    tables = {table for table, _ in found}
    assert {"trials", "grades", "answers", "exams", "reviews", "canaries", "cases", "runs"} <= tables
    assert {table for table, value in found if SECRET.encode() in value} == set()
    assert any(b"it knew [redacted:known]" in value for table, value in found if table == "grades")
    asked = (tmp_path / "calls.log").read_text()
    assert asked.count("[redacted:known]") > 4 and SECRET not in asked


def kept_items(folder: Path) -> list[str]:
    for file in (path for path in folder.rglob("*") if path.is_file() and path.read_bytes()[:15] == b"SQLite format 3"):
        with closing(sqlite3.connect(file)) as base:
            return [item for (item,) in base.execute("SELECT DISTINCT item FROM reviews")]
    return []
