"""Labels out and in again: exactly what they were, harmless to a spreadsheet, and no broken line takes another along."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.exchange.imported import Refusal
from fairtrial.exchange.labels import read_ratings
from fairtrial.exchange.reviewcsv import read_records, write_records
from fairtrial.exchange.reviewfile import Ratings, read_labels, write_ratings
from fairtrial.exchange.tablefile import Record
from fairtrial.records.errors import InputError
from fairtrial.records.label import Label
from fairtrial.records.verdict import Verdict

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
HOSTILE = [
    "=1+1",
    "'=1",
    "''-x",
    "@SUM(A1)",
    "-2",
    "+3",
    "\t=1",
    "\r\n=1",
    "\n=2",
    "\uff1d1",
    'a "b", c',
    " pad ",
    "'plain",
    "\ufeffx",
    "a\rb",
]


@given(st.lists(st.lists(TEXT | st.sampled_from(HOSTILE), min_size=3, max_size=3), max_size=5))
def test_every_text_comes_back_from_csv_as_it_was(rows: list[list[str]]) -> None:
    columns = ("a", "b", "c")
    written = write_records(columns, [dict(zip(columns, row, strict=True)) for row in rows])
    names, records = read_records(written, "x.csv")
    wanted = [{name: text or None for name, text in zip(columns, row, strict=True)} for row in rows if any(row)]
    assert names == columns
    assert [record.cells for record in records if isinstance(record, Record)] == wanted
    assert not [record for record in records if isinstance(record, Refusal)]


@given(st.lists(st.lists(TEXT | st.sampled_from(HOSTILE), min_size=2, max_size=2), min_size=1, max_size=4))
def test_another_reader_reads_the_same_cells_and_none_of_them_runs(rows: list[list[str]]) -> None:
    written = write_records(("a", "b"), [{"a": one, "b": two} for one, two in rows])
    found = list(csv.reader(io.StringIO(written, newline=""), strict=True))
    assert next(row for row in found if row) == ["a", "b"]
    cells = [cell for row in found[1:] for cell in row]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")]


@given(st.text(max_size=200))
def test_nothing_in_a_file_breaks_the_reader(text: str) -> None:
    try:
        _, records = read_records(text, "x.csv")
    except InputError:
        return
    assert all(isinstance(record, (Record, Refusal)) for record in records)


def test_a_quote_that_is_never_closed_costs_its_line_alone() -> None:
    text = 'item,rater,label\n"a,human:x,PASS\nb,human:x,FAIL\nc,human:x,"two\nlines"\nd,human:x\n'
    _, records = read_records(text, "x.csv")
    assert [(record.line, isinstance(record, Record)) for record in records] == [(2, False), (3, True), (4, True), (6, False)]


def test_a_long_file_of_open_quotes_is_refused_in_time() -> None:
    _, records = read_records("a,b\n" + '"\n' * 6_000, "x.csv")
    assert records


def taken(folder: Path, text: str, form: str = "jsonl") -> Ratings:
    file = folder / f"labels.{form}"
    file.write_text(text, encoding="utf-8", newline="")
    return read_labels(str(file), form)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_label_comes_back_from_both_forms(form: str, tmp_path: Path) -> None:
    row: dict[str, Any] = {
        "item": "i1", "cluster": "c", "rater": "human:Ann, =1 @x", "label": "FAIL", "severity": "critical", "slice": {"lang": "zh"},
        "score": 2.5, "note": "=cmd|' /C calc'!A0\nnext \"line\"", "round": 1, "saw": 0, "task": "book\r\n it", "question": "trial",
    }  # fmt: skip
    found = taken(tmp_path, write_ratings([row, {"item": "i2", "question": "trial"}], form), form)
    assert found.refused == [] and found.blank == 1
    ((line, label),) = found.labels
    wanted = Label(
        item="i1", rater="Ann, =1 @x", label=Verdict.FAIL, score=2.5, severity="critical", note=row["note"], round=1, saw=0
    )  # fmt: skip
    assert (line > 0, label) == (True, wanted)
    ratings, refused = read_ratings(str(tmp_path / f"labels.{form}"))
    assert [(one.item, one.rater, one.label, one.slice) for one in ratings] == [("i1", row["rater"], "FAIL", {"lang": "zh"})]
    assert refused == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"item": "i", "rater": "human:a", "label": "pas"}', "did you mean PASS?"),
        ('{"item": "i", "rater": "human:a", "label": 1}', "'label' is text"),
        ('{"item": "i", "rater": "human: ", "label": "PASS"}', "has no name"),
        ('{"item": "i", "rater": "human:a", "label": "PASS", "score": 6}', "from 1 to 5"),
        ('{"item": "i", "rater": "human:a", "label": "PASS", "score": true}', "from 1 to 5"),
        ('{"item": "i", "rater": "human:a", "label": "PASS", "severity": "bad"}', "severity cannot be"),
        ('{"item": "i", "rater": "human:a", "label": "PASS", "saw": "x"}', "whole number"),
        ('{"item": "i", "rater": "human:a", "label": "PASS", "severty": "minor"}', "did you mean 'severity'?"),
        ('{"item": "i", "rater": "human:a\\u001b[1m", "label": "PASS"}', "control characters"),
        ('{"item": "i", "rater": "Human:\\u200b", "label": "PASS"}', "is no name"),
        ('{"rater": "human:a", "label": "PASS"}', "'item' is missing"),
        ('{"item": "i", "rater": 3, "label": "PASS"}', "'rater' is text"),
    ],
)
def test_a_line_that_is_not_fit_is_refused_with_its_reason(line: str, why: str, tmp_path: Path) -> None:
    good = '{"item": "i", "rater": "human:a", "label": " pass "}'
    found = taken(tmp_path, f"{good}\n{line}\n{good}\n")
    assert len(found.labels) == 2
    ((number, told),) = [(one.line, one.why) for one in found.refused]
    assert (number, why in told) == (2, True), told


def test_a_person_in_any_spelling_is_taken_as_one(tmp_path: Path) -> None:
    lines = [
        f'{{"item": "i", "rater": "{rater}", "label": "PASS"}}' for rater in ("Human:b", " human:c", "HUMAN:d", "human: e", "ｈｕｍａｎ：f")
    ]
    found = taken(tmp_path, "\n".join(lines))
    assert [label.rater for _, label in found.labels] == ["b", "c", "d", "e", "f"]
    assert (found.judges, found.refused) == (0, [])


def test_what_a_judge_said_is_no_label_of_a_person(tmp_path: Path) -> None:
    found = taken(tmp_path, '{"item": "i", "rater": "quality", "label": "PASS", "version": "sha256:1", "score": 0.4}\n')
    assert (found.labels, found.judges, found.refused) == ([], 1, [])
