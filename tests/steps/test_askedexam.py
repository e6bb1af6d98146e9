"""A suite's judge at its exam: asked about stored trials, kept with its date, and what follows for its verdicts and for other forms."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.errors import InputError
from fairtrial.records.exam import Exam
from fairtrial.steps.askedexam import family_of
from fairtrial.store.sql import Store
from fairtrial.workflow import ExamOptions, RunOptions, grade, judge_exam, run
from tests.modelserver import Asked, ModelServer, completion
from tests.steps.judged import make_judged

SAYS = {f"c{n}": f"{'mark 4.5' if n % 3 else 'mark 2'}, number {n}. It is all that was asked for." for n in range(12)}
SWAYED = """

def swayed(messages):
    text = messages[-1]["content"]
    nonce = re.search(r"The nonce of this call is (\\\\w+)\\\\.", text)[1]
    good = "in other words" in text or "mark 4.5" in text
    low, high = map(float, re.search(r"a number from (\\\\S+) to ([0-9.]+)", text).groups())
    return json.dumps({"nonce": nonce, "reason": "r", "quality": high if good else low, "pass": good})
""".replace("\\\\", "\\")

KIN = """
def kin(brief, desk):
    return {"ok": True, "answer": brief.facts["say"] + " by your own kin"}


def other(brief, desk):
    return {"ok": True, "answer": brief.facts["say"]}
"""


def labelled(folder: Path, run_id: str, wrong: tuple[str, ...] = (), **more: Any) -> str:
    """People's labels of every trial: those that name a mark of 3 or more are right, but for the cases `wrong`."""
    rows = []
    for case, say in SAYS.items():
        label = "PASS" if ("mark 4.5" in say) != (case in wrong) else "FAIL"
        row = {"item": f"{run_id}/solo/{case}/1", "rater": "human:ann", "label": label, "cluster": case, **more}
        rows += [row, {**row, "rater": "human:bo"}]
    file = folder / "labels.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(file)


def sit(folder: Path, file: str, *, probe: bool = False, bar: str | None = None) -> Exam:
    return judge_exam(file, ExamOptions(judge="quality", probe=probe), bar, str(folder))


def verdicts(folder: Path) -> list[str]:
    with Store.open(folder / ".fairtrial" / "store.db") as store:
        return sorted(card.verdict.value for _, card in store.rows(store.run("last").id) if card is not None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_judged(tmp_path / "s", SAYS, bar={"kappa": "0.6"})


def test_until_it_has_passed_its_verdicts_do_not_count_and_then_they_do(folder: Path) -> None:
    outcome = run(str(folder), RunOptions(isolate="shared"))
    assert set(verdicts(folder)) == {"UNKNOWN"}
    found = sit(folder, labelled(folder, outcome.report.run))
    assert (found.n, found.kappa.value, found.passes) == (12, 1.0, True)
    assert "the judge was asked about 12 stored trials" in found.notes
    grade(None, "last", start=str(folder))
    assert verdicts(folder) == ["FAIL"] * 4 + ["PASS"] * 8


def test_an_exam_that_was_not_passed_is_kept_as_well(folder: Path) -> None:
    outcome = run(str(folder), RunOptions(isolate="shared"))
    found = sit(folder, labelled(folder, outcome.report.run, wrong=("c0", "c1", "c2", "c3", "c4")))
    assert found.passes is False
    with Store.open(folder / ".fairtrial" / "store.db") as store:
        (sitting,) = store.exams.of("quality")
    assert (sitting.passes, sitting.bar, sitting.identity) == (False, {"kappa": "0.6"}, found.identity)
    assert sitting.figures["kappa"]["value"] == found.kappa.value
    grade(None, "last", start=str(folder))
    assert set(verdicts(folder)) == {"UNKNOWN"}


def test_looking_at_the_same_exam_again_is_not_sitting_it_again(folder: Path) -> None:
    outcome = run(str(folder), RunOptions(isolate="shared"))
    file = labelled(folder, outcome.report.run)
    sit(folder, file)
    assert any("one exam" in note for note in sit(folder, file, probe=True).notes)
    lines = Path(file).read_text("utf-8").splitlines(keepends=True)
    Path(file).write_text("".join(reversed(lines)), "utf-8")
    sit(folder, file)
    with Store.open(folder / ".fairtrial" / "store.db") as store:
        assert len(store.exams.of("quality")) == 1
    sit(folder, labelled(folder, outcome.report.run, wrong=("c0",)))
    with Store.open(folder / ".fairtrial" / "store.db") as store:
        assert len(store.exams.of("quality")) == 2


def test_words_of_another_version_of_the_judge_are_set_aside_and_it_is_asked_anew(folder: Path) -> None:
    outcome = run(str(folder), RunOptions(isolate="shared"))
    file = labelled(folder, outcome.report.run)
    with open(file, "a", encoding="utf-8") as more:
        for case in SAYS:
            row = {"item": f"{outcome.report.run}/solo/{case}/1", "rater": "quality", "label": "PASS", "version": "sha256:old"}
            more.write(json.dumps(row) + "\n")
    found = sit(folder, file)
    assert (found.aside.other_version, found.kappa.value) == (12, 1.0)


def test_it_is_heard_in_the_words_that_people_use(folder: Path) -> None:
    outcome = run(str(folder), RunOptions(isolate="shared"))
    file = Path(labelled(folder, outcome.report.run))
    file.write_text(file.read_text("utf-8").replace('"PASS"', '"yes"').replace('"FAIL"', '"no"'), "utf-8")
    found = sit(folder, str(file))
    assert (found.labels, found.invalid, found.kappa.value) == (["yes", "no"], 0, 1.0)


def test_items_that_name_no_trial_are_told_and_in_no_figure(folder: Path) -> None:
    outcome = run(str(folder), RunOptions(isolate="shared"))
    file = labelled(folder, outcome.report.run)
    with open(file, "a", encoding="utf-8") as more:
        for item in ("elsewhere", f"{outcome.report.run}/solo/gone/1", "nowhere/solo/c1/1"):
            more.write(json.dumps({"item": item, "rater": "human:ann", "label": "PASS"}) + "\n")
    found = sit(folder, file)
    assert (found.n, found.aside.no_judge) == (12, 3)
    assert "3 items without a word of the judge name no stored trial" in found.notes


def test_a_steady_judge_flips_under_no_probe_and_one_that_is_swayed_by_length_is_found(tmp_path: Path) -> None:
    for model, flips in (("scripted", 0), ("swayed", 4)):
        folder = make_judged(tmp_path / model, SAYS, model=f"python:judging:{model}")
        with open(folder / "judging.py", "a", encoding="utf-8") as file:
            file.write(SWAYED)
        outcome = run(str(folder), RunOptions(isolate="shared"))
        found = {row.probe: row for row in sit(folder, labelled(folder, outcome.report.run), probe=True).probes}
        assert set(found) == {"position", "length", "format", "labels", "numbers"}
        assert (found["length"].asked, found["length"].to_positive) == (12, flips)
        assert found["length"].flips.value == pytest.approx(flips / 12)
        assert found["position"].flips.value is None and found["position"].why, "one part of evidence, one dimension"
        assert found["format"].flips.value == 0.0


def test_a_bar_that_is_none_costs_no_call(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run(str(folder), RunOptions(isolate="shared"))
    bar = folder / "bar.yaml"
    bar.write_text("kapa: 0.6\n", "utf-8")
    log = folder / "log"
    monkeypatch.setenv("JUDGE_LOG", str(log))
    with pytest.raises(InputError, match="kapa"):
        sit(folder, labelled(folder, outcome.report.run), bar=str(bar))
    assert not log.exists()


def test_without_a_suite_nothing_is_asked_and_nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "labels.jsonl"
    rows = [{"item": "a", "rater": rater, "label": "PASS"} for rater in ("human:1", "quality")]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert judge_exam(str(file), ExamOptions()).n == 1
    assert not (tmp_path / ".fairtrial").exists()
    with pytest.raises(InputError, match="whose suite"):
        judge_exam(str(file), ExamOptions(probe=True))


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("openai:gpt-5-mini@http://127.0.0.1:1/v1", "gpt"),
        ("pydantic_ai:anthropic:claude-4", "claude"),
        ("openai:Qwen/Qwen2.5-7B", "qwen"),
        ("gpt-4o", "gpt"),
        ("python:judging:scripted", ""),
        ("openai:7b", ""),
        ("", ""),
    ],
)
def test_the_family_of_a_model_is_what_its_name_begins_with(model: str, family: str) -> None:
    assert family_of(model) == family


def test_a_judge_that_is_kinder_to_its_own_kin_is_found_by_the_names_of_the_models(tmp_path: Path) -> None:
    """Both setups fail in half of the cases; the judge passes everything of the one whose model is of its own family."""

    def kind(asked: Asked) -> str:
        good = "mark 4.5" in asked.told or "own kin" in asked.told
        nonce = re.search(r"The nonce of this call is (\w+)\.", asked.told)
        return json.dumps({"nonce": nonce[1] if nonce else "", "reason": "r", "quality": 5 if good else 1, "pass": good})

    says = {f"c{n}": f"mark {4.5 if n % 2 else 2}, number {n}" for n in range(10)}
    with ModelServer(lambda asked: completion(kind(asked))) as service:
        folder = make_judged(tmp_path, says, model=service.name("kin-7"))
        (folder / "agents.py").write_text(KIN, "utf-8")
        suite = json.loads((folder / "suite.json").read_text("utf-8"))
        setups = {name: {"agent": f"agents:{name}", "versions": {"model": f"{name}-2"}} for name in ("kin", "other")}
        (folder / "suite.json").write_text(json.dumps(suite | {"setups": setups}), "utf-8")
        run_id = run(str(folder), RunOptions(isolate="shared", allow_unfair=True)).report.run
        rows = [
            {"item": f"{run_id}/{setup}/{case}/1", "rater": "human:ann", "label": "PASS" if "4.5" in say else "FAIL"}
            for case, say in says.items()
            for setup in setups
        ]
        (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        found = sit(folder, str(folder / "labels.jsonl"))
    assert set(found.slices["family"]) == {"kin", "other"}
    assert found.leniency is not None and found.leniency.family == "kin"
    assert (found.leniency.own.value, found.leniency.others.value, found.leniency.difference.value) == (1.0, 0.0, 1.0)
