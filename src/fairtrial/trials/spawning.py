"""How `process` and `sandbox` begin a trial: as a fresh interpreter, which opens the stage for itself (`cell.py`).

None of the user's code runs here, not even to look at it: what the setups were given is said by a first cell.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from fairtrial.records.errors import InputError
from fairtrial.trials import home, reap
from fairtrial.trials.blackbox import BlackBox, scratch
from fairtrial.trials.order import OPENING_S, ORDER_ENCODER, Hello, Order, Problem, StageSpec, Work, unpack
from fairtrial.trials.sandbox import HOME, PLACE, RESULT, Sandbox
from fairtrial.trials.wire import Reader, Spoilt
from fairtrial.worlds.source import AT_HAND, make_template

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.trials.limits import Limits

_LAST_WORDS = 2000
_SHELL = 128


class Spawns:
    leaves_orphans = True

    def __init__(self, spec: StageSpec, root: str, *, sandboxed: bool) -> None:
        """Raises InputError where the world's files or the sandbox cannot be had."""
        self._root = root
        self._spec = _with_files_at_hand(replace(spec, starts="") if sandboxed else spec, root)
        self._sandbox = Sandbox(self._spec, root) if sandboxed else None
        self.limits: Limits | None = None if self._sandbox is None else self._sandbox.limits

    def seats(self) -> bytes:
        """What each setup was really given, as JSON, as a cell of its own found it. Raises InputError."""
        box, name = self.box(), f"opening-{os.getpid()}"  # a nursery that takes the place of a lost one finds its things
        ours, theirs = socket.socketpair()
        with ours, theirs:
            pid, begins = self._spawn(name, Work(self._spec), box, theirs)
            theirs.close()
            try:
                return _heard(ours, box)
            finally:
                self.kill(pid)
                os.waitpid(pid, 0)
                reap.sweep(set())
                os.close(begins)
                self._clear(name, box)

    def settle(self) -> None:
        """No trial sees anything of this process."""

    def box(self) -> BlackBox:
        return BlackBox(passable=True)

    def start(self, order: Order, box: BlackBox, out: socket.socket, private: Sequence[int]) -> tuple[int, int | None]:
        """The trial's process, and what is closed at the other end once the agent begins. It gets no descriptor but its own."""
        setups = {name: setup for name, setup in self._spec.setups.items() if name == order.key.setup and order.scene.call is None}
        spec = replace(self._spec, setups=setups, calls=tuple(one for one in self._spec.calls if one.name == order.scene.call))
        return self._spawn(f"t{order.ticket}", Work(spec, order), box, out)

    def _spawn(self, name: str, work: Work, box: BlackBox, out: socket.socket) -> tuple[int, int]:
        ours, begins = os.pipe()
        assert box.memory is not None  # noqa: S101 - it was made passable
        given = [_written(ORDER_ENCODER.encode(work)), out.fileno(), begins, box.memory]
        process = subprocess.Popen(
            self._words(name, [str(number) for number in given]),
            pass_fds=given,
            stdin=subprocess.DEVNULL,
            stdout=box.printed,
            stderr=box.printed,
            env=None if self._sandbox is None else self._sandbox.environment,
            start_new_session=True,
        )
        process.returncode = 0  # it is waited for by its number, and by nobody else
        os.close(given[0])
        os.close(begins)
        return process.pid, ours

    def _words(self, name: str, given: list[str]) -> list[str]:
        module, own = "fairtrial.trials.cell", f"{self._root}/{name}"
        if self._sandbox is None:
            return [sys.executable, "-m", module, *given, own, f"{own}.place", f"{own}.result", "process"]
        result = f"{own}.result"
        os.close(os.open(result, os.O_CREAT | os.O_EXCL, 0o600))  # only its content is the trial's to write
        return self._sandbox.wrap([sys.executable, "-P", "-m", module, *given, HOME, PLACE, RESULT, "sandbox"], (result, RESULT))

    def kill(self, pid: int) -> None:
        if self._sandbox is not None:
            reap.kill_children(pid)  # the first process behind the wall: with it all others end at once
        reap.kill_tree(pid)

    def exit_code(self, status: int) -> int:
        """Negative where a signal ended the process, as Python has it; the sandbox tells it as a shell does."""
        code = os.waitstatus_to_exitcode(status)
        return _SHELL - code if self._sandbox is not None and code > _SHELL else code

    def clear(self, order: Order, box: BlackBox | None) -> None:
        self._clear(f"t{order.ticket}", box)

    def _clear(self, name: str, box: BlackBox | None) -> None:
        if self._sandbox is None:
            home.move_out(f"{self._root}/{name}")
            home.move_out(f"{self._root}/{name}.place")
        if box is not None:
            box.close()

    def close(self) -> None:
        """All that was made lies in the run's folder and goes with it."""


def _with_files_at_hand(spec: StageSpec, root: str) -> StageSpec:
    """A world of files is fetched once, here: a repository holds more than the commit that trials may see."""
    world = spec.world
    if world.kind != "files" or world.source is None:
        return spec
    template = Path(root, f"source-{os.getpid()}")
    make_template(Path(spec.folder, world.source), world.commit, Path(spec.folder), template)
    return replace(spec, world=replace(world, source=str(template), commit=AT_HAND))


def _heard(ours: socket.socket, box: BlackBox) -> bytes:
    ours.settimeout(OPENING_S)
    try:
        said = unpack(Reader(ours).wait())
    except TimeoutError:
        raise InputError(f"the suite's code was still being imported after {OPENING_S:g} s") from None
    except (EOFError, OSError, Spoilt, KeyError, msgspec.DecodeError):
        words = box.output(_LAST_WORDS).decode("utf-8", "replace").strip()
        raise InputError("the suite's code ended its process while it was imported", mend=words or None) from None
    if isinstance(said, Hello):
        return said.seats
    raise said.error() if isinstance(said, Problem) else InputError("the suite's code spoke in the harness's place")


def _written(data: bytes) -> int:
    """A descriptor from which a program reads the data."""
    descriptor = scratch()
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
