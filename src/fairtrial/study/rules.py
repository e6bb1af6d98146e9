"""Rules that send cases by their labels, the choice among them, and whether the labels make any difference at all.

A rule is one value of a label, or several of one label: such cases go to the dearer of two setups, all others to the cheaper.
Which rules there are follows from the labels alone; no outcome of a case is ever part of a rule. Whether the chosen rule holds
is for routing.py, on cases that had no part in the choice.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from fairtrial.study.slices import rows_by_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from fairtrial.records.run import CaseInfo

    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]

FEWEST = 5
"""Independent cases that a rule must send, and must leave, to be looked at."""
CLEAR = 1.0
"""Standard errors by which a rule should meet a demand on the cases it is chosen on."""
MOST_VALUES = 5
"""Up to so many values of a label every set of them is a rule; of more, each value and all but each."""
SHUFFLES = 2_000


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """Cases whose `label` is one of `values`."""

    label: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.label} = {' or '.join(self.values)}"


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule is chosen on, one entry a case: `gain` is success of the dearer − the cheaper setup, `unit` the number of the
    case's cluster. `sent` has one row a rule: which cases it sends. `margin` is the loss that counts as none."""

    gain: Floats
    unit: NDArray[np.intp]
    rules: list[Rule]
    sent: Flags
    margin: float

    def of(self, rule: Rule) -> Flags:
        """The cases that a rule sends to the dearer setup."""
        found: Flags = self.sent[self.rules.index(rule)]
        return found


def ground_of(cases: Sequence[CaseInfo], gain: Floats, unit: NDArray[np.intp], margin: float) -> Ground:
    """The rules that these cases allow, with what each sends."""
    import numpy as np

    rules, rows = [], []
    for rule, places in _candidates(cases):
        sent = np.zeros(len(cases), dtype=bool)
        sent[places] = True
        if min(_units(unit[sent]), _units(unit[~sent])) >= FEWEST:
            rules.append(rule)
            rows.append(sent)
    return Ground(gain=gain, unit=unit, rules=rules, sent=np.array(rows, dtype=bool).reshape(len(rows), len(cases)), margin=margin)


def _candidates(cases: Sequence[CaseInfo]) -> Iterator[tuple[Rule, list[int]]]:
    """Each tag alone; of any other label the sets of its values."""
    for label, values in rows_by_label(cases).items():
        for chosen in _sets(label, sorted(values)):
            yield Rule(label=label, values=chosen), sorted({place for value in chosen for place in values[value]})


def _sets(label: str, values: list[str]) -> Iterator[tuple[str, ...]]:
    every = range(1, len(values) + 1)
    sizes = every if len(values) <= MOST_VALUES else (1, len(values) - 1)
    for size in (1,) if label == "tag" else sizes:
        yield from combinations(values, size)


def choose(ground: Ground, known: Flags) -> Rule | None:
    """The rule that looks best on the `known` cases; None where no rule has enough of them on both sides.

    It is the one whose cases gain most over the others (the difference in standard errors), first among the rules that clearly
    gain over the cheaper setup and clearly lose less than the margin against the dearer one, and else among all.
    """
    gain, unit = ground.gain[known], ground.unit[known]
    looked = []
    for rule, row in zip(ground.rules, ground.sent, strict=True):
        sent = row[known]
        if min(_units(unit[sent]), _units(unit[~sent])) >= FEWEST - 1:
            looked.append((_meets(gain, sent, (unit, ground.margin)), _clear(*contrast(gain, sent, unit)), rule))
    return max(looked, key=lambda entry: entry[:2])[2] if looked else None


def _meets(gain: Floats, sent: Flags, ground: tuple[NDArray[np.intp], float]) -> bool:
    import numpy as np

    unit, margin = ground
    won, error_won = mean_and_error(np.where(sent, gain, 0.0), unit)
    lost, error_lost = mean_and_error(np.where(sent, 0.0, gain), unit)
    return min(_clear(won, error_won), _clear(margin - lost, error_lost)) >= CLEAR


def mean_and_error(values: Floats, unit: NDArray[np.intp]) -> tuple[float, float]:
    """The mean and its standard error, clusters taken as the independent units (as stats/clusters.py)."""
    import numpy as np

    mean = float(values.mean())
    sums = np.bincount(unit, weights=values - mean)
    groups = _units(unit)
    return mean, math.sqrt(float((sums**2).sum()) * groups / (groups - 1)) / len(values) if groups > 1 else math.inf


def contrast(gain: Floats, sent: Flags, unit: NDArray[np.intp]) -> tuple[float, float]:
    """The mean gain where a rule sends − where it does not, and its standard error."""
    inside, error_in = mean_and_error(gain[sent], unit[sent])
    outside, error_out = mean_and_error(gain[~sent], unit[~sent])
    return inside - outside, math.hypot(error_in, error_out)


def label_effect(ground: Ground, seed: int = 0) -> float:
    """How often chance alone makes some rule's cases gain so much more than the others: p, corrected for all rules looked at.

    Gains are dealt out anew over the cases, clusters as blocks among those of their size; of each deal the rule that looks best
    counts (the largest standardised contrast, Westfall and Young 1993). p = (1 + as large) / (1 + deals).
    """
    import numpy as np

    inside = ground.sent.sum(axis=1).astype(float)
    outside = ground.sent.shape[1] - inside
    weight = (ground.sent / inside[:, None] - ~ground.sent / outside[:, None]) / np.sqrt(1.0 / inside + 1.0 / outside)[:, None]
    seen = float((weight @ ground.gain).max())
    rng = np.random.default_rng(seed)
    dealt = np.array([(weight @ ground.gain[order]).max() for order in _deals(ground.unit, rng)])
    return (1 + int((dealt >= seen - 1e-12).sum())) / (1 + len(dealt))


def _deals(unit: NDArray[np.intp], rng: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    """Orders of the cases that move whole clusters to the places of clusters as large."""
    import numpy as np

    blocks = np.split(np.argsort(unit, kind="stable"), np.cumsum(np.bincount(unit))[:-1])
    by_size: dict[int, list[NDArray[np.intp]]] = {}
    for block in blocks:
        by_size.setdefault(len(block), []).append(block)
    tables = [np.array(found) for found in by_size.values()]
    for _ in range(SHUFFLES):
        order = np.empty(len(unit), dtype=np.intp)
        for table in tables:
            order[table] = table[rng.permutation(len(table))]
        yield order


def _clear(value: float, error: float) -> float:
    """By how many standard errors a value lies above 0; values that show no spread show nothing but their sign."""
    return value / error if error > 0.0 else math.copysign(math.inf, value) if value else 0.0


def _units(unit: NDArray[np.intp]) -> int:
    import numpy as np

    return len(np.unique(unit))
