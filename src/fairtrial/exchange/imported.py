"""What a reader of a foreign format hands over: one run, with all that was planned, and what it refused to take.

Kept out: any format, and the store that the run goes into.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.run import Planned, too_many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.run import Manifest
    from fairtrial.records.trial import Trial, TrialHead


class Refusal(msgspec.Struct, frozen=True):
    """A record that was not taken, and why. `line` is its line; in a file that is one list, its place in it, from 1."""

    line: int
    why: str


@dataclass(kw_only=True)
class Imported:
    """One file as one run. `trials` may be read once; `refused` is complete when it has been read to its end.

    `cases` maps case ids to what the file says of them; `rows` counts the records of the file; `tries` are attempts that
    the file repeats because of a harness fault: history, not trials.
    """

    manifest: Manifest
    cases: dict[str, Any]
    trials: Iterator[tuple[Trial, Scorecard]]
    rows: int
    refused: list[Refusal] = field(default_factory=list)
    tries: list[TrialHead] = field(default_factory=list)


def money(value: float) -> Decimal:
    """An amount that a file holds as a binary fraction, as the decimal that was meant: 15 digits are always exact.

    Raises ValueError for an amount below zero, or none at all.
    """
    if not isfinite(value) or value < 0:
        raise ValueError(f"{value!r} is not an amount of money")
    return Decimal(f"{value:.15g}")


class Slots:
    """The trials that a file speaks of, by (case, setup); refused ones too, for they were planned."""

    def __init__(self) -> None:
        self._most: dict[tuple[str, str], int] = {}

    def add(self, case: str, setup: str, attempt: int) -> None:
        """Attempts count from 1; those below the highest one were planned as well."""
        key = (case, setup)
        self._most[key] = max(attempt, self._most.get(key, 0))

    def level(self, attempts: int) -> None:
        """Every case was planned this often at least."""
        for key, most in self._most.items():
            self._most[key] = max(most, attempts)

    def most(self) -> int:
        """The highest attempt of all."""
        return max(self._most.values(), default=0)

    def attempts(self, case: str, setup: str) -> int:
        """Trials planned of one case in one setup."""
        return self._most.get((case, setup), 0)

    def total(self, setup: str) -> int:
        """Trials planned of one setup."""
        return sum(most for (_, name), most in self._most.items() if name == setup)

    def setups(self) -> list[str]:
        """Setups in the order they were met."""
        return list(dict.fromkeys(setup for _, setup in self._most))

    def cases(self, setup: str | None = None) -> list[str]:
        """Cases in the order they were met."""
        return list(dict.fromkeys(case for case, name in self._most if setup in (None, name)))

    def planned(self) -> tuple[Planned, ...]:
        """As the manifest has it. Raises InputError for a plan that is too large to be meant."""
        found = tuple(Planned(case, setup, most) for (case, setup), most in self._most.items())
        if why := too_many(found):
            raise InputError(why, mend="look for a trial's number, or --planned, that is too large")
        return found
