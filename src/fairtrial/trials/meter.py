"""The one budget of a trial: every member, retry and rework draws on it.

An amount is reserved before it is spent and settled afterwards, so that parallel members can never pass the ceiling
together. The first refusal closes the meter: the trial is over budget, whatever the agent does next.
"""

from __future__ import annotations

import threading
from decimal import Decimal, InvalidOperation
from typing import Any

from fairtrial.records.budget import Budget, Spend
from fairtrial.records.errors import OverBudget

_ZERO = Decimal(0)
_MOST = Decimal(10) ** 12
"""Beyond this a price is a mistake, and sums would no longer be exact."""


class Reservation:
    """Money and tokens set aside for one call. Settle it with what was really used, or release it."""

    __slots__ = ("_meter", "tokens", "usd")

    def __init__(self, meter: Meter, usd: Decimal, tokens: int) -> None:
        self._meter = meter
        self.usd = usd
        self.tokens = tokens

    def settle(self, usd: Decimal | None, input_tokens: int | None, output_tokens: int | None) -> None:
        """Charge what was used; None is unknown and is kept as unknown."""
        self._meter.settle(self, usd, (input_tokens, output_tokens))

    def release(self) -> None:
        """Give the reservation back: the call never happened, or failed before it cost anything."""
        self._meter.release(self)


class Meter:
    """Counts and ceilings of one trial. Safe under threads."""

    def __init__(self, budget: Budget, max_steps: int | None = None) -> None:
        self._budget = budget
        self._max_steps = max_steps
        self._lock = threading.Lock()
        self._held_usd = _ZERO
        self._held_tokens = 0
        self.closed_by = ""
        self.usd: Decimal | None = None
        self.input_tokens: int | None = None
        self.output_tokens: int | None = None
        self.unpriced = 0
        self.uncounted = 0
        self.model_calls = 0
        self.tool_calls = 0
        self.steps = 0
        self.retries = 0

    def tool(self) -> None:
        """Count one tool call, or raise OverBudget before it happens."""
        with self._lock:
            self._step()
            limit = self._budget.tool_calls
            if limit is not None and self.tool_calls >= limit:
                self.steps -= 1
                self._refuse("tool_calls", f"{limit} tool calls are all this trial may make")
            self.tool_calls += 1

    def _step(self) -> None:
        if self.closed_by:
            raise OverBudget(f"this trial is over budget ({self.closed_by})", self.closed_by)
        for name, limit in (("max_steps", self._max_steps), ("steps", self._budget.steps)):
            if limit is not None and self.steps >= limit:
                self._refuse(name, f"{limit} steps are all this trial may take")
        self.steps += 1

    def reserve(self, usd: Decimal = _ZERO, tokens: int = 0) -> Reservation:
        """Count one model call and set its price and tokens aside, or raise OverBudget before it happens."""
        with self._lock:
            self._step()
            money, ceiling = self._budget.usd, self._budget.tokens
            if money is not None and (self.usd or _ZERO) + self._held_usd + usd > money:
                self.steps -= 1
                self._refuse("usd", f"{usd} more would pass the trial's {money} (spent {self.usd or 0}, reserved {self._held_usd})")
            spent = (self.input_tokens or 0) + (self.output_tokens or 0)
            if ceiling is not None and spent + self._held_tokens + tokens > ceiling:
                self.steps -= 1
                self._refuse(
                    "tokens", f"{tokens} more would pass the trial's {ceiling} tokens (spent {spent}, reserved {self._held_tokens})"
                )
            self._held_usd += usd
            self._held_tokens += tokens
            return Reservation(self, usd, tokens)

    def settle(self, held: Reservation, usd: Decimal | None, tokens: tuple[int | None, int | None]) -> None:
        with self._lock:
            self._let_go(held)
            self.model_calls += 1
            if usd is None:
                self.unpriced += 1
            else:
                self.usd = (self.usd or _ZERO) + usd
            input_tokens, output_tokens = tokens
            if input_tokens is None or output_tokens is None:
                self.uncounted += 1
            if input_tokens is not None:
                self.input_tokens = (self.input_tokens or 0) + input_tokens
            if output_tokens is not None:
                self.output_tokens = (self.output_tokens or 0) + output_tokens

    def release(self, held: Reservation) -> None:
        with self._lock:
            self._let_go(held)

    def overdrawn(self) -> None:
        """Raise OverBudget where more was charged than the trial may spend: a call whose cost was not known before it was made."""
        with self._lock:
            tokens = (self.input_tokens or 0) + (self.output_tokens or 0)
            if self._budget.usd is not None and self.usd is not None and self.usd > self._budget.usd:
                self._refuse("usd", f"the trial's {self._budget.usd} are passed: {self.usd} were spent")
            if self._budget.tokens is not None and tokens > self._budget.tokens:
                self._refuse("tokens", f"the trial's {self._budget.tokens} tokens are passed: {tokens} were used")

    def _let_go(self, held: Reservation) -> None:
        self._held_usd -= held.usd
        self._held_tokens -= held.tokens

    def _refuse(self, limit: str, why: str) -> None:
        self.closed_by = limit
        raise OverBudget(why, limit)

    def spend(self) -> Spend:
        """What was used so far, as it is kept with the trial."""
        if not self.model_calls:
            return Spend(tool_calls=self.tool_calls, steps=self.steps, retries=self.retries)
        return Spend(
            usd=self.usd,
            usd_complete=not self.unpriced,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            tokens_complete=not self.uncounted,
            model_calls=self.model_calls,
            tool_calls=self.tool_calls,
            steps=self.steps,
            retries=self.retries,
        )


def money(stated: Any) -> Decimal | None:
    """A stated price as an exact decimal; None stays unknown. Raises ValueError for what is no amount."""
    if stated is None:
        return None
    try:
        amount = Decimal(repr(stated)) if isinstance(stated, float) else Decimal(stated)
    except (InvalidOperation, TypeError, ValueError):
        raise ValueError(f"not an amount of money: {stated!r}") from None
    if isinstance(stated, bool) or not amount.is_finite() or not 0 <= amount < _MOST:
        raise ValueError(f"not an amount of money: {stated!r}")
    return amount


def count(stated: Any, what: str) -> int | None:
    """A stated count; None stays unknown. Raises ValueError for what is no count."""
    if stated is None:
        return None
    if isinstance(stated, bool) or not isinstance(stated, int) or not 0 <= stated < _MOST:
        raise ValueError(f"{what} is not a count: {stated!r}")
    return stated


def milliseconds(stated: Any) -> float | None:
    """A stated time in ms; None stays unknown. Raises ValueError for what is no time."""
    if stated is None:
        return None
    if isinstance(stated, bool) or not isinstance(stated, (int, float, Decimal)) or not 0 <= stated < _MOST:
        raise ValueError(f"not a time in milliseconds: {stated!r:.60}")
    return float(stated)
