"""Asking judges while everything else goes on: trials wait here for what their judges say, and none of them waits for another.

Only the asking is done in threads: checks by code, the evidence that is put before a judge, and the writing of grades stay with
whoever drives the run. The threads are daemons, so that a call to a model that hangs keeps no command from ending. Kept out: what
is asked (`graders/matter.py`), and how often at once a provider may be called (`models/`).
"""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from fairtrial.graders.judge import NOT_JUDGED_YET
from fairtrial.records.opinion import Answer, Opinion
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from fairtrial.graders.contract import Ask
    from fairtrial.graders.pending import Pending
    from fairtrial.records.opinion import Matter

MOST = 200
"""Opinions that are formed at once."""
HELD = 1000
"""Trials that wait at once. Those beyond are read from the store again when there is room."""
_FILES_EACH = 3
"""Open files that one thread may need: a connection to a model, and the store."""
_FILES_LEFT = 120


class _Asked(NamedTuple):
    ticket: int
    question: str
    ask: Ask
    matter: Matter


class Judging:
    """Trials that wait for judges, each with whatever its owner wants back beside it."""

    def __init__(self) -> None:
        self._most = _most_threads()
        self._asked: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self._said: queue.SimpleQueue[tuple[int, str, Opinion]] = queue.SimpleQueue()
        self._threads = 0
        self._idle = threading.Semaphore(0)
        self._trials: dict[int, tuple[Any, Pending]] = {}
        self._left: dict[int, int] = {}
        self._next = 0
        self._stopped = False
        self._under_way: dict[tuple[int, str], Ask] = {}
        """What a judge has been asked and not said yet."""

    @property
    def waiting(self) -> int:
        """Trials whose judges have not all been heard."""
        return len(self._trials)

    def put(self, owner: Any, pending: Pending) -> None:
        """Begin to ask what a trial waits for."""
        self._next += 1
        asked = [_Asked(self._next, question, ask, matter) for question, ask, matter in pending.wanted()]
        self._trials[self._next] = owner, pending
        self._left[self._next] = len(asked)
        for one in asked:
            self._asked.put(one)
            if self._threads < self._most and not self._idle.acquire(blocking=False):
                self._threads += 1
                threading.Thread(target=self._work, name=f"judging-{self._threads}", daemon=True).start()

    def done(self, wait_s: float = 0.0) -> list[tuple[Any, Pending]]:
        """The trials whose judges have all been heard since this was last called, waiting for the first one up to `wait_s`."""
        found: list[tuple[Any, Pending]] = []
        until = time.monotonic() + wait_s
        while self._trials:
            try:
                ticket, question, opinion = self._said.get(timeout=max(0.0, until - time.monotonic()) if wait_s and not found else 0.0)
            except queue.Empty:
                break
            self._trials[ticket][1].hear(question, opinion)
            self._left[ticket] -= 1
            if not self._left[ticket]:
                del self._left[ticket]
                found.append(self._trials.pop(ticket))
        return found

    def stop(self) -> list[tuple[Any, Pending]]:
        """Ask nothing more. Gives back the trials that still wait. What is under way is not waited for, and what it took is not known."""
        self._stopped = True
        while not self._said.empty():
            ticket, question, opinion = self._said.get()
            if ticket in self._trials:
                self._trials[ticket][1].hear(question, opinion)
        for (ticket, question), ask in list(self._under_way.items()):
            if ticket in self._trials:
                self._trials[ticket][1].hear(question, _unsaid(ask, NOT_JUDGED_YET, "stopped while it was asked"))
        left, self._trials, self._left = list(self._trials.values()), {}, {}
        return left

    def close(self) -> None:
        """Let the threads go."""
        self._stopped = True
        for _ in range(self._threads):
            self._asked.put(None)

    def _work(self) -> None:
        while (one := self._asked.get()) is not None:
            if not self._stopped:
                self._under_way[one.ticket, one.question] = one.ask
                self._said.put((one.ticket, one.question, _opinion(one.ask, one.matter)))
                del self._under_way[one.ticket, one.question]
            self._idle.release()


def _opinion(ask: Ask, matter: Matter) -> Opinion:
    """What a judge says. One that breaks costs its own check, and nothing else."""
    try:
        return ask.opinion(matter)
    except Exception as error:  # noqa: BLE001 - a judge is a grader, and a broken one is UNKNOWN
        why = f"the judge broke: {type(error).__name__}: {error}"[:300]
        return _unsaid(ask, why, why)


def _unsaid(ask: Ask, why: str, problem: str) -> Opinion:
    """An opinion that came to nothing: at least one call was made, and nobody knows what it took."""
    low, high = map(float, ask.rubric.scale)
    return Opinion(
        judge=ask.name, identity=ask.identity, rubric=ask.rubric.hash, scale=(low, high), verdict=Verdict.UNKNOWN, why=why,
        answers=(Answer(model=ask.name, repeat=1, problem=problem, outage=True),),
    )  # fmt: skip


def _most_threads() -> int:
    """As many as the open files of this process allow."""
    try:
        import resource
    except ImportError:  # elsewhere than on POSIX there is no such limit
        return MOST
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MOST
    return min(MOST, max(4, (soft - _FILES_LEFT) // _FILES_EACH))
