"""A judge that lost its standing after a run was graded decides nothing wherever that run is read, and nothing stored is changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.steps.reading import open_store
from fairtrial.workflow import RunOptions, compare, export, gate, grade, library, run, show_run, show_trial
from tests.steps.judged import RUBRIC, make_judged
from tests.steps.test_calibrating import BAR, counts, exam

SAYS = {f"c{n:02}": "mark 4.5" for n in range(20)}
POLICY = 'gates:\n  - {success_rate: overall, min: "0.5"}\n  - {judge_score: quality, min: "3.0"}\n'


def stricter(folder: Path) -> None:
    make_judged(folder, SAYS, bar={"kappa": "0.99"})


def failed(folder: Path) -> None:
    assert exam(folder, wrong=12).passes is False


def another(folder: Path) -> None:
    (folder / "rubric.yaml").write_text(RUBRIC.replace("Is it good?", "Is it very good?"), encoding="utf-8")


LOST = [failed, stricter, another]


@pytest.fixture
def graded(tmp_path: Path) -> tuple[Path, str]:
    """A suite whose judge passed its exam (with one error), and a run of it in which every trial passed."""
    folder = make_judged(tmp_path / "s", SAYS, bar=BAR)
    assert exam(folder, wrong=1).passes is True
    (folder / "release.yaml").write_text(POLICY, encoding="utf-8")
    return folder, run(str(folder), RunOptions(isolate="shared")).report.run


@pytest.mark.parametrize("lose", LOST)
def test_no_reader_takes_the_word_of_a_judge_that_lost_its_standing(graded: tuple[Path, str], lose: Callable[[Path], None]) -> None:
    folder, ident = graded
    policy, start = str(folder / "release.yaml"), str(folder)
    assert [one.state for one in gate(None, ident, policy=policy, start=start).gates[:2]] == ["holds", "holds"]
    lose(folder)
    decided = gate(None, ident, policy=policy, start=start)
    assert decided.decision != "ship"
    assert [one.state for one in decided.gates[:2]] == ["open", "open"]
    assert "quality" in decided.gates[1].why
    found = show_run(None, ident, start=start)
    assert counts(found) == (0, 0, 20)
    assert found.tiers[0].state == "open"
    assert any(f"are UNKNOWN today: fairtrial grade {ident}" in note for note in found.notes)
    assert found.judges["quality"].counts is False
    shown = show_trial(None, ident, "c00", 1, start=start)
    assert shown["verdict"] == "UNKNOWN" and shown["grades"][1]["verdict"] == "UNKNOWN"
    with open_store(start, None, create=False) as store:
        assert store.scorecard(ident, next(iter(store.keys_done(ident)))).verdict == "PASS"  # type: ignore[union-attr]
    grade(None, ident, start=start)
    assert counts(show_run(None, ident, start=start)) == (0, 0, 20)


def test_what_is_made_of_a_run_leaves_the_word_of_such_a_judge_out(graded: tuple[Path, str]) -> None:
    folder, ident = graded
    start = str(folder)
    other = run(start, RunOptions(isolate="shared")).report.run
    assert compare(None, ident, [other], start=start)[0].unchanged_pass == 20
    assert 'skipped="0"' in export(None, ident, "junit", start=start)
    failed(folder)
    compared = compare(None, ident, [other], start=start)[0]
    assert compared.verdict in ("cannot_tell", "invalid")
    assert any(note.endswith(f"fairtrial grade {ident}") for note in compared.notes)
    assert 'failures="0" errors="0" skipped="20"' in export(None, ident, "junit", start=start)
    batch = library(start).cases[0].batches[0]
    assert (batch.by, batch.unknown, batch.worst, batch.best) == ("pass_rate", 1, 1.0, 5.0)


def test_a_judge_score_counts_what_code_failed_as_the_lowest(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {"good": "mark 4.5", "bad": "broken"})
    (folder / "release.yaml").write_text('gates:\n  - {judge_score: quality, min: "3.0"}\n', encoding="utf-8")
    report = run(str(folder), RunOptions(isolate="shared")).report
    decided = gate(None, "last", policy=str(folder / "release.yaml"), start=str(folder)).gates[0]
    assert (decided.state, decided.value, decided.n) == ("fails", 1.0, 2)
    assert "1 trial failed by code before it was asked, with the lowest score" in decided.seen
    score = report.tiers[0].score
    assert score is not None and (score.mean, score.n, score.unknown, score.failed_by_code) == (2.75, 2, 0, 1)
    batches = {case.case: case.batches[0].score for case in library(str(folder)).cases}
    assert batches == {"good": 4.5, "bad": 1.0}


def test_a_judge_that_decides_nothing_moves_no_case_and_fails_no_tier(tmp_path: Path) -> None:
    folder = make_judged(tmp_path / "s", {f"c{n}": "mark 2" for n in range(4)}, bar=BAR)
    report = run(str(folder), RunOptions(isolate="shared")).report
    tier = report.tiers[0]
    assert (tier.state, tier.score and tier.score.n) == ("open", 0)
    assert tier.why.startswith("quality decides nothing: quality was never examined")
    for case in library(str(folder)).cases:
        assert (case.batches[0].by, case.batches[0].worst, case.batches[0].best, case.move) == ("pass_rate", 1.0, 5.0, "none")
