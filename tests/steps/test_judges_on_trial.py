"""Judges among the graders that are tried: one that likes everything is found out, and no call is made that was not asked for."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial import workflow
from fairtrial.records.canary import CanaryReport
from fairtrial.steps.mutating import MutateOptions
from fairtrial.steps.options import RunOptions, RunOutcome
from tests.steps.judged import make_judged

LENIENT = """
def lenient(messages):
    reply = scripted(messages)
    nonce = re.search(r"The nonce of this call is (\\\\w+)\\\\.", messages[-1]["content"])[1]
    return {"text": json.dumps({"nonce": nonce, "reason": "fine", "quality": 4.5, "pass": True})}


def sharp(messages):
    text = messages[-1]["content"]
    nonce = re.search(r"The nonce of this call is (\\\\w+)\\\\.", text)[1]
    with open(os.environ.get("JUDGE_LOG", os.devnull), "a") as log:
        log.write("asked\\\\n")
    good = text.count(re.search(r'"say":("[^"]*")', text)[1]) > 1 and "verdict" not in text  # the answer is what was to be said
    return {"text": json.dumps({"nonce": nonce, "reason": "read", "quality": 4.5 if good else 1, "pass": good})}
""".replace("\\\\\\\\", "\\").replace("\\\\", "\\")


def make(folder: Path, model: str, **case: Any) -> Path:
    make_judged(folder, {"one": "all is well", "two": "nothing is wrong"}, model=f"python:judging:{model}")
    with open(folder / "judging.py", "a", encoding="utf-8") as file:
        file.write(LENIENT)
    rows = [json.loads(line) for line in (folder / "cases.jsonl").read_text("utf-8").splitlines()]
    for row in rows:
        row |= {"solution": {"answer": row["facts"]["say"], "ok": True}, "known_bad": [{"answer": "terrible", "ok": True}]}
    (folder / "cases.jsonl").write_text("".join(json.dumps(row | case) + "\n" for row in rows), "utf-8")
    (folder / "release.json").write_text(json.dumps({"gates": [{"severe": 0}]}), "utf-8")
    suite = json.loads((folder / "suite.json").read_text("utf-8"))
    (folder / "suite.json").write_text(json.dumps(suite | {"policy": "release.json"}), "utf-8")
    return folder


def run(folder: Path) -> RunOutcome:
    return workflow.run(str(folder), RunOptions(isolate="shared"))


def canaries(outcome: RunOutcome) -> CanaryReport:
    assert outcome.report.canaries is not None
    return outcome.report.canaries


def test_a_judge_that_gives_everything_four_and_a_half_is_found_out(tmp_path: Path) -> None:
    outcome = run(make(tmp_path / "s", "lenient"))
    missed = {(one.kind, one.name.split(" before")[0]) for one in canaries(outcome).missed}
    assert ("known_bad", "known_bad answer 1") in missed
    assert outcome.exit_code == 4
    assert outcome.decision is not None and outcome.decision.decision == "invalid"


def test_it_is_told_as_a_doubt_where_code_catches_every_known_bad_answer(tmp_path: Path) -> None:
    outcome = run(make(tmp_path / "s", "lenient", known_bad=[{"answer": "terrible", "ok": False}]))
    doubt = "the judge quality passed an empty text and nonsense: nothing shows that it can fail"
    assert (canaries(outcome).missed, canaries(outcome).cautions) == ([], [doubt])
    assert outcome.exit_code == 0
    assert outcome.decision is not None and doubt in outcome.decision.notes


def test_a_judge_that_reads_misses_none(tmp_path: Path) -> None:
    outcome = run(make(tmp_path / "s", "sharp"))
    assert canaries(outcome).missed == []
    assert canaries(outcome).cautions == []


def test_a_judge_that_cannot_be_reached_leaves_canaries_open(tmp_path: Path) -> None:
    found = canaries(run(make(tmp_path / "s", "down")))
    assert found.missed == []
    assert {one.kind for one in found.open} >= {"known_good", "known_bad"}


def test_check_asks_no_judge_and_blames_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv("JUDGE_LOG", str(log))
    codes = {one.code for one in workflow.check(str(make(tmp_path / "s", "sharp"))).findings}
    assert not codes & {"solution_fails", "known_bad_passes", "empty_passes"}
    assert not log.exists()


def test_mutants_ask_a_judge_only_on_request_and_say_how_often_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make(tmp_path / "s", "sharp")
    run(folder)
    log = tmp_path / "log"
    monkeypatch.setenv("JUDGE_LOG", str(log))
    alone = workflow.mutants(str(folder))
    assert not log.exists()
    assert alone.judges == "not_asked" and alone.unsure == alone.opinions > 0
    assert "the judge was not asked" in alone.unsures[0].why
    told: list[tuple[int, int]] = []
    heard = workflow.mutants(str(folder), MutateOptions(with_judges=True), tell=lambda n, calls: told.append((n, calls)))
    assert told == [(alone.opinions, alone.opinions)]
    assert heard.judges == "asked" and heard.caught > alone.caught
    assert {line.source for line in heard.catchers} == {"code", "judge"}
