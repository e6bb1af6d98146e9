"""`command: [pytest, -q]`: a program of the user's own looks at the end of the world, after the trial and out of its reach.

It runs in a fresh folder that holds a copy of the end state (the files; else state.json), without the caller's environment, in a
process group of its own that is ended with it; where the trials were in a sandbox, behind the same walls. Its exit code decides;
what it printed is evidence, and an expectation on `stdout` can only ask for more.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from fairtrial.graders.contract import Confine
from fairtrial.graders.finding import Finding, broken, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.kept import untold
from fairtrial.graders.matchers import compile_argument
from fairtrial.graders.values import Probe, claimed, end_place
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind
from fairtrial.records.strictjson import encode
from fairtrial.records.text import dumps, write_text
from fairtrial.records.tree import Tree, can_run, data_of, inside, link_inside, link_of

SECONDS = 60.0
MOST_OUTPUT = 65_536
"""Bytes, the last ones, that an expectation on `stdout` reads."""
LAST_LINES = 20
LAST_BYTES = 1_500
"""What is kept as evidence, of JSON: the end, where a program says what went wrong."""
_WHOLE = ("text", "base64", "link", "special")
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")


class Done(NamedTuple):
    """`exit` is None where the program had to be ended."""

    exit: int | None
    output: str


class _Given(NamedTuple):
    """What the program gets to see."""

    state: Any
    answer: Any
    files: bool


def compile_command(check: Check, ground: Ground) -> Probe:
    command = [str(word) for word in check.target]
    wanted = check.expect.get("exit", 0)
    seconds = float(check.expect.get("timeout_s", SECONDS))
    printed = compile_argument(check.expect["stdout"], check.place) if "stdout" in check.expect else None
    shown = " ".join(command)

    def probe(view: View) -> Finding:
        gone = _not_there(view)
        if gone is not None:
            return gone
        try:
            done = run(command, _Given(view.state, view.output if view.answered else None, view.files), seconds, ground.contract.confine)
        except ValueError as error:
            return unknown(f"the end of the world cannot be set up again: {error}")
        except OSError as error:
            return broken(f"{shown} could not be run: {error}")
        said = {"printed": tail(done.output)}
        if done.exit is None:
            return fails(
                f"{shown} took longer than {seconds:g} s",
                path=shown,
                seen=said,
                firm=True,
                kind=FailureKind.TIMEOUT,
            )
        if done.exit != wanted:
            why = f"{shown} ended with {done.exit}, not {wanted}"
            return fails(why, path=shown, expected={"exit": wanted}, seen={"exit": done.exit, **said})
        mismatch = printed(done.output) if printed else None
        if mismatch:
            return fails(
                f"{shown} printed something else: {mismatch.why}",
                path=shown,
                expected=mismatch.expected,
                seen=said,
            )
        return holds(path=shown, seen={"exit": done.exit})

    return probe if check.under in ("must_not", "not") else claimed(probe)


def run(command: list[str], given: _Given, seconds: float, confine: Confine | None = None) -> Done:
    """Run a command on a copy of the state. Raises OSError where it cannot be started, ValueError for a state that is no world."""
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory(prefix="fairtrial-check-", ignore_cleanup_errors=True) as folder:
        work, home = os.path.join(folder, "world"), os.path.join(folder, "home")
        os.mkdir(work)
        os.mkdir(home)
        if given.files:
            _put_back(work, given.state)
        else:
            write_text(os.path.join(work, "state.json"), dumps(given.state))
        write_text(os.path.join(home, "answer.json"), dumps(given.answer))
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        environment |= {"HOME": home, "TMPDIR": home, "FAIRTRIAL_ANSWER": os.path.join(home, "answer.json")}
        with open(os.path.join(home, "printed"), "w+b") as printed:
            process = subprocess.Popen(
                command if confine is None else confine(command, folder, work),
                cwd=work,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            code = _wait(process, seconds)
            printed.seek(max(0, printed.seek(0, os.SEEK_END) - MOST_OUTPUT))
            output = printed.read(MOST_OUTPUT).decode("utf-8", "replace")
    return Done(code, output)


def tail(text: str) -> str:
    """The end of what was printed, with … before it where something is left out."""
    whole = text.rstrip()
    end = "\n".join(whole.split("\n")[-LAST_LINES:])
    while len(encode(end)) > LAST_BYTES:
        end = end[len(end) // 8 + 1 :]
    return end if end == whole else f"…{end}"


def _not_there(view: View) -> Finding | None:
    """UNKNOWN where the end of the world is not known in every part."""
    if not view.state_kept:
        return unknown("the end of the world was not kept")
    lost = [path for path, value in view.state.items() if not _whole(value)] if view.files else []
    if lost:
        return unknown(f"{lost[0]} was not kept whole, so the world cannot be set up again", path=lost[0])
    return untold(view, end_place(view), "part of the state")


def _whole(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and any(isinstance(value.get(form), str) for form in _WHOLE))


def _put_back(top: str, tree: Tree) -> None:
    """Write a tree below `top`: files first, then links, so that nothing is written through one. A link that leads out is left out.

    Raises ValueError for what no folder can have held.
    """
    links = {path: target for path, value in tree.items() if (target := link_of(value)) is not None}
    try:
        for path, value in tree.items():
            if not inside(path):
                raise ValueError(f"{path!r} is no path below its top")
            data = data_of(value)
            file = os.path.join(top, path)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            if data is not None:
                with open(file, "xb") as out:
                    out.write(data)
                os.chmod(file, 0o755 if can_run(value) else 0o644)
        for path, target in links.items():
            if link_inside(path, target):
                os.symlink(target, os.path.join(top, path))
    except OSError as error:
        raise ValueError(str(error).replace(top, "")) from None


def _wait(process: Any, seconds: float) -> int | None:
    import subprocess

    try:
        code: int | None = process.wait(seconds)
    except subprocess.TimeoutExpired:
        code = None
    _end_group(process.pid)
    process.wait()
    return code


def _end_group(group: int) -> None:
    """Whatever the command left behind ends with it."""
    import signal

    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
