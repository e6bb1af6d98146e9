"""The command as a process: what stands on which stream, any locale, a reader that leaves early, and how quick it starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# SIGINT is heard even where the tests run in the background of a shell, which lets its jobs ignore it.
NOISY = """
import os, signal, sys, types
import fairtrial
from fairtrial.cli.main import main

def show_run(store, reference):
    print("an agent prints")
    os.write(1, b"a library writes\\n")
    os.system("echo a child echoes")
    print("noise", file=sys.stderr)
    return {"run": reference, "note": "\\u5e94\\u8fd8\\u91d1\\u989d \\U0001f642 \\ud800 \\x1b"}

def schema(kind):
    return {"title": "\\u5e94" * 100_000}

def runs(store):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.kill(os.getpid(), 2)

face = types.ModuleType("fairtrial.workflow")
face.show_run, face.schema, face.runs = show_run, schema, runs
sys.modules["fairtrial.workflow"] = fairtrial.workflow = face
sys.exit(main())
"""


def _environment(**changes: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FAIRTRIAL_", "LC_", "LANG", "PYTHON"))}
    return {**kept, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), **changes}


def _run(
    *words: str, noisy: bool = False, environment: dict[str, str] | None = None, folder: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, *(["-c", NOISY] if noisy else ["-m", "fairtrial"]), *words]
    return subprocess.run(command, capture_output=True, env=_environment(**(environment or {})), check=False, timeout=60, cwd=folder)


def test_what_agents_libraries_and_children_print_never_mixes_with_the_document() -> None:
    done = _run("show", "last", "--json", noisy=True)
    assert json.loads(done.stdout)["run"] == "last"
    for noise in (b"an agent prints", b"a library writes", b"a child echoes", b"noise"):
        assert noise in done.stderr


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C", "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii:strict"},
    ],
    ids=["cp1252", "posix", "ascii"],
)
def test_no_locale_makes_the_output_fail_or_garbled(locale: dict[str, str]) -> None:
    document = json.loads(_run("show", "last", "--json", noisy=True, environment=locale).stdout.decode("utf-8"))
    assert document["note"].startswith("应还金额 🙂")
    helped = _run("--help", environment=locale)
    assert helped.returncode == 0
    assert "FILE…" in helped.stdout.decode("utf-8")
    usage = _run("run", "--help", environment=locale)
    assert usage.returncode == 0
    wrong = _run("缺货", environment=locale)
    assert (wrong.returncode, wrong.stdout) == (2, b"")
    assert "缺货" in wrong.stderr.decode("utf-8")


def test_a_real_run_reads_and_writes_utf8_under_any_locale(tmp_path: Path) -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = _run("demo", "--lang", "zh", environment=ascii_only, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "团队没有胜过对照方案" in done.stdout.decode("utf-8")
    assert _run("export", "last", "markdown", "页.md", "--lang", "zh", environment=ascii_only, folder=tmp_path).returncode == 0
    assert "成功率" in next(tmp_path.glob("*.md")).read_bytes().decode("utf-8")


def test_a_reader_that_leaves_early_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", NOISY, "schema", "case"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment()
    ) as child:
        assert child.stdout is not None and child.stderr is not None
        child.stdout.read(10)
        child.stdout.close()
        complaint = child.stderr.read()
        code = child.wait(timeout=60)
    assert complaint == b""
    assert code == 141


@pytest.mark.parametrize("word", ["--help", "--version", "help"])
def test_a_reader_that_never_reads_the_help_is_no_error(word: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", NOISY, word]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, env=_environment(), check=False, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_standard_output_that_is_closed_is_no_crash() -> None:
    closed = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -c "$0" show last --json >&-', NOISY],
        capture_output=True,
        env=_environment(),
        check=False,
        timeout=60,
    )
    assert b"Traceback" not in closed.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("words", [["schema", "case"], ["show", "--help"], ["--help"], ["--version"], ["shwo", "--json"]])
def test_standard_output_that_is_full_is_told_and_is_no_fault_of_the_program(words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-c", NOISY, *words]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=_environment(), check=False, timeout=60)
    assert done.returncode not in (0, 1)
    assert b"Traceback" not in done.stderr
    assert b"fault of fairtrial" not in done.stderr
    assert (b"standard output cannot be written" in done.stderr) == ("--json" not in words)


def test_an_interruption_ends_130_and_says_so() -> None:
    done = _run("runs", noisy=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"interrupted\n")


def test_the_module_and_the_command_are_the_same_door() -> None:
    assert _run("--version").stdout.startswith(b"fairtrial ")
    assert _run("shwo").returncode == 2


MODULES = "import sys; from fairtrial.cli.main import main; main(sys.argv[1:]); print('\\n'.join(sys.modules), file=sys.stderr)"


@pytest.mark.parametrize(
    ("words", "never"),
    [
        (["--version"], {"click", "rich", "msgspec", "numpy", "fairtrial.records.errors", "fairtrial.workflow"}),
        (["--help"], {"rich", "msgspec", "numpy", "scipy", "fairtrial.records.report", "fairtrial.workflow", "sqlite3", "asyncio"}),
        (["run", "--help"], {"rich", "numpy", "fairtrial.workflow", "sqlite3", "asyncio"}),
    ],
)
def test_the_start_opens_nothing_it_does_not_need(words: list[str], never: set[str]) -> None:
    done = subprocess.run([sys.executable, "-c", MODULES, *words], capture_output=True, env=_environment(), check=True, timeout=60)
    assert never & set(done.stderr.decode().split()) == set()
