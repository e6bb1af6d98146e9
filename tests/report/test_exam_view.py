"""The page of an exam: what is shown is what was decided, in both languages, and what others wrote stays text."""

import io
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from fairtrial.records.exam import Aside, Flips
from fairtrial.records.rating import Rating
from fairtrial.report.exam_view import ASIDE, coefficient, exam_sheet
from fairtrial.report.terminal import draw
from fairtrial.report.words import Words
from fairtrial.study.exam import ExamOptions, read_exam
from fairtrial.study.examfigures import none

LABELS = ["PASS", "FAIL", "FAIL", "PASS", "FAIL", "PASS"]
SAID = ["PASS", "FAIL", "PASS", "PASS", "[bold]??", "FAIL"]


def ratings(said: list[str]) -> list[Rating]:
    made = []
    for place, (label, word) in enumerate(zip(LABELS, said, strict=True)):
        item = f"i{place}"
        more: dict[str, Any] = {"severity": ["critical", "minor"][place % 2], "slice": {"lang": ["zh", "en"][place % 2], "family": "m"}}
        made += [Rating(item=item, rater=f"human:{name}", label=label, **more) for name in ("ann", "bo")]
        made.append(Rating(item=item, rater="quality", label=word))
    return made


def page(said: list[str], language: str = "en", bar: dict[str, str] | None = None, **options: Any) -> str:
    exam = read_exam(ratings(said), ExamOptions(**options), bar)
    exam.probes = [Flips(probe="length", asked=6, unusable=1, flips=exam.agreement, to_positive=2, to_negative=0)]
    exam.probes.append(Flips(probe="position", asked=0, unusable=0, flips=none("nothing of these trials has another form"), to_positive=0,
                             to_negative=0, why="nothing of these trials has another form"))  # fmt: skip
    out = io.StringIO()
    draw(exam_sheet(exam, Words(language), "labels.jsonl"), Console(file=out, width=140, no_color=True))
    return out.getvalue()


def test_the_page_says_what_was_decided() -> None:
    text = re.sub(r"\n {2,}(?=\S)", " ", page(SAID, bar={"kappa": "0.6", "recall_critical": "0.9"}, family="m"))
    assert "1 reply is not a verdict and counts as wrong" in text
    assert "it caught 1 of 3 failures" in text and "the bar is not met: kappa" in text
    assert re.search(r"critical +0 / 2", text) and re.search(r"minor +1 / 1", text)
    assert re.search(r"recall_critical +0\.9 +0\.000 +not met", text) or "recall_critical" in text
    assert "human:ann | human:bo" in text and "lang=zh" in text and "the answer padded" in text and "Its own family" in text
    assert text.rstrip().endswith("fairtrial judge exam labels.jsonl --judge quality")


@pytest.mark.parametrize(("bar", "ends"), [(None, "--bar bar.yaml"), ({"kappa": "-0.5"}, "fairtrial grade last")])
def test_the_last_line_says_what_to_type(bar: dict[str, str] | None, ends: str) -> None:
    text = page(LABELS, bar=bar)
    assert text.rstrip().endswith(ends)
    assert "every reply is a verdict" in text and "this exam uses: counts as wrong" in text


def test_in_chinese_no_english_sentence_is_left() -> None:
    text = page(SAID, "zh", {"kappa": "0.6"}, family="m")
    sentences = [line for line in text.splitlines() if re.search(r"[A-Za-z]{4,} [A-Za-z]{2,} [A-Za-z]{2,}", line)]
    assert [line for line in sentences if "fairtrial judge exam" not in line] == []


def test_labels_without_a_good_one_show_means_and_no_failures() -> None:
    other = {"PASS": "a", "FAIL": "b"}
    made = [msgspec.structs.replace(one, label=other.get(one.label or "", "??")) for one in ratings(SAID)]
    exam = read_exam(made, ExamOptions())
    out = io.StringIO()
    draw(exam_sheet(exam, Words("en"), "f"), Console(file=out, width=120, no_color=True))
    assert "macro F1" in out.getvalue() and "caught" not in out.getvalue()


def test_a_kappa_never_shows_as_0_or_1_where_it_is_neither() -> None:
    assert [coefficient(value) for value in (0.0, 1.0, 0.00004, 0.99996, -0.25, None)] == ["0.000", "1.000", ">0", "<1", "−0.250", "–"]


def test_the_document_has_the_keys_of_the_contract(tmp_path: Path) -> None:
    found = json.loads(msgspec.json.encode(read_exam(ratings(SAID), ExamOptions())))
    keys = {"n", "invalid", "labels", "confusion", "agreement", "kappa", "precision", "recall", "specificity", "f1", "macro"}
    keys |= {"by_severity", "slices", "raters", "fleiss_kappa", "alpha", "under", "passes"}
    assert keys <= set(found)
    assert set(found["kappa"]) >= {"value", "low", "high"} and set(found["under"]) == {"wrong", "tie", "drop"}
    assert found["raters"]["human:ann|human:bo"]["kappa"] == 1.0 and found["alpha"] == 1.0
    assert found["confusion"]["FAIL"] == {"PASS": 1, "FAIL": 1, "not a verdict": 1}


def test_every_count_that_is_set_aside_has_words_on_the_page() -> None:
    assert set(ASIDE) == set(Aside.__struct_fields__)
    for language in ("en", "zh"):
        assert all(Words(language)(f"exam.aside.{name}", n="1") for name in ASIDE)
