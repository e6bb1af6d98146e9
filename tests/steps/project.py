"""A small suite in a folder, and the command line on it, for tests of whole runs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

AGENTS = """
import time

def honest(brief, desk):
    time.sleep(brief.facts.get("wait", 0))
    total = desk.call("add", n=brief.facts["n"])
    if brief.facts["n"] % 3 == 0:
        return {"total": total + 1}
    return {"total": total}

async def quick(brief, desk):
    return {"total": await desk.call("add", n=brief.facts["n"])}
"""
TOOLS = '''
from fairtrial import tool

@tool
def add(n: int, world: dict) -> int:
    """Add to the total."""
    world["total"] += n
    return world["total"]
'''


def make_project(folder: Path, *, cases: int = 6, trials: int = 2, wait: float = 0.0, setups: dict[str, Any] | None = None) -> Path:
    """A suite whose agent fails every third case and takes `wait` seconds a trial."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "id": f"case-{n}",
            "task": f"add {n} to the total",
            "facts": {"n": n, "wait": wait},
            "state": {"total": 1},
            "expect_state": {"total": n + 1},
            "must": [{"output": "total", "equals": n + 1}],
            "must_not": [{"output": "total", "equals": -1}],
            "solution": {"total": n + 1},
            "known_bad": [{"total": -1}],
            "tags": ["odd" if n % 2 else "even"],
        }
        for n in range(1, cases + 1)
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "agents.py").write_text(AGENTS, encoding="utf-8")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    suite = {
        "name": "adding",
        "cases": ["cases.jsonl"],
        "tools": "tools.py",
        "trials": trials,
        "setups": setups or {"honest": {"agent": "agents:honest"}},
    }
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    return folder


def command(*words: str, **more: Any) -> list[str]:
    return [sys.executable, "-m", "fairtrial", *words]


def fairtrial(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder and wait for it."""
    return subprocess.run(command(*words), capture_output=True, text=True, check=False, cwd=folder, env=environment(), timeout=120)


def environment() -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("FAIRTRIAL")}
    return env | {"NO_COLOR": "1"}


def verdicts(folder: Path, run: str = "last") -> dict[tuple[str, str], list[str]]:
    """(case, setup) -> verdicts of a stored run."""
    done = fairtrial("show", run, "--json", folder=folder)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    return {(case["id"], case["setup"]): case["verdicts"] for case in report["cases"]}
