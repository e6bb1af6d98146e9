"""`fairtrial judge exam` and `judge labels` as they are typed: documents, exit codes, and errors that can be mended."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Say = Callable[..., Any]


def write(folder: Path, judge: list[str | None], people: tuple[str, ...] = ("PASS", "FAIL", "FAIL")) -> str:
    rows: list[dict[str, Any]] = []
    for place, (word, label) in enumerate(zip(judge, people, strict=True)):
        rows += [{"item": f"i{place}", "rater": "human:1", "label": label}, {"item": f"i{place}", "rater": "quality", "label": word}]
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(folder / "labels.jsonl")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_bar_that_is_met_ends_0_and_one_that_is_not_1(say: Say, tmp_path: Path) -> None:
    file, bar = write(tmp_path, ["PASS", "FAIL", "PASS"]), tmp_path / "bar.yaml"
    assert say("judge", "exam", file, "--json").document["passes"] is None
    for least, code in (("0.3", 0), ("0.9", 1)):
        bar.write_text(f'bar: {{kappa: "{least}"}}\n', "utf-8")
        done = say("judge", "exam", file, "--judge", "quality", "--bar", str(bar), "--json")
        assert (done.code, done.document["passes"]) == (code, code == 0)


@pytest.mark.parametrize(
    "words",
    [
        ("labels.jsonl", "--judge", "nobody"),
        ("labels.jsonl", "--positive", "good"),
        ("labels.jsonl", "--truth", "quality", "--judge", "quality"),
        ("labels.jsonl", "--invalid", "half"),
        ("labels.jsonl", "--bar", "no.yaml"),
        ("none.jsonl",),
        ("labels.jsonl", "--probe"),
    ],
)
def test_what_cannot_be_marked_ends_2(say: Say, tmp_path: Path, words: tuple[str, ...]) -> None:
    write(tmp_path, ["PASS", "FAIL", "PASS"])
    done = say("judge", "exam", *words)
    assert done.code == 2 and done.err and not done.out


def test_a_bar_that_is_missed_is_named_in_what_to_type_next(say: Say, tmp_path: Path) -> None:
    file, bar = write(tmp_path, ["PASS", "FAIL", "PASS"]), tmp_path / "bar.yaml"
    bar.write_text('kappa: "0.9"\n', "utf-8")
    assert say("judge", "exam", file, "--judge", "quality", "--bar", "bar.yaml").out.rstrip().endswith("--judge quality --bar bar.yaml")


@pytest.mark.parametrize(("verb", "words"), [("exam", ()), ("pairs", ("last",))])
def test_an_argument_that_is_missing_names_the_help_as_it_is_typed(say: Say, verb: str, words: tuple[str, ...]) -> None:
    assert f"fairtrial judge {verb} --help tells more" in say("judge", verb, *words).err


def test_a_refused_line_is_named_and_takes_no_other_with_it(say: Say, tmp_path: Path) -> None:
    file = write(tmp_path, ["PASS", "FAIL", None])
    with open(file, "a", encoding="utf-8") as more:
        more.write('{"item": "x", "rater": "quality", "label": 1.5}\nnot json\n')
    found = say("judge", "exam", file, "--json").document
    assert [one["line"] for one in found["refused"]] == [7, 8]
    assert (found["n"], found["aside"]["gaps"]) == (2, 1)


def test_labels_of_a_table_become_the_file_that_the_exam_reads(say: Say, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("case,ann,model\na,1,1\nb,0,1\nc,0,0\n", "utf-8")
    typed = ("judge", "labels", "t.csv", "--item", "case", "--rater", "human:ann=ann", "--rater", "m=model", "--relabel", "1=PASS")
    made = say(*typed, "--relabel", "0=FAIL", "-o", "made.jsonl")
    assert made.code == 0 and "fairtrial judge exam made.jsonl --judge m" in made.out
    found = say("judge", "exam", "made.jsonl", "--json").document
    assert (found["n"], found["specificity"]["value"]) == (3, 0.5)
    assert say(*typed).out.count("\n") == 6, "without a file the ratings are the output"


@pytest.mark.parametrize("words", [("t.csv",), ("t.csv", "--item", "case"), ("t.txt", "--item", "case"), ("t.csv", "--as", "devia")])
def test_what_is_no_table_of_labels_ends_2(say: Say, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "t.csv").write_text("case,ann\na,1\n", "utf-8")
    assert say("judge", "labels", *words).code == 2
