"""The rules a release is held to, as they were read: a list of gates, and how sure each has to be.

Kept out: how they are written (`cases/policy.py`) and what a run makes of them (`release/`).
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from fairtrial.records.case import Labels

CONFIDENCE = Decimal("0.95")


class Gate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One rule. `part` is the slice it looks at, label by label; empty for all. `asks` is the rule as one line of text.

    `bar` is exact, in the unit of the figure; `versus` says what takes its place in a comparison with the baseline
    (not_below, better_than), and `margin` by how much. `target` names a rubric.
    """

    name: str
    asks: str
    hard: bool
    part: dict[str, str] = {}
    bar: Decimal | None = None
    versus: str = ""
    margin: Decimal = Decimal(0)
    upper_bound: Decimal | None = None
    k: int = 0
    target: str = ""
    place: str = ""

    @property
    def limit(self) -> Decimal:
        """The bar of a gate that has one; 0 of one that compares."""
        return Decimal(0) if self.bar is None else self.bar


def within(labels: Labels, part: dict[str, str]) -> bool:
    """Whether a case with these labels is of a slice."""
    return all(value in labels.tags if label == "tag" else getattr(labels, label) == value for label, value in part.items())


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """The gates in the order they were written. `confidence` is that of every one-sided bound.

    `accepts` names what a suite or a policy may have lost since earlier runs (see `release/losses.py`).
    """

    name: str
    gates: tuple[Gate, ...]
    confidence: Decimal = CONFIDENCE
    accepts: tuple[str, ...] = ()

    @property
    def compares(self) -> bool:
        """Whether any gate needs a baseline."""
        return any(gate.versus for gate in self.gates)
