"""The pool of shared workers: many trials at once in each of a few processes.

When a worker dies, whoever it held is started again. Since one of them may have been the cause, they are tried one by one
in a worker of their own, so that the culprit ends alone and its neighbours are not harmed. A worker that says nothing for
longer than any of its trials may take is ended from here: its own watch needs the interpreter, which an agent can hold.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fairtrial.trials.link import Link
from fairtrial.trials.order import GOODBYE, ORDER_ENCODER, SELF_SIGNAL, Ended, Order, Problem, Retiring, StageSpec
from fairtrial.trials.pool import Finished, Lost, cpu_count, greet, wait_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.setup import Seat
    from fairtrial.trials.order import Result

AHEAD = 64
"""Orders that wait inside a worker beyond its slots, so that it never idles; only where trials are quick."""
QUICK_S = 0.02
"""Where a trial takes longer, waiting orders gain nothing and would leave one worker with more to do than another at the end."""


RETURNS = 3
"""How often a trial is given out again because its worker ended on purpose under it."""


class Hand:
    """One worker and what it holds."""

    def __init__(self, link: Link, *, alone: bool) -> None:
        self.asked = False
        self.link = link
        self.alone = alone
        self.retiring = False
        self.left = False
        self.held: dict[int, Order] = {}


class SharedPool:
    def __init__(self, spec: StageSpec, root: str, *, jobs: int) -> None:
        self._spec = spec
        self._root = root
        self._size = max(1, min(cpu_count(), jobs))
        self._slots = -(-jobs // self._size)
        self._hands: list[Hand] = []
        self._suspects: list[Order] = []
        self._found: list[Finished | Lost] = []
        self._born = 0
        self._returned: dict[int, int] = {}
        self._begun = 0.0
        self._done = 0

    def open(self) -> list[Seat]:
        hands = [self._hire() for _ in range(self._size)]
        seats = [greet(hand.link) for hand in hands]
        return seats[0]

    def _hire(self, *, alone: bool = False) -> Hand:
        self._born += 1
        slots = 1 if alone else self._slots
        log = f"{self._root}/worker-{self._born}.log"
        link = Link("fairtrial.trials.worker", self._spec, [str(slots), f"{self._root}/worker-{self._born}"], datagrams=False, log=log)
        hand = Hand(link, alone=alone)
        self._hands.append(hand)
        return hand

    def _open_hands(self) -> list[Hand]:
        return [hand for hand in self._hands if not hand.alone and not hand.retiring]

    @property
    def room(self) -> int:
        ahead = AHEAD if self._done and self._pace() < QUICK_S else 0
        return max(0, (self._slots + ahead) * self._size - sum(len(hand.held) for hand in self._hands) - len(self._suspects))

    def _pace(self) -> float:
        """Seconds that a trial holds a slot, on average so far."""
        return (time.monotonic() - self._begun) * self._slots * self._size / self._done

    def submit(self, orders: Sequence[Order]) -> None:
        self._begun = self._begun or time.monotonic()
        hands = self._open_hands()
        while len(hands) < self._size:
            hands.append(self._hire())
        shares: list[list[Order]] = [[] for _ in hands]
        for order in orders:
            least = min(range(len(hands)), key=lambda index: len(hands[index].held))
            hands[least].held[order.ticket] = order
            shares[least].append(order)
        for hand, share in zip(hands, shares, strict=True):
            if share:
                hand.link.give(ORDER_ENCODER.encode(share))

    def poll(self, timeout: float) -> list[Finished | Lost]:
        by_link = {id(hand.link): hand for hand in self._hands}
        for link in wait_for([hand.link for hand in self._hands], timeout):
            hand = by_link[id(link)]
            for message in link.read():
                self._take(hand, message)
            if link.gone:
                self._bury(hand)
        for hand in self._hands:
            hand.link.trim()
        for hand in [hand for hand in self._hands if hand.link.is_silent(hand.held.values())]:
            hand.asked = True
            hand.link.kill()
            self._bury(hand)
        self._question()
        found, self._found = self._found, []
        return found

    def _take(self, hand: Hand, message: object) -> None:
        if isinstance(message, list):
            for result in message:
                self._finished(hand, result)
        elif isinstance(message, Retiring):
            hand.retiring = True
            hand.left = hand.left or message.ticket == GOODBYE
        elif isinstance(message, Problem) and not hand.link.open:
            raise message.error()

    def _finished(self, hand: Hand, result: Result) -> None:
        order = hand.held.get(result.ticket)
        if order is not None and order.token == result.token:
            del hand.held[result.ticket]
            self._returned.pop(result.ticket, None)
            self._done += 1
            self._found.append(Finished(order, result.head, result.body))

    def _bury(self, hand: Hand) -> None:
        self._hands.remove(hand)
        words = hand.link.last_words()
        hand.link.close()
        held = list(hand.held.values())
        if hand.left:
            # It ended on purpose: after a trial that would not let go, or because it had retired. The rest is innocent.
            self._give_again(held, alone=hand.alone)
            return
        hand.link.kill()
        if not hand.alone:
            self._suspects += held
            return
        code = hand.link.process.returncode
        by_itself = code >= 0 or -code not in (9, 15) or SELF_SIGNAL in words or hand.link.spoilt
        ended = Ended(tuple(hand.held), max(code, 0), max(-code, 0), hand.asked, by_itself, words)
        self._found += [Lost(order, ended) for order in held]

    def _give_again(self, held: list[Order], *, alone: bool) -> None:
        """Orders whose worker ended on purpose; one under which workers keep doing so is given up."""
        fresh: list[Order] = []
        for order in held:
            self._returned[order.ticket] = self._returned.get(order.ticket, 0) + 1
            if self._returned[order.ticket] > RETURNS:
                del self._returned[order.ticket]
                ended = Ended((order.ticket,), 0, 0, False, True, "every worker that was given this trial ended under it")
                self._found.append(Lost(order, ended))
            else:
                fresh.append(order)
        if alone:
            self._suspects += fresh
        elif fresh:
            self.submit(fresh)

    def _question(self) -> None:
        """Start one suspect in a worker of its own, when none is being questioned."""
        busy = [hand for hand in self._hands if hand.alone and not hand.retiring]
        if not self._suspects or any(hand.held for hand in busy):
            return
        hand = busy[0] if busy else self._hire(alone=True)
        order = self._suspects.pop(0)
        hand.held[order.ticket] = order
        hand.link.give(ORDER_ENCODER.encode([order]))

    def close(self) -> None:
        for hand in self._hands:
            hand.link.close()
        self._hands.clear()
