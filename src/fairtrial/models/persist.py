"""The one layer that asks again: a turn at the provider, the call, and another try where that can help, within one deadline.

Nobody above asks an outage again. Waiting for a turn and the pauses between tries are told apart from the time of the call that
answered. Tokens of a try that failed are not known and not invented. Kept out: the call itself.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import msgspec

from fairtrial.models.limiter import Busy, NoTurn, limiter_of
from fairtrial.models.model import MalformedReply
from fairtrial.records.errors import ProviderOutage

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.models.limiter import Limiter
    from fairtrial.models.model import Reply

TRIES = 3
"""How often a service that broke down is asked; one that is only busy is asked as long as it answers anybody."""
FIRST_PAUSE_S = 0.5


class Away(Exception):
    """The service broke down (5xx, a broken connection): the same call may go well a moment later."""

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.wait_s = wait_s


def persist(address: str, call: Callable[[float], Reply], timeout_s: float) -> Reply:
    """The reply with `ms`, `waited_ms` and `tries`. `call` is given the moment (monotonic) by which it must be done.

    `call` raises Busy, Away, or what is not asked again: ProviderOutage, MalformedReply. Raises the latter two.
    """
    began, limiter = time.monotonic(), limiter_of(address)
    until, broken, tries = began + timeout_s, 0, 0
    while True:
        tries += 1
        try:
            reply, took = _once(limiter, call, until)
        except NoTurn as none:
            raise ProviderOutage(f"{address}: {none}") from None
        except Busy as busy:
            if limiter.is_away():
                raise ProviderOutage(f"{address}: {busy}") from None
        except Away as away:
            broken += 1
            pause = FIRST_PAUSE_S * 2 ** (broken - 1) * random.uniform(0.8, 1.2) if away.wait_s is None else away.wait_s
            if broken == TRIES or time.monotonic() + pause >= until:
                raise ProviderOutage(f"{address}: {away}") from None
            time.sleep(pause)
        else:
            waited = max(time.monotonic() - began - took, 0.0)
            return msgspec.structs.replace(reply, ms=round(took * 1000, 3), waited_ms=round(waited * 1000, 3), tries=tries)


def _once(limiter: Limiter, call: Callable[[float], Reply], until: float) -> tuple[Reply, float]:
    """The reply and how many seconds the call took."""
    with limiter.turn(until):
        began = time.monotonic()
        try:
            reply = call(until)
        except MalformedReply:
            limiter.served()  # it answers, and its words are no matter of how much it can do
            raise
        limiter.served()
        return reply, time.monotonic() - began
