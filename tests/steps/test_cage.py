"""A grader written in Python costs its own check at the worst, whatever it does."""

import faulthandler
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from fairtrial.steps.cage import GraderLost, GraderRaised, caged
from tests.steps.project import fairtrial, make_project


def test_a_result_comes_back_as_it_was() -> None:
    assert caged(lambda given: {"verdict": "FAIL", "seen": given})(3) == {"verdict": "FAIL", "seen": 3}
    assert caged(lambda given: True)(None) is True


def _hangs_with_a_child(given: Any) -> None:
    subprocess.run(["sleep", "90210"], check=False)


def test_a_grader_that_hangs_is_lost_in_time_and_its_children_with_it() -> None:
    began = time.monotonic()
    with pytest.raises(GraderLost, match=r"within 0\.3 s"):
        caged(_hangs_with_a_child, 0.3)(None)
    assert time.monotonic() - began < 5
    time.sleep(0.2)
    assert not any(b"90210" in _args(entry) for entry in os.listdir("/proc") if entry.isdigit())


def _args(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _aborts(given: Any) -> None:
    faulthandler.disable()  # pytest's would print the stack of what is meant here
    os.abort()


@pytest.mark.parametrize("ends", [lambda given: os._exit(3), _aborts])
def test_a_grader_that_ends_its_process_is_lost(ends: Any) -> None:
    with pytest.raises(GraderLost, match="ended without a verdict"):
        caged(ends)(None)


def test_what_a_grader_raises_is_told_with_its_place() -> None:
    def raises(given: Any) -> None:
        raise SystemExit("no")

    with pytest.raises(GraderRaised, match="SystemExit"):
        caged(raises)(None)


def test_a_grader_cannot_remember() -> None:
    seen: list[int] = []

    def remembers(given: int) -> bool:
        seen.append(given)
        return len(seen) == 1

    assert [caged(remembers)(n) for n in range(3)] == [True, True, True]


def test_a_run_survives_graders_that_exit_recurse_and_raise(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=3, trials=1)
    (folder / "checks.py").write_text(
        "import os\n"
        "def bad(given):\n"
        "    n = given.facts['n']\n"
        "    if n == 1: raise SystemExit(7)\n"
        "    if n == 2: os._exit(9)\n"
        "    return bad(given)\n",
        encoding="utf-8",
    )
    suite = json.loads((folder / "suite.json").read_text(encoding="utf-8")) | {
        "graders": {"bad": "checks:bad"},
        "checks": [{"grader": "bad"}],
    }
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    done = fairtrial("run", ".", "--json", folder=folder)
    report = json.loads(done.stdout)
    unknown = {case["id"]: [entry["why"] for entry in case["unknown"]] for case in report["cases"]}
    assert "SystemExit" in unknown["case-1"][0]
    assert "code 9" in unknown["case-2"][0]
    assert "RecursionError" in unknown["case-3"][0]
    assert report["status"] == "complete"
