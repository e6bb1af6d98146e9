"""`command: [pytest, -q]`: a program of the user's own looks at the end of the world, after the trial and out of its reach.

It runs in a fresh folder that holds a copy of the end state (state.json), without the caller's environment, in a process
group of its own that is ended with it. Its exit code decides; what it printed is evidence, and an expectation on `stdout`
can only ask for more.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from fairtrial.graders.finding import Finding, broken, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.kept import untold
from fairtrial.graders.matchers import compile_argument
from fairtrial.graders.values import Probe, end_place
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind
from fairtrial.records.text import dumps, write_text

SECONDS = 60.0
MOST_OUTPUT = 65_536
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")


class Done(NamedTuple):
    """`exit` is None where the program had to be ended."""

    exit: int | None
    output: str


def compile_command(check: Check, ground: Ground) -> Probe:
    command = [str(word) for word in check.target]
    wanted = check.expect.get("exit", 0)
    seconds = float(check.expect.get("timeout_s", SECONDS))
    printed = compile_argument(check.expect["stdout"], check.place) if "stdout" in check.expect else None
    shown = " ".join(command)

    def probe(view: View) -> Finding:
        if not view.state_kept:
            return unknown("the end of the world was not kept")
        covered = untold(view, end_place(view), "part of the state")
        if covered is not None:
            return covered
        try:
            done = run(command, view.state, view.output if view.answered else None, seconds)
        except OSError as error:
            return broken(f"{shown} could not be run: {error}")
        if done.exit is None:
            return fails(f"{shown} took longer than {seconds:g} s", path=shown, seen=done.output, firm=True, kind=FailureKind.TIMEOUT)
        if done.exit != wanted:
            why = f"{shown} ended with {done.exit}, not {wanted}"
            return fails(why, path=shown, expected={"exit": wanted}, seen={"exit": done.exit, "printed": done.output})
        mismatch = printed(done.output) if printed else None
        if mismatch:
            return fails(f"{shown} printed something else: {mismatch.why}", path=shown, expected=mismatch.expected, seen=done.output)
        return holds(path=shown, seen={"exit": done.exit})

    return probe


def run(command: list[str], state: Any, answer: Any, seconds: float) -> Done:
    """Run a command on a copy of the state. Raises OSError where it cannot be started."""
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory(prefix="fairtrial-check-", ignore_cleanup_errors=True) as folder:
        work, home = os.path.join(folder, "world"), os.path.join(folder, "home")
        os.mkdir(work)
        os.mkdir(home)
        write_text(os.path.join(work, "state.json"), dumps(state))
        write_text(os.path.join(home, "answer.json"), dumps(answer))
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        environment |= {"HOME": home, "TMPDIR": home, "FAIRTRIAL_ANSWER": os.path.join(home, "answer.json")}
        with open(os.path.join(home, "printed"), "w+b") as printed:
            process = subprocess.Popen(
                command,
                cwd=work,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            code = _wait(process, seconds)
            printed.seek(0)
            output = printed.read(MOST_OUTPUT).decode("utf-8", "replace")
    return Done(code, output)


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
