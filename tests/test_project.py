"""What the project promises of itself: a lock that fits, a set-up that can be repeated, a start that loads little."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tools import setup

PROJECT = Path(__file__).resolve().parent.parent
HEAVY = ("numpy", "scipy", "rich", "zstandard", "ruamel", "sqlite3", "asyncio")


def project_file() -> dict[str, Any]:
    return tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def lock() -> str:
    return (PROJECT / "requirements.lock").read_text(encoding="utf-8")


def test_the_lock_names_no_address() -> None:
    assert "://" not in lock()
    assert "--index-url" not in lock()


def test_every_locked_package_has_a_hash() -> None:
    entries = [entry for entry in re.split(r"\n(?=[a-z])", lock()) if "==" in entry]
    assert len(entries) > 20
    assert all("--hash=sha256:" in entry for entry in entries)


def test_what_the_project_needs_is_locked_and_bounded_from_below_only() -> None:
    project = project_file()["project"]
    locked = set(re.findall(r"^([a-z0-9-]+)==", lock(), flags=re.MULTILINE))
    for wanted in [*project["dependencies"], *project["optional-dependencies"]["test"]]:
        name = re.fullmatch(r"([a-z0-9.-]+)>=[\d.]+", wanted)
        assert name is not None, f"{wanted} is not a lower bound"
        assert name[1].replace(".", "-") in locked, f"{name[1]} is not locked: run `make lock`"


def test_the_oracles_are_no_dependencies() -> None:
    oracles = re.compile("scipy|statsmodels|pandas|markdown-it-py")
    assert not [need for need in project_file()["project"]["dependencies"] if oracles.match(need)]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder with a lock, in a path with spaces, in which set-up only notes what it would run."""
    root = tmp_path / "a place with spaces"
    root.mkdir()
    for name in ("requirements.lock", "pyproject.toml"):
        (root / name).write_text(name, encoding="utf-8")
    venv = root / ".venv"
    for name, value in {
        "ROOT": root,
        "VENV": venv,
        "PYTHON": venv / "bin" / "python",
        "LOCK": root / "requirements.lock",
        "PROJECT": root / "pyproject.toml",
        "STAMP": venv / "setup.stamp",
        "BEGUN": root / ".venv.begun",
    }.items():
        monkeypatch.setattr(setup, name, value)
    return root


@pytest.fixture
def steps(place: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps that set-up took, in order; creating gives an environment with this Python in it."""
    taken: list[str] = []

    def create(_uv: str | None) -> None:
        taken.append("create")
        (place / ".venv" / "bin").mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(setup.PYTHON):
            setup.PYTHON.symlink_to(sys.executable)

    monkeypatch.setattr(setup, "create", create)
    monkeypatch.setattr(setup, "install_packages", lambda _uv: taken.append("packages"))
    monkeypatch.setattr(setup, "install_project", lambda _uv: taken.append("project"))
    monkeypatch.setattr(setup, "install_for_examples", lambda _uv: dict.fromkeys(setup.FOR_EXAMPLES, "missing"))
    return taken


def again(steps: list[str]) -> list[str]:
    """What one more set-up does."""
    steps.clear()
    setup.complete("uv")
    return list(steps)


def test_a_second_setup_does_nothing(steps: list[str]) -> None:
    assert again(steps) == ["create", "packages", "project"]
    assert again(steps) == []


def test_a_changed_lock_is_installed_into_what_is_there(place: Path, steps: list[str]) -> None:
    again(steps)
    (place / "requirements.lock").write_text("another", encoding="utf-8")
    assert again(steps) == ["packages", "project"]
    assert again(steps) == []


def test_a_changed_project_file_needs_no_package_and_so_no_network(place: Path, steps: list[str]) -> None:
    again(steps)
    (place / "pyproject.toml").write_text("another", encoding="utf-8")
    assert again(steps) == ["project"]
    assert again(steps) == []


@pytest.mark.parametrize("step", ["create", "install_packages", "install_project"])
def test_an_interrupted_setup_is_thrown_away(step: str, steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_uv: str | None) -> None:
        setup.VENV.mkdir(exist_ok=True)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(setup, step, interrupted)
        with pytest.raises(KeyboardInterrupt):
            again(steps)
    assert again(steps) == ["create", "packages", "project"]
    assert again(steps) == []


def test_a_project_step_that_failed_is_done_again(place: Path, steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    again(steps)
    (place / "pyproject.toml").write_text("another", encoding="utf-8")

    def failing(_uv: str | None) -> None:
        raise setup.SetupFailed("the project cannot be built")

    with monkeypatch.context() as patch:
        patch.setattr(setup, "install_project", failing)
        with pytest.raises(setup.SetupFailed):
            again(steps)
    assert again(steps) == ["project"]


def test_an_environment_made_by_hand_is_completed_in_place(steps: list[str]) -> None:
    setup.create(None)
    assert again(steps) == ["packages", "project"]


def test_an_environment_whose_python_is_gone_is_made_anew(steps: list[str]) -> None:
    again(steps)
    setup.PYTHON.unlink()
    setup.PYTHON.symlink_to("/nowhere/python")
    assert again(steps)[0] == "create"


def test_a_stamp_that_cannot_be_read_counts_for_nothing(steps: list[str]) -> None:
    again(steps)
    setup.STAMP.write_text('{"lock": ', encoding="utf-8")
    assert again(steps) == ["packages", "project"]


def test_a_moved_checkout_is_set_up_again(place: Path, steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    again(steps)
    monkeypatch.setattr(setup, "ROOT", place.parent)
    assert again(steps)[0] == "create"


@pytest.mark.parametrize(("uv", "kept", "asked"), [("uv", True, []), ("uv", False, ["uv"]), (None, True, ["pip"])])
def test_the_index_is_asked_only_for_what_uv_has_not_kept(
    place: Path, monkeypatch: pytest.MonkeyPatch, uv: str | None, kept: bool, asked: list[str]
) -> None:
    tried: list[tuple[str, ...]] = []
    asked_of: list[str] = []

    def succeeds(*command: str) -> bool:
        tried.append(command)
        return kept

    monkeypatch.setattr(setup, "succeeds", succeeds)
    monkeypatch.setattr(setup, "call", lambda *command, mend: asked_of.append("uv" if command[0] == "uv" else "pip"))
    setup.install_packages(uv)
    assert asked_of == asked
    assert [("--offline" in command, "--require-hashes" in command) for command in tried] == ([(True, True)] if uv else [])


@pytest.mark.parametrize("uv", ["uv", None])
@pytest.mark.parametrize("had", [True, False])
def test_what_only_an_example_needs_agrees_with_the_lock_and_may_be_missing(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], uv: str | None, had: bool
) -> None:
    setup.LOCK.write_text(
        "pydantic==2.0 ; python_version < '4' \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n    # via us\n", encoding="utf-8"
    )
    tried: list[bool] = []

    def succeeds(*command: str) -> bool:
        tried.append("--offline" in command)
        limits = Path(command[command.index("-c") + 1]).read_text(encoding="utf-8")
        assert limits.split() == ["pydantic==2.0", ";", "python_version", "<", "'4'"]
        return had

    monkeypatch.setattr(setup, "succeeds", succeeds)
    assert setup.install_for_examples(uv) == dict.fromkeys(setup.FOR_EXAMPLES, "installed" if had else "missing")
    assert tried == ([True, False] if uv else [False])[: 1 if had else 2] * len(setup.FOR_EXAMPLES)
    assert ("are skipped" in capsys.readouterr().out) is not had


def test_what_examples_stand_on_is_an_extra_of_the_project() -> None:
    extras = project_file()["project"]["optional-dependencies"]
    assert {name: extras[name] for name in setup.FOR_EXAMPLES} == setup.FOR_EXAMPLES


def test_a_python_without_ensurepip_is_told_what_to_install(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(setup.SetupFailed, match=r"apt-get install python3\.\d+-venv"):
        setup.create(None)
    assert not (place / ".venv").exists()


def test_a_failed_step_tells_its_exit_code_and_its_mend(place: Path) -> None:
    with pytest.raises(setup.SetupFailed, match=r"ended with 3\. Try again"):
        setup.call(sys.executable, "-c", "raise SystemExit(3)", mend="Try again")
    assert place.is_dir()


class Machine:
    """A PATH of our own with a few commands in it, on which `tools/system.sh` is run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("id", "true", "touch"):
            found = shutil.which(name)
            assert found is not None
            (folder / name).symlink_to(found)

    def has(self, name: str, does: str) -> None:
        (self.folder / name).write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        (self.folder / name).chmod(0o755)

    def set_up(self, **more: str) -> tuple[int, str]:
        environment = {"PATH": str(self.folder), **more}
        words = ["/bin/sh", str(PROJECT / "tools" / "system.sh")]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("ci", ["", "1", "true"])
def test_a_system_that_has_bubblewrap_is_left_as_it_is(tmp_path: Path, ci: str) -> None:
    machine = Machine(tmp_path)
    machine.has("bwrap", "exit 1")
    machine.has("apt-get", "echo called; exit 1")
    assert machine.set_up(CI=ci) == (0, "setup-system: bubblewrap is there\n")


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("false", 0), ("1", 1), ("true", 1)])
@pytest.mark.parametrize("commands", [{}, {"apt-get": "exit 100"}, {"id": "echo 1000", "apt-get": "exit 0", "sudo": "exit 1"}])
def test_what_cannot_be_installed_is_told_and_fails_only_in_ci(tmp_path: Path, commands: dict[str, str], ci: str, code: int) -> None:
    machine = Machine(tmp_path)
    for name, does in commands.items():
        (tmp_path / name).unlink(missing_ok=True)
        machine.has(name, does)
    ended, said = machine.set_up(CI=ci)
    assert ended == code
    assert "tests of --isolate sandbox will be skipped" in said


@pytest.mark.parametrize("root", [True, False])
def test_bubblewrap_is_installed_once_the_lists_are_fresh(tmp_path: Path, root: bool) -> None:
    machine = Machine(tmp_path)
    (tmp_path / "id").unlink()
    machine.has("id", "echo 0" if root else "echo 1000")
    machine.has("sudo", 'shift; "$@"')
    machine.has("apt-get", f'case "$1" in update) touch "{tmp_path}/fresh" ;; *) [ -e "{tmp_path}/fresh" ] ;; esac')
    assert machine.set_up(CI="1") == (0, "setup-system: bubblewrap is installed\n")


def test_without_a_new_enough_python_the_set_up_says_so(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    dirname = shutil.which("dirname")
    assert dirname is not None
    (tmp_path / "dirname").symlink_to(dirname)
    done = subprocess.run(
        ["/bin/sh", PROJECT / "tools" / "setup.sh"], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "no Python 3.11 or newer" in done.stderr


def test_links_between_the_pages_lead_somewhere() -> None:
    broken = []
    for page in [
        *PROJECT.glob("*.md"),
        *(found for folder in ("docs", "examples", "benchmarks") for found in (PROJECT / folder).rglob("*.md")),
    ]:
        links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        broken += [f"{page.relative_to(PROJECT)}: {link}" for link in links if "://" not in link and not (page.parent / link).exists()]
    assert not broken


def test_every_page_of_the_guides_is_linked_from_the_readme() -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    pages = [*PROJECT.glob("docs/*.md"), *PROJECT.glob("examples/*/README.md")]
    assert not [page.name for page in pages if f"({page.relative_to(PROJECT).as_posix()})" not in readme]


def loaded(code: str, names: tuple[str, ...]) -> list[str]:
    """Which of `names` a fresh interpreter has imported after `code`."""
    told = f"{code}\nimport sys; print(*(name for name in {names!r} if name in sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True, cwd=PROJECT)
    return done.stderr.split()


def test_importing_the_face_loads_nothing_heavy() -> None:
    assert loaded("import fairtrial", (*HEAVY, "msgspec", "click")) == []
    assert loaded("import fairtrial, sqlite3", HEAVY) == ["sqlite3"]


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_telling_the_version_and_the_help_load_nothing_heavy(option: str) -> None:
    if not (PROJECT / "src" / "fairtrial" / "cli" / "main.py").exists():
        pytest.skip("there is no command line yet")
    code = f"import sys; sys.argv = ['fairtrial', {option!r}]\nfrom fairtrial.cli.main import main\ntry: main()\nexcept SystemExit: pass"
    assert loaded(code, HEAVY) == []
