"""A rubric from its file: dimensions, weights, scale and bar, strictly. A slip is an error with its line and the nearest right word.

Kept out: how a judge is asked by a rubric and how its reply is read (`judges/`).
"""

from __future__ import annotations

import os
import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.rows import kind_of
from fairtrial.cases.sources import read_document
from fairtrial.records.errors import InputError, InputErrors, nearest, unknown_key
from fairtrial.records.grade import CARDS
from fairtrial.records.rubric import EVIDENCE, RESERVED, SCALE, Dimension, Rubric
from fairtrial.records.text import content_hash

if TYPE_CHECKING:
    from fairtrial.cases.rows import Row

RUBRICS = ("dialogue", "trace", "statement")
"""The rubrics that come with the program, in `rubrics/`; a judge names one without a path."""
KEYS = ("dimensions", "scale", "pass", "evidence", "reference", "card", "notes")
OF_DIMENSION = ("weight", "asks")
LARGEST = 12
"""Digits before and after the point of a number that could be meant."""
NAMES = re.compile(r"\w(?:[\w .-]{0,62}\w)?")


def rubric_file(named: str, folder: str) -> str:
    """The path of a rubric: one that comes with the program by its name, else a path from a folder."""
    if named in RUBRICS:
        from importlib.resources import files

        return str(files("fairtrial") / "rubrics" / f"{named}.yaml")
    return os.path.join(folder, named)


def read_rubric(named: str, folder: str = ".") -> Rubric:
    """The rubric of a name or a path. Raises InputErrors with everything that is wrong with it."""
    file = rubric_file(named, folder)
    if not os.path.isfile(file):
        near = nearest(named, RUBRICS)
        mend = f"did you mean {near!r}?" if near else "name a file, or a rubric that comes with the program"
        raise InputError("no such rubric", value=named, allowed=f"a file, or {', '.join(RUBRICS)}", mend=mend)
    reader = _Reader(read_document(file))
    found = reader.rubric(os.path.splitext(os.path.basename(named))[0])
    if reader.errors:
        raise InputErrors(reader.errors)
    return msgspec.structs.replace(found, hash=rubric_hash(found))


def rubric_hash(rubric: Rubric) -> str:
    """Of all of a rubric but its name: numbers by value, so that 3 and 3.0 are one bar."""
    told = msgspec.structs.asdict(msgspec.structs.replace(rubric, name="", hash=""))
    del told["turned"]  # no file says it: a probe that asks so has a hash of its own
    dimensions = [[name, _plain(one.weight), one.asks] for name, one in rubric.dimensions.items()]
    numbers = {"scale": [_plain(end) for end in rubric.scale], "passes": _plain(rubric.passes)}
    return content_hash({**told, **numbers, "dimensions": dimensions})


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


class _Reader:
    """One rubric, with everything that is wrong with it."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.value: dict[str, Any] = row.value
        self.errors: list[InputError] = []

    def rubric(self, name: str) -> Rubric:
        """The rubric, as far as it could be read; it counts only where `errors` is empty."""
        self._unknown(self.value, KEYS, ())
        scale = self._scale()
        return Rubric(
            name=name,
            dimensions=self._dimensions(),
            scale=scale,
            passes=self._passes(scale),
            evidence=self._evidence(),
            reference=self._flag("reference", default=True),
            card=self._card(),
            notes=self._flag("notes", default=False),
        )

    def _fault(self, path: tuple[str | int, ...], what: str, value: Any, mend: str, allowed: str | None = None) -> None:
        self.errors.append(InputError(what, place=self.row.place(*path), value=value, allowed=allowed, mend=mend))

    def _unknown(self, value: dict[str, Any], allowed: tuple[str, ...], path: tuple[str, ...]) -> None:
        for key, item in value.items():
            if key not in allowed:
                self.errors.append(unknown_key(key, allowed, place=self.row.place(*path, key), value=item))

    def _dimensions(self) -> dict[str, Dimension]:
        raw = self.value.get("dimensions")
        if not isinstance(raw, dict) or not raw:
            mend = 'write at least one: dimensions: {correctness: {weight: "1", asks: "…"}}'
            self._fault(("dimensions",), "a rubric needs dimensions", raw, mend, "an object of dimensions by name")
            return {}
        before = len(self.errors)
        found = {name: self._dimension(name, entry, alone=len(raw) == 1) for name, entry in raw.items()}
        total = sum((one.weight for one in found.values()), Decimal(0))
        if len(self.errors) == before and total != 1:
            self._fault(("dimensions",), f"the weights add up to {total}, not to 1", None, "change them so that together they are 1")
        return found

    def _dimension(self, name: str, raw: Any, *, alone: bool) -> Dimension:
        path = ("dimensions", name)
        if NAMES.fullmatch(name) is None:
            allowed = "letters, digits, _ . - and spaces, at most 64 characters"
            self._fault(path, f"{name!r:.80} cannot name a dimension", None, "write a short name, as in correctness", allowed)
        elif name.lower() in RESERVED and not (alone and name == "score"):
            self._fault(path, f"{name!r} means something else in a judge's reply", None, "give this dimension another name")
        if not isinstance(raw, dict):
            self._fault(path, f"a dimension is an object, not {kind_of(raw)}", raw, f'{name}: {{weight: "0.5", asks: "…"}}')
            return Dimension(weight=Decimal(0))
        self._unknown(raw, OF_DIMENSION, path)
        asks = raw.get("asks", "")
        if not isinstance(asks, str):
            self._fault((*path, "asks"), f"'asks' is {kind_of(asks)}, not text", asks, "put it in quotes")
            asks = ""
        if "weight" not in raw:
            self._fault(path, f"the dimension {name!r} has no weight", None, 'add weight: "0.5"; all weights together are 1')
            return Dimension(weight=Decimal(0), asks=asks)
        weight = self._number((*path, "weight"), "weight", raw["weight"])
        if weight is not None and not 0 < weight <= 1:
            self._fault((*path, "weight"), "a weight lies above 0 and is at most 1", raw["weight"], "all weights together are 1")
        return Dimension(weight=weight or Decimal(0), asks=asks.strip())

    def _scale(self) -> tuple[Decimal, Decimal]:
        if "scale" not in self.value:
            return SCALE
        raw = self.value["scale"]
        if not isinstance(raw, list) or len(raw) != 2:
            self._fault(("scale",), "a scale is two numbers, the worst mark and the best", raw, "scale: [1, 5]")
            return SCALE
        low, high = (self._number(("scale", place), "scale", end) for place, end in enumerate(raw))
        if low is None or high is None:
            return SCALE
        if low >= high:
            self._fault(("scale",), f"a scale goes from its worst mark up to its best, not from {low} to {high}", raw, "scale: [1, 5]")
        return low, high

    def _passes(self, scale: tuple[Decimal, Decimal]) -> Decimal:
        """The bar; the middle of the scale where none is written."""
        low, high = scale
        if "pass" not in self.value:
            return (low + high) / 2
        raw = self.value["pass"]
        bar = self._number(("pass",), "pass", raw)
        if bar is not None and not low < bar <= high:
            self._fault(("pass",), f"a bar lies above {low} and is at most {high}", raw, "what passes must be able to fail, and to pass")
        return bar if bar is not None else high

    def _evidence(self) -> tuple[str, ...]:
        raw = self.value.get("evidence", list(EVIDENCE))
        if not isinstance(raw, list) or not raw:
            self._fault(("evidence",), "'evidence' is a list of what a judge may see", raw, "evidence: [output]", ", ".join(EVIDENCE))
            return EVIDENCE
        for place, one in enumerate(raw):
            if one not in EVIDENCE:
                near = nearest(one, EVIDENCE) if isinstance(one, str) else None
                mend = f"did you mean {near!r}?" if near else "name one of these"
                self._fault(("evidence", place), f"there is no evidence {one!r:.40}", one, mend, ", ".join(EVIDENCE))
            elif one in raw[:place]:
                self._fault(("evidence", place), f"{one!r} stands here twice", one, "keep one of them")
        return tuple(one for one in EVIDENCE if one in raw)

    def _card(self) -> str:
        raw = self.value.get("card", "outcome")
        if raw not in CARDS:
            near = nearest(raw, CARDS) if isinstance(raw, str) else None
            mend = f"did you mean {near!r}?" if near else "name one of these"
            self._fault(("card",), f"there is no card {raw!r:.40}", raw, mend, ", ".join(CARDS))
            return "outcome"
        return str(raw)

    def _flag(self, key: str, *, default: bool) -> bool:
        raw = self.value.get(key, default)
        if not isinstance(raw, bool):
            self._fault((key,), f"{key!r} is true or false", raw, "write true or false, without quotes")
            return default
        return raw

    def _number(self, path: tuple[str | int, ...], key: str, value: Any) -> Decimal | None:
        """An exact number; None with an error where it is none."""
        try:
            number = Decimal(repr(value) if isinstance(value, float) else value) if type(value) in (int, float, str) else Decimal("NaN")
        except InvalidOperation:
            number = Decimal("NaN")
        exponent = number.as_tuple().exponent
        if not number.is_finite():
            self._fault(path, f"{key!r} is {kind_of(value)}, not a number", value, 'write it as an exact decimal: "0.5"')
        elif number.adjusted() > LARGEST or not isinstance(exponent, int) or exponent < -LARGEST:
            self._fault(path, f"{key!r} has more digits than can be meant", value, "write the number that is meant")
        else:
            return number
        return None
