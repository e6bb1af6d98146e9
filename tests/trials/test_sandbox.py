"""Behind the walls of a sandbox a trial has what is its own and nothing else; and each limit bites."""

import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.errors import InputError
from fairtrial.records.setup import Setup
from fairtrial.records.suite import World
from fairtrial.records.trial import Ending
from fairtrial.trials import reap
from fairtrial.trials.order import Confinement
from tests.processes import command_lines
from tests.trials.bench import FOLDER, Ran, run_agents
from tests.walls import needs_sandbox

HIDDEN = str(FOLDER / "test_sandbox.py")
pytestmark = needs_sandbox


def behind_walls(agents: list[str], level: str = "sandbox", **more: Any) -> Ran:
    setups = {name: Setup(agent=f"walled_agents:{name}") for name in agents}
    confinement = Confinement(memory_mb=256, processes=16, hidden=(HIDDEN,))
    given: dict[str, Any] = {"setups": setups, "confinement": confinement, "tools": None} | more
    return run_agents([], level, **given)


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a trial saw of this machine, with secrets in the caller's environment and home."""
    home = tmp_path_factory.mktemp("home")
    (home / "credentials").write_text("s", encoding="utf-8")
    folders = ["/etc", "/usr", "/", "/dev", str(FOLDER), str(home), "/var/tmp", "/tmp", "."]
    files = [
        "/etc/shadow",
        "/etc/passwd",
        HIDDEN,
        str(home / "credentials"),
        str(FOLDER / "stage_agents.py"),
        f"{FOLDER}/../conftest.py",
        f"/proc/{os.getpid()}/environ",
    ]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"HOME": str(home), "FAIRTRIAL_TEST_SECRET": "s", "FAIRTRIAL_TEST_NAMED": "n"}.items():
            patch.setenv(name, value)
        facts = {"folders": folders, "files": files}
        ran = behind_walls(["looks_around"], facts=facts, env=("FAIRTRIAL_TEST_NAMED", "FAIRTRIAL_TEST_UNSET"))
    assert ran.head("looks_around").ending is Ending.FINISHED, ran.body("looks_around").error
    output: dict[str, Any] = ran.body("looks_around").output
    return output


def test_nothing_can_be_written_but_what_is_the_trial_s_own(around: dict[str, Any]) -> None:
    assert [folder for folder, can in around["writable"].items() if can] == ["/var/tmp", "/tmp", "."]


def test_answers_and_secrets_cannot_be_read_and_the_agent_s_own_code_can(around: dict[str, Any]) -> None:
    assert [path for path, can in around["readable"].items() if can] == ["/etc/passwd", str(FOLDER / "stage_agents.py")]
    needed = [str(FOLDER), sys.prefix, sys.base_prefix]
    assert not [entry for entry in around["homes"] if not any(path.startswith(entry) for path in needed)]


def test_the_environment_is_empty_but_for_what_the_suite_names(around: dict[str, Any]) -> None:
    own = {"PATH", "LANG", "PYTHONUTF8", "OPENBLAS_NUM_THREADS", "PYTHONPATH", "HOME", "TMPDIR", "PWD"}
    assert set(around["environment"]) - own == {"FAIRTRIAL_TEST_NAMED"}


def test_no_process_no_device_and_no_right_of_the_host_is_there(around: dict[str, Any]) -> None:
    assert around["processes"] <= 3
    assert not [name for name in around["devices"] if name.startswith(("sd", "nvme", "vd", "mem", "kmsg", "fuse", "kvm", "loop"))]
    assert (around["rights"], around["gains"]) == (0, False)
    assert around["user"] != 0


def test_no_other_trial_s_folder_is_beside_its_own(around: dict[str, Any]) -> None:
    needed = [str(FOLDER), sys.prefix, sys.base_prefix]
    beside = [name for name in around["siblings"] if not any(path.startswith(f"/tmp/{name}") for path in needed)]
    assert beside == ["stage", "trial"]


def test_parallel_attempts_find_nothing_of_each_other() -> None:
    ran = behind_walls(["reads_the_other"], trials=3, jobs=3)
    assert [ran.body("reads_the_other", n).output for n in (1, 2, 3)] == [{"found": []}] * 3


def test_the_host_cannot_be_called_and_a_server_of_its_own_can() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        ran = behind_walls(["calls_out"], facts={"port": server.getsockname()[1]})
    assert ran.body("calls_out").output == {"host": "ConnectionRefusedError", "own": "hello"}


def test_memory_disk_and_processes_are_limited_and_the_limit_is_named() -> None:
    agents = ["takes_memory", "shares_memory", "hides_memory", "starts_many", "fills_its_disk"]
    ran = behind_walls(agents, jobs=2)
    endings = {name: ran.head(name).ending for name in agents}
    assert endings == dict.fromkeys(agents, Ending.AGENT_ERROR) | {"fills_its_disk": Ending.FINISHED}
    assert "MemoryError" in ran.head("takes_memory").note
    assert all(ran.head(name).note.endswith("it took more than 256 MB of memory") for name in ("shares_memory", "hides_memory"))
    assert ran.head("starts_many").note.endswith("it had more than 16 processes")
    assert ran.body("fills_its_disk").output == {"stopped": "OSError"}


def test_daemons_are_gone_with_the_trial() -> None:
    mark = f"{80_000 + os.getpid() % 1000}.25"
    assert behind_walls(["leaves_daemons"], facts={"mark": mark}).head("leaves_daemons").ending is Ending.FINISHED
    assert f"sleep {mark}" not in command_lines()


@pytest.mark.parametrize("level", ["process", "sandbox"])
def test_threads_that_a_module_starts_on_import_are_alive_in_the_trial(level: str) -> None:
    assert behind_walls(["thinks_in_a_thread"], level).body("thinks_in_a_thread").output == {"answered": 1}


def test_a_process_that_was_killed_is_told_by_its_signal() -> None:
    head = behind_walls(["is_killed"]).head("is_killed")
    assert (head.ending, "SIGKILL" in head.note) == (Ending.WORKER_LOST, True)


@pytest.mark.parametrize("level", ["process", "sandbox"])
def test_a_lost_nursery_is_replaced_and_its_trials_are_run_again(level: str) -> None:
    lost: list[int] = []

    def lose() -> None:
        end = time.monotonic() + 60
        while not lost and time.monotonic() < end:
            time.sleep(0.05)
            for nursery in reap.children(os.getpid()):
                if any("/t1.result" in words(trial) for trial in reap.children(nursery)):  # the trial is under way
                    lost.append(nursery)
                    os.kill(nursery, signal.SIGKILL)

    def words(pid: int) -> str:
        with suppress(OSError):
            return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
        return ""

    loser = threading.Thread(target=lose)
    loser.start()
    ran = behind_walls(["takes_its_time"], level, timeout_s=30.0)
    loser.join()
    head = ran.head("takes_its_time")
    assert (len(lost), head.ending, head.tries) == (1, Ending.FINISHED, 2)


def test_a_world_of_files_shows_the_trial_its_own_copy_alone(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / ".gitignore").write_text("x\n", encoding="utf-8")
    (source / "a.txt").write_text("a\n", encoding="utf-8")
    facts = {"folders": [], "files": [str(source / "a.txt"), "world/a.txt", "world/.gitignore"]}
    ran = behind_walls(["looks_around"], facts=facts, world=World(kind="files", source=str(source)), scene=None)
    assert ran.body("looks_around").output["readable"] == {str(source / "a.txt"): False, "world/a.txt": True, "world/.gitignore": True}


def test_without_bubblewrap_nothing_is_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="needs bubblewrap") as refused:
        behind_walls(["looks_around"])
    assert "--isolate process" in str(refused.value)


def test_a_bubblewrap_that_cannot_build_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'No permissions to create a new namespace' >&2\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(InputError, match="No permissions to create a new namespace"):
        behind_walls(["looks_around"])


def test_what_cannot_work_behind_walls_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "own-program"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{tmp_path}")
    with pytest.raises(InputError, match="has no network"):
        behind_walls([], setups={"far": Setup(agent={"http": "http://127.0.0.1:1/"})})
    with pytest.raises(InputError, match=r"lies where a sandboxed trial cannot look.*(\n.*)*show: \[FOLDER\]"):
        behind_walls([], setups={"own": Setup(agent={"command": ["own-program"]})})
    with pytest.raises(InputError, match="a simulated user is played by a model outside"):
        behind_walls(["looks_around"], models=("openai:some-model",))
    with pytest.raises(InputError, match="would see a home folder"):
        behind_walls(["looks_around"], confinement=Confinement(shown=("/",)))
