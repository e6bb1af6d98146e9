"""A run that is killed or interrupted at any moment is resumed: nothing lost, nothing twice."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from tests.processes import command_lines
from tests.steps.project import command, environment, fairtrial, make_project, verdicts

KILLS = 50


def _start(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command("run", *words, "--quiet"),
        cwd=folder,
        env=environment(),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _stored(folder: Path) -> int:
    store = folder / ".fairtrial" / "store.db"
    if not store.exists():
        return 0
    database = sqlite3.connect(store, timeout=10)
    try:
        return int(database.execute("SELECT count(*) FROM trials").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        database.close()


def _wait_for_trials(folder: Path, process: subprocess.Popen[str], count: int) -> None:
    end = time.monotonic() + 30
    while _stored(folder) < count and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)


@pytest.mark.timeout(300)
def test_killed_at_random_moments_and_resumed_the_table_is_that_of_a_clean_run(tmp_path: Path) -> None:
    clean = make_project(tmp_path / "clean", cases=8, trials=60, wait=0.004)
    began = time.monotonic()
    assert fairtrial("run", ".", folder=clean).returncode == 0
    whole = time.monotonic() - began
    expected = verdicts(clean)
    chance = random.Random(20261130)
    kills = finished = 0
    while kills < KILLS:
        folder = make_project(tmp_path / f"run-{finished}", cases=8, trials=60, wait=0.004)
        process = _start(folder, ".", "--jobs", "2")
        while True:
            try:
                # A busy machine is slow to begin: kills fall anywhere in what a whole run takes here.
                process.communicate(timeout=chance.uniform(0.05, max(0.9, whole)) if kills < KILLS else 120)
                break
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
                process.communicate()
                kills += 1
                begun = (folder / ".fairtrial" / "store.db").exists() and json.loads(
                    fairtrial("runs", "--json", folder=folder).stdout or '{"runs": []}'
                )["runs"]
                process = _start(folder, *(["--resume", "last"] if begun else ["."]), "--jobs", "2")
        finished += 1
        assert process.returncode == 0
        assert verdicts(folder) == expected
        assert _stored(folder) == 8 * 60
    listed = command_lines()
    assert str(tmp_path) not in listed


def test_interrupted_once_it_ends_cleanly_and_can_be_resumed(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=6, trials=20, wait=0.05)
    process = _start(folder, ".", "--json", "--jobs", "2")
    _wait_for_trials(folder, process, 3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    report = json.loads(out)
    assert report["status"] == "interrupted"
    setup = report["setups"]["honest"]
    assert 0 < setup["not_run"] < 120
    assert setup["planned"] == setup["pass"] + setup["fail"] + setup["unknown"] + setup["not_run"] == 120
    assert fairtrial("run", "--resume", "last", folder=folder).returncode == 0
    assert _stored(folder) == 120


def test_interrupted_twice_it_ends_at_once(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=2, trials=2, wait=30)
    process = _start(folder, ".")
    end = time.monotonic() + 20
    while not (folder / ".fairtrial" / "store.db").exists() and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.7)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - began < 5


def test_terminated_it_ends_as_if_interrupted(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=6, trials=20, wait=0.05)
    process = _start(folder, ".", "--json", "--jobs", "2")
    _wait_for_trials(folder, process, 3)
    process.terminate()
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert json.loads(out)["status"] == "interrupted"


def test_a_suite_that_changed_is_not_resumed(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=4, trials=30, wait=0.05)
    process = _start(folder, ".", "--jobs", "2")
    _wait_for_trials(folder, process, 2)
    process.kill()
    process.communicate()
    make_project(folder, cases=3, trials=30)
    done = fairtrial("run", "--resume", "last", folder=folder)
    assert done.returncode == 2
    assert "has changed since" in done.stderr


def test_a_run_that_is_being_run_is_not_resumed_beside_it(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=4, trials=30, wait=0.1)
    process = _start(folder, ".", "--jobs", "2")
    _wait_for_trials(folder, process, 2)
    done = fairtrial("run", "--resume", "last", folder=folder)
    process.kill()
    process.communicate()
    assert done.returncode == 2, done.stderr


def test_terminated_before_the_first_trial_it_clears_its_folder_away(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "p", cases=1, trials=1)
    (folder / "agents.py").write_text("import time\ntime.sleep(60)\n", encoding="utf-8")
    process = _start(folder, ".")
    mine = f"fairtrial-{process.pid}-*"
    end = time.monotonic() + 20
    while not list(Path(tempfile.gettempdir()).glob(mine)) and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert not list(Path(tempfile.gettempdir()).glob(mine))
