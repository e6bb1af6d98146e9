"""From an exam to verdicts that count, and from labels to a corrected rate: a suite with a scripted judge, start to end."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.errors import InputError
from fairtrial.records.exam import Exam
from fairtrial.records.label import Label
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.steps.calibrating import calibrate
from fairtrial.steps.reading import open_store, read_table
from fairtrial.steps.reviewing import Asked, build
from fairtrial.workflow import ExamOptions, RunOptions, check, compare, gate, grade, judge_exam, run, show_run
from tests.steps.judged import make_judged

BAR = {"kappa": "0.6", "recall_critical": "0.9"}
SAYS = {f"c{n:02}": "mark 4.5" if n % 5 else "mark 2" for n in range(20)}


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the scripted judge notes every call."""
    path = tmp_path / "calls.log"
    monkeypatch.setenv("JUDGE_LOG", str(path))
    return path


def calls(log: Path) -> int:
    return len(log.read_text().splitlines()) if log.exists() else 0


def ratings(folder: Path, *, wrong: int = 0, version: str | None = None, name: str = "labels.jsonl") -> str:
    """60 items that two people label alike; the judge passes the first `wrong` that fail."""
    rows: list[dict[str, Any]] = []
    for n in range(60):
        truth = "PASS" if n % 2 else "FAIL"
        said = "PASS" if truth == "FAIL" and n < 2 * wrong else truth
        rows += [{"item": f"i{n}", "rater": f"human:{who}", "label": truth, "severity": "critical"} for who in (1, 2)]
        rows.append({"item": f"i{n}", "rater": "quality", "label": said} | ({} if version is None else {"version": version}))
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def exam(folder: Path, **how: Any) -> Exam:
    return judge_exam(ratings(folder, **how), ExamOptions(judge="quality"), None, str(folder))


def counts(report: Any) -> tuple[int, int, int]:
    found = report.setups["solo"]
    return found.passed, found.fail, found.unknown


def test_without_an_exam_nothing_is_decided_and_after_one_the_verdicts_count_without_a_call(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS, bar=BAR)
    first = run(str(folder), RunOptions(isolate="shared"))
    assert counts(first.report) == (0, 0, 20)
    assert "type: fairtrial judge exam" in first.report.cases[0].unknown[0]["why"]
    asked = calls(log)
    assert exam(folder, wrong=10).passes is False
    assert counts(grade(None, "last", start=str(folder)).report) == (0, 0, 20)
    assert exam(folder, wrong=1).passes is True
    again = grade(None, "last", start=str(folder))
    assert counts(again.report) == (16, 4, 0)
    assert calls(log) == asked == 20
    assert counts(show_run(None, "last", start=str(folder))) == (16, 4, 0)


def test_a_changed_judge_has_to_sit_its_exam_again(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS, bar=BAR)
    exam(folder, wrong=1)
    (folder / "rubric.yaml").write_text((folder / "rubric.yaml").read_text().replace("Is it good?", "Is it very good?"))
    found = run(str(folder), RunOptions(isolate="shared"))
    assert counts(found.report) == (0, 0, 20)
    why = found.report.cases[0].unknown[0]["why"]
    assert "quality changed since its exam of " in why and ": rubric; type: fairtrial judge exam" in why


def test_a_bar_that_grew_stricter_is_held_against_the_figures_of_the_exam(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS, bar=BAR)
    exam(folder, wrong=2)
    make_judged(folder, SAYS, bar={"kappa": "0.99"})
    found = run(str(folder), RunOptions(isolate="shared"))
    assert counts(found.report) == (0, 0, 20)
    assert "0.99 is asked" in found.report.cases[0].unknown[0]["why"]


def test_ratings_of_another_version_of_the_judge_are_no_exam_of_this_one(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS, bar=BAR)
    with pytest.raises(InputError, match="of another version of it"):
        exam(folder, version="sha256:before")
    with open_store(str(folder), None) as store:
        assert store.exams.of("quality") == []


def test_a_suite_without_such_a_judge_says_so(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS)
    with pytest.raises(InputError, match="no judge of this name"):
        judge_exam(ratings(folder), ExamOptions(judge="qualty"), None, str(folder))


def test_runs_graded_under_different_standings_are_not_held_against_each_other(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS, bar=BAR)
    before = run(str(folder), RunOptions(isolate="shared")).report.run
    exam(folder, wrong=1)
    after = run(str(folder), RunOptions(isolate="shared")).report.run
    found = compare(None, before, [after], start=str(folder))[0]
    assert found.verdict == "invalid"
    assert any(told.startswith("grader") for told in found.comparable["refused"])
    grade(None, before, start=str(folder))
    assert compare(None, before, [after], start=str(folder))[0].verdict == "cannot_tell"


def test_a_judge_without_a_bar_counts_and_its_exam_corrects_the_rate(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS)
    plain = run(str(folder), RunOptions(isolate="shared")).report.setups["solo"].corrected
    assert plain is not None and plain.value is None
    assert plain.reason == "quality was never examined"
    assert (plain.judged["solo"].trials, plain.judged["solo"].of) == (20, 20)
    exam(folder, wrong=3)
    found = show_run(None, "last", start=str(folder)).setups["solo"].corrected
    assert found is not None and found.by == "exam"
    assert found.value == pytest.approx((0.8 - 0.1) / 0.9)
    examined = found.judged["solo"].examined
    assert examined is not None and examined.startswith("20")


def test_labels_count_where_they_were_drawn_at_random(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS)
    ident = run(str(folder), RunOptions(isolate="shared")).report.run
    with open_store(str(folder), None) as store:
        queue = build(store, Asked(reference=ident, sample=12))
        for item in queue.items:
            for person in ("ada", "ben"):
                store.labels.give(Label(item=item.item, rater=person, label=Verdict.FAIL, round=item.round, at_ns=1))
        lane = read_table(store, ident).lane()
    assert lane.calibration is not None
    known = sum(map(len, lane.calibration.labels.values()))
    assert known == sum("sample" in item.reasons for item in queue.items) == 12
    found = show_run(None, ident, start=str(folder)).setups["solo"].corrected
    assert found is not None and (found.by, found.judged["solo"].labels) == ("labels", 12)
    assert found.value is not None and found.value < 0.2


def test_a_draw_that_is_settled_in_part_counts_the_rest_both_ways(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS)
    ident = run(str(folder), RunOptions(isolate="shared")).report.run
    with open_store(str(folder), None) as store:
        queue = build(store, Asked(reference=ident, sample=12))
        drawn = [item for item in queue.items if "sample" in item.reasons]
        for item in drawn[:7]:
            for person in ("ada", "ben"):
                store.labels.give(Label(item=item.item, rater=person, label=Verdict.PASS, round=item.round, at_ns=1))
        lane = read_table(store, ident).lane()
    assert lane.calibration is not None
    assert sum(map(len, lane.calibration.labels.values())) == 7
    assert sum(map(len, lane.calibration.unsettled.values())) == len(drawn) - 7 == 5


def test_in_a_table_of_several_runs_the_labels_of_each_count_for_its_own_trials(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS)
    one = run(str(folder), RunOptions(isolate="shared")).report.run
    make_judged(folder, {case: f"{said} again" for case, said in SAYS.items()})
    two = run(str(folder), RunOptions(isolate="shared")).report.run
    with open_store(str(folder), None) as store:
        for item in build(store, Asked(reference=one, sample=20)).items:
            for person in ("ada", "ben"):
                store.labels.give(Label(item=item.item, rater=person, label=Verdict.PASS, round=item.round, at_ns=1))
        table = read_table(store, one)
        keys = [TrialKey(case.id, "solo", 1) for case in table.lane().cases]
        calibrate(store, table, {key: one if place < 8 else two for place, key in enumerate(keys)})
        lane = table.lane()
    assert lane.calibration is not None
    assert sum(map(len, lane.calibration.labels.values())) == 8


def test_a_gate_on_a_judge_that_was_never_examined_says_so(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", {f"c{n:02}": "mark 4.5" for n in range(40)})
    run(str(folder), RunOptions(isolate="shared"))
    (folder / "release.yaml").write_text('gates:\n  - {success_rate: overall, min: "0.8"}\n')
    found = gate(None, "last", policy=str(folder / "release.yaml"), start=str(folder)).gates[0]
    assert found.state == "holds"
    assert "trials that rest on a judge (quality): 40 of 40; quality was never examined" in found.seen


def test_the_report_of_a_run_says_how_its_judges_stand_today(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS, bar=BAR)
    first = run(str(folder), RunOptions(isolate="shared")).report
    assert (first.judges["quality"].state, first.judges["quality"].counts) == ("none", False)
    exam(folder, wrong=1)
    later = show_run(None, "last", start=str(folder))
    assert later.judges["quality"].state == "passed"
    assert later.judges["quality"].examined is not None
    assert later.judges["quality"].figures["kappa"]["value"] > 0.9
    assert any("decides nothing here yet: fairtrial grade" in note for note in later.notes)
    again = grade(None, "last", start=str(folder)).report
    assert not any("fairtrial grade" in note for note in again.notes)


def test_a_decision_and_a_check_say_which_judges_decide_nothing(tmp_path: Path, log: Path) -> None:
    folder = make_judged(tmp_path / "s", SAYS, bar=BAR)
    told = "quality was never examined; its verdicts decide nothing: fairtrial judge exam LABELS --judge quality"
    assert check(str(folder)).notes == [told]
    run(str(folder), RunOptions(isolate="shared"))
    (folder / "release.yaml").write_text('gates:\n  - {success_rate: overall, min: "0.5"}\n  - {judge_score: quality, min: "2.5"}\n')
    found = gate(None, "last", policy=str(folder / "release.yaml"), start=str(folder))
    assert told in found.notes
    assert [one.state for one in found.gates[:2]] == ["open", "open"]
    exam(folder, wrong=1)
    assert check(str(folder)).notes == []
    grade(None, "last", start=str(folder))
    after = gate(None, "last", policy=str(folder / "release.yaml"), start=str(folder))
    assert any(note.startswith("quality passed its exam of ") for note in after.notes)
    assert after.gates[1].state == "fails"  # a conversation was scored 2
