"""Where the trials of a run take place: a pool of workers and its folder, which are gone with it.

Kept out: which trials (`running.py`), and how a worker is kept apart (`trials/pool.py`, `trials/shared.py`).
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.trials.home import move_out, run_root, sweep_leftovers
from fairtrial.trials.pool import NurseryPool, Pool
from fairtrial.trials.shared import SharedPool

if TYPE_CHECKING:
    from fairtrial.records.setup import Seat
    from fairtrial.trials.order import StageSpec


class Workshop:
    """A pool with its folder; both are gone on leaving, whatever happened."""

    def __init__(self, spec: StageSpec, level: str, jobs: int) -> None:
        if jobs < 1:
            raise InputError("at least one job is needed", value=jobs)
        sweep_leftovers()
        self._root = str(run_root())
        self.starts = f"{self._root}/starts"
        spec = msgspec.structs.replace(spec, starts=self.starts)
        self.pool: Pool = (
            SharedPool(spec, self._root, jobs=jobs) if level == "shared" else NurseryPool(spec, self._root, jobs=jobs, level=level)
        )

    def open(self) -> list[Seat]:
        return self.pool.open()

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self.pool.close()
        move_out(self._root)
