"""Makes .venv complete: every locked package and the editable project. Standard library only, for it runs before anything is there.

A stamp, written last, holds what the environment was made from, so a second run does nothing and needs no network. A mark,
written first, tells an interrupted run: what it left is thrown away. An environment without either was made by hand and is
completed in place. uv does the work where it is on the PATH, else pip. What only an example needs is installed last and may be
missing: the tests that need it are skipped, and set-up says so.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "requirements.lock"
PROJECT = ROOT / "pyproject.toml"
STAMP = VENV / "setup.stamp"
BEGUN = ROOT / ".venv.begun"

# What examples and some providers of models stand on, as in the project's extras. No part of the lock: only their tests need it.
FOR_EXAMPLES = {
    "langgraph": ["langgraph>=1.0"],
    "local-model": ["xllamacpp>=2026.1"],
    "models": ["pydantic-ai-slim>=2.62", "genai-prices>=0.1.13", "openai>=3.0"],
}
PATIENCE_S = 300.0  # for such a package: an index that does not answer may cost no more

# Settings of the caller that would send the packages somewhere else than into .venv.
ASTRAY = ("PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "VIRTUAL_ENV", "UV_SYSTEM_PYTHON")


class SetupFailed(Exception):
    """What went wrong and how to mend it, in words for the person at the terminal."""


def wanted() -> dict[str, str]:
    """What the environment has to be made from. The place counts: scripts and the editable install hold absolute paths."""
    return {
        "lock": hashlib.sha256(LOCK.read_bytes()).hexdigest(),
        "project": hashlib.sha256(PROJECT.read_bytes()).hexdigest(),
        "place": str(ROOT),
    }


def stamped() -> dict[str, str]:
    """What the environment was made from; empty where that is not known or its Python is gone."""
    if BEGUN.exists() or not os.access(PYTHON, os.X_OK):
        return {}
    try:
        found = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def call(*command: str | Path, mend: str) -> None:
    """Run one step with its output shown; a step that fails ends the set-up with its mend."""
    environment = {name: value for name, value in os.environ.items() if name not in ASTRAY}
    done = subprocess.run([str(part) for part in command], cwd=ROOT, env=environment, check=False)
    if done.returncode:
        raise SetupFailed(f"`{command[0]}` ended with {done.returncode}. {mend}")


def succeeds(*command: str | Path) -> bool:
    """Whether one step works, without a word where it does not."""
    environment = {name: value for name, value in os.environ.items() if name not in ASTRAY}
    words = [str(part) for part in command]
    try:
        return subprocess.run(words, cwd=ROOT, env=environment, check=False, capture_output=True, timeout=PATIENCE_S).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def usable(uv: str | None) -> bool:
    """Can packages be put into the .venv that is there? Not if it was left half done, or moved: its scripts name its old place."""
    if BEGUN.exists() or not os.access(PYTHON, os.X_OK) or stamped().get("place", str(ROOT)) != str(ROOT):
        return False
    probe = f"import {'sys' if uv else 'sys, pip'}; sys.exit(sys.version_info < (3, 11))"
    return subprocess.run([str(PYTHON), "-I", "-c", probe], check=False, capture_output=True).returncode == 0


def create(uv: str | None) -> None:
    """A new, empty .venv in place of whatever is there."""
    if VENV.is_symlink():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    if uv:
        call(uv, "venv", "--quiet", "--python", sys.executable, VENV, mend="Mend uv, or take it off the PATH to use pip.")
        return
    try:
        import ensurepip  # noqa: F401 - Debian ships Python without it
        import venv  # noqa: F401
    except ImportError as missing:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SetupFailed(
            f"{sys.executable} cannot make an environment: its module {missing.name} is missing. "
            f"On Debian or Ubuntu: apt-get install python{version}-venv (or python3-venv); or put uv on the PATH."
        ) from None
    call(sys.executable, "-m", "venv", VENV, mend=f"Remove {VENV} and run this again.")


def installer(uv: str | None) -> list[str]:
    """The command that puts packages into .venv."""
    if uv:
        return [uv, "pip", "install", "--quiet", "--python", str(PYTHON)]
    return [str(PYTHON), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def install_packages(uv: str | None) -> None:
    """Everything in the lock, each file checked against its hash."""
    mend = "Is the package index in reach? What was done so far is kept by its cache; run this again."
    if uv and succeeds(*installer(uv), "--offline", "--require-hashes", "-r", LOCK):
        return  # uv keeps what it once fetched, and asks nobody for it
    call(*installer(uv), "--require-hashes", "-r", LOCK, mend=mend)


def install_project(uv: str | None) -> None:
    """The project itself, editable. It is built with the locked back end, so this step needs no network."""
    call(*installer(uv), "--no-deps", "--no-build-isolation", "-e", ".", mend="See the message above.")


def versions_only() -> str:
    """The lock without its hashes: pip would ask a hash of every package that the lock does not name."""
    return "".join(
        f"{line}\n" for line in re.findall(r"^([a-z0-9][^\\\n]*==[^\\\n]*)", LOCK.read_text(encoding="utf-8"), flags=re.MULTILINE)
    )


def install_for_examples(uv: str | None) -> dict[str, str]:
    """Each package that only an example needs, at versions that agree with the lock: "installed" or "missing". Never fails."""
    got: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        limits = Path(folder, "constraints.txt")
        limits.write_text(versions_only(), encoding="utf-8")
        for name, wanted_of_it in FOR_EXAMPLES.items():
            command = [*installer(uv), "-c", str(limits), *wanted_of_it]
            there = bool(uv and succeeds(*command, "--offline")) or succeeds(*command)
            got[name] = "installed" if there else "missing"
            if not there:
                print(
                    f"setup: {', '.join(wanted_of_it)} cannot be had here; the tests that need {name} are skipped, all else works",
                    flush=True,
                )
    return got


def complete(uv: str | None) -> None:
    """Bring .venv to what is wanted, doing only what is not done yet."""
    want, have = wanted(), stamped()
    if {name: have.get(name) for name in want} == want and set(FOR_EXAMPLES) <= set(have):
        return
    packages_stand = all(have.get(name) == want[name] for name in want if name != "project")
    if not packages_stand:
        print(f"setup: making {VENV} complete with {'uv' if uv else 'pip'}; the first time takes a minute or two", flush=True)
        fit = usable(uv)
        BEGUN.touch()
        if not fit:
            create(uv)
        STAMP.unlink(missing_ok=True)
        install_packages(uv)
    install_project(uv)
    got = install_for_examples(uv)
    BEGUN.unlink(missing_ok=True)
    STAMP.write_text(json.dumps({**want, **got}, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    """Exit code: 0 complete, 1 not, 130 interrupted."""
    try:
        # Two set-ups at once would break each other. The lock is on this file, so it leaves nothing behind.
        with open(__file__, "rb") as door:
            fcntl.flock(door, fcntl.LOCK_EX)
            complete(shutil.which("uv"))
    except SetupFailed as failed:
        print(f"setup: {failed}", file=sys.stderr)
        return 1
    except OSError as failed:
        print(f"setup: {failed}. Can {ROOT} be written to?", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("setup: interrupted; run it again to finish", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
