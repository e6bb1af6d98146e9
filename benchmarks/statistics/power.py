"""How often the paired test finds a true drop, and how often it calls one where there is none.

Run as `python -m benchmarks.statistics.power [DRAWS]`; 1,000 pairs of sides a line unless said. Case rates follow Beta(1.6, 0.4), mean
0.8. `found` is what the verdict `worse` asks for: p < 0.05 by sign flips and an interval below 0. Exit code 1 where a 10-point drop,
spread evenly, is found in fewer than 75 % of suites of 50 cases × 5 trials, or a drop is called in more than 3.5 % where there is none.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from benchmarks.statistics.draws import Floats, trials_of
from fairtrial.stats.paired import paired_rates
from fairtrial.stats.permutation import mcnemar, sign_flip_rates

DRAWS = 1_000
AT_LEAST, AT_MOST = 0.75, 0.035
SHAPES = ((20, 5), (50, 1), (50, 3), (50, 5), (50, 10), (100, 5), (200, 1))


class Found(NamedTuple):
    """Shares of the drawn pairs of sides: called worse, p < 0.05 alone, and found by McNemar on cases that pass every trial."""

    worse: float
    flips: float
    mcnemar: float


def dropped(rates: Floats, points: float, *, evenly: bool) -> Floats:
    """What is left of each case's rate: the same points less everywhere (never below 0), or the same share of it."""
    return np.maximum(0.0, rates - points) if evenly else rates * (1.0 - points / 0.8)


def measure(shape: tuple[int, int], points: float, draws: int, *, evenly: bool = True, seed: int = 3) -> Found:
    """One line: `draws` pairs of sides of (cases, trials), the new one `points` (a share) lower."""
    rng = np.random.default_rng(seed)
    worse = flips = exact = 0
    for _ in range(draws):
        rates = rng.beta(1.6, 0.4, shape[0])
        base, new = trials_of(rng, rates, shape[1]), trials_of(rng, dropped(rates, points, evenly=evenly), shape[1])
        p_value, high = sign_flip_rates(base, new).p_value, paired_rates(base, new).high
        clear = p_value is not None and p_value < 0.05
        flips += clear
        worse += clear and high is not None and high < 0
        solid = [(a[0] == a[1], b[0] == b[1]) for a, b in zip(base, new, strict=True)]
        fixed, broken = solid.count((False, True)), solid.count((True, False))
        exact += broken > fixed and (mcnemar(fixed, broken).p_value or 1.0) < 0.05
    return Found(worse / draws, flips / draws, exact / draws)


def main() -> int:
    """Print the table; 1 where the stated line falls short or alarms are false too often."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS
    print("| cases × trials | drop | found | by sign flips alone | McNemar on cases that always pass |\n|---|---|---|---|---|")
    short = False
    for shape in SHAPES:
        for points, evenly in ((0.0, True), (0.1, True), (0.1, False)):
            found = measure(shape, points, draws, evenly=evenly)
            told = "none" if not points else f"{100 * points:g} points, {'evenly' if evenly else 'as a share of the rate'}"
            shown = " | ".join(f"{share:.1%}" for share in found)
            print(f"| {shape[0]} × {shape[1]} | {told} | {shown} |", flush=True)
            short = short or (found.worse > AT_MOST if not points else shape == (50, 5) and found.worse < AT_LEAST)
    return int(short)


if __name__ == "__main__":
    sys.exit(main())
