"""The run itself: orders go out, records come in, each is handed on once.

Which trials are tried again after a harness fault is read from `FATES`. The sink is given every finished trial and, as
history, every attempt that the harness repeated. An interruption keeps what is finished and drops what is under way.
"""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Protocol

import msgspec

from fairtrial.records.trial import FATES, TrialHead, TrialKey
from fairtrial.trials.order import Order
from fairtrial.trials.pool import Finished, Lost, Pool
from fairtrial.trials.salvage import salvage, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BATCH = 64
_HEAD = msgspec.json.Decoder(TrialHead)


class Sink(Protocol):
    """Where finished trials go."""

    def accept(self, head: TrialHead, body: bytes) -> None:
        """A trial's record; durable once the sink says so."""

    def tried(self, head: TrialHead, body: bytes) -> None:
        """An attempt that ended by the harness's fault and is made again: history, not a result."""

    def idle(self) -> None:
        """Called whenever nothing waits to be accepted: the time to write what is held back."""


@dataclass
class Drive:
    """One run over a pool. `make` turns a key into an order; `stop` is asked between steps and ends the run early."""

    pool: Pool
    sink: Sink
    make: Callable[[TrialKey, int, str, int], Order]
    stop: Callable[[], bool] = lambda: False
    pulse_s: float = 0.25
    _chance: random.Random = field(default_factory=lambda: random.Random(secrets.randbits(128)))
    _ticket: int = 0
    _tries: dict[TrialKey, int] = field(default_factory=dict)
    _again: list[TrialKey] = field(default_factory=list)
    _under_way: int = 0

    def run(self, keys: Iterator[TrialKey]) -> bool:
        """Run every key. Returns False where it was stopped before the end."""
        more = True
        while True:
            if self.stop():
                return False
            more = self._submit(keys) if more or self._again else False
            if not self._under_way and not more and not self._again:
                self.sink.idle()
                return True
            hungry = bool(self._again) or (more and self.pool.room > 0)
            events = self.pool.poll(0 if hungry else self.pulse_s)
            for event in events:
                self._under_way -= 1
                self._handle(event)
            if not events:
                self.sink.idle()

    def _submit(self, keys: Iterator[TrialKey]) -> bool:
        """Fill the pool's room; False once there are no more keys."""
        room = self.pool.room
        if room <= 0:
            return True
        take = min(room, BATCH)
        again, self._again = self._again[:take], self._again[take:]
        fresh = list(islice(keys, take - len(again)))
        orders = [self._order(key) for key in again + fresh]
        if orders:
            self.pool.submit(orders)
            self._under_way += len(orders)
        return len(fresh) == take - len(again)

    def _order(self, key: TrialKey) -> Order:
        self._ticket += 1
        return self.make(key, self._ticket, f"{self._chance.getrandbits(40):010x}", self._tries.get(key, 1))

    def _handle(self, event: Finished | Lost) -> None:
        head, body = self._read(event) if isinstance(event, Finished) else salvage(event.order, event.ended)
        key = event.order.key
        if head.tries <= FATES[head.ending].retries:
            self._tries[key] = head.tries + 1
            self._again.append(key)
            self.sink.tried(head, body)
            return
        self._tries.pop(key, None)
        self.sink.accept(head, body)

    def _read(self, event: Finished) -> tuple[TrialHead, bytes]:
        # The trial's own process wrote this. It may be no record at all, and whose trial it is, is not for it to say.
        try:
            head = _HEAD.decode(event.head)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return unreadable(event.order, error)
        return msgspec.structs.replace(head, key=event.order.key, seed=event.order.seed, tries=event.order.tries), event.body
