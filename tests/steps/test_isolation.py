"""A run says how far its trials were kept apart, and in a sandbox the answers lie where no trial can look."""

import json
import os
import py_compile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairtrial.cases.suite import load_suite
from fairtrial.records.suite import Sandbox, Suite, World
from fairtrial.steps.walls import hidden
from tests.steps.project import fairtrial, make_project
from tests.walls import needs_sandbox

SNOOPER = """
import os

def snoop(brief, desk):
    here = os.path.dirname(os.path.abspath(__file__))
    seen = {}
    for folder, folders, files in os.walk(here):
        for name in files:
            with open(os.path.join(folder, name), "rb") as file:
                text = file.read()
            seen[os.path.relpath(os.path.join(folder, name), here)] = len(text)
    answers = [path for path, size in seen.items() if size and path not in ("agents.py", "tools.py", "snooper.py", "notes.md")]
    return {"total": desk.call("add", n=brief.facts["n"]), "notes": seen.get("notes.md"), "answers": answers}
"""


def snooping_project(folder: Path) -> Path:
    """A suite with answers in every place that they have, and an agent that reads all it can."""
    make_project(folder, cases=2, trials=1, setups={"snoop": {"agent": "snooper:snoop"}})
    (folder / "snooper.py").write_text(SNOOPER, encoding="utf-8")
    (folder / "notes.md").write_text("for agents\n", encoding="utf-8")
    (folder / "right.py").write_text("def right(trial, case): return True\n", encoding="utf-8")
    py_compile.compile(str(folder / "right.py"))
    (folder / ".env").write_text("KEY=secret-value\n", encoding="utf-8")
    (folder / ".git").mkdir()
    (folder / ".git" / "packed").write_text("old answers", encoding="utf-8")
    suite = json.loads((folder / "suite.json").read_text(encoding="utf-8"))
    suite |= {"graders": {"right": "right:right"}, "sandbox": {"memory_mb": 512, "processes": 32}}
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    return folder


def run(folder: Path, *words: str) -> dict[str, Any]:
    done = fairtrial("run", ".", "--json", *words, folder=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@needs_sandbox
def test_in_a_sandbox_no_answer_can_be_read_and_outside_one_each_can(tmp_path: Path) -> None:
    folder = snooping_project(tmp_path / "suite")
    report = run(folder, "--isolate", "sandbox")
    assert report["setups"]["snoop"]["pass"] == 2
    assert report["manifest"]["settings"]["isolation"] == {
        "level": "sandbox",
        "files": "walled",
        "environment": "named",
        "memory": 512,
        "network": "none",
        "processes": 32,
        "modules": "fresh",
    }
    output = json.loads(fairtrial("show", "last", "case-1", "1", "--json", folder=folder).stdout)["output"]
    assert output == {"total": 2, "notes": 11, "answers": []}
    run(folder, "--isolate", "process")
    output = json.loads(fairtrial("show", "last", "case-1", "1", "--json", folder=folder).stdout)["output"]
    assert {".env", ".git/packed", "cases.jsonl", "right.py", "suite.json", ".fairtrial/store.db"} <= set(output["answers"])


def add_neighbours(folder: Path) -> None:
    """A second suite with answers in every place that they have, one that is broken, and what only looks like a suite."""
    (folder / "more").mkdir()
    for name in ("more/one.yaml", "more/two.jsonl", "listed.csv", "policy.yaml", "rubric.md", "wrong.py"):
        (folder / name).write_text("an answer of the other suite\n", encoding="utf-8")
    other = "cases: [more/*, listed.csv, 7, nowhere.json]\nsetups: {}\npolicy: policy.yaml\n"
    other += "judges: {j: {rubric: rubric.md}, k: 1, l: {rubric: .}}\n"
    (folder / "other.yml").write_text(
        other + "graders: {wrong: 'wrong:wrong', tool: 'tools:add', odd: 3, up: '..:x', own: .}\n", encoding="utf-8"
    )
    (folder / "broken.yaml").write_text("cases: [\nsetups: {\n", encoding="utf-8")
    (folder / "data.json").write_text('["cases", "setups"]', encoding="utf-8")


@needs_sandbox
def test_in_a_sandbox_what_another_suite_of_the_folder_names_cannot_be_read(tmp_path: Path) -> None:
    folder = snooping_project(tmp_path / "suite")
    add_neighbours(folder)
    assert run(folder, "--isolate", "sandbox")["setups"]["snoop"]["pass"] == 2
    output = json.loads(fairtrial("show", "last", "case-1", "1", "--json", folder=folder).stdout)["output"]
    assert output["notes"] == 11
    assert sorted(output["answers"]) == ["broken.yaml", "data.json"]


def test_what_a_suite_shows_by_name_or_keeps_as_its_world_is_not_hidden_as_the_answer_of_another(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "suite", cases=1, trials=1)
    add_neighbours(folder)
    suite = load_suite(folder)

    def covered(suite: Suite) -> set[str]:
        return {os.path.relpath(path, folder) for path in hidden(suite)}

    answers = {"other.yml", "policy.yaml", "listed.csv", "rubric.md", "wrong.py", "more"}
    assert answers | {"suite.json", "cases.jsonl"} <= covered(suite)
    assert covered(suite).isdisjoint({"broken.yaml", "data.json", "tools.py", ".", ".."})
    showing = msgspec.structs.replace(suite, sandbox=Sandbox(show=("wrong.py", "more/one.yaml", "suite.json")))
    assert covered(showing) & (answers | {"suite.json"}) == answers - {"wrong.py", "more"} | {"suite.json"}
    assert "more/two.jsonl" in covered(showing)
    assert covered(msgspec.structs.replace(suite, world=World(kind="files", source="more"))) & answers == answers - {"more"}


@pytest.mark.parametrize(
    ("level", "told"),
    [
        ("fork", ["files: an own home", "environment: the caller's", "network: open", "modules: as the first import left them"]),
        ("process", ["memory: open", "modules: imported anew for each trial"]),
        ("shared", ["files: one home a worker", "processes: shared between trials", "modules: shared between trials"]),
        pytest.param("sandbox", ["network: none", "memory: at most 2048 MB", "processes: at most 64"], marks=needs_sandbox),
    ],
)
def test_the_page_has_a_word_on_every_resource(tmp_path: Path, level: str, told: list[str]) -> None:
    folder = make_project(tmp_path / "suite", cases=2, trials=1)
    done = fairtrial("run", ".", "--isolate", level, folder=folder)
    page = " ".join(done.stdout.split())
    assert f"isolation {level}: files:" in page
    assert [words for words in told if words not in page] == []


def test_without_bubblewrap_a_sandbox_is_refused_before_anything_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_project(tmp_path / "suite", cases=2, trials=1)
    monkeypatch.setenv("PATH", str(tmp_path))
    done = fairtrial("run", ".", "--isolate", "sandbox", folder=folder)
    assert done.returncode == 2
    assert "bubblewrap" in done.stderr
    assert "--isolate process" in done.stderr
    assert json.loads(fairtrial("runs", "--json", folder=folder).stdout) == {"runs": []}


def test_a_run_is_finished_behind_the_walls_that_it_began_with(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "suite", cases=2, trials=1)
    run(folder, "--isolate", "fork")
    done = fairtrial("run", "--resume", "last", "--isolate", "process", folder=folder)
    assert done.returncode == 2
    assert "isolation is another than the run began with" in done.stderr
    assert fairtrial("run", "--resume", "last", folder=folder).returncode == 0


def test_a_wall_of_a_suite_is_checked_when_it_is_loaded(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "suite", cases=2, trials=1)
    suite = json.loads((folder / "suite.json").read_text(encoding="utf-8"))
    (folder / "suite.json").write_text(json.dumps(suite | {"sandbox": {"show": ["nowhere"]}}), encoding="utf-8")
    done = fairtrial("run", ".", folder=folder)
    assert done.returncode == 2
    assert "sandbox.show: no such file or folder" in done.stderr


@needs_sandbox
def test_thousands_of_case_files_in_a_folder_are_hidden_with_it(tmp_path: Path) -> None:
    folder = snooping_project(tmp_path / "suite")
    (folder / "cases").mkdir()
    case = {"id": "", "task": "t", "facts": {"n": 1}, "state": {"total": 0}, "must": [{"output": "answers", "equals": []}]}
    for number in range(3100):
        (folder / "cases" / f"{number}.json").write_text(json.dumps(case | {"id": f"more-{number}"}), encoding="utf-8")
    suite = json.loads((folder / "suite.json").read_text(encoding="utf-8"))
    (folder / "suite.json").write_text(json.dumps(suite | {"cases": ["cases/*.json"]}), encoding="utf-8")
    (folder / "cases.jsonl").unlink()
    assert run(folder, "--isolate", "sandbox", "--case", "more-7")["setups"]["snoop"]["pass"] == 1


@needs_sandbox
def test_a_check_s_program_runs_behind_the_walls_of_its_trial_and_when_graded_again(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "suite", cases=1, trials=1)
    secret = tmp_path / "secret.txt"
    secret.write_text("s", encoding="utf-8")
    peek = f'test -s state.json && test -n "$FAIRTRIAL_ANSWER" && ! cat {secret} && echo done > own.txt'
    case = json.loads((folder / "cases.jsonl").read_text(encoding="utf-8"))
    case["must"].append({"command": ["sh", "-c", peek]})
    (folder / "cases.jsonl").write_text(json.dumps(case) + "\n", encoding="utf-8")
    assert run(folder, "--isolate", "process")["setups"]["honest"]["pass"] == 0
    assert run(folder, "--isolate", "sandbox")["setups"]["honest"]["pass"] == 1
    assert json.loads(fairtrial("grade", "last", "--json", folder=folder).stdout)["setups"]["honest"]["pass"] == 1


@needs_sandbox
def test_a_program_that_the_walls_hide_leaves_its_check_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_project(tmp_path / "suite", cases=1, trials=1)
    program = tmp_path / "bin" / "own-check"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{program.parent}")
    case = json.loads((folder / "cases.jsonl").read_text(encoding="utf-8"))
    case["must"].append({"command": ["own-check"]})
    (folder / "cases.jsonl").write_text(json.dumps(case) + "\n", encoding="utf-8")
    assert run(folder, "--isolate", "fork")["cases"][0]["verdicts"] == ["PASS"]
    done = fairtrial("run", ".", "--json", "--isolate", "sandbox", folder=folder)
    report = json.loads(done.stdout)
    assert report["cases"][0]["verdicts"] == ["UNKNOWN"]
    told = fairtrial("show", "last", "case-1", "1", "--json", folder=folder).stdout
    assert "behind the walls of this run there is no own-check" in told
