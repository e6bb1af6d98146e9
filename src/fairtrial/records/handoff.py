"""What one role sent another: the parcel that `desk.receive` returns."""

from __future__ import annotations

from typing import Any

import msgspec


class Parcel(msgspec.Struct, frozen=True, kw_only=True):
    """`facts` maps fact names to the values as sent; `number` counts parcels within the trial."""

    source: str | None
    target: str
    facts: dict[str, Any]
    number: int
