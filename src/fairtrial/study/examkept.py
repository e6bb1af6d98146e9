"""What an exam lacks to be kept as the exam of a suite's judge: people's truth, the good label, no reply left out, and enough items.

The figures are told all the same; they only say nothing of whether the judge's verdicts may count. Kept out: the figures (`exam.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.rating import HUMAN
from fairtrial.study.examlabels import PAIRS, bare
from fairtrial.study.wording import count

if TYPE_CHECKING:
    from fairtrial.records.exam import Exam

FEWEST = 10
"""Items, at the least: on fewer a coin passes a kappa of 0.6 too often for any bar to mean something."""
GOOD = {bare(good): bare(bad) for good, bad in PAIRS}


def lacks(exam: Exam) -> list[str]:
    """Why an exam is not kept, in words; nothing where it is."""
    told = []
    if exam.truth != HUMAN:
        told.append(f"its truth is the word of {exam.truth}, and not what people say")
    if {bare(name) for name in exam.labels} not in [set(pair) for pair in GOOD.items()]:
        told.append("its labels are no known pair of good and bad, such as PASS and FAIL")
    elif exam.positive is None or bare(exam.positive) not in GOOD:
        told.append(f"its positive label, {exam.positive}, is not the good one")
    if exam.rule != "wrong":
        told.append(f"replies that are no verdict count as {exam.rule}, and not as wrong")
    if exam.n < FEWEST:
        told.append(f"{count(exam.n, 'item')}, it takes {FEWEST} at the least")
    lone = [name for name in exam.labels if not sum(exam.confusion.get(name, {}).values())]
    if lone:
        told.append(f"no item is truly {lone[0]}")
    return told
