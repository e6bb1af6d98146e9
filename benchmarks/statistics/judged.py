"""How often a corrected figure says what is not so, by simulation: a gate holds with the truth just at its bar, a comparison finds a
difference where there is none, an interval misses the truth.

Cases have a true rate of their own (Beta with a + b = s), trials are right or wrong by it, and a judge passes what is right with its
sensitivity and what is wrong with 1 - its specificity; how good it is differs from case to case as well. People label some trials of some
cases, or the judge has sat an exam on other samples.

    .venv/bin/python -m benchmarks.statistics.judged              1,000 runs a row, about four minutes
    .venv/bin/python -m benchmarks.statistics.judged --runs 100
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np

from fairtrial.records.grade import CardGlance
from fairtrial.records.run import CaseInfo
from fairtrial.records.trial import Ending, HeadGlance, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.stats.estimate import two_sided
from fairtrial.stats.interval import clustered_rate, wilson
from fairtrial.stats.paired import paired_rates
from fairtrial.study.calibration import Calibration, Errors, Share
from fairtrial.study.corrected import Span, corrected_difference, corrected_rate, labelled
from fairtrial.study.lane import Lane

SEED = 20261130
MIX = 5.0
"""a + b of the curve that case rates are drawn from."""
APART = 30.0
"""The same for how good the judge is at a case."""


class Judge(NamedTuple):
    """How often it passes what is right, and fails what is wrong."""

    sensitivity: float
    specificity: float


class Setting(NamedTuple):
    """`labelled` trials of as many cases have a label (0: an exam of `exam` samples is all there is)."""

    cases: int
    trials: int
    rate: float
    judge: Judge
    labelled: int
    exam: int


STRICT, LENIENT, FAIR = Judge(0.85, 0.97), Judge(0.98, 0.6), Judge(0.95, 0.9)
SETTINGS = (
    Setting(30, 3, 0.8, LENIENT, 20, 0),
    Setting(60, 3, 0.8, LENIENT, 40, 0),
    Setting(60, 3, 0.9, FAIR, 40, 0),
    Setting(60, 3, 0.8, STRICT, 40, 0),
    Setting(100, 5, 0.9, LENIENT, 100, 0),
    Setting(60, 1, 0.8, LENIENT, 30, 0),
    Setting(60, 3, 0.8, LENIENT, 0, 100),
    Setting(60, 3, 0.9, FAIR, 0, 100),
    Setting(60, 3, 0.8, STRICT, 0, 100),
    Setting(100, 5, 0.9, LENIENT, 0, 300),
)


def lane_of(rng: np.random.Generator, one: Setting, rates: np.ndarray, judge: Judge, errors: Errors | None) -> Lane:
    """A setup as it would be read, with what is known of its judge."""
    cases = [CaseInfo(id=f"c{place}", hash="", brief_hash="") for place in range(one.cases)]
    lane = Lane("new", cases, [one.trials] * one.cases, details=False)
    right = rng.random((one.cases, one.trials)) < rates[:, None]
    good, bad = (rng.beta(share * APART, (1 - share) * APART, one.cases)[:, None] for share in judge)
    passed = np.where(right, rng.random(right.shape) < good, rng.random(right.shape) >= bad)
    for row, case in enumerate(cases):
        for attempt in range(one.trials):
            head = HeadGlance(key=TrialKey(case.id, "new", attempt + 1), ending=Ending.FINISHED)
            verdict = Verdict.PASS if passed[row, attempt] else Verdict.FAIL
            lane.add(head, CardGlance(verdict=verdict, judged={"quality": "id"}))
    chosen = rng.choice(one.cases, one.labelled, replace=False)
    truth = {(f"c{row}", attempt + 1): bool(right[row, attempt]) for row in chosen.tolist() for attempt in [int(rng.integers(one.trials))]}
    lane.calibration = Calibration(labels=labelled(lane, truth), errors=errors)
    return lane


def exam_of(rng: np.random.Generator, size: int, judge: Judge) -> Errors | None:
    """An exam on `size` samples, half of them right."""
    if not size:
        return None
    half = size // 2
    shares = []
    for share in judge:
        counted = int(rng.binomial(half, share))
        shares.append(Share(wilson(counted, half).value or 0.0, float(half), half))
    return Errors(sensitivity=shares[0], specificity=shares[1], examined="2026-11-30T00:00:00Z")


def drawn(rng: np.random.Generator, one: Setting) -> np.ndarray:
    """The true rates of the cases."""
    return rng.beta(one.rate * MIX, (1 - one.rate) * MIX, one.cases)


def bounds_of(lane: Lane, level: float) -> tuple[Span, Span | None]:
    """(as the judge has it, corrected)."""
    rows = range(len(lane.cases))
    rate = clustered_rate(lane.passes(), level, None, "widen")
    raw = Span(rate.value or 0.0, rate.low or 0.0, rate.high or 0.0)
    found = corrected_rate(lane, list(rows), raw, level)
    if found is None or found.value is None or found.low is None or found.high is None:
        return raw, None
    return raw, Span(found.value, found.low, found.high)


def gates(rng: np.random.Generator, one: Setting, runs: int) -> str:
    """The truth is at the bar: how often a gate holds as the judge has it, holds and fails corrected; then how often it holds where the
    truth is ten points above the bar, and what the interval covers."""
    counted = np.zeros(5)
    for _ in range(runs):
        errors = exam_of(rng, one.exam, one.judge)
        lane = lane_of(rng, one, drawn(rng, one), one.judge, errors)
        raw, found = bounds_of(lane, two_sided(0.95))
        _, wide = bounds_of(lane, 0.95)
        bar, below = one.rate, one.rate - 0.1
        counted += [
            raw.low >= bar,
            found is not None and min(found.low, raw.low) >= bar,
            found is not None and found.high < bar,
            found is not None and min(found.low, raw.low) >= below,
            wide is not None and wide.low <= bar <= wide.high,
        ]
    return "  ".join(f"{share:6.3f}" for share in counted / runs)


def differences(rng: np.random.Generator, one: Setting, runs: int, *, gain: float, other: Judge) -> str:
    """`other` judges the new side, which is truly better by `gain`: how often it is called better, or worse, as the judge has it, and
    corrected."""
    counted = np.zeros(5)
    for _ in range(runs):
        errors = exam_of(rng, one.exam, one.judge)
        rates = drawn(rng, one)
        base = lane_of(rng, one, rates, one.judge, errors)
        new = lane_of(rng, one, np.minimum(1.0, rates + gain * (1 - rates) / (1 - one.rate)), other, exam_of(rng, one.exam, other))
        rows = list(range(one.cases))
        plain = paired_rates(base.passes(), new.passes())
        raw = Span(plain.value or 0.0, plain.low or 0.0, plain.high or 0.0)
        found = corrected_difference((base, new), (rows, rows), raw, 0.95)
        known = found is not None and found.value is not None and found.low is not None and found.high is not None
        low, high = (found.low, found.high) if known and found is not None else (-1.0, 1.0)
        counted += [raw.low > 0, raw.high < 0, raw.low > 0 and low > 0, raw.high < 0 and high < 0, low <= gain <= high]  # type: ignore[operator]
    return "  ".join(f"{share:6.3f}" for share in counted / runs)


def main(runs: int) -> None:
    """Prints a row a setting."""
    rng = np.random.default_rng(SEED)
    print("cases trials rate  judge        labels exam    raw holds  holds  fails  power  covers")
    for one in SETTINGS:
        print(f"{_row(one)}  {gates(rng, one, runs)}", flush=True)
    print("\nno true difference, the judge more lenient with the new side      raw better  worse  better  worse  covers")
    for one in SETTINGS:
        print(f"{_row(one)}  {differences(rng, one, runs, gain=0.0, other=LENIENT)}", flush=True)
    print("\ntruly better by ten points, the same judge      raw better  worse  better  worse  covers")
    for one in SETTINGS:
        print(f"{_row(one)}  {differences(rng, one, runs, gain=min(0.1, 1 - one.rate), other=one.judge)}", flush=True)


def _row(one: Setting) -> str:
    judge = f"{one.judge.sensitivity:.2f}/{one.judge.specificity:.2f}"
    return f"{one.cases:5} {one.trials:6} {one.rate:5} {judge:12} {one.labelled:5} {one.exam:5}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    main(parser.parse_args().runs)
