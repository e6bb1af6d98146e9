"""Rates corrected for how a judge errs: how often the intervals hold the true rate, from small exams on.

Run as `python -m benchmarks.statistics.corrected [RUNS]`; a cell is RUNS drawn runs, 2,000 unless said. Each run has cases × trials;
trials of a case are right with its own rate, the judge passes what is right with the sensitivity and what is wrong with
1 - specificity, and people label some trials of some cases. Exit code 1 where a cell covers less than 92 %.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from fairtrial.stats.corrected import Corrected, corrected_rate, difference
from fairtrial.stats.estimate import Estimate
from fairtrial.stats.predicted import Predicted, predicted_mean

RUNS = 2_000
LEAST = 0.92


class Judge(NamedTuple):
    """Chances to pass what is right, and to fail what is wrong."""

    sensitivity: float
    specificity: float


class Run(NamedTuple):
    """Cases × trials that are right with rates from Beta(mean·s, (1-mean)·s), and how many trials people labelled, one or `each` a case."""

    cases: int
    trials: int
    mean: float
    s: float
    labels: int
    each: int = 1


class Seen(NamedTuple):
    """By trial: its case, whether it is right, whether the judge passed it."""

    case: np.ndarray
    right: np.ndarray
    said: np.ndarray


def drawn(rng: np.random.Generator, run: Run, judge: Judge, cases: int | None = None) -> Seen:
    """The trials of one run; errors of the judge come one by one."""
    count = cases or run.cases
    case = np.repeat(np.arange(count), run.trials)
    rates = rng.beta(run.mean * run.s, (1.0 - run.mean) * run.s, count)
    right = rng.random(len(case)) < rates[case]
    said = np.where(right, rng.random(len(case)) < judge.sensitivity, rng.random(len(case)) >= judge.specificity)
    return Seen(case, right, said)


def labelled(rng: np.random.Generator, seen: Seen, run: Run) -> np.ndarray:
    """The places of the trials that people looked at: `each` of some cases."""
    cases = rng.permutation(int(seen.case.max()) + 1)[: run.labels // run.each]
    return np.concatenate([rng.choice(np.flatnonzero(seen.case == case), run.each, replace=False) for case in cases])


def by_case(seen: Seen) -> list[tuple[int, int]]:
    """(passed by the judge, tried) a case."""
    passed, tried = np.bincount(seen.case, weights=seen.said), np.bincount(seen.case)
    return [(int(p), int(t)) for p, t in zip(passed, tried, strict=True)]


def once(rng: np.random.Generator, run: Run, judge: Judge) -> tuple[Corrected, Predicted]:
    """Both corrections of one run; the exam of the first is another draw of cases, the labels of the second are among its trials."""
    seen, other = drawn(rng, run, judge), drawn(rng, run, judge, max(run.cases, run.labels))
    places, own = labelled(rng, other, run), labelled(rng, seen, run)
    exam = [(bool(other.right[p]), bool(other.said[p])) for p in places]
    rate = corrected_rate(by_case(seen), exam, exam_clusters=[int(other.case[p]) for p in places])
    pairs = [(float(seen.right[p]), float(seen.said[p])) for p in own]
    return rate, predicted_mean(pairs, by_case(seen), labelled_clusters=[int(seen.case[p]) for p in own], judged_clusters=range(run.cases))


def covers(run: Run, judge: Judge, runs: int, seed: int = 5) -> list[tuple[float, float, float]]:
    """For each of both corrections: (share of those with bounds that hold the mean, mean width, share without)."""
    rng = np.random.default_rng(seed)
    held: list[list[bool]] = [[], []]
    widths: list[list[float]] = [[], []]
    for _ in range(runs):
        for place, found in enumerate(once(rng, run, judge)):
            if found.low is not None and found.high is not None:
                held[place].append(found.low <= run.mean <= found.high)
                widths[place].append(found.high - found.low)
    return [(float(np.mean(h)), float(np.mean(w)), 1.0 - len(h) / runs) for h, w in zip(held, widths, strict=True)]


def apart(runs: int, each: int, seed: int = 6) -> tuple[float, float, float]:
    """Two arms, .70 and .79 truly, of which a lenient judge passes more of the second: (mean raw difference, mean corrected, covers)."""
    rng = np.random.default_rng(seed)
    arms = (Run(80, 5, 0.70, 4.0, each), Judge(0.92, 0.75)), (Run(80, 5, 0.79, 4.0, each), Judge(0.97, 0.38))
    raws, values, held = [], [], []
    for _ in range(runs):
        sides: list[Estimate] = []
        raw = []
        for run, judge in arms:
            seen, other = drawn(rng, run, judge), drawn(rng, run, judge, each)
            places = labelled(rng, other, run)
            found = corrected_rate(by_case(seen), [(bool(other.right[p]), bool(other.said[p])) for p in places])
            sides.append(found)
            raw.append(float(seen.said.mean()))
        gap = difference(sides[0], sides[1])
        raws.append(raw[1] - raw[0])
        if gap.value is not None and gap.low is not None and gap.high is not None:
            values.append(gap.value)
            held.append(gap.low <= 0.09 <= gap.high)
    return float(np.mean(raws)), float(np.mean(values)), float(np.mean(held))


JUDGES = Judge(0.97, 0.47), Judge(0.9, 0.8), Judge(0.98, 0.95), Judge(0.8, 0.6)
SHAPES = (
    Run(40, 5, 0.7, 4.0, 20),
    Run(40, 5, 0.7, 4.0, 40),
    Run(40, 5, 0.9, 4.0, 40),
    Run(40, 5, 0.97, 8.0, 40),
    Run(100, 3, 0.7, 2.0, 100),
    Run(60, 5, 0.8, 2.0, 120, 3),
    Run(200, 1, 0.5, 4.0, 60),
)


def main() -> int:
    """Print the table; 1 where a cell covers too little."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    print("| cases × trials | mean, s | labels | se / sp | Rogan-Gladen covers | width | none | predicted mean covers | width |")
    print("|---|---|---|---|---|---|---|---|---|")
    least = 1.0
    for run in SHAPES:
        for judge in JUDGES:
            (rg, rg_width, none), (pp, pp_width, _) = covers(run, judge, runs)
            least = min(least, rg, pp)
            name = f"{run.cases} × {run.trials} | {run.mean}, {run.s:g} | {run.labels}{f' ({run.each} a case)' if run.each > 1 else ''}"
            cells = f"{100 * rg:.1f} % | {rg_width:.3f} | {100 * none:.1f} % | {100 * pp:.1f} % | {pp_width:.3f}"
            print(f"| {name} | {judge.sensitivity} / {judge.specificity} | {cells} |", flush=True)
    raw, value, held = apart(max(200, runs // 2), 200)
    print(f"\ntwo arms, truly +0.09: the judge says {raw:+.3f}, corrected {value:+.3f}, held in {100 * held:.1f} %")
    return int(least < LEAST or held < LEAST)


if __name__ == "__main__":
    sys.exit(main())
