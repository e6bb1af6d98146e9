"""Ratings that people or judges gave, from a file of one JSON object a line: {"item", "rater", "label", "cluster", "severity", "slice"}.

A broken line is refused with its number and reason, and takes no other with it. Kept out: what agreement comes to.
"""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.exchange.imported import Refusal
from fairtrial.exchange.tablefile import read_jsonl_file
from fairtrial.records.rating import Rating

KEYS = ("item", "cluster", "rater", "label", "severity", "slice", "version")
NEEDED = ("item", "rater", "label")
WHOLE = ("item", "cluster", "label")
"""Where a whole number, or true and false, is taken for its text: ids and labels are often written so."""


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
    if not cells.keys() <= _KNOWN:
        strange = next(name for name in cells if name not in _KNOWN)
        raise ValueError(f"unknown key {strange!r}; known are {', '.join(KEYS)}")
    given = {name: cell for name, cell in cells.items() if cell is not None or name == "label"}
    for name in NEEDED:
        if name not in given:
            raise ValueError(f"{name} is missing")
    for name in WHOLE:
        cell = given.get(name)
        if isinstance(cell, bool):
            given[name] = "true" if cell else "false"
        elif isinstance(cell, int):
            given[name] = str(cell)
    if not given["rater"] or given["item"] == "":
        raise ValueError("item and rater have a name")
    try:
        return msgspec.convert(given, Rating)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


_KNOWN = frozenset(KEYS)
