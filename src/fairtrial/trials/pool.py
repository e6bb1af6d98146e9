"""The workers of one run, behind one face: orders in, finished and lost trials out.

`fork`, `process` and `sandbox`: one nursery begins each trial in a process of its own, by a fork, as an interpreter of its own,
or as one behind walls. `shared`: a few workers that each run many trials (`shared.py`).
"""

from __future__ import annotations

import os
import selectors
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.setup import Seat
from fairtrial.trials.home import move_out
from fairtrial.trials.link import SLACK_S, Link
from fairtrial.trials.order import OPENING_S, ORDER_ENCODER, Ended, Hello, Order, Problem, Result, StageSpec

if TYPE_CHECKING:
    from collections.abc import Sequence


class Finished(msgspec.Struct, frozen=True):
    """A trial that ended by itself: its record as JSON."""

    order: Order
    head: bytes
    body: bytes


class Lost(msgspec.Struct, frozen=True):
    """A trial whose process went away: how, and what the black box held."""

    order: Order
    ended: Ended


class Pool(Protocol):
    """`room` is how many more orders may be submitted now."""

    def open(self) -> list[Seat]:
        """Start; what each setup was really given. Raises InputError where the suite's code cannot be opened."""

    @property
    def room(self) -> int: ...

    def submit(self, orders: Sequence[Order]) -> None: ...

    def poll(self, timeout: float) -> list[Finished | Lost]:
        """What ended, waiting up to `timeout` seconds for the first."""

    def close(self) -> None:
        """End everything at once; trials under way are dropped."""


def wait_for(links: Sequence[Link], timeout: float) -> list[Link]:
    """The links with something to read, after flushing those that can be written to."""
    selector = selectors.DefaultSelector()
    try:
        for link in links:
            selector.register(link.control, selectors.EVENT_READ | (selectors.EVENT_WRITE * link.waits_to_write), link)
            if link.out is not None:
                selector.register(link.out, selectors.EVENT_READ, link)
        ready: list[Link] = []
        for key, events in selector.select(timeout):
            link = key.data
            if events & selectors.EVENT_WRITE:
                link.flush()
            if events & selectors.EVENT_READ and link not in ready:
                ready.append(link)
        return ready
    finally:
        selector.close()


def greet(link: Link) -> list[Seat]:
    """Wait for a worker to have opened its stage."""
    end = time.monotonic() + OPENING_S
    while True:
        if time.monotonic() > end:
            link.kill()
            raise InputError(f"the suite's code was still being imported after {OPENING_S:g} s", mend=link.last_words() or None)
        for _ in wait_for([link], 1):
            for message in link.read():
                if isinstance(message, Hello):
                    return msgspec.json.decode(message.seats, type=list[Seat])
                if isinstance(message, Problem):
                    raise message.error()
        if link.gone or link.process.poll() is not None:
            raise InputError("the suite's code ended its process while it was imported", mend=link.last_words() or None)


def unspill(path: Path) -> tuple[bytes, bytes]:
    """A result that travelled by file, read and removed; an empty record where the file is not what we write."""
    try:
        data = path.read_bytes()
        path.unlink()
        first, _, rest = data.partition(b"\n")
        (length,) = msgspec.json.decode(first, type=tuple[int])
    except (OSError, msgspec.DecodeError):
        return b"", b""
    return rest[:length], rest[length:]


class NurseryPool:
    """A nursery and the trials it holds; a new one where it was lost. `level` is fork, process or sandbox."""

    def __init__(self, spec: StageSpec, root: str, *, jobs: int, level: str = "fork") -> None:
        self._spec = spec
        self._root = root
        self._jobs = jobs
        self._level = level
        self._links: list[Link] = []
        self._held: dict[int, tuple[Order, Link]] = {}
        self._born = 0

    def open(self) -> list[Seat]:
        return greet(self._hatch())

    def _hatch(self) -> Link:
        self._born += 1
        log = f"{self._root}/nursery-{self._born}.log"
        link = Link("fairtrial.trials.nursery", self._spec, [self._root, self._level], datagrams=True, log=log)
        if self._level != "fork":
            link.slack_s = OPENING_S + SLACK_S  # each trial opens the stage for itself
        self._links.append(link)
        return link

    @property
    def room(self) -> int:
        return self._jobs - len(self._held)

    def submit(self, orders: Sequence[Order]) -> None:
        link = self._links[0] if self._links else self._hatch()
        for order in orders:
            self._held[order.ticket] = (order, link)
        link.give(ORDER_ENCODER.encode(orders))

    def poll(self, timeout: float) -> list[Finished | Lost]:
        found: list[Finished | Lost] = []
        for link in wait_for(self._links, timeout):
            for message in link.read():
                if isinstance(message, list):
                    found += [event for result in message if (event := self._finished(result))]
                elif isinstance(message, Ended):
                    found += self._ended(message)
                elif isinstance(message, Problem):
                    link.gone = True  # it could be opened before, so this is no fault of the suite's text
            if link.gone and link in self._links:
                found += self._orphaned(link)
        for link in self._silent():
            found += self._orphaned(link)
        return found

    def _silent(self) -> list[Link]:
        held: dict[Link, list[Order]] = {link: [] for link in self._links}
        for order, link in self._held.values():
            held[link].append(order)
        return [link for link, orders in held.items() if link.is_silent(orders)]

    def _finished(self, result: Result) -> Finished | None:
        order, _ = self._held.get(result.ticket, (None, None))
        if order is None or order.token != result.token:
            return None
        del self._held[result.ticket]
        # Where the file lies is ours to say: what a trial's process names could be any file.
        head, body = unspill(Path(f"{self._root}/t{result.ticket}.result")) if result.spill else (result.head, result.body)
        return Finished(order, head, body)

    def _ended(self, ended: Ended) -> list[Finished | Lost]:
        if self._level == "sandbox":
            for ticket in ended.tickets:
                Path(f"{self._root}/t{ticket}.result").unlink(
                    missing_ok=True
                )  # made beforehand, so that it can be written through the wall
        return [Lost(self._held.pop(ticket)[0], ended) for ticket in ended.tickets if ticket in self._held]

    def _orphaned(self, link: Link) -> list[Finished | Lost]:
        """A nursery died under its trials: they are lost through no fault of their own."""
        self._links.remove(link)
        link.kill()
        link.close()
        tickets = [ticket for ticket, (_, holder) in self._held.items() if holder is link]
        for ticket in tickets:
            move_out(f"{self._root}/t{ticket}")
            move_out(f"{self._root}/t{ticket}.place")
        ended = Ended(tuple(tickets), 0, 9, False, False, "the supervising process was lost")
        return [Lost(self._held.pop(ticket)[0], ended) for ticket in tickets]

    def close(self) -> None:
        for link in self._links:
            link.close()
        self._links.clear()
        self._held.clear()


def cpu_count() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
