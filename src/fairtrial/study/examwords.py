"""The sentence of an exam. Kept out: the deciding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.study.wording import count, listed, percent

if TYPE_CHECKING:
    from fairtrial.records.exam import Exam, Figure


def exam_says(exam: Exam) -> str:
    """Agreement never without kappa and the recall of failures: a judge that always passes agrees with most people."""
    against = "people" if exam.truth == "human" else exam.truth
    told = [f"{exam.judge} agrees with {against} on {_share(exam.agreement)} of {count(exam.n, 'item')}", f"kappa {_plain(exam.kappa)}"]
    if exam.positive is not None and exam.specificity.value is not None:
        caught = round(exam.specificity.value * exam.specificity.n)
        told.append(f"it caught {caught:,} of {count(exam.specificity.n, 'failure')}")
    if exam.invalid:
        told.append(f"{count(exam.invalid, 'reply', 'replies')} {_RULES[exam.rule][exam.invalid > 1]}")
    told.append(_verdict(exam))
    return "; ".join(told) + "."


_RULES = {
    "wrong": ("is not a verdict and counts as wrong", "are not a verdict and count as wrong"),
    "tie": ("is not a verdict and counts as a tie", "are not a verdict and count as a tie"),
    "drop": ("is not a verdict and is left out", "are not a verdict and are left out"),
}
"""One, several."""


def _verdict(exam: Exam) -> str:
    if exam.passes is None:
        return "no bar was stated"
    missed = [f"{row.figure} {_number(row.value)}, {row.least} is asked" for row in exam.bar if not row.met]
    return f"the bar is not met: {listed(missed)}" if missed else "the bar is met"


def _share(found: Figure) -> str:
    return "an unknown share" if found.value is None else percent(found.value)


def _plain(found: Figure) -> str:
    if found.value is None:
        return f"not available ({found.reason})"
    return f"{_number(found.value)} (95 % interval {_number(found.low)} to {_number(found.high)})"


def _number(value: float | None) -> str:
    """To three decimals, with more where these would show 0 or 1 for what is neither."""
    if value is None:
        return "not available"
    for digits in range(3, 12):
        shown = f"{value:.{digits}f}"
        if float(shown) not in (0.0, 1.0, -1.0) or float(shown) == value:
            return shown.rstrip("0").rstrip(".") if "." in shown else shown
    return repr(value)
