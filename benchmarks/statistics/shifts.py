"""What `use` promises, by simulation: how seldom noise is read as a use, how often a use is found, what its interval covers.

Each case has noise of its own: decisions are drawn from weights u³, scaled to one, u uniform; how many there are is stated. An
altered run takes a decision of its own with the chance that is the true share of use, and else decides as a control does. Where
`seeds` stands, a run and its control with the same seed decide alike in so many cases of ten unless the fact is used.

    .venv/bin/python -m benchmarks.statistics.shifts            1,000 studies a row; ends 1 where false alarms pass 5 % clearly
    .venv/bin/python -m benchmarks.statistics.shifts --studies 100
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

import numpy as np

from fairtrial.stats.shift import Sides, mean_shift, shift_test

SEED = 20261130
ALPHA = 0.05


class Setting(NamedTuple):
    """`decisions`: how many can come up without the intervention. `seeds`: how much of the noise hangs on the seed alone."""

    cases: int
    runs: int
    decisions: int
    use: float
    seeds: float = 0.0


SETTINGS = (
    Setting(1, 5, 2, 0.0),
    Setting(4, 3, 2, 0.0),
    Setting(10, 5, 4, 0.0),
    Setting(40, 5, 20, 0.0),
    Setting(10, 5, 4, 0.0, seeds=0.8),
    Setting(1, 5, 1, 1.0),
    Setting(4, 5, 2, 1.0),
    Setting(10, 5, 4, 0.5),
    Setting(20, 5, 4, 0.25),
    Setting(10, 5, 1, 0.4),
    Setting(40, 5, 1, 0.1),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=1_000)
    studies = parser.parse_args().studies
    worst = 0.0
    print("cases × runs | decisions | seeds | true use | read as use | mean shift | interval covers it")
    for setting in SETTINGS:
        rng = np.random.default_rng(SEED)
        tables = [[_case(rng, setting) for _ in range(setting.cases)] for _ in range(studies)]
        alarms = sum(
            (shift_test([sides for sides, _ in table], number, draws=399).p_value or 1.0) <= ALPHA for number, table in enumerate(tables)
        )
        found = [mean_shift([sides for sides, _ in table]) for table in tables]
        true = [float(np.mean([shift for _, shift in table])) for table in tables]
        centre = float(np.mean(true))
        covered = sum((one.low or 0.0) <= centre <= (one.high or 0.0) for one in found)
        mean = float(np.mean([one.value or 0.0 for one in found]))
        if setting.use == 0.0:
            worst = max(worst, alarms / studies)
        shown = f"{setting.cases} × {setting.runs} | {setting.decisions} | {setting.seeds:g} | {setting.use:g}"
        print(f"{shown} | {alarms / studies:.1%} | {mean:+.3f} | {covered / studies:.1%}", flush=True)
    most = ALPHA + 3 * (ALPHA * (1 - ALPHA) / studies) ** 0.5
    return int(worst > most)


def _case(rng: np.random.Generator, setting: Setting) -> tuple[Sides, float]:
    """The runs of one case, and its true shift: of an altered run and a control, less that of two controls."""
    weights = rng.random(setting.decisions) ** 3
    weights /= weights.sum()
    controls = rng.choice(setting.decisions, setting.runs, p=weights)
    altered = rng.choice(setting.decisions, setting.runs, p=weights)
    altered = np.where(rng.random(setting.runs) < setting.seeds, controls, altered)
    altered = np.where(rng.random(setting.runs) < setting.use, setting.decisions, altered)
    noise = 1.0 - float((weights**2).sum())
    return (controls.tolist(), altered.tolist()), setting.use * (1.0 - noise)


if __name__ == "__main__":
    sys.exit(main())
