"""Do plans keep their promise? A suite of the planned size is drawn and compared, again and again.

Run as `python -m benchmarks.statistics.plans [DRAWS]`; 1,000 pairs of sides a line unless said. `planned` are the cases that the formula
asks for with the true spread known; `reached` is how often suites of that size were called worse (p < 0.05 by sign flips and an
interval below 0), `not worse` how often suites planned for a margin ruled it out where nothing changed. `from a pilot` plans anew from a
pilot of 40 cases × 5 trials each time. Exit code 1 where 80 % is missed by more than 4 points with the spread known, rare flips apart.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from benchmarks.statistics.draws import Floats, case_rates, trials_of
from fairtrial.stats.paired import paired_rates
from fairtrial.stats.permutation import sign_flip_rates
from fairtrial.stats.power import Spread, cases_needed, cases_not_worse, observed_spread

DRAWS = 1_000
PROMISED, TOLERANCE = 0.8, 0.04
MANY = 400_000


class Truth(NamedTuple):
    """Case rates of the base by (mean, mix), what every case loses on average, and how far the losses differ (sd)."""

    mean: float
    mix: float | None
    drop: float
    uneven: float


TRUTHS = (
    Truth(0.8, 2.0, 0.05, 0.0),
    Truth(0.8, 2.0, 0.1, 0.0),
    Truth(0.8, 2.0, 0.1, 0.15),
    Truth(0.5, None, 0.1, 0.0),
    Truth(0.7, 5.0, 0.2, 0.1),
    Truth(0.95, 20.0, 0.05, 0.0),
)
TRIALS = (1, 3, 5, 10)


def sides(rng: np.random.Generator, cases: int, truth: Truth) -> tuple[Floats, Floats]:
    """The true rates of both sides."""
    base = case_rates(rng, cases, truth.mean, truth.mix)
    # A share of each rate, so that no case can fall below 0 and the mean loss is the stated one.
    share = np.clip(1.0 - truth.drop / truth.mean + rng.normal(0.0, truth.uneven / truth.mean, cases), 0.0, 1.0 / base)
    return base, base * share


def known(truth: Truth, seed: int = 4) -> tuple[Spread, float]:
    """The true spread and the true mean loss, from a suite so large that it knows."""
    base, new = sides(np.random.default_rng(seed), MANY, truth)
    within = float((base * (1.0 - base) + new * (1.0 - new)).mean())
    return Spread(between=float((new - base).var()), within=within), float((base - new).mean())


def found(rng: np.random.Generator, shape: tuple[int, int], truth: Truth) -> bool:
    """Whether one drawn suite of (cases, trials) is called worse."""
    base, new = (trials_of(rng, rates, shape[1]) for rates in sides(rng, shape[0], truth))
    high, p_value = paired_rates(base, new).high, sign_flip_rates(base, new).p_value
    return high is not None and high < 0 and p_value is not None and p_value < 0.05


def reached(shape: tuple[int, int], truth: Truth, draws: int, seed: int = 5) -> float:
    """The share of drawn suites of (cases, trials) that are called worse."""
    rng = np.random.default_rng(seed)
    return sum(found(rng, shape, truth) for _ in range(draws)) / draws


def ruled_out(shape: tuple[int, int], truth: Truth, margin: float, draws: int, seed: int = 6) -> float:
    """The share of drawn suites, nothing having changed, whose one-sided lower bound at 0.95 lies above -margin."""
    rng = np.random.default_rng(seed)
    held = 0
    for _ in range(draws):
        rates = case_rates(rng, shape[0], truth.mean, truth.mix)
        low = paired_rates(trials_of(rng, rates, shape[1]), trials_of(rng, rates, shape[1]), 0.9).low
        held += low is not None and low > -margin
    return held / draws


def from_pilots(trials: int, truth: Truth, draws: int, seed: int = 7) -> tuple[float, float]:
    """(share found, mean cases planned) where each suite is planned from a pilot of its own."""
    rng = np.random.default_rng(seed)
    hits, planned = 0, []
    for _ in range(draws):
        spread = observed_spread(*(trials_of(rng, rates, 5) for rates in sides(rng, 40, truth)))
        if spread is None:
            raise AssertionError("a pilot of forty cases tells nothing")
        planned.append(cases_needed(spread, trials, truth.drop))
        hits += found(rng, (planned[-1], trials), truth)
    return hits / draws, sum(planned) / len(planned)


def main() -> int:
    """Print the table; 1 where a plan falls short of its promise."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS
    print(
        "| case rates | lost | trials | planned | reached | for a margin of the same size | not worse | from a pilot: planned | reached |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    short = False
    for truth in TRUTHS:
        spread, drop = known(truth)
        alike, _ = known(truth._replace(drop=0.0, uneven=0.0))
        for trials in TRIALS:
            cases, margin_cases = cases_needed(spread, trials, drop), cases_not_worse(alike, trials, drop)
            share = reached((cases, trials), truth, draws)
            held = ruled_out((margin_cases, trials), truth, drop, draws)
            again, planned = from_pilots(trials, truth, max(100, draws // 4))
            rates = f"mean {truth.mean:g}, {'alike' if truth.mix is None else f's = {truth.mix:g}'}"
            lost = f"{100 * drop:.3g} points{f', sd {100 * truth.uneven:g}' if truth.uneven else ''}"
            told = f"{cases} | {share:.1%} | {margin_cases} | {held:.1%} | {planned:.0f} | {again:.1%}"
            print(f"| {rates} | {lost} | {trials} | {told} |", flush=True)
            short = short or (truth.mean < 0.9 and min(share, held) < PROMISED - TOLERANCE)
    return int(short)


if __name__ == "__main__":
    sys.exit(main())
