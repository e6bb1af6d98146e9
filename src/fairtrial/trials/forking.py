"""How `fork` begins a trial: from a stage that is opened once, one child a trial.

The children share what the agent's modules hold before the first trial; all else is each one's own.
"""

from __future__ import annotations

import gc
import os
from typing import TYPE_CHECKING

from fairtrial.records.strictjson import encode
from fairtrial.trials import home, reap
from fairtrial.trials.blackbox import BlackBox
from fairtrial.trials.child import live, prepare_supervisor, ready
from fairtrial.trials.order import Order, StageSpec
from fairtrial.trials.practice import practise
from fairtrial.trials.stage import Stage

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

    from fairtrial.trials.limits import Limits


class Forks:
    limits: Limits | None = None
    leaves_orphans = False
    """Whether what a trial leaves behind must be looked for even where it says that it started nothing."""

    def __init__(self, spec: StageSpec, root: str) -> None:
        """Raises InputError where the suite's code cannot be opened."""
        self._root = root
        self._spare: list[BlackBox] = []
        prepare_supervisor()
        self._stage = Stage(spec, root)

    def seats(self) -> bytes:
        """What each setup was really given, as JSON."""
        return encode(self._stage.seats())

    def settle(self) -> None:
        """Once, before the first trial."""
        practise()
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        gc.disable()  # in the nursery only: a collection here would copy pages that all children share

    def box(self) -> BlackBox:
        box = self._spare.pop() if self._spare else BlackBox()
        box.clear()
        return box

    def start(self, order: Order, box: BlackBox, out: socket.socket, private: Sequence[int]) -> tuple[int, int | None]:
        """The child's process. `private` are descriptors that it must not have."""
        trial = ready(order, self._stage, box, self._folder(order))
        pid = os.fork()
        if pid == 0:
            for number in [*private, *(spare.printed for spare in self._spare)]:
                os.close(number)
            live(trial, out)
        trial.forget()
        return pid, None

    def kill(self, pid: int) -> None:
        reap.kill_tree(pid)

    def exit_code(self, status: int) -> int:
        """Negative where a signal ended the process, as Python has it."""
        return os.waitstatus_to_exitcode(status)

    def clear(self, order: Order, box: BlackBox | None) -> None:
        """After a trial: its folder goes, its box is used again."""
        home.move_out(self._folder(order))
        if box is not None:
            self._spare.append(box)

    def close(self) -> None:
        self._stage.world.close()

    def _folder(self, order: Order) -> str:
        return f"{self._root}/t{order.ticket}"
