"""The decided object of `judge exam`: how far a judge agrees with people, and whether that meets its bar.

Kept out: the ratings themselves (`rating.py`), and what an exam is worth later (`standing.py`).
"""

from __future__ import annotations

from typing import Any

import msgspec

RULES = ("wrong", "tie", "drop")
"""What becomes of a reply that is no verdict: it agrees with nothing, it counts as a tie, or its item is left out."""
NO_VERDICT = "not a verdict"


class Figure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A figure with its interval. `n` items in `clusters` groups that stand apart. What cannot be had is None, with the `reason`."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    clusters: int
    reason: str | None = None


class LabelFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One label against all others: how many items truly are it, how many the judge said to be, and what was found of it."""

    truth: int
    judge: int
    precision: Figure
    recall: Figure
    f1: Figure


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """The items of one severity, or of one value of a slice. `failures` are those whose truth is not the positive label; `recall` is the
    share of these that the judge called so as well: what was caught."""

    n: int
    invalid: int
    failures: int | None
    caught: int | None
    recall: Figure
    agreement: Figure
    kappa: Figure


class Macro(msgspec.Struct, frozen=True, kw_only=True):
    """Plain means over the labels; each label counts the same, however rare."""

    precision: float | None
    recall: float | None
    f1: float | None


class Under(msgspec.Struct, frozen=True, kw_only=True):
    """The figures under one rule for replies that are no verdict."""

    n: int
    agreement: Figure
    kappa: Figure
    precision: Figure
    recall: Figure
    specificity: Figure
    f1: Figure
    macro: Macro


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two people on the items that both rated, with the intervals of both figures."""

    n: int
    agreement: float | None
    kappa: float | None
    intervals: dict[str, Figure]


class BarRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the bar: `least` as it was stated; `met` only where the figure is there and reaches it."""

    figure: str
    least: str
    value: float | None
    low: float | None
    met: bool
    why: str = ""


class Aside(msgspec.Struct, frozen=True, kw_only=True):
    """What is in the file and in no figure. Items: `ties` of people, truth `unknown` (people could not tell), nobody's truth, not
    rated by the judge. Lines: earlier words of a rater on an item (and how many said otherwise), gaps, another version of the judge,
    words that settle nothing: there is no difference, or they may not."""

    ties: int = 0
    unknown: int = 0
    no_truth: int = 0
    no_judge: int = 0
    earlier: int = 0
    changed: int = 0
    gaps: int = 0
    other_version: int = 0
    settles_nothing: int = 0


class Refused(msgspec.Struct, frozen=True):
    """A line that was not taken, and why."""

    line: int
    why: str


class Flips(msgspec.Struct, frozen=True, kw_only=True):
    """One probe: of `n` items that were asked again in another form, the share whose verdict changed; which way, where there are two."""

    probe: str
    asked: int
    unusable: int
    flips: Figure
    to_positive: int
    to_negative: int
    why: str = ""


class Leniency(msgspec.Struct, frozen=True, kw_only=True):
    """Of what is truly wrong the share that the judge passes: where the agent is of the judge's own `family`, and of all others."""

    family: str
    own: Figure
    others: Figure
    difference: Figure


class Exam(msgspec.Struct, kw_only=True):
    """`judge exam --json`. `n` items have both a truth and a rating by the judge; `invalid` of these ratings are no verdict.

    `precision`, `recall`, `specificity` and `f1` are of the `positive` label; recall of the failures is `specificity`. `macro`, the figures
    of `raters`, `fleiss_kappa` and `alpha` are plain numbers; their intervals stand in `intervals` and beside the pair.
    """

    judge: str
    truth: str
    n: int
    invalid: int
    rule: str
    positive: str | None
    labels: list[str]
    confusion: dict[str, dict[str, int]]
    agreement: Figure
    kappa: Figure
    precision: Figure
    recall: Figure
    specificity: Figure
    f1: Figure
    macro: Macro
    by_label: dict[str, LabelFigures]
    by_severity: dict[str, Part]
    slices: dict[str, dict[str, Part]]
    raters: dict[str, Pair]
    fleiss_kappa: float | None
    alpha: float | None
    intervals: dict[str, Figure]
    under: dict[str, Under]
    bar: list[BarRow]
    passes: bool | None
    kept: bool | None = None
    """Whether it counts as the exam of a suite's judge; None where it is nobody's."""
    aside: Aside
    refused: list[Refused] = []
    probes: list[Flips] = []
    leniency: Leniency | None = None
    identity: str = ""
    says: str = ""
    notes: list[str] = []
    reasons: dict[str, Any] = {}
