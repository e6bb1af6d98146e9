"""What models cost, as a suite states it. Kept out: reading the file, and what one call comes to."""

from __future__ import annotations

from decimal import Decimal

import msgspec


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """US dollars per million tokens. Input that is read from a cache, or written to one, costs as all input where nothing is said."""

    input: Decimal
    output: Decimal
    cached: Decimal | None = None
    cache_write: Decimal | None = None


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """A table of prices by the model's name. `date` is the day its file says it is of; `source` the file's name."""

    models: dict[str, Price]
    date: str = ""
    source: str = ""

    @property
    def told(self) -> str:
        """The table in words: its file and its day."""
        return f"{self.source} of {self.date}" if self.date else self.source
