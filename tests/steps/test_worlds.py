"""Worlds of files and of the user's own, through the command line, at every level of isolation."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.steps.project import fairtrial, verdicts
from tests.walls import SANDBOX

LEVELS = ("fork", "shared", "process", SANDBOX)
FILE_AGENTS = """
import shutil
from pathlib import Path

def fixer(brief, desk):
    desk.call("write", path="src/app.py", text="def add(a, b):\\n    return a + b\\n")
    return {"done": True}

def digger(brief, desk):
    import os
    for _ in range(1500):
        os.mkdir("d")
        os.chdir("d")
    return {"done": True}

def wrecker(brief, desk):
    shutil.rmtree(desk.call("where"))
    return {"done": True}
"""
FILE_TOOLS = '''
from pathlib import Path
from fairtrial import tool

@tool
def write(path: str, text: str, world: Path) -> None:
    """Write a file."""
    (world / path).write_text(text)

@tool
def where(world: Path) -> str:
    """The folder."""
    return str(world)
'''
TEST = "from src.app import add\nassert add(2, 2) == 4\n"


def write_suite(folder: Path, files: dict[str, str], case: dict[str, Any], suite: dict[str, Any]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "cases.jsonl").write_text(json.dumps(case))
    (folder / "suite.json").write_text(json.dumps({"name": "s", "cases": "cases.jsonl", "tools": "tools.py", "trials": 2, **suite}))


def code_suite(folder: Path) -> None:
    python = [sys.executable, "-c", "import runpy, sys; sys.path.insert(0, '.'); runpy.run_path('check.py')"]
    case = {
        "id": "fix",
        "task": "mend add",
        "state": {"src/app.py": "def add(a, b):\n    return a - b\n"},
        "must": [{"command": python}, {"changes": {"allow": ["src"], "max_files": 1, "max_lines": 1}}],
        "must_not": [{"output": "done", "equals": False}],
        "solution": {"answer": {"done": True}, "state": {"src/app.py": "def add(a, b):\n    return a + b\n"}},
        "known_bad": [{"answer": {"done": True}, "state": {"check.py": None}}, {"answer": {"done": True}, "state": {}}],
    }
    files = {"code/check.py": TEST, "code/src/app.py": "", "code/README": "hello\n", "agents.py": FILE_AGENTS, "tools.py": FILE_TOOLS}
    setups = {name: {"agent": f"agents:{name}"} for name in ("fixer", "wrecker", "digger")}
    write_suite(folder, files, case, {"world": {"kind": "files", "from": "code"}, "setups": setups})


@pytest.mark.parametrize("level", LEVELS)
def test_a_mended_file_passes_and_a_deleted_world_fails(level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does anything stay behind: no copy, no template, no folder nested without end."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    code_suite(tmp_path)
    if level == "fork":
        checked = fairtrial("check", ".", folder=tmp_path)
        assert checked.returncode == 0, checked.stdout + checked.stderr
    done = fairtrial("run", ".", "--isolate", level, folder=tmp_path)
    assert done.returncode in (0, 1), done.stderr
    assert verdicts(tmp_path) == {("fix", "fixer"): ["PASS"] * 2, ("fix", "wrecker"): ["FAIL"] * 2, ("fix", "digger"): ["FAIL"] * 2}
    assert not list(temporary.iterdir())
    assert (tmp_path / "code/src/app.py").read_text() == ""
    assert {path.name for path in (tmp_path / "code").iterdir()} == {"check.py", "src", "README"}


OWN = """
class Ledger:
    def open(self, scene):
        return Live(dict(scene.state))

class Live:
    def __init__(self, books):
        self.before = dict(books)
        self.live = books

    def after(self):
        return self.live

    def close(self):
        pass

class Broken:
    def open(self, scene):
        raise SystemExit("no ledger today")

class Slow:
    def open(self, scene):
        import time
        time.sleep(20)
"""
OWN_AGENT = "def payer(brief, desk):\n    return {'left': desk.call('pay', amount=3)}\n"
OWN_TOOL = '''
from fairtrial import tool

@tool
def pay(amount: int, world: dict) -> int:
    """Pay."""
    world["cash"] -= amount
    return world["cash"]
'''


def ledger_suite(folder: Path, kind: str, **more: Any) -> None:
    case = more | {
        "id": "pay",
        "task": "pay 3",
        "state": {"cash": 5},
        "expect_state": {"cash": 2},
        "must": [{"output": "left", "equals": 2}],
    }
    files = {"ledgers.py": OWN, "agents.py": OWN_AGENT, "tools.py": OWN_TOOL}
    write_suite(folder, files, case, {"world": kind, "setups": {"payer": {"agent": "agents:payer"}}})


@pytest.mark.parametrize("level", LEVELS)
def test_a_world_of_the_user_s_own_is_opened_for_every_trial(level: str, tmp_path: Path) -> None:
    ledger_suite(tmp_path, "ledgers:Ledger")
    done = fairtrial("run", ".", "--isolate", level, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert verdicts(tmp_path) == {("pay", "payer"): ["PASS"] * 2}


@pytest.mark.parametrize("level", LEVELS)
def test_a_world_that_cannot_be_opened_is_not_the_agent_s_fault(level: str, tmp_path: Path) -> None:
    ledger_suite(tmp_path, "ledgers:Broken")
    fairtrial("run", ".", "--isolate", level, folder=tmp_path)
    assert verdicts(tmp_path) == {("pay", "payer"): ["UNKNOWN"] * 2}


@pytest.mark.parametrize("level", ["fork", "process"])
def test_a_world_that_does_not_open_in_time_is_told_as_that(level: str, tmp_path: Path) -> None:
    ledger_suite(tmp_path, "ledgers:Slow", timeout_s=0.5)
    fairtrial("run", ".", "--trials", "1", "--isolate", level, folder=tmp_path)
    assert verdicts(tmp_path) == {("pay", "payer"): ["UNKNOWN"]}
    shown = " ".join(fairtrial("show", "last", "pay", "1", folder=tmp_path).stdout.split())  # however wide the page
    assert "its world was not open within 0.5 s" in shown


def test_a_world_that_is_not_there_is_named_before_any_trial(tmp_path: Path) -> None:
    ledger_suite(tmp_path, "ledgers:Ledgr")
    done = fairtrial("run", ".", folder=tmp_path)
    assert done.returncode == 2 and "did you mean ledgers:Ledger?" in done.stderr


GIT_AGENTS = """
def fixer(brief, desk):
    desk.call("write", path="src/app.py", text="def add(a, b):\\n    return a + b\\n")
    return {"diff": desk.call("diff")}

def spoiler(brief, desk):
    desk.call("write", path="data.txt", text="y" * 3_000_000)
    return {"diff": desk.call("diff")}
"""
GIT_TOOLS = '''
import subprocess
from pathlib import Path
from fairtrial import tool

@tool
def write(path: str, text: str, world: Path) -> None:
    """Write a file."""
    (world / path).write_text(text)

@tool
def diff(world: Path) -> str:
    """What git says was changed."""
    return subprocess.run(["git", "diff", "--stat"], cwd=world, capture_output=True, text=True, check=True).stdout
'''


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_repository_at_a_commit_through_the_command_line(tmp_path: Path) -> None:
    """With a large file that nobody touches: it does not keep a command from being run; a large one that was changed does."""
    command = [sys.executable, "-c", "import os; assert os.path.getsize('data.txt') == 3_000_000; exec(open('check.py').read())"]
    must = [{"command": command}, {"changes": {"allow": ["src"], "max_files": 1, "max_lines": 1}}]
    case = {"id": "fix", "task": "mend add", "must": [*must, {"output": "diff", "contains": "src/app.py"}]}
    files = {"code/check.py": TEST, "code/src/app.py": "def add(a, b):\n    return a - b\n", "code/data.txt": "x" * 3_000_000}
    setups = {name: {"agent": f"agents:{name}"} for name in ("fixer", "spoiler")}
    world = {"kind": "files", "from": "code", "commit": "v1"}
    write_suite(tmp_path, files | {"agents.py": GIT_AGENTS, "tools.py": GIT_TOOLS}, case, {"world": world, "setups": setups, "trials": 1})
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"], ["tag", "v1"]):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", *words], cwd=tmp_path / "code", check=True)
    for level in ("process", "shared", "fork"):
        done = fairtrial("run", ".", "--isolate", level, folder=tmp_path)
        assert done.returncode in (0, 1), done.stderr
        assert verdicts(tmp_path) == {("fix", "fixer"): ["PASS"], ("fix", "spoiler"): ["FAIL"]}
    shown = json.loads(fairtrial("show", "last:fixer", "fix", "1", "--json", folder=tmp_path).stdout)
    assert shown["patch"].startswith("diff --git a/src/app.py b/src/app.py\n") and "+    return a + b\n" in shown["patch"]
    page = fairtrial("show", "last:fixer", "fix", "1", folder=tmp_path).stdout
    assert "-    return a - b" in page and "+    return a + b" in page
    spoilt = json.loads(fairtrial("show", "last:spoiler", "fix", "1", "--json", folder=tmp_path).stdout)
    told = {grade["check"].split()[0]: grade for grade in spoilt["grades"]}
    assert told["command"]["verdict"] == "UNKNOWN" and "data.txt was not kept whole" in told["command"]["why"]
