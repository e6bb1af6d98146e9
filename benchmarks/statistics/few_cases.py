"""The interval on a success rate below ten cases: to the letter, as the contract shows it, beside the widened one.

Run as `python -m benchmarks.statistics.few_cases [TABLES]`; a cell is `TABLES` drawn suites, 10,000 unless said. The second table
looks for the lowest coverage to the letter, which a report's caution states. Exit code 1 where it states more than is measured.
"""

from __future__ import annotations

import sys

from benchmarks.statistics.draws import suites
from fairtrial.stats.caution import lowest_coverage
from fairtrial.stats.interval import Few, clustered_rate

TABLES = 10_000
FEW_CASES = tuple(range(2, 10))
TRUTHS: tuple[tuple[float, float | None], ...] = ((0.5, 1.0), (0.8, 2.0), (0.8, None))
CURVES = tuple((mean, mix) for mean in (0.5, 0.7, 0.8, 0.9, 0.95) for mix in (0.5, 1.0, 2.0))
DEPTHS = ((4, 5), (15, 20), (100,))
SLACK = 1.5


def covers(shape: tuple[int, int], truth: tuple[float, float | None], few: Few, tables: int, seed: int = 8) -> tuple[float, float]:
    """(share of suites of (cases, trials) whose interval held the mean, mean width)."""
    held, width = 0, 0.0
    for counts in suites(seed, tables, shape, truth):
        rate = clustered_rate(counts, few=few)
        if rate.low is None or rate.high is None:
            raise AssertionError("no interval")
        held += rate.low <= truth[0] <= rate.high
        width += rate.high - rate.low
    return held / tables, width / tables


def lowest(cases: int, depths: tuple[int, ...], tables: int) -> float:
    """The lowest coverage of the interval to the letter over all curves, at these numbers of trials."""
    return min(covers((cases, trials), truth, "literal", tables)[0] for trials in depths for truth in CURVES)


def main() -> int:
    """Print both tables; 1 where a caution promises too much."""
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    print("| cases × trials | mean 0.5, s = 1 | mean 0.8, s = 2 | all 0.8 |\n|---|---|---|---|")
    for cases in (2, 3, 5, 7, 9):
        for trials in (5, 20):
            cells = []
            for truth in TRUTHS:
                (letter, narrow), (wide, width) = (covers((cases, trials), truth, few, tables) for few in ("literal", "widen"))
                cells.append(f"{100 * letter:.1f} / *{100 * wide:.1f}* % ({narrow:.2f} / {width:.2f})")
            print(f"| {cases} × {trials} | {' | '.join(cells)} |", flush=True)
    print("\n| independent cases | up to 5 trials | up to 20 | 100 |\n|---|---|---|---|")
    wrong = False
    for cases in FEW_CASES:
        found = [100 * lowest(cases, depths, max(500, tables // 5)) for depths in DEPTHS]
        stated = [lowest_coverage(cases, depths[-1]) or 0 for depths in DEPTHS]
        shown = " | ".join(f"{seen:.1f} % (stated {said} %)" for seen, said in zip(found, stated, strict=True))
        print(f"| {cases} | {shown} |", flush=True)
        wrong = wrong or any(seen < said - SLACK for seen, said in zip(found, stated, strict=True))
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
