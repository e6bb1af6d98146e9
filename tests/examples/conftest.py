"""The examples, run as a person would: copied into a folder of their own and driven through the command line.

Kept out: what the engine does inside. These tests know the public contract and the examples' own words, nothing else.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLES = PROJECT / "examples"
NEEDS_LANGGRAPH = "needs LangGraph: pip install 'fairtrial[langgraph]'"
COMMAND = [sys.executable, "-m", "fairtrial"]


class Told(NamedTuple):
    """What a command left behind: its exit code and both of its outputs."""

    code: int
    out: str
    err: str


class Example(NamedTuple):
    """A copy of one example with a store of its own."""

    folder: Path

    def tell(self, *words: str) -> Told:
        """Type `fairtrial WORDS` in the example's folder."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("FAIRTRIAL_")}
        source = os.pathsep.join([str(PROJECT / "src"), *filter(None, [own.get("PYTHONPATH")])])
        env = {**own, "PYTHONPATH": source, "NO_COLOR": "1", "COLUMNS": "120"}
        done = subprocess.run(
            [*COMMAND, *words], check=False, cwd=self.folder, env=env, capture_output=True, text=True, encoding="utf-8", timeout=110
        )
        return Told(done.returncode, done.stdout, done.stderr)

    def shell(self, script: str) -> Told:
        """Type `sh SCRIPT` in the example's folder."""
        done = subprocess.run(["sh", script], check=False, cwd=self.folder, capture_output=True, text=True, encoding="utf-8", timeout=60)
        return Told(done.returncode, done.stdout, done.stderr)

    def ask(self, *words: str, code: int = 0) -> Any:
        """Type `fairtrial WORDS --json` and read the document; the exit code must be the one awaited."""
        told = self.tell(*words, "--json")
        assert told.code == code, f"{words}: exit {told.code}\n{told.out}\n{told.err}"
        return json.loads(told.out)


@pytest.fixture(scope="session")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Example]:
    """Copies an example by name, without a store that an earlier hand may have left in it."""

    def copy(name: str) -> Example:
        folder = tmp_path_factory.mktemp(name) / name
        shutil.copytree(EXAMPLES / name, folder, ignore=shutil.ignore_patterns(".fairtrial", "__pycache__"))
        return Example(folder)

    return copy
