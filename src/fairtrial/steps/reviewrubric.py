"""What the rubric of a judge asks, for people who are to answer the same: read from the suite, where it is still the one that was used.

Kept out: how a rubric is written (`cases/rubric.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.cases.rubric import read_rubric
from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import FairtrialError
from fairtrial.records.review import JUDGE

if TYPE_CHECKING:
    from fairtrial.records.rubric import Rubric
    from fairtrial.records.run import Run


def rubric_lines(run: Run, question: str, digest: str) -> list[str]:
    """A line a dimension, and where it passes; nothing where the suite is gone or has another rubric by now."""
    rubric = _rubric(run, question.removeprefix(JUDGE))
    if rubric is None or rubric.hash != digest:
        return []
    low, high = rubric.scale
    lines = [f"{name} ({one.weight:f}){f': {one.asks}' if one.asks else ''}" for name, one in rubric.dimensions.items()]
    return [*lines, f"each from {low:f} to {high:f}; PASS from a weighted mean of {rubric.passes:f} on"]


def _rubric(run: Run, judge: str) -> Rubric | None:
    try:
        suite = load_suite(run.manifest.suite_path)
        named = (suite.judges.get(judge) or {}).get("rubric", "dialogue")
        return read_rubric(str(named), suite.folder)
    except (FairtrialError, OSError):
        return None
