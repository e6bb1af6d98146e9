"""How far a long command is: a bar on a terminal, a line now and then in a log; nothing for what takes under a second.

Always on standard error. It is driven by calls from the work itself and starts no thread, since the work forks.
"""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from fairtrial.report.words import Words

PATIENCE_S = 1.0
REDRAW_S = 0.1
HEARTBEAT_S = 10.0


class Progress:
    """Called as progress(done, total, failed, unknown, judging); a context that clears what it drew."""

    def __init__(self, words: Words, *, quiet: bool, clock: Callable[[], float] = monotonic) -> None:
        self._words = words
        self._clock = clock
        self._start = clock()
        self._next = self._start + PATIENCE_S
        self._quiet = quiet
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int, failed: int = 0, unknown: int = 0, judging: int = 0) -> None:
        now = self._clock()
        if self._quiet or now < self._next:
            return
        if sys.stderr.isatty():
            self._next = now + REDRAW_S
            self._draw(done, total, self._line(done, total, (failed, unknown, judging)))
        else:
            self._next = now + HEARTBEAT_S
            print(self._line(done, total, (failed, unknown, judging)), file=sys.stderr, flush=True)

    def _line(self, done: int, total: int, counted: tuple[int, int, int]) -> str:
        failed, unknown, judging = counted
        counts = self._words("progress.counts", failed=f"{failed:,}", unknown=f"{unknown:,}")
        if judging:
            counts += self._words("progress.judging", judging=f"{judging:,}")
        return f"{self._words('progress', done=f'{done:,}', total=f'{total:,}')}  {counts}  {self._clock() - self._start:.0f} s"

    def _draw(self, done: int, total: int, line: str) -> None:
        if self._bar is None:
            from rich import progress
            from rich.console import Console

            columns = (progress.BarColumn(), progress.TextColumn("{task.description}", markup=False), progress.TimeRemainingColumn())
            self._bar = progress.Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
            self._bar.start()
            self._task = self._bar.add_task("", total=total)
        self._bar.update(self._task, completed=done, total=total, description=line, refresh=True)
