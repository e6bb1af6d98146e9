"""Ratings that people or judges gave, from a file of one JSON object a line: {"item", "rater", "label", "cluster", "severity", "slice"}.

A broken line is refused with its number and reason, and takes no other with it. Kept out: what agreement comes to.
"""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.exchange.imported import Refusal
from fairtrial.exchange.tablefile import read_jsonl_file

KEYS = ("item", "cluster", "rater", "label", "severity", "slice")


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """What one rater said of one item. `rater` is `human:NAME`, or the name of a judge."""

    item: str
    rater: str
    label: str
    cluster: str | None = None
    severity: str | None = None
    slice: dict[str, str] = {}

    @property
    def human(self) -> bool:
        return self.rater == "human" or self.rater.startswith("human:")


def read_ratings(path: str) -> tuple[list[Rating], list[Refusal]]:
    """The ratings of a file and the lines that were refused. Raises InputError where no line can be read."""
    ratings: list[Rating] = []
    refused: list[Refusal] = []
    for record in read_jsonl_file(path).records:
        if isinstance(record, Refusal):
            refused.append(record)
            continue
        try:
            ratings.append(_rating(record.cells))
        except ValueError as error:
            refused.append(Refusal(record.line, str(error)))
    return ratings, refused


def _rating(cells: dict[str, Any]) -> Rating:
    strange = [name for name in cells if name not in KEYS]
    if strange:
        raise ValueError(f"unknown key {strange[0]!r}; known are {', '.join(KEYS)}")
    try:
        return msgspec.convert({name: cell for name, cell in cells.items() if cell is not None}, Rating)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
