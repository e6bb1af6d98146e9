"""The way in for any program: it reads JSON lines on its standard input and writes them on its standard output.

The program runs in the trial's own folder and environment and dies with the trial. It sees the protocol and nothing else:
no descriptor of the harness is open in it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import InputError, MalformedAnswer
from fairtrial.records.strictjson import encode
from fairtrial.setups.lines import MAX_LINE, Answered, act, brief_line, closing, opening, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.case import Brief
    from fairtrial.setups.agent import InnerDesk

_STDERR_KEPT = 8192
_LONGEST_NAME = 200


class CommandFailed(Exception):
    """The program ended without an answer; its exit code and the end of its standard error say why."""


class CommandAgent:
    """A program seated as an agent; a path relative to the suite's folder is found there."""

    is_sync = True

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        if not command or not all(isinstance(word, str) for word in command):
            raise InputError("a command is a list of words", value=command, mend="write {command: [node, agent.js]}")
        self._command = [_found(word, folder) for word in command]
        if shutil.which(self._command[0]) is None:
            raise InputError(f"the command {command[0]!r} is not on this machine", value=list(command), mend="install it, or give its path")

    def answer(self, brief: Brief, desk: InnerDesk) -> Any:
        program = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        errors = _Tail(program)
        try:
            return self._converse(program, brief, desk.sync_face())
        except Answered as said:
            return said.output
        except BrokenPipeError:
            raise CommandFailed(errors.story()) from None
        except EOFError as ended:
            program.wait(timeout=5)
            if program.returncode == 0 and ended.args:
                raise MalformedAnswer(f"the program ended without an answer; its last line was {opening(ended.args[0])}") from None
            raise CommandFailed(errors.story()) from None
        finally:
            _end(program)

    def _converse(self, program: subprocess.Popen[bytes], brief: Brief, desk: Any) -> Any:
        assert program.stdin is not None and program.stdout is not None  # noqa: S101 - both were asked for as pipes
        _send(program, brief_line(brief))
        other = b""
        while line := program.stdout.readline(MAX_LINE):
            said = parse(line)
            if said is None:
                other = line.strip() or other
                continue
            reply = act(said, desk)
            if reply is not None:
                _send(program, encode(reply))
        if other:
            raise EOFError(other)
        raise EOFError


def _send(program: subprocess.Popen[bytes], line: bytes) -> None:
    assert program.stdin is not None  # noqa: S101
    try:
        program.stdin.write(line + b"\n")
        program.stdin.flush()
    except BrokenPipeError:
        # A program may answer without reading on; its output still counts.
        pass


def _found(word: str, folder: Path) -> str:
    """A word that names a file of the suite becomes its path, since the program runs in a folder of its own."""
    if word.startswith("-") or "\n" in word or len(word) > _LONGEST_NAME or not ("/" in word or "." in word):
        return word
    path = folder / word
    return str(path) if path.is_file() else word


def _end(program: subprocess.Popen[bytes]) -> None:
    for pipe in (program.stdin, program.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
    try:
        program.wait(timeout=0.5)
    except subprocess.TimeoutExpired:
        program.kill()
        program.wait()


class _Tail:
    """Keeps the end of a program's standard error, so that a full pipe never stops it."""

    def __init__(self, program: subprocess.Popen[bytes]) -> None:
        self._program = program
        self._kept = b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self._program.stderr is not None  # noqa: S101
        with self._program.stderr as stream:
            while piece := os.read(stream.fileno(), 65536):
                self._kept = (self._kept + piece)[-2 * _STDERR_KEPT :]

    def story(self) -> str:
        """How the program ended, in words."""
        try:
            code = self._program.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "the program closed its output but did not end"
        self._thread.join(timeout=1)
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        errors = closing(self._kept.decode("utf-8", "replace"), _STDERR_KEPT).strip()
        return f"the program {how} without an answer" + (f"; standard error: {errors}" if errors else "")
