"""Only an exam that was held against people, on the good label, with every reply and enough items, gives a judge its standing."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from fairtrial.report.exam_view import exam_sheet
from fairtrial.report.terminal import draw
from fairtrial.report.words import Words
from fairtrial.steps.reading import open_store
from fairtrial.workflow import ExamOptions, check, judge_exam
from tests.steps.judged import make_judged


def sat(folder: Path, options: Mapping[str, Any], rows: list[tuple[str, str]]) -> Any:
    """An exam on items of which people say one word and the judge another; `other`, a model, says what the judge does."""
    lines = []
    for n, (truth, said) in enumerate(rows):
        told = {"human:ann": truth, "quality": said, "other": said}
        lines += [{"item": f"i{n}", "rater": rater, "label": label} for rater, label in told.items()]
    file = folder / "labels.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return judge_exam(str(file), ExamOptions(judge="quality", **options), None, str(folder))


RIGHT = [("PASS", "PASS"), ("FAIL", "FAIL")]
CASES: list[tuple[dict[str, Any], list[tuple[str, str]], str]] = [
    ({"truth": "other"}, RIGHT * 10 + [("FAIL", "PASS")] * 10, "its truth is the word of other"),
    ({"positive": "FAIL"}, RIGHT * 10, "its positive label, FAIL, is not the good one"),
    ({"rule": "drop"}, RIGHT * 10 + [("FAIL", "perhaps")] * 10, "count as drop"),
    ({}, RIGHT * 4 + RIGHT[:1], "9 items, it takes 10"),
    ({}, [("PASS", "PASS")] * 10, "no item is truly FAIL"),
    ({}, [("fine", "fine"), ("poor", "poor")] * 10, "no known pair"),
]


@pytest.mark.parametrize(("options", "rows", "why"), CASES)
def test_what_says_nothing_of_the_judge_is_told_and_not_kept(
    tmp_path: Path, options: dict[str, Any], rows: list[tuple[str, str]], why: str
) -> None:
    folder = make_judged(tmp_path / "s", {"a": "mark 4"}, bar={"agreement": "0.6"})
    found = sat(folder, options, rows)
    assert found.passes is True and found.kept is False
    assert why in found.reasons["kept"] and any("not kept as an exam of quality" in note for note in found.notes)
    with open_store(str(folder), None) as store:
        assert store.exams.of("quality") == []
    out = io.StringIO()
    draw(exam_sheet(found, Words("en"), "labels.jsonl"), Console(file=out, width=200, no_color=True))
    assert "let it sit an exam that counts" in out.getvalue() and "fairtrial grade last" not in out.getvalue()
    assert "quality was never examined" in check(str(folder)).notes[0]


def test_ten_items_with_both_labels_are_an_exam(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"a": "mark 4"}, bar={"agreement": "0.6"})
    assert sat(folder, {}, RIGHT * 5).kept is True
    assert check(str(folder)).notes == []
