"""What a model judge is asked to mark, and how its marks become a score.

Kept out: how a rubric is written (`cases/rubric.py`), and how a judge is asked (`judges/`).
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

EVIDENCE = ("output", "trace", "tools", "state")
"""What of a trial a rubric may show to a judge. The task always comes along, the reference where the rubric says so."""
SCALE = (Decimal(1), Decimal(5))
"""The scale where a rubric states none."""
RESERVED = frozenset(
    (
        "nonce", "pass", "reason", "reasoning_notes", "score", "marks", "scores", "dimensions", "total", "verdict",
        "passed", "notes", "overall", "better",
    )
)  # fmt: skip
"""Words that mean something of their own in a judge's reply, so that no dimension may be called so."""


class Dimension(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One side that gets a mark of its own. Weights of a rubric add up to 1."""

    weight: Decimal
    asks: str = ""


class Rubric(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Named dimensions on one scale. The score is the weighted mean of the marks, on the same scale; it passes from `passes` on.

    `hash` is `sha256:` over all of it but its name and `turned`: a changed rubric is another instrument.
    """

    name: str
    dimensions: dict[str, Dimension]
    scale: tuple[Decimal, Decimal] = SCALE
    passes: Decimal = Decimal("3.0")
    evidence: tuple[str, ...] = EVIDENCE
    reference: bool = True
    card: str = "outcome"
    notes: bool = False
    """Whether the judge also writes down how it came to its marks (`reasoning_notes`)."""
    turned: bool = False
    """Asked with the ends of its scale swapped, so that the lowest number is the best mark; no file can say so. Marks are turned back
    as they are read: everything after that is on the scale as it stands here."""
    hash: str = ""


def turned(mark: Decimal, rubric: Rubric) -> Decimal:
    """A mark or the bar as it is said to a judge, and the same way back."""
    low, high = rubric.scale
    return low + high - mark if rubric.turned else mark


def share(mark: Decimal, scale: tuple[Decimal, Decimal]) -> Decimal:
    """Where a mark lies on its scale, from 0 (the worst) to 1 (the best): (mark - worst) / (best - worst)."""
    low, high = scale
    return (mark - low) / (high - low)
