"""How often the interval on a success rate holds the truth, over the whole table that decision 009 was made on.

Run as `python -m benchmarks.statistics.rates [TABLES]`; a cell is `TABLES` drawn suites, 10,000 unless said. `marked` is the share
of intervals that carry a caution. Exit code 1 where a mean up to 0.9 is covered below 92 %, or all of those below 93.5 % on average.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from benchmarks.statistics.draws import CASES, MEANS, MIXES, NEAR_ONE, TRIALS, named, suites
from fairtrial.stats.interval import clustered_rate

TABLES = 10_000
EVERYWHERE, ON_AVERAGE = 0.92, 0.935


class Cell(NamedTuple):
    """Shares of the drawn suites: whose interval held the truth, and which were marked; and the mean width."""

    covers: float
    marked: float
    width: float


def measure(shape: tuple[int, int], truth: tuple[float, float | None], tables: int, seed: int = 1) -> Cell:
    """One cell: `tables` suites of (cases, trials) with case rates of (mean, mix)."""
    held = marked = 0
    width = 0.0
    for counts in suites(seed, tables, shape, truth):
        rate = clustered_rate(counts)
        if rate.low is None or rate.high is None or rate.low >= rate.high:
            raise AssertionError(f"an interval without width: {counts}")
        held += rate.low <= truth[0] <= rate.high
        marked += bool(rate.caution)
        width += rate.high - rate.low
    return Cell(held / tables, marked / tables, width / tables)


def table(means: tuple[float, ...], tables: int) -> list[float]:
    """Print one line a shape and mean, one column a mix; return every coverage."""
    print(f"\n| cases × trials | mean | {' | '.join(named(mix) for mix in MIXES)} | mean width | marked |")
    print("|---|---|" + "---|" * (len(MIXES) + 2))
    covers = []
    for cases in CASES:
        for trials in TRIALS:
            for mean in means:
                cells = [measure((cases, trials), (mean, mix), tables) for mix in MIXES]
                covers += [cell.covers for cell in cells]
                width, marked = (sum(part) / len(cells) for part in zip(*(cell[:0:-1] for cell in cells), strict=True))
                shown = " | ".join(f"{cell.covers:.1%}" for cell in cells)
                print(f"| {cases} × {trials} | {mean:g} | {shown} | {width:.3f} | {marked:.0%} |", flush=True)
    told = f"least {min(covers):.1%}, mean {sum(covers) / len(covers):.1%}, most {max(covers):.1%} of {len(covers)} cells"
    print(f"\n{told}, {tables:,} each")
    return covers


def main() -> int:
    """Print both tables; 1 where the first falls short."""
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    covers = table(MEANS, tables)
    table(NEAR_ONE, tables)
    return int(min(covers) < EVERYWHERE or sum(covers) / len(covers) < ON_AVERAGE)


if __name__ == "__main__":
    sys.exit(main())
