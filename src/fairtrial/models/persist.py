"""The one layer that asks again: a turn at the provider, the call, and another try where that can help, within one deadline.

Where a patience is given, the time-out bounds each call once it is under way, and the patience bounds all of it: turn, pauses and
calls. A call that ran out of its time is then asked again, by fewer at once.

Nobody above asks an outage again. Waiting for a turn and the pauses between tries are told apart from the time of the call that
answered. Tokens of a try that failed are not known and not invented. Kept out: the call itself.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import msgspec

from fairtrial.models.limiter import Busy, NoTurn, Slow, limiter_of
from fairtrial.models.model import MalformedReply
from fairtrial.records.errors import ProviderOutage

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.models.limiter import Limiter
    from fairtrial.models.model import Reply

TRIES = 3
"""How often a service that broke down is asked; one that is only busy is asked as long as it answers anybody."""
FIRST_PAUSE_S = 0.5


SILENT = 0.5
"""A provider that has answered nobody for this share of the patience since a call ran out of its time is away."""


class Away(Exception):
    """The service broke down (5xx, a broken connection): the same call may go well a moment later."""

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.wait_s = wait_s


def patience_of(timeout_s: float) -> float:
    """How long somebody who asks much at once waits for one answer in all, where a single call may take so long."""
    return max(300.0, 10 * timeout_s)


def persist(address: str, call: Callable[[float], Reply], timeout_s: float, patience_s: float | None = None) -> Reply:
    """The reply with `ms`, `waited_ms` and `tries`. `call` is given the moment (monotonic) by which it must be done. Without
    `patience_s`, `timeout_s` bounds turn, pauses and calls together.

    `call` raises Busy, Away, Slow, or what is not asked again: ProviderOutage, MalformedReply. Raises the latter two.
    """
    began, limiter = time.monotonic(), limiter_of(address)
    until, broken, tries = began + (timeout_s if patience_s is None else patience_s), 0, 0
    while True:
        tries += 1
        try:
            reply, took = _once(limiter, call, until, timeout_s)
        except NoTurn as none:
            raise ProviderOutage(f"{address}: {none}") from None
        except Busy as busy:
            if limiter.is_away():
                raise ProviderOutage(f"{address}: {busy}") from None
        except Slow as slow:
            if patience_s is None or time.monotonic() >= until or limiter.is_silent(SILENT * patience_s):
                again = f" {timeout_s:g} s, asked {tries} times" if patience_s is not None else ""
                raise ProviderOutage(f"{address}: {slow}{again}") from None
        except Away as away:
            broken += 1
            pause = FIRST_PAUSE_S * 2 ** (broken - 1) * random.uniform(0.8, 1.2) if away.wait_s is None else away.wait_s
            if broken == TRIES or time.monotonic() + pause >= until:
                raise ProviderOutage(f"{address}: {away}") from None
            time.sleep(pause)
        else:
            waited = max(time.monotonic() - began - took, 0.0)
            return msgspec.structs.replace(reply, ms=round(took * 1000, 3), waited_ms=round(waited * 1000, 3), tries=tries)


def _once(limiter: Limiter, call: Callable[[float], Reply], until: float, timeout_s: float) -> tuple[Reply, float]:
    """The reply and how many seconds the call took."""
    with limiter.turn(until):
        began = time.monotonic()
        try:
            reply = call(min(until, began + timeout_s))
        except MalformedReply:
            limiter.served()  # it answers, and its words are no matter of how much it can do
            raise
        limiter.served()
        return reply, time.monotonic() - began
