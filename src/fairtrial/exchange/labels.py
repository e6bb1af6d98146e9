"""Ratings that people or judges gave, from a file of one JSON object a line: {"item", "rater", "label", "cluster", "severity", "slice"}.

A broken line is refused with its number and reason, and takes no other with it. Kept out: what agreement comes to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.exchange.imported import Refusal
from fairtrial.exchange.reviewcsv import read_records
from fairtrial.exchange.reviewfile import COLUMNS
from fairtrial.exchange.tablefile import Record, read_jsonl_file
from fairtrial.records.errors import FairtrialError
from fairtrial.records.label import SETTLES
from fairtrial.records.person import name_in, why_no_name
from fairtrial.records.rating import Rating
from fairtrial.records.text import loads, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable

KEYS = ("item", "cluster", "rater", "label", "severity", "slice", "version")
NEEDED = ("item", "rater", "label")
WHOLE = ("item", "cluster", "label")
"""Where a whole number, or true and false, is taken for its text: ids and labels are often written so."""


def read_ratings(path: str) -> tuple[list[Rating], list[Refusal]]:
    """The ratings of a file and the lines that were refused. Raises InputError where no line can be read."""
    ratings: list[Rating] = []
    refused: list[Refusal] = []
    for record in _records(path):
        if isinstance(record, Refusal):
            refused.append(record)
            continue
        if _waits(record.cells):
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
    given = {name: cell for name, cell in cells.items() if (cell is not None or name == "label") and name in KEYS}
    for name in NEEDED:
        if name not in given:
            raise ValueError(f"{name} is missing")
    for name in WHOLE:
        cell = given.get(name)
        if isinstance(cell, bool):
            given[name] = "true" if cell else "false"
        elif isinstance(cell, int):
            given[name] = str(cell)
        elif isinstance(cell, float):
            raise ValueError(f"{name} is a word or a whole number, and {cell:g} is neither")
    if not given["rater"] or given["item"] == "":
        raise ValueError("item and rater have a name")
    settles = cells.get("role") == SETTLES
    try:
        rating = msgspec.convert(given | {"settles": settles}, Rating)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    if not rating.human:
        if settles:
            raise ValueError(f"only a person settles a difference, and {rating.rater!r} is none: a person is called human:NAME")
        return rating
    if why := why_no_name(name_in(rating.rater)):
        raise ValueError(f"{why}: {rating.rater!r}")
    return rating if rating.label is None or rating.label.strip() else msgspec.structs.replace(rating, label=None)


def _waits(cells: dict[str, Any]) -> bool:
    """Whether this is an item of a review that has no label yet."""
    return "item" in cells and "question" in cells and cells.get("label") is None


def _records(path: str) -> Iterable[Record | Refusal]:
    """Of JSONL, or of CSV as `review export` writes it; the slice of CSV is JSON."""
    if not path.lower().endswith(".csv"):
        return read_jsonl_file(path).records
    _, records = read_records(read_text(path), path)
    return [_of_csv(record) if isinstance(record, Record) else record for record in records]


def _of_csv(record: Record) -> Record | Refusal:
    cells = {name: cell for name, cell in record.cells.items() if cell is not None or name == "label"}
    try:
        return Record(record.line, cells | ({"slice": loads(cells["slice"])} if "slice" in cells else {}))
    except FairtrialError as error:
        return Refusal(record.line, f"slice: {error.what}")


_KNOWN = frozenset((*KEYS, *COLUMNS))
"""What a file of `review export` has beside the keys that count is there to be read by people."""
