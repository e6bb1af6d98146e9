"""Runs as people start them: fairness, selection, secrets, embedding, and what each ending means for the exit code."""

import asyncio
import csv
import json
import locale
import logging
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import fairtrial as ft
from fairtrial.records.errors import InputError, InvalidExperiment
from tests.steps.project import environment, fairtrial, make_project

TWO = {"one": {"agent": "agents:honest"}, "two": {"agent": "agents:quick"}}


@pytest.mark.parametrize(
    ("narrowed", "named"),
    [({"tools": []}, "add"), ({"facts": ["n"]}, "wait"), ({"budget": {"usd": "0.01"}}, "usd")],
    ids=["tools", "facts", "budget"],
)
def test_an_unfair_match_is_refused_before_any_trial_and_names_the_difference(tmp_path: Path, narrowed: Any, named: str) -> None:
    setups = {"one": {"agent": "agents:honest"}, "two": {"agent": "agents:honest", **narrowed}}
    folder = make_project(tmp_path / "p", setups=setups)
    done = fairtrial("run", ".", folder=folder)
    assert done.returncode == 4
    assert named in done.stderr and "[two]" in done.stderr
    assert json.loads(fairtrial("runs", "--json", folder=folder).stdout or '{"runs": []}')["runs"] == []


def test_an_unfair_match_that_the_user_wants_is_carried_into_every_report(tmp_path: Path) -> None:
    setups = {"one": {"agent": "agents:honest"}, "two": {"agent": "agents:honest", "budget": {"usd": "0.01"}}}
    folder = make_project(tmp_path / "p", setups=setups)
    done = fairtrial("run", ".", "--allow-unfair", "--json", folder=folder)
    assert done.returncode == 0, done.stderr
    fairness = json.loads(done.stdout)["fairness"]
    assert fairness["fair"] is False and "usd" in fairness["differences"][0]
    assert "usd" in fairtrial("show", "last", folder=folder).stdout
    assert "usd" in fairtrial("export", "last", "markdown", folder=folder).stdout


def test_a_fair_match_says_so(tmp_path: Path) -> None:
    report = ft.run(str(make_project(tmp_path / "p", setups=TWO)), trials=1)
    assert report.fairness["fair"] is True


@pytest.mark.parametrize("words", [["--case", "case-11"], ["--case", "case-1", "--case", "cas-2"], ["--tag", "od"], ["-k", "nothing"]])
def test_a_filter_that_matches_nothing_is_an_error_with_the_nearest_name(tmp_path: Path, words: list[str]) -> None:
    done = fairtrial("run", ".", *words, folder=make_project(tmp_path / "p"))
    assert done.returncode == 2
    assert "case" in done.stderr or "tag" in done.stderr


def test_runs_can_be_started_inside_a_running_loop_and_twice_in_a_row(tmp_path: Path) -> None:
    folder = str(make_project(tmp_path / "p"))

    async def embedded() -> list[str]:
        one = await ft.arun(folder, trials=1)
        two = ft.run(folder, trials=1)
        return [one.status, two.status]

    assert asyncio.run(embedded()) == ["complete", "complete"]


def test_importing_and_running_leaves_the_host_as_it_was(tmp_path: Path) -> None:
    def host() -> list[Any]:
        return [
            asyncio.run,
            type(asyncio.get_event_loop_policy()),
            [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)],
            list(logging.root.handlers),
            list(warnings.filters),
            locale.getlocale(),
            csv.field_size_limit(),
            os.getcwd(),
            dict(os.environ),
        ]

    before = host()
    ft.run(str(make_project(tmp_path / "p")), trials=1)
    assert host() == before


def test_two_runs_at_once_on_one_project_both_finish(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", trials=10)
    words = [sys.executable, "-m", "fairtrial", "run", ".", "--json", "--quiet"]
    both = [subprocess.Popen(words, cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True) for _ in range(2)]
    reports = [json.loads(process.communicate(timeout=60)[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert {report["setups"]["honest"]["pass"] for report in reports} == {40}
    assert reports[0]["run"] != reports[1]["run"]


def test_secrets_are_nowhere_in_what_is_kept_or_shown(tmp_path: Path, shared: Path) -> None:
    known = json.loads((shared / "known-faults" / "inputs" / "X02_secrets_config.json").read_text(encoding="utf-8"))
    headers = known["agent"]["headers"]
    setups = {"echo": {"agent": "echo:agent", "env": known["env"]}}
    folder = make_project(tmp_path / "p", cases=1, trials=1, setups=setups)
    leaked = [headers["Authorization"], headers["x-api-key"], known["agent"]["query"]["api_key"], known["env"]["MY_TOKEN"]]
    (folder / "echo.py").write_text(
        f"import os\ndef agent(brief, desk):\n    return {{'total': 2, 'config': {known!r}, 'env': {known['env']['MY_TOKEN']!r}}}\n",
        encoding="utf-8",
    )
    done = fairtrial("run", ".", "--json", folder=folder)
    shown = done.stdout + done.stderr
    for words in (["show", "last", "case-1", "1", "--json"], ["show", "last"], ["export", "last", "junit"], ["export", "last", "jsonl"]):
        shown += fairtrial(*words, folder=folder).stdout
    kept = b"".join(file.read_bytes() for file in (folder / ".fairtrial").rglob("*") if file.is_file())
    for value in leaked:
        assert value not in shown, value
        assert value.encode() not in kept
    assert "application/json" in shown


def test_a_case_that_plans_what_cannot_be_staged_yet_is_refused_rather_than_made_easier(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=1)
    row = json.loads((folder / "cases.jsonl").read_text(encoding="utf-8"))
    row["user"] = {"persona": "in a hurry"}
    (folder / "cases.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match="neither script nor model"):
        ft.run(str(folder))


def test_a_dry_run_plans_and_runs_nothing(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p")
    done = fairtrial("run", ".", "--dry-run", "--json", folder=folder)
    assert done.returncode == 0
    assert json.loads(done.stdout)["setups"]["honest"]["not_run"] == 12


def test_the_first_failure_can_end_the_run_and_the_rest_is_counted_as_not_run(tmp_path: Path) -> None:
    done = fairtrial("run", ".", "-x", "--jobs", "1", "--json", folder=make_project(tmp_path / "p", trials=20))
    setup = json.loads(done.stdout)["setups"]["honest"]
    assert done.returncode == 3
    assert setup["fail"] >= 1 and setup["not_run"] > 0


def test_last_failed_runs_only_what_did_not_pass(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p")
    fairtrial("run", ".", folder=folder)
    done = fairtrial("run", ".", "--lf", "--json", folder=folder)
    assert {case["id"] for case in json.loads(done.stdout)["cases"]} == {"case-3", "case-6"}


def test_an_agent_that_cannot_be_opened_is_exit_2_and_nothing_is_stored(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", setups={"one": {"agent": "agents:onest"}})
    done = fairtrial("run", ".", folder=folder)
    assert done.returncode == 2
    assert "did you mean agents:honest" in done.stderr


def test_fairness_is_asked_in_python_as_well(tmp_path: Path) -> None:
    setups = {"one": {"agent": "agents:honest"}, "two": {"agent": "agents:honest", "tools": []}}
    with pytest.raises(InvalidExperiment):
        ft.run(str(make_project(tmp_path / "p", setups=setups)))


def test_a_check_that_cannot_be_read_is_told_before_any_trial_is_spent(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p")
    rows = [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    rows[1]["limits"] = [{"rule": "output.total <=="}]
    rows[3]["limits"] = [{"rule": "__import__('os')"}]
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = fairtrial("run", ".", folder=folder)
    assert done.returncode == 2
    assert "cases.jsonl:2" in done.stderr and "cases.jsonl:4" in done.stderr
    assert json.loads(fairtrial("runs", "--json", folder=folder).stdout or '{"runs": []}')["runs"] == []


def test_a_number_of_trials_that_nobody_meant_is_refused(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", setups=TWO)
    done = fairtrial("run", ".", "--trials", str(10**30), folder=folder)
    assert (done.returncode, "more than the 1,000,000" in done.stderr) == (2, True)


def test_a_check_whose_grader_cannot_do_its_work_leaves_the_run_ungraded(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=2, trials=1)
    suite = json.loads((folder / "suite.json").read_text(encoding="utf-8")) | {"checks": [{"query": "SELECT nothing_here", "equals": 1}]}
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    done = fairtrial("run", ".", "--json", folder=folder)
    setup = json.loads(done.stdout)["setups"]["honest"]
    assert (done.returncode, setup["unknown"], setup["grader_faults"]) == (3, 2, 2)
