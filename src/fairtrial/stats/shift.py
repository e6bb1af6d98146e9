"""Did an intervention move what comes out, beyond the noise that is there without it?

Each case has runs as they are (controls) and altered runs, one of each with every seed, and what comes out of a run is one of
some classes. The shift of a case is how often an altered run differs from a control of another seed, minus how often two
controls differ. It is 0 on average where the intervention does nothing, however noisy the runs are. Kept out: what a class is.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import msgspec

from fairtrial.stats.estimate import Estimate, PValue
from fairtrial.stats.paired import paired_rates

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DRAWS = 9_999
_EXACT = 20_000
"""Up to this many relabellings of a single case are all counted."""

Runs = Sequence[Hashable | None]
"""What came out of each run, in the order of seeds; None where nothing did."""
Sides = tuple[Runs, Runs]
"""The controls and the altered runs of one case."""


class CaseShift(msgspec.Struct, frozen=True, kw_only=True):
    """`noise`: share of pairs of controls that differ; `moved`: share of pairs of an altered run and a control that do; both
    over pairs of different seeds, None where there is no such pair."""

    noise: float | None
    moved: float | None

    @property
    def value(self) -> float | None:
        return None if self.noise is None or self.moved is None else self.moved - self.noise


def case_shift(sides: Sides) -> CaseShift:
    """The shift of one case."""
    (apart, pairs), (moved, across) = _counts(sides)
    return CaseShift(noise=apart / pairs if pairs else None, moved=moved / across if across else None)


def mean_shift(cases: Sequence[Sides], confidence: float = 0.95) -> Estimate:
    """The mean shift over cases with its interval; n counts the cases in which both parts are known.

    A paired difference of two shares. It cannot lie further below 0 than the noise that was seen.
    """
    known = [one for one in map(_counts, cases) if one[0][1] and one[1][1]]
    if not known:
        method = f"mean of case shifts, {confidence:g}"
        return Estimate(value=None, low=None, high=None, n=0, method=method, reason="no case has two runs of each kind")
    found = paired_rates([noise for noise, _ in known], [moved for _, moved in known], confidence)
    least = -math.fsum(apart / pairs for (apart, pairs), _ in known) / len(known)
    low = None if found.low is None else max(found.low, least)
    return Estimate(value=found.value, low=low, high=found.high, n=found.n, method=found.method)


def shift_test(cases: Sequence[Sides], seed: int = 0, draws: int = DRAWS) -> PValue:
    """Could chance alone have shifted the runs as far? Within each case the labels control and altered are dealt out anew.

    One-sided: an intervention can only add to the differences. Where it does nothing, the runs of a case are alike whatever
    they are called, so the test holds its level for any noise and any number of cases. p = (1 + as far) / (1 + draws); all
    relabellings are counted where there is one case and they are few.
    """
    import numpy as np

    grounds = [ground for sides in cases if (ground := _ground(sides)) is not None]
    if not grounds:
        return PValue(p_value=None, n=0, method="labels dealt anew", reason="no case has two runs of each kind")
    seen = math.fsum(float(_statistic(one, one.labels[None, :])[0]) for one in grounds)
    floor = seen - 1e-9
    ways = math.comb(len(grounds[0].labels), int(grounds[0].labels.sum()))
    if len(grounds) == 1 and ways <= _EXACT:
        sums = _statistic(grounds[0], _every(grounds[0].labels))
        return PValue(p_value=float(np.mean(sums >= floor)), n=1, method="labels dealt anew, exact, one-sided")
    rng = np.random.default_rng(seed)
    total = np.zeros(draws)
    for one in grounds:
        total += _statistic(one, rng.permuted(np.tile(one.labels, (draws, 1)), axis=1))
    p_value = (1 + int(np.count_nonzero(total >= floor))) / (1 + draws)
    return PValue(p_value=p_value, n=len(grounds), method=f"labels dealt anew, {draws} draws, one-sided")


class _Ground(msgspec.Struct, frozen=True):
    """`labels`: 1.0 for an altered run; `differ` and `pairs`: for each two runs whether they differ, and whether they count."""

    labels: NDArray[np.float64]
    differ: NDArray[np.float64]
    pairs: NDArray[np.float64]


def _ground(sides: Sides) -> _Ground | None:
    import numpy as np

    noise, moved = _counts(sides)
    if not noise[1] or not moved[1]:
        return None
    runs = [(label, place, run) for label, side in enumerate(sides) for place, run in enumerate(side) if run is not None]
    pairs = np.array([[float(one[1] != two[1]) for two in runs] for one in runs])
    differ = np.array([[float(one[2] != two[2]) for two in runs] for one in runs]) * pairs
    return _Ground(np.array([float(label) for label, _, _ in runs]), differ, pairs)


def _statistic(ground: _Ground, labels: NDArray[np.float64]) -> NDArray[np.float64]:
    """The shift under each row of labels; a part without pairs counts as 0."""
    import numpy as np

    controls = 1.0 - labels
    parts = []
    for side in (labels, controls):
        apart = ((side @ ground.differ) * controls).sum(axis=1)
        pairs = ((side @ ground.pairs) * controls).sum(axis=1)
        parts.append(np.divide(apart, pairs, out=np.zeros_like(apart), where=pairs > 0))
    return np.asarray(parts[0] - parts[1])


def _every(labels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Every way to deal the labels out."""
    from itertools import combinations

    import numpy as np

    chosen = np.array(list(combinations(range(len(labels)), int(labels.sum()))))
    rows = np.zeros((len(chosen), len(labels)))
    np.put_along_axis(rows, chosen, 1.0, axis=1)
    return rows


def _counts(sides: Sides) -> tuple[tuple[int, int], tuple[int, int]]:
    """(differing, pairs) among the controls, and between altered runs and controls, of different seeds."""
    controls, changed = ([(place, run) for place, run in enumerate(side) if run is not None] for side in sides)
    within = [one[1] != two[1] for one in controls for two in controls if one[0] < two[0]]
    across = [one[1] != two[1] for one in changed for two in controls if one[0] != two[0]]
    return (sum(within), len(within)), (sum(across), len(across))
