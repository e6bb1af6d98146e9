"""Judges that others measured, measured again: the published figures come out of the published files."""

from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.strictjson import loads
from fairtrial.records.text import read_text
from fairtrial.steps.examining import label_file
from fairtrial.workflow import ExamOptions, judge_exam


def made(shared: Path, tmp_path: Path, form: str, *places: str) -> str:
    data = shared / "data"
    if not (data / places[0].split("/")[0]).is_dir():
        pytest.skip(f"needs {data / places[0]}")
    file = str(tmp_path / "labels.jsonl")
    found = label_file(form, [str(data / place) for place in places], {}, file)
    assert not found.refused
    return file


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_agent_as_a_judge_on_its_366_requirements(shared: Path, tmp_path: Path) -> None:
    file = made(shared, tmp_path, "devai", "judge_agent_as_judge/MetaGPT")
    found = judge_exam(file, ExamOptions(positive="satisfied"))
    assert (found.n, found.invalid, found.agreement.clusters) == (366, 0, 55)
    figures = found.agreement, found.kappa, found.precision, found.recall, found.specificity
    assert [round(figure.value or 0, 4) for figure in figures] == [0.9208, 0.7751, 0.8023, 0.8519, 0.9404]
    assert found.by_label["unsatisfied"].recall.value == found.specificity.value
    for figure in figures:
        assert figure.low is not None and figure.value is not None and figure.high is not None
        assert figure.low < figure.value < figure.high


def test_the_flat_table_of_the_same_requirements_gives_the_same(shared: Path, tmp_path: Path) -> None:
    source = shared / "data" / "judge_agent_as_judge" / "requirements.csv"
    if not source.is_file():
        pytest.skip(f"needs {source}")
    columns: dict[str, Any] = {
        "item": ("task", "requirement_id"), "cluster": ("task",), "severity": None, "slices": ("category",), "rater": None, "label": None,
        "raters": {"human:1": "human_satisfied", "agent": "judge_satisfied"}, "renamed": {"True": "satisfied", "False": "unsatisfied"},
    }  # fmt: skip
    file = str(tmp_path / "flat.jsonl")
    assert label_file(None, [str(source)], columns, file).ratings == 732
    found = judge_exam(file, ExamOptions(judge="agent"))
    assert (round(found.kappa.value or 0, 4), found.positive, found.kappa.clusters) == (0.7751, "satisfied", 55)


def test_the_judge_of_999_pairs_and_its_three_annotators(shared: Path, tmp_path: Path) -> None:
    names = ("testset-v1.json", "pandalm-7b-testset-v1.json")
    file = made(shared, tmp_path, "pandalm", *(f"judge_pandalm/{name}" for name in names))
    found = judge_exam(file, ExamOptions())
    assert (found.n, found.labels, found.aside.ties) == (999, ["0", "1", "2"], 0)
    assert [round(pair.kappa or 0, 4) for pair in found.raters.values()] == [0.8520, 0.8789, 0.8617]
    macro = found.macro.precision, found.macro.recall, found.macro.f1
    assert [round(value or 0, 4) for value in (found.agreement.value, *macro, found.kappa.value)] == [
        0.6677,
        0.5738,
        0.5750,
        0.5743,
        0.4354,
    ]
    assert [sum(row.values()) for row in found.confusion.values()] == [105, 422, 472]


def test_the_labels_of_a_known_fault(shared: Path, tmp_path: Path) -> None:
    given = loads(read_text(shared / "known-faults" / "inputs" / "M17_labels.json"))

    def exam(people: str, judge: str) -> Any:
        rows = [
            f'{{"item": "i{place}", "rater": "{rater}", "label": {"null" if label is None else f"{chr(34)}{label}{chr(34)}"}}}'
            for rater, labels in (("human:1", given[people]), ("j", given[judge]))
            for place, label in enumerate(labels)
        ]
        file = tmp_path / "m17.jsonl"
        file.write_text("\n".join(rows), "utf-8")
        return judge_exam(str(file), ExamOptions())

    always, careful = exam("human", "judge_a"), exam("human", "judge_b")
    assert (always.agreement.value, always.kappa.value, always.specificity.value) == (0.9, 0.0, 0.0)
    assert careful.kappa.value == pytest.approx(0.615385, abs=1e-6)
    same, gaps = exam("all_same_human", "all_same_judge"), exam("with_gap_human", "with_gap_judge")
    assert (same.agreement.value, same.kappa.value) == (1.0, None)
    assert (gaps.n, gaps.agreement.value) == (2, 1.0)
