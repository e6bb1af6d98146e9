"""Tables whose verdicts rest on a judge, for the tests of corrected figures (letters as in `tables.py`)."""

from collections.abc import Mapping
from typing import Any

from fairtrial.records.grade import Scorecard
from fairtrial.records.standing import Sitting
from fairtrial.records.trial import TrialHead
from fairtrial.study.calibration import Calibration, Errors, Share
from fairtrial.study.corrected import labelled
from fairtrial.study.lane import Lane
from fairtrial.study.table import Table
from tests.study.tables import table

QUALITY = {"quality": "id-1"}
DAY = "2026-11-30T00:00:00Z"


def by_judge(head: TrialHead, card: Scorecard) -> None:
    """All verdicts rest on the judge quality."""
    card.judged = dict(QUALITY)


def judged(setups: Mapping[str, Mapping[str, str]], code: Mapping[str, int] | None = None) -> Table:
    """A table of verdicts by a judge; the first `code[case]` trials of a case were decided by code."""

    def change(head: TrialHead, card: Scorecard) -> None:
        if head.key.attempt > (code or {}).get(head.key.case, 0):
            by_judge(head, card)

    return table(setups, change)


def errors(sensitivity: float, specificity: float, n: int = 200) -> Errors:
    """Of an exam on n samples that are right and as many that are wrong."""
    return Errors(sensitivity=Share(sensitivity, n, n), specificity=Share(specificity, n, n), examined=DAY)


def label(lane: Lane, letters: Mapping[str, str], exam: Errors | None = None) -> None:
    """People's labels, a letter an attempt: P, F, or - for none."""
    truth = {(case, attempt): letter == "P" for case, told in letters.items() for attempt, letter in enumerate(told, 1) if letter in "PF"}
    lane.calibration = Calibration(labels=labelled(lane, truth), errors=exam)


def sitting(**more: Any) -> Sitting:
    """An exam with figures as `judge exam` gives them."""
    share = {"value": 0.9, "low": 0.83, "high": 0.94, "n": 100}
    figures = {"positive": "PASS", "recall": share, "specificity": share, "kappa": {"value": 0.8}}
    return Sitting(**{"at_ns": 0, "judge": "quality", "identity": "id-1", "suite": "s", "figures": figures, **more})
