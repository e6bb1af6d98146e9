"""Figures that rest on the verdicts of a model judge, with the judge's errors taken out: the decided objects.

A number that cannot be had is None, with its `reason`. Kept out: how it is reckoned (`study/corrected.py`).
"""

from __future__ import annotations

import msgspec

LABELS, EXAM = "labels", "exam"
"""What the errors of a judge are known from: people's labels on trials of the very setup, or an exam on other samples."""
CODE = "code"
"""Among the ways of a difference: as code alone has it, with the judges left out."""


class Judged(msgspec.Struct, kw_only=True):
    """How much of a figure rests on judges: `trials` of `of` run ones were passed by code as far as it goes, and then passed or failed
    by a judge. `labels` of them have a settled label of people, on `label_cases` cases."""

    trials: int
    of: int
    judges: list[str]
    labels: int = 0
    label_cases: int = 0
    examined: str | None = None
    """The date of the exam that these judges sat; None where there is none that fits."""


class Way(msgspec.Struct, kw_only=True):
    """A figure corrected in one way, with an interval that carries the uncertainty of what the errors are known from."""

    value: float | None
    low: float | None = None
    high: float | None = None
    method: str = ""
    reason: str = ""


class Corrected(msgspec.Struct, kw_only=True):
    """A success rate, or a difference of two (new − base), corrected. `value`, `low` and `high` are those of the way that decides:
    people's labels on the setup's own trials where they are on enough cases, else the exam. `by` is labels, exam, or empty where
    neither is to be had.

    Where `by` is given and `value` is None, the errors are known, and known to be such that the verdicts tell nothing.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    by: str = ""
    judged: dict[str, Judged]
    """By setup; of a difference by side, base and new."""
    ways: dict[str, Way] = {}
    """Of a rate prediction_powered and rogan_gladen, as far as each is to be had. Of a difference that no labels of both sides bear out
    `code`: what it is with the judges left out, without which nothing is claimed."""
    reason: str = ""

    @property
    def known(self) -> bool:
        """Whether anything is known of the judge's errors, so that the figure as the judge has it no longer stands alone."""
        return bool(self.by)
