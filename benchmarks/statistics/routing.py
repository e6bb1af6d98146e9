"""How often a rule for routing is advised where none is true, and how often where one is.

Run as `python -m benchmarks.statistics.routing [RUNS]`; a cell is `RUNS` drawn runs of two setups, 200 unless said. Every case has four
labels and three tags. In the first three truths no label has anything to do with what the team gains; in the last it gains only where
difficulty = hard, two cases of five. Exit code 1 where a false rule is advised in more than one of twenty runs of a truth.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from decimal import Decimal

import numpy as np

from benchmarks.statistics.draws import Floats
from fairtrial.records.case import Labels
from fairtrial.records.run import CaseInfo
from fairtrial.study.codes import FAIL, PASS
from fairtrial.study.curve import Field
from fairtrial.study.lane import Lane
from fairtrial.study.routing import read_routing

RUNS = 200
MOST = 0.05
SHAPES = ((40, 5), (60, 3), (100, 5), (200, 5))
PRICES = {"single": 0.03, "team": 0.09}
MARGIN = 0.05

Truth = Callable[[Floats, "list[CaseInfo]"], Floats]


def alike(rates: Floats, cases: list[CaseInfo]) -> Floats:
    """The team is as good everywhere."""
    return rates


def half_the_gap(rates: Floats, cases: list[CaseInfo]) -> Floats:
    """The team closes half of each case's gap to 1."""
    return rates + (1.0 - rates) / 2.0


def eight_points(rates: Floats, cases: list[CaseInfo]) -> Floats:
    """The team gains eight points everywhere."""
    return np.minimum(1.0, rates + 0.08)


def on_hard_cases(rates: Floats, cases: list[CaseInfo]) -> Floats:
    """The team closes nearly the whole gap of hard cases; for them alone the rival is drawn around a half."""
    hard = np.array([case.labels.difficulty == "hard" for case in cases])
    return np.where(hard, 0.95, rates)


TRUTHS: dict[str, Truth] = {"as good": alike, "half the gap": half_the_gap, "eight points": eight_points, "on hard cases": on_hard_cases}


def drawn_cases(rng: np.random.Generator, number: int) -> list[CaseInfo]:
    """Cases with labels drawn at random."""
    found = []
    for place in range(number):
        labels = Labels(
            difficulty="hard" if place % 5 < 2 else "easy",
            risk=str(rng.choice(["low", "medium", "high"])),
            source=str(rng.choice(["real", "edge", "incident"])),
            kind=str(rng.choice(["normal", "boundary", "safety"])),
            tags=tuple(tag for tag in "abc" if rng.random() < 0.3),
        )
        found.append(CaseInfo(id=f"c{place}", hash=f"h{place}", brief_hash="", labels=labels))
    return found


def lane_of(setup: str, cases: list[CaseInfo], passed: Floats, trials: int) -> Lane:
    """A setup whose trials all cost the same."""
    lane = Lane(setup, cases, [trials] * len(cases), details=False)
    for row, good in enumerate(passed.astype(int).tolist()):
        for turn in range(trials):
            lane.verdicts[lane.first[row] + turn] = PASS if turn < good else FAIL
            lane.usd_each[lane.first[row] + turn] = PRICES[setup]
        lane.passed[row], lane.failed[row] = good, trials - good
        lane.usd[row], lane.usd_stated[row], lane.usd_known[row] = Decimal(str(PRICES[setup])) * trials, trials, trials
    return lane


def one_run(rng: np.random.Generator, shape: tuple[int, int], truth: str) -> str:
    """The rule that is advised for one drawn run, empty where none is."""
    cases = drawn_cases(rng, shape[0])
    rates = rng.beta(1.6, 0.4, shape[0])
    if truth == "on hard cases":
        hard = np.array([case.labels.difficulty == "hard" for case in cases])
        rates = np.where(hard, rng.beta(4, 4, shape[0]), rng.beta(19, 1, shape[0]))
    better = TRUTHS[truth](rates, cases)
    lanes = {
        name: lane_of(name, cases, rng.binomial(shape[1], p).astype(float), shape[1]) for name, p in (("single", rates), ("team", better))
    }
    field = Field(lanes={name: (lane, list(range(shape[0]))) for name, lane in lanes.items()}, measure="usd", reason="")
    return read_routing(field, ("single", "team"), MARGIN).rule or ""


def measure(truth: str, shape: tuple[int, int], runs: int, seed: int = 4) -> tuple[float, float]:
    """Shares of the drawn runs with the true rule and with any other one."""
    rng = np.random.default_rng(seed)
    rules = [one_run(rng, shape, truth) for _ in range(runs)]
    right = sum(truth == "on hard cases" and rule == "difficulty = hard" for rule in rules)
    return right / runs, (sum(map(bool, rules)) - right) / runs


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    print(f"| truth | {' | '.join(f'{cases} × {trials}' for cases, trials in SHAPES)} |\n|---|{'---|' * len(SHAPES)}")
    worst = 0.0
    for truth in TRUTHS:
        found = [measure(truth, shape, runs) for shape in SHAPES]
        shown = [f"{right:.1%} right, {wrong:.1%} false" if truth == "on hard cases" else f"{wrong:.1%}" for right, wrong in found]
        worst = max(worst, sum(wrong for _, wrong in found) / len(found))
        print(f"| {truth} | {' | '.join(shown)} |")
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
