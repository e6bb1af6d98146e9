"""How often the interval on a paired difference holds the truth: the same cases tried on two sides.

Run as `python -m benchmarks.statistics.differences [TABLES]`; a cell is `TABLES` drawn pairs of sides, 2,000 unless said. The new side
loses nothing, a tenth of each case's rate, or a fifth at every second case. Exit code 1 where a mean up to 0.9 is covered below
92 %, or all of those below 93.5 % on average.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from benchmarks.statistics.draws import CASES, MEANS, MIXES, NEAR_ONE, TRIALS, Floats, case_rates, named, trials_of
from fairtrial.stats.paired import paired_rates

TABLES = 2_000
EVERYWHERE, ON_AVERAGE = 0.92, 0.935
CHANGES = ("none", "even", "uneven")


class Cell(NamedTuple):
    """Shares of the drawn pairs of sides: whose interval held the truth, and which left 0 out; and the mean width."""

    covers: float
    found: float
    width: float


def changed(rates: Floats, change: str) -> Floats:
    """What is left of each case's rate on the new side."""
    if change == "none":
        return rates
    if change == "even":
        return rates * 0.9
    return rates * np.where(np.arange(len(rates)) % 2, 0.8, 1.0)


def measure(shape: tuple[int, int], truth: tuple[float, float | None], change: str, tables: int, seed: int = 2) -> Cell:
    """One cell: `tables` pairs of sides of (cases, trials), the base having case rates of (mean, mix)."""
    rng = np.random.default_rng(seed)
    true = 0.0 if change == "none" else -0.1 * truth[0]
    held = found = 0
    width = 0.0
    for _ in range(tables):
        rates = case_rates(rng, shape[0], *truth)
        difference = paired_rates(trials_of(rng, rates, shape[1]), trials_of(rng, changed(rates, change), shape[1]))
        if difference.low is None or difference.high is None or difference.low >= difference.high:
            raise AssertionError("an interval without width")
        held += difference.low <= true <= difference.high
        found += not difference.low <= 0.0 <= difference.high
        width += difference.high - difference.low
    return Cell(held / tables, found / tables, width / tables)


def table(means: tuple[float, ...], change: str, tables: int) -> list[float]:
    """Print one line a shape and mean, one column a mix; return every coverage."""
    print(f"\n| cases × trials | mean | {' | '.join(named(mix) for mix in MIXES)} | mean width | 0 left out |")
    print("|---|---|" + "---|" * (len(MIXES) + 2))
    covers = []
    for cases in CASES:
        for trials in TRIALS:
            for mean in means:
                cells = [measure((cases, trials), (mean, mix), change, tables) for mix in MIXES]
                covers += [cell.covers for cell in cells]
                width, found = (sum(part) / len(cells) for part in ([cell.width for cell in cells], [cell.found for cell in cells]))
                shown = " | ".join(f"{cell.covers:.1%}" for cell in cells)
                print(f"| {cases} × {trials} | {mean:g} | {shown} | {width:.3f} | {found:.1%} |", flush=True)
    told = f"least {min(covers):.1%}, mean {sum(covers) / len(covers):.1%}, most {max(covers):.1%} of {len(covers)} cells"
    print(f"\nchange {change}, {told}, {tables:,} each")
    return covers


def main() -> int:
    """Print a table a change, and one near 1; 1 where the first ones fall short."""
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    covers = [cover for change in CHANGES for cover in table(MEANS, change, tables)]
    table(NEAR_ONE, "even", tables)
    return int(min(covers) < EVERYWHERE or sum(covers) / len(covers) < ON_AVERAGE)


if __name__ == "__main__":
    sys.exit(main())
