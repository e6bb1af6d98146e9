"""Whole runs that stop once they are decided: the same looks with one job or many, after a kill, and read again."""

import json
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from fairtrial import workflow
from fairtrial.records.errors import InputError
from fairtrial.records.run import Planned
from fairtrial.records.trial import TrialKey
from fairtrial.store.sql import Store
from fairtrial.trials.plan import case_by_case, in_order
from tests.steps.project import command, environment, fairtrial
from tests.steps.tiers import make_shop

AGENTS = """
import hashlib, time

def _passes(brief, share):
    time.sleep(brief.facts["wait"])
    digest = hashlib.sha256(f"{brief.task} {share}".encode()).digest()
    return {"ok": digest[0] < 256 * share}

def good(brief, desk):
    return _passes(brief, 0.95)

def poor(brief, desk):
    return _passes(brief, 0.2)

def same(brief, desk):
    return _passes(brief, 0.95)
"""


def _suite(folder: Path, *, cases: int = 30, wait: float = 0.0, candidate: str = "poor", **more: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    row = {"must": [{"output": "ok", "equals": True}], "must_not": [{"output": "ok", "equals": 7}], "facts": {"wait": wait}}
    lines = [json.dumps({"id": f"c{n}", "task": f"task {n}", **row}) for n in range(cases)]
    (folder / "cases.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "agents.py").write_text(AGENTS, encoding="utf-8")
    setups = {name: {"agent": f"agents:{name}"} for name in ("good", "same", "poor")}
    suite = {"name": "early", "cases": ["cases.jsonl"], "trials": 2, "baseline": "good", "candidate": candidate, "setups": setups, **more}
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    return folder


def _run(folder: Path, *words: str, code: int = 0) -> dict[str, Any]:
    done = fairtrial("run", *words, "--json", folder=folder)
    assert done.returncode == code, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def _stored(folder: Path) -> int:
    database = sqlite3.connect(folder / ".fairtrial" / "store.db", timeout=10)
    try:
        return int(database.execute("SELECT count(*) FROM trials").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        database.close()


def test_it_stops_once_it_is_decided_and_the_run_is_complete(tmp_path: Path) -> None:
    report = _run(_suite(tmp_path / "p"), ".", "--until-decided", "--jobs", "2")
    found = report["until_decided"]
    assert report["status"] == "complete"
    assert (found["decision"], found["stopped"]) == ("worse", True)
    assert set(report["setups"]) == {"good", "poor"}
    assert report["manifest"]["settings"]["until_decided"] == found["rule"]
    assert report["manifest"]["settings"]["until_decided"]["base"] == report["manifest"]["baseline"] == "good"
    unrun = sum(setup["not_run"] for setup in report["setups"].values())
    assert unrun == found["saved"] > 40
    assert all(setup["reasons"]["not_run"].startswith("stopped by rule") for setup in report["setups"].values())
    assert all(
        setup["planned"] == setup["pass"] + setup["fail"] + setup["unknown"] + setup["not_run"] for setup in report["setups"].values()
    )
    assert any("same" in note for note in report["notes"])


@pytest.mark.parametrize("jobs", ["1", "7"])
def test_the_looks_are_the_same_with_one_job_or_many(tmp_path: Path, jobs: str) -> None:
    found = _run(_suite(tmp_path / "p"), ".", "--until-decided", "--jobs", jobs)["until_decided"]
    again = _run(_suite(tmp_path / "p"), ".", "--until-decided", "--jobs", "3")["until_decided"]
    for part in ("decision", "looks", "trials", "value", "low", "high"):
        assert found[part] == again[part]
    assert found["later"] + 1 <= int(jobs) + 3


def test_a_decided_run_is_not_gone_on_with(tmp_path: Path) -> None:
    folder = _suite(tmp_path / "p")
    first = _run(folder, ".", "--until-decided")
    stored = _stored(folder)
    again = _run(folder, "--resume", "last")
    assert _stored(folder) == stored
    assert again["until_decided"] == first["until_decided"]
    assert any("decided by its rule" in note for note in again["notes"])
    shown = fairtrial("show", "last", folder=folder)
    assert "Until decided" in shown.stdout
    assert "do not hold for" in shown.stdout
    assert "--resume" not in shown.stdout


def test_without_a_difference_it_runs_to_the_end_of_the_plan(tmp_path: Path) -> None:
    report = _run(_suite(tmp_path / "p", cases=6, candidate="same"), ".", "--until-decided")
    assert report["until_decided"]["decision"] == "cannot_tell"
    assert all(setup["not_run"] == 0 for setup in report["setups"].values())


def test_killed_and_resumed_it_decides_at_the_same_look(tmp_path: Path) -> None:
    clean = _run(_suite(tmp_path / "clean"), ".", "--until-decided", "--jobs", "2")["until_decided"]
    folder = _suite(tmp_path / "p", wait=0.1)
    process = subprocess.Popen(
        command("run", ".", "--until-decided", "--jobs", "2", "--quiet"), cwd=folder, env=environment(), stdout=subprocess.DEVNULL
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and not ((folder / ".fairtrial" / "store.db").exists() and _stored(folder) >= 6):
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=20)
    shown = json.loads(fairtrial("show", "last", "--json", folder=folder).stdout)
    assert shown["until_decided"]["decision"] == "open"
    resumed = _run(folder, "--resume", "last", "--jobs", "4")
    assert resumed["status"] == "complete"
    for part in ("decision", "looks", "trials", "value", "low", "high"):
        assert resumed["until_decided"][part] == clean[part]


def test_killed_between_the_deciding_trial_and_the_end_it_is_complete_when_resumed(tmp_path: Path) -> None:
    folder = _suite(tmp_path / "p")
    first = _run(folder, ".", "--until-decided")
    with Store.open(folder / ".fairtrial" / "store.db") as store:
        store.claim(first["run"])
        store.release(first["run"])
        assert store.runs()[0].status == "interrupted"
    again = _run(folder, "--resume", "last")
    assert (again["status"], again["until_decided"]) == ("complete", first["until_decided"])
    assert json.loads(fairtrial("runs", "--json", folder=folder).stdout)["runs"][0]["status"] == "complete"


def test_what_a_rule_made_needless_is_skipped_for_that_reason_and_has_not_failed(tmp_path: Path) -> None:
    folder = _suite(tmp_path / "p")
    report = _run(folder, ".", "--until-decided", "--jobs", "1", "--junit", "junit.xml")
    assert "not run (stopped by rule" in (folder / "junit.xml").read_text(encoding="utf-8")
    untried = {case["id"] for case in report["cases"] if set(case["verdicts"]) == {"NOT_RUN"}}
    assert untried
    planned = _run(folder, ".", "--lf", "--dry-run")
    assert not untried & {case["id"] for case in planned["cases"]}


def test_a_release_asks_for_the_whole_suite(tmp_path: Path) -> None:
    folder = _suite(tmp_path / "p", candidate="same", cases=40)
    (folder / "release.yaml").write_text("gates:\n  - {unknown_share: overall, max: '0.9'}\n", encoding="utf-8")
    _run(folder, ".", "--until-decided", "--setup", "poor", "--setup", "same")
    done = fairtrial("gate", "last:same", "--policy", "release.yaml", folder=folder)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "its rule stopped the run; run the suite to its end" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--until-decided", "--setup", "good"], "between two setups"),
        (["--until-decided", "--setup", "good", "--setup", "same", "--setup", "poor"], "between two setups"),
        (["--until-decided", "-x"], "not both"),
        (["--margin", "0.02"], "add --until-decided"),
        (["--until-decided", "--margin", "2"], "--margin must be a share"),
        (["--until-decided", "--margin", "much"], "--margin must be a share"),
    ],
)
def test_what_cannot_be_decided_is_refused_before_a_trial_is_spent(tmp_path: Path, words: list[str], told: str) -> None:
    folder = _suite(tmp_path / "p", cases=2)
    done = fairtrial("run", ".", *words, folder=folder)
    assert done.returncode == 2
    assert told in done.stderr
    assert not json.loads(fairtrial("runs", "--json", folder=folder).stdout or '{"runs": []}').get("runs")


def test_a_rule_cannot_be_set_or_changed_after_the_first_trial(tmp_path: Path) -> None:
    folder = _suite(tmp_path / "p", cases=3)
    workflow.run(str(folder), workflow.RunOptions(setups=("good",)))
    with pytest.raises(InputError, match="began without a rule"):
        workflow.run(str(folder), workflow.RunOptions(resume="last", until_decided=True))
    workflow.run(str(folder), workflow.RunOptions(until_decided=True, margin="0.1"))
    with pytest.raises(InputError, match="another than the run began with"):
        workflow.run(str(folder), workflow.RunOptions(resume="last", margin="0.2"))


def test_two_named_setups_are_the_two_sides(tmp_path: Path) -> None:
    folder = _suite(tmp_path / "p", cases=4)
    report = _run(folder, ".", "--until-decided", "--setup", "poor", "--setup", "same", "--dry-run")
    rule = report["until_decided"]["rule"]
    assert {rule["base"], rule["new"]} == {"poor", "same"}
    assert rule["new"] == "poor"  # the suite's candidate


def test_only_cases_that_both_sides_can_be_tried_at_are_decided_on(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    report = _run(shop, ".", "--until-decided", "--setup", "plain", "--setup", "team")
    found = report["until_decided"]
    assert (found["most_looks"], found["decision"], found["least"]) == (2, "cannot_tell", None)
    assert "can decide nothing" in found["reasons"]["least"]
    assert set(report["setups"]) == {"plain", "team"}
    assert any("only one side can be tried" in note for note in report["notes"])
    assert all(setup["planned"] == found["most_looks"] for setup in report["setups"].values())


def test_no_shared_case_is_nothing_to_decide_on(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    done = fairtrial("run", ".", "--until-decided", "--setup", "single", "--setup", "team", "--tier", "agent", folder=shop)
    assert done.returncode == 2
    assert "no case is tried at both sides" in done.stderr


def test_case_by_case_the_plan_is_whole_and_its_cases_stay_together() -> None:
    planned = [Planned(case, setup, 3) for case in "dacb" for setup in ("x", "y")]
    keys = list(case_by_case(planned))
    assert sorted(keys) == sorted(in_order(planned, 1))
    assert [key.case for key in keys] == [case for case in "dacb" for _ in range(6)]
    firsts = [keys[place].setup for place in range(0, len(keys), 2)]
    assert set(firsts) == {"x", "y"}
    done = {TrialKey("d", "x", 1), TrialKey("c", "y", 2)}
    assert list(case_by_case(planned, done)) == [key for key in keys if key not in done]


def test_the_order_of_the_cases_is_drawn_by_the_seed_and_not_that_of_the_file(tmp_path: Path) -> None:
    folder = _suite(tmp_path / "p")
    orders = []
    for seed in ("1", "1", "2"):
        report = _run(folder, ".", "--until-decided", "--dry-run", "--seed", seed)
        orders.append([case["id"] for case in report["cases"] if case["setup"] == "good"])
    assert orders[0] == orders[1] != orders[2]
    assert orders[0] != sorted(orders[0], key=lambda case: int(case[1:]))
