"""What resampling costs: 10,000 draws over 500 cases, in seconds of CPU.

Run as `python -m benchmarks.statistics.speed`. Each figure is the least of five runs; what a million additions of numpy take in the same
minute stands beside it, for the machine may be busy. Exit code 1 where a figure passes half a second.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import numpy as np

from benchmarks.statistics.draws import trials_of
from fairtrial.stats.bootstrap import Resampling, mean_by_bootstrap
from fairtrial.stats.paired import paired_rates, rate_differences
from fairtrial.stats.permutation import sign_flip, sign_flip_rates
from fairtrial.stats.price import cost_per_success
from fairtrial.stats.shapley import coalitions, shapley_intervals

CASES, TRIALS, DRAWS = 500, 200, 10_000
AT_MOST = 0.5
ROUNDS = 5


def least(work: Callable[[], object]) -> float:
    """Seconds of CPU of the quickest of five runs."""
    times = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def works() -> dict[str, Callable[[], object]]:
    """What is measured, by name."""
    rng = np.random.default_rng(11)
    base, new = (trials_of(rng, rng.beta(1.6, 0.4, CASES), TRIALS) for _ in range(2))
    uneven = trials_of(rng, rng.beta(1.6, 0.4, CASES), TRIALS - 3)
    differences = rate_differences(base, new)
    costs = rng.gamma(4.0, 0.05, CASES).tolist()
    shares = {each: rng.uniform(0, 1, CASES).tolist() for each in coalitions(["a", "b", "c", "d"])}
    return {
        f"paired bootstrap, {DRAWS:,} draws": lambda: mean_by_bootstrap(differences, how=Resampling(resamples=DRAWS)),
        f"cost per success, {DRAWS:,} draws": lambda: cost_per_success(costs, base, how=Resampling(resamples=DRAWS)),
        "sign flips of rates (exact or 100,000 draws)": lambda: sign_flip_rates(base, new),
        "sign flips of rates, unequal trials (40,000 draws)": lambda: sign_flip_rates(base, uneven),
        "sign flips of costs (80,000 draws)": lambda: sign_flip(costs),
        "interval on a paired difference": lambda: paired_rates(base, new),
        f"Shapley, four roles, {DRAWS:,} draws": lambda: shapley_intervals(shares, ["a", "b", "c", "d"]),
    }


def main() -> int:
    """Print the table; 1 where the half second is passed by what must stay below it."""
    yardstick = least(lambda: np.arange(1_000_000.0).cumsum())
    print(f"load {os.getloadavg()[0]:.1f}; a million additions take {1000 * yardstick:.1f} ms of CPU\n")
    print(f"| {CASES} cases × {TRIALS} trials | CPU s | at most |\n|---|---|---|")
    slow = False
    for name, work in works().items():
        seconds = least(work)
        bound = AT_MOST if "draws" in name and "Shapley" not in name else None
        slow = slow or (bound is not None and seconds > bound)
        print(f"| {name} | {seconds:.3f} | {'' if bound is None else bound} |", flush=True)
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
