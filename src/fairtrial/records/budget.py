"""One budget a trial, and what was spent of it.

Money is an exact decimal. An unknown amount is None, never 0: a trial that never stated a price was not free.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec


class Budget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Ceilings for a whole trial: every member, retry and rework draws on them. None means no ceiling."""

    usd: Decimal | None = None
    tokens: int | None = None
    tool_calls: int | None = None
    steps: int | None = None
    seconds: float | None = None

    def tightened(self, other: Budget | None) -> Budget:
        """The stricter of both, field by field."""
        if other is None:
            return self
        return Budget(**{name: _stricter(getattr(self, name), getattr(other, name)) for name in self.__struct_fields__})


def _stricter(one: Any, two: Any) -> Any:
    if one is None or two is None:
        return two if one is None else one
    return min(one, two)


class Spend(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a trial used. `usd` and the token counts are sums of what was stated.

    `usd` is None where no price was ever stated; `usd_complete` is False where some part has no price, so that
    `usd` is a lower bound. The same holds for tokens.
    """

    usd: Decimal | None = None
    usd_complete: bool = False
    input_tokens: int | None = None
    output_tokens: int | None = None
    tokens_complete: bool = False
    model_calls: int = 0
    tool_calls: int = 0
    steps: int = 0
    retries: int = 0
