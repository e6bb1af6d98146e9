"""Figures of a judge's exam: how often their intervals hold the truth, with items clustered by case, at 20 to 60 cases.

Run as `python -m benchmarks.statistics.agreement [EXAMS]`; a cell is EXAMS drawn exams, 2,000 unless said. Each case has a rate of
good items and error rates of the judge of its own (Beta), so items of a case go together. Exit code 1 where a cell covers less than 90 %
or the mean of a figure less than 94 %.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fairtrial.stats import agreement as sums
from fairtrial.stats.raters import krippendorff_alpha

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fairtrial.stats.linearised import Figure

    Codes = NDArray[np.intp]

EXAMS = 2_000
FIGURES = ("kappa", "recall", "precision", "failures", "macro recall", "alpha")


class Shape(NamedTuple):
    """Cases × items; the share of good items; the judge's sensitivity and specificity; s: how alike cases are (small: not at all)."""

    cases: int
    items: int
    good: float
    sensitivity: float
    specificity: float
    s: float


SHAPES = [
    Shape(cases, items, good, se, sp, s)
    for cases in (20, 40, 60)
    for items, s in ((1, 50.0), (6, 4.0))
    for good, se, sp in ((0.5, 0.9, 0.9), (0.8, 0.95, 0.7), (0.3, 0.85, 0.94), (0.9, 0.98, 0.5))
]


def drawn(rng: np.random.Generator, shape: Shape) -> tuple[Codes, Codes, Codes]:
    """(truth, judge, case) by item; 1 is good."""
    cases = np.repeat(np.arange(shape.cases), shape.items)

    def rates(mean: float) -> NDArray[np.float64]:
        return rng.beta(mean * shape.s, (1.0 - mean) * shape.s, shape.cases)[cases]

    truth = rng.random(len(cases)) < rates(shape.good)
    passed = np.where(truth, rates(shape.sensitivity), 1.0 - rates(shape.specificity))
    return truth.astype(np.intp), (rng.random(len(cases)) < passed).astype(np.intp), cases


def truths(shape: Shape) -> dict[str, float]:
    """What each figure is in the long run."""
    both, wrong = shape.good * shape.sensitivity, (1.0 - shape.good) * (1.0 - shape.specificity)
    said = both + wrong
    agreed = both + (1.0 - shape.good) * shape.specificity
    chance = shape.good * said + (1.0 - shape.good) * (1.0 - said)
    mean = (shape.good + said) / 2.0
    return {
        "kappa": (agreed - chance) / (1.0 - chance),
        "recall": shape.sensitivity,
        "precision": both / said,
        "failures": shape.specificity,
        "macro recall": (shape.sensitivity + shape.specificity) / 2.0,
        "alpha": 1.0 - (1.0 - agreed) / (2.0 * mean * (1.0 - mean)),
    }


def figures(truth: Codes, judge: Codes, cases: Codes) -> dict[str, Figure]:
    """The figures of one exam, as `judge exam` has them."""
    good, passed = truth == 1, judge == 1
    recall, failures = sums.recall(good, passed, cases), sums.recall(~good, ~passed, cases)
    groups = int(cases.max()) + 1
    pulls = [sums.share_pull(good & passed, good, cases, groups), sums.share_pull(~good & ~passed, ~good, cases, groups)]
    units = np.tile(np.arange(len(truth)), 2)
    return {
        "kappa": sums.cohen_kappa(truth, judge, cases),
        "recall": recall,
        "precision": sums.precision(good, passed, cases),
        "failures": failures,
        "macro recall": sums.mean_of([recall, failures], pulls),
        "alpha": krippendorff_alpha(units, np.concatenate([truth, judge]), np.tile(cases, 2)),
    }


def covers(shape: Shape, exams: int, seed: int = 11) -> dict[str, tuple[float, float]]:
    """By figure: (share of exams that have it whose interval holds the truth, mean width)."""
    rng = np.random.default_rng(seed)
    true = truths(shape)
    held: dict[str, list[bool]] = defaultdict(list)
    widths: dict[str, list[float]] = defaultdict(list)
    for _ in range(exams):
        for name, found in figures(*drawn(rng, shape)).items():
            if found.low is not None and found.high is not None:
                held[name].append(found.low <= true[name] <= found.high)
                widths[name].append(found.high - found.low)
    return {name: (float(np.mean(held[name])), float(np.mean(widths[name]))) for name in FIGURES}


def main() -> int:
    """Print the table; 1 where too little is covered."""
    exams = int(sys.argv[1]) if len(sys.argv) > 1 else EXAMS
    print(f"| cases × items | good, se, sp | {' | '.join(FIGURES)} |\n|---|---|{'---|' * len(FIGURES)}")
    every: dict[str, list[float]] = defaultdict(list)
    for shape in SHAPES:
        found = covers(shape, exams)
        cells = " | ".join(f"{100 * held:.1f} % ({width:.2f})" for held, width in found.values())
        print(f"| {shape.cases} × {shape.items} | {shape.good}, {shape.sensitivity}, {shape.specificity} | {cells} |", flush=True)
        for name, (held, _) in found.items():
            every[name].append(held)
    print("\n" + "; ".join(f"{name}: least {100 * min(own):.1f} %, mean {100 * np.mean(own):.1f} %" for name, own in every.items()))
    return int(any(min(own) < 0.90 or np.mean(own) < 0.94 for own in every.values()))


if __name__ == "__main__":
    sys.exit(main())
