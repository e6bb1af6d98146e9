"""How often an estimated gate of a release says what is not so, by simulation: it holds, or fails, with the truth just at its bar.

Cases are drawn with their own rate (Beta with mean p and a + b = s; s = 0: all alike) and their own price (log-normal). A gate at
confidence .95 should hold, and fail, in 5 % of such runs at most. The bounds are those of `fairtrial.study.bounds`.

    .venv/bin/python -m benchmarks.statistics.gates              400 runs a row, about two minutes
    .venv/bin/python -m benchmarks.statistics.gates --runs 50
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from fairtrial.records.budget import Spend
from fairtrial.records.grade import Scorecard
from fairtrial.records.run import CaseInfo, Manifest, Planned, Run
from fairtrial.records.trial import Ending, TrialHead, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.study import bounds
from fairtrial.study.bounds import Bounded, Part
from fairtrial.study.watched import WatchedTable

SEED = 20261130


class Setting(NamedTuple):
    """`spread` is the standard deviation of the logarithm of a case's price and time."""

    cases: int
    trials: int
    rate: float
    mix: float
    spread: float


SETTINGS = (
    Setting(10, 3, 0.9, 5, 0.5),
    Setting(30, 3, 0.9, 5, 0.5),
    Setting(60, 3, 0.9, 20, 0.8),
    Setting(60, 1, 0.8, 0, 0.3),
    Setting(100, 5, 0.95, 5, 0.3),
)


def part_of(rng: np.random.Generator, one: Setting) -> Part:
    """A run as it would be stored."""
    names = [f"c{place}" for place in range(one.cases)]
    rates = rng.beta(one.rate * one.mix, (1 - one.rate) * one.mix, one.cases) if one.mix else np.full(one.cases, one.rate)
    dear = np.exp(rng.normal(0.0, one.spread, one.cases))
    manifest = Manifest(
        harness="", grader="g", suite="s", suite_version="v",
        cases=tuple(CaseInfo(id=name, hash=name, brief_hash=name) for name in names),
        planned=tuple(Planned(name, "new", one.trials) for name in names),
    )  # fmt: skip
    table = WatchedTable(Run(id="r", started_ns=0, ended_ns=1, status="complete", manifest=manifest))
    table.watch(_trials(rng, names, list(zip(rates, dear, strict=True)), one.trials))
    return Part(lane=table.lanes["new"], watch=table.watches["new"], rows=list(range(one.cases)), confidence=0.95)


def _trials(
    rng: np.random.Generator, names: list[str], each: list[tuple[float, float]], trials: int
) -> Iterator[tuple[TrialHead, Scorecard]]:
    for name, (rate, dear) in zip(names, each, strict=True):
        for attempt in range(1, trials + 1):
            verdict = Verdict.PASS if rng.random() < rate else Verdict.FAIL
            spend = Spend(usd=Decimal(f"{dear:.6f}"), usd_complete=True)
            head = TrialHead(key=TrialKey(name, "new", attempt), seed=0, ending=Ending.FINISHED, wall_ms=1000 * dear, spend=spend)
            yield head, Scorecard(verdict=verdict, grader="g")


def gates(one: Setting) -> dict[str, tuple[Callable[[Part], Bounded], float, bool]]:
    """By name: the reading, the truth that is its bar, and whether more is better."""
    price = math.exp(one.spread**2 / 2) / one.rate
    slow = 1000 * math.exp(1.6448536 * one.spread)
    return {
        "success_rate": (bounds.success, one.rate, True),
        "cost_per_success": (bounds.cost_per_success, price, False),
        "latency_p95": (bounds.latency_p95, slow, False),
    }


def main(runs: int) -> None:
    """Prints a row a setting."""
    rng = np.random.default_rng(SEED)
    print("cases trials rate  mix spread   gate              holds   fails   (share of runs, truth at the bar)")
    for one in SETTINGS:
        counted: dict[str, list[int]] = {name: [0, 0] for name in gates(one)}
        for _ in range(runs):
            part = part_of(rng, one)
            for name, (read, bar, more) in gates(one).items():
                found = read(part)
                low = found.low is not None and (found.low >= bar if more else found.low > bar)
                high = found.high is not None and (found.high < bar if more else found.high <= bar)
                counted[name][0] += low if more else high
                counted[name][1] += high if more else low
        for name, (holds, fails) in counted.items():
            row = f"{one.cases:5} {one.trials:6} {one.rate:5} {one.mix:4} {one.spread:6}"
            print(f"{row}   {name:17} {holds / runs:6.3f}  {fails / runs:6.3f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=400)
    main(parser.parse_args().runs)
