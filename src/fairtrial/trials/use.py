"""What the simulated user took: model calls, tokens, money, time. Counted apart, and never part of what the agent took."""

from __future__ import annotations

import time
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairtrial.models.model import Reply


class Use:
    """What the simulator took so far. `since` is set while its model is being asked."""

    def __init__(self) -> None:
        self.calls = 0
        self.rejected = 0
        self.uncounted = 0
        self.unpriced = 0
        self.input_tokens: int | None = None
        self.output_tokens: int | None = None
        self.spent: Decimal | None = None
        self.model = ""
        self.since: float | None = None
        self._waited = 0.0

    @property
    def usd(self) -> Decimal | None:
        """The price, where every call states one."""
        return None if self.unpriced else self.spent

    def begin(self) -> None:
        self.since = time.monotonic()
        self.calls += 1

    def finish(self, reply: Reply | None) -> None:
        if self.since is not None:
            self._waited += time.monotonic() - self.since
            self.since = None
        used = (reply.input_tokens, reply.output_tokens) if reply else (None, None)
        self.uncounted += None in used
        self.unpriced += reply is None or reply.usd is None
        if reply is None:
            return
        self.model = reply.model or self.model
        if used[0] is not None:
            self.input_tokens = (self.input_tokens or 0) + used[0]
        if used[1] is not None:
            self.output_tokens = (self.output_tokens or 0) + used[1]
        if reply.usd is not None:
            self.spent = (self.spent or Decimal(0)) + reply.usd

    def waited_ms(self) -> float:
        """Time spent asking, the call under way included."""
        return (self._waited + (0.0 if self.since is None else time.monotonic() - self.since)) * 1000
