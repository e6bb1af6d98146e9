"""What a suite's check of itself found: where, what, and the mend."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`code` is a fixed id (near_duplicate, no_must_not, ...); `case` is empty where the whole suite is meant.

    `file` and `line` tell the place; `line` is None where only the file is known.
    """

    code: str
    message: str
    mend: str
    case: str = ""
    file: str = ""
    line: int | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(filter(None, [place, self.case, self.message])) + f"\n  mend: {self.mend} [{self.code}]"


def place_of(place: str) -> tuple[str, int | None]:
    """file:line taken apart, as a Finding wants it."""
    file, _, line = place.rpartition(":")
    return (file, int(line)) if file and line.isdigit() else (place, None)
