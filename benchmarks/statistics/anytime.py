"""What `run --until-decided` promises, by simulation: false alarms with a look after every trial, and what it saves.

The bets are those of `fairtrial.stats.anytime`, on many runs at once. A case's value is known when its last trial is, so between
two cases a look sees what the one before saw: a look after every trial is a look after every case. Rows are tried until the
plan ends, since a rule that is looked at more often can only be wrong more often.

    .venv/bin/python -m benchmarks.statistics.anytime            2,000 runs a row; ends 1 where false alarms pass 5 %
    .venv/bin/python -m benchmarks.statistics.anytime --runs 200
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairtrial.stats.anytime import STAKES
from fairtrial.stats.distributions import two_sided_t

Floats = NDArray[np.float64]
Rates = Callable[[np.random.Generator, tuple[int, int]], tuple[Floats, Floats]]

NEEDED = float(np.log(40.0))
MOST = 0.05
SEED = 20261130


class Setting(NamedTuple):
    """What the true rates of a case are on both sides; their mean difference is 0."""

    name: str
    rates: Rates


def _same(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    rates = rng.beta(1.6, 0.4, shape)
    return rates, rates


def _apart(a: float, b: float) -> Rates:
    return lambda rng, shape: (rng.beta(a, b, shape), rng.beta(a, b, shape))


def _uneven(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    return np.full(shape, 0.5), (rng.random(shape) < 0.5).astype(float)


def _skewed(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    return np.full(shape, 0.9), (rng.random(shape) < 0.9).astype(float)


def _one_suite(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """The same cases in every run, in another order: their differences add up to nothing."""
    half = shape[1] // 2
    differences = np.concatenate([np.full(half, 0.3), np.full(half, -0.3), np.zeros(shape[1] - 2 * half)])
    return np.full(shape, 0.5), 0.5 + rng.permuted(np.tile(differences, (shape[0], 1)), axis=1)


NULLS = (
    Setting("the same agent twice, Beta(1.6, .4)", _same),
    Setting("cases differ, each side apart, Beta(1.6, .4)", _apart(1.6, 0.4)),
    Setting("cases differ strongly, Beta(.2, .2)", _apart(0.2, 0.2)),
    Setting("near the ceiling, Beta(1.9, .1)", _apart(1.9, 0.1)),
    Setting("base a coin; new always or never", _uneven),
    Setting("base .9; new always, and never in one of ten", _skewed),
    Setting("one suite of gains and losses, reshuffled", _one_suite),
)
PLANS = ((20, 5), (50, 5), (100, 3), (200, 5), (200, 1), (500, 3))


def values(rates: tuple[Floats, Floats], trials: int, rng: np.random.Generator) -> Floats:
    """The differences of case rates, one row a run."""
    base, new = rates
    counted: Floats = (rng.binomial(trials, new) - rng.binomial(trials, base)) / trials
    return counted


def capitals(x: Floats, bar: float = 0.0) -> Floats:
    """The logarithm of the capital after each value, one row a run."""
    logs = np.stack([np.cumsum(np.log1p(stake * (x - bar) / (1.0 + bar)), axis=1) for stake in STAKES])
    found: Floats = np.logaddexp.reduce(logs, axis=0) - np.log(len(STAKES))
    return found


def decided(x: Floats) -> tuple[Floats, Floats]:
    """For each run whether it was ever decided, and after how many cases it ended."""
    hit = (capitals(x) >= NEEDED) | (capitals(-x) >= NEEDED)
    ever = hit.any(axis=1)
    return ever.astype(float), np.where(ever, hit.argmax(axis=1) + 1, x.shape[1]).astype(float)


def looked_at_with_t(x: Floats) -> float:
    """How often a 95 % t interval leaves out 0 at some look, from the fifth case on: what the rule is there for."""
    number = np.arange(1, x.shape[1] + 1)
    mean = np.cumsum(x, axis=1) / number
    spread = np.sqrt(np.maximum(np.cumsum(x**2, axis=1) / number - mean**2, 0.0) / np.maximum(number - 1, 1))
    reach = np.array([two_sided_t(0.95, max(1, n - 1)) for n in number])
    return float((np.abs(mean) > reach * np.maximum(spread, 1e-12))[:, 4:].any(axis=1).mean())


def fixed_power(x: Floats) -> float:
    """How often the t interval of the whole plan leaves out 0."""
    reach = two_sided_t(0.95, x.shape[1] - 1) * x.std(axis=1, ddof=1) / np.sqrt(x.shape[1])
    return float((np.abs(x.mean(axis=1)) > np.maximum(reach, 1e-12)).mean())


def false_alarms(runs: int) -> float:
    """Prints the table; returns the highest share."""
    highest = 0.0
    print(f"False alarms, {runs:,} runs a figure, a look after every trial; in brackets a 95 % t interval looked at as often\n")
    print("| true difference 0 | " + " | ".join(f"{cases} × {trials}" for cases, trials in PLANS) + " |")
    print("|---|" + "---|" * len(PLANS))
    for setting in NULLS:
        cells = []
        for cases, trials in PLANS:
            rng = np.random.default_rng([SEED, cases, trials])
            x = values(setting.rates(rng, (runs, cases)), trials, rng)
            share = float(decided(x)[0].mean())
            highest = max(highest, share)
            cells.append(f"{100 * share:.1f} % ({100 * looked_at_with_t(x):.0f})")
        print(f"| {setting.name} | " + " | ".join(cells) + " |")
    return highest


def false_claims(runs: int, margin: float = 0.1) -> float:
    """The loss is the margin itself: how often `not worse` is claimed all the same, or `better`."""
    highest = 0.0
    print(f"\nClaims of not worse by {100 * margin:g} points where the loss is just that\n")
    print("| base | " + " | ".join(f"{cases} × {trials}" for cases, trials in PLANS) + " |")
    print("|---|" + "---|" * len(PLANS))
    for name, low in (("Beta(1.6, .4), loss spread evenly", False), ("1.0, loss in one of ten cases", True)):
        cells = []
        for cases, trials in PLANS:
            rng = np.random.default_rng([SEED, cases, trials, 1])
            shape = (runs, cases)
            base = np.ones(shape) if low else rng.beta(1.6, 0.4, shape)
            new = (rng.random(shape) >= margin).astype(float) if low else base * (1.0 - margin / 0.8)
            share = float((capitals(values((base, new), trials, rng), -margin) >= NEEDED).any(axis=1).mean())
            highest = max(highest, share)
            cells.append(f"{100 * share:.1f} %")
        print(f"| {name} | " + " | ".join(cells) + " |")
    return highest


def savings(runs: int) -> None:
    """What is decided, and with how many of the planned trials, where there is a difference."""
    print("\nBase rates Beta(1.6, .4), a drop spread evenly: decided early or at the end, trials run of those planned, mean saved\n")
    print("| plan (trials of both sides) | drop | decided | of the fixed plan's | trials run, mean | saved, mean |")
    print("|---|---|---|---|---|---|")
    for cases, trials in PLANS:
        for drop in (0.1, 0.2, 0.3):
            rng = np.random.default_rng([SEED, cases, trials, int(100 * drop)])
            base = rng.beta(1.6, 0.4, (runs, cases))
            x = values((base, base * (1.0 - drop / 0.8)), trials, rng)
            ever, ended = decided(x)
            planned, run = 2 * cases * trials, 2 * trials * float(ended.mean())
            figures = f"{100 * ever.mean():.0f} % | {100 * fixed_power(x):.0f} % | {run:,.0f} | {100 * (1 - run / planned):.0f} %"
            print(f"| {cases} × {trials} ({planned:,}) | {100 * drop:.0f} points | {figures} |")


def main(words: list[str] | None = None) -> int:
    """The tables; 1 where false alarms pass their limit by more than chance explains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    runs = parser.parse_args(words).runs
    highest = max(false_alarms(runs), false_claims(runs))
    savings(runs)
    print(f"\nhighest share of false alarms: {100 * highest:.1f} %, at most {100 * MOST:g} %")
    return int(highest > MOST)


if __name__ == "__main__":
    sys.exit(main())
