"""Success within a budget: what share of the planned trials had passed by the time a trial had used so much.

At equal budgets a team and one agent stand beside each other as they would if both were stopped there. A trial whose use is not
known in full is never taken for a cheap one: it is counted apart. Columns are read as they lie in the lanes, so that hundreds
of thousands of trials stay cheap. Kept out: the verdict on the team (lift.py).
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Context, Decimal
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.lift import AtBudget, Curve, Reach, Turn
from fairtrial.records.report import Difference
from fairtrial.stats.interval import clustered_rate
from fairtrial.stats.paired import paired_rates
from fairtrial.study.codes import FAIL, NOT_RUN, PASS
from fairtrial.study.costs import SHARE
from fairtrial.study.lane import MISSING, Lane

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

MEASURES = ("usd", "tokens", "steps")
MOST_BUDGETS = 8
DIGITS = Context(prec=2, rounding=ROUND_CEILING)
_LEVEL = 1e-9  # sums of shares that lie closer are equal


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """The setups of a lift at the same cases: by setup its lane and its rows, all in one order of cases."""

    lanes: Mapping[str, tuple[Lane, list[int]]]
    measure: str | None
    reason: str

    @property
    def cases(self) -> int:
        return max((len(rows) for _, rows in self.lanes.values()), default=0)

    def part(self, places: Sequence[int]) -> Field:
        """The same at some of the cases."""
        some = {name: (lane, [rows[place] for place in places]) for name, (lane, rows) in self.lanes.items()}
        return msgspec.structs.replace(self, lanes=some)


def field_of(lanes: Mapping[str, Lane]) -> Field:
    """The setups at the cases that all of them were tried at, and the measure that their budgets are told in."""
    names = set.intersection(*(set(lane.rows) for lane in lanes.values())) if lanes else set()
    first = next(iter(lanes.values())).rows if lanes else {}
    shared = [case for case in first if case in names]
    found = {name: (lane, [lane.rows[case] for case in shared]) for name, lane in lanes.items()}
    measure, reason = _measure(found.values())
    return Field(lanes=found, measure=measure, reason=reason)


def _measure(sides: Iterable[tuple[Lane, list[int]]]) -> tuple[str | None, str]:
    """Money where most passed trials of every setup state theirs in full, else tokens, else steps; with why no better one."""
    known = [_known(lane, rows) for lane, rows in sides]
    told = {"usd": "money", "tokens": "tokens"}
    missing: list[str] = []
    for place, measure in enumerate(MEASURES):
        if known and all(2 * counts[place] > counts[-1] for counts in known if counts[-1]):
            return measure, f"{' and '.join(missing)} not known for most trials that passed" if missing else ""
        missing.append(told.get(measure, measure))
    return None, "no use is known: trials state neither money nor tokens, and have no steps"


def _known(lane: Lane, rows: Sequence[int]) -> tuple[int, int, int, int]:
    """Passed trials whose money, tokens, steps are known, and all passed ones. No step at all is a trace that is not there."""
    passed = _chosen(lane, rows) & (_codes(lane) == PASS)
    counts = [int((passed & (_use(lane, measure) > (0.0 if measure == "steps" else MISSING))).sum()) for measure in MEASURES]
    return counts[0], counts[1], counts[2], int(passed.sum())


def read_curve(field: Field, pair: tuple[str, str], budgets: Sequence[Decimal] | None = None) -> Curve:
    """The curve of every setup, and team − rival at each budget; `pair` names (rival, team).

    `budgets` are those to read it at; else a handful between the smallest and the largest use of a trial.
    """
    if field.measure is None:
        return Curve(measure=None, cases=field.cases, reason=field.reason)
    chosen = _budgets(field) if budgets is None else budgets
    found = [_at(field, budget, pair) for budget in chosen]
    return Curve(measure=field.measure, cases=field.cases, budgets=found, turns=_turns(field, pair), reason=field.reason or None)


def _at(field: Field, budget: Decimal, pair: tuple[str, str]) -> AtBudget:
    counts = {name: _within(lane, rows, (str(field.measure), float(budget))) for name, (lane, rows) in field.lanes.items()}
    reached = {name: _reach(found, field.lanes[name]) for name, found in counts.items()}
    rival, team = pair
    lane, rows = field.lanes[rival]
    planned = {name: [whole for _, _, whole in found] for name, found in counts.items()}
    sides = [list(zip((passed for passed, _, _ in counts[name]), planned[name], strict=True)) for name in (rival, team)]
    moved = paired_rates(sides[0], sides[1], clusters=lane.clusters(rows))
    difference = Difference(value=moved.value, low=moved.low, high=moved.high, method=moved.method, n=moved.pairs)
    return AtBudget(budget=budget, setups=reached, difference=difference)


def _reach(counts: Sequence[tuple[int, int, int]], side: tuple[Lane, list[int]]) -> Reach:
    """`counts`: by case the trials passed within, those that might have, and those planned."""
    lane, rows = side
    rate = clustered_rate([(passed, planned) for passed, _, planned in counts], clusters=lane.clusters(rows))
    best = [(passed + open_) / planned for passed, open_, planned in counts if planned]
    return Reach(
        passed=sum(passed for passed, _, _ in counts),
        planned=sum(planned for _, _, planned in counts),
        unknown=sum(open_ for _, open_, _ in counts),
        value=rate.value,
        low=rate.low,
        high=rate.high,
        best=math.fsum(best) / len(best) if best else None,
    )


def _within(lane: Lane, rows: Sequence[int], limit: tuple[str, float]) -> list[tuple[int, int, int]]:
    """By case: passed within the limit, perhaps passed within it, planned. A trial not run yet might still."""
    measure, budget = limit
    codes, use = _codes(lane), _use(lane, measure)
    known = use != MISSING
    affordable = known & (use <= budget)
    passed = by_case(lane, rows, (codes == PASS) & affordable)
    perhaps = ((codes == PASS) & ~known) | ((codes != PASS) & (codes != FAIL) & (affordable | ~known))
    might = by_case(lane, rows, perhaps)
    return [(p, q, lane.slots(row)) for p, q, row in zip(passed, might, rows, strict=True)]


def by_case(lane: Lane, rows: Sequence[int], column: NDArray[np.bool_]) -> list[int]:
    """How many slots of each of the rows are marked."""
    import numpy as np

    sums = np.concatenate([[0], np.cumsum(column)])
    first = np.asarray(lane.first)
    found: list[int] = (sums[first[1:]] - sums[first[:-1]])[list(rows)].tolist()
    return found


def _budgets(field: Field) -> list[Decimal]:
    """The uses seen where they are few; else the middle and the upper end of each setup's, rounded up to two digits."""
    import numpy as np

    seen = [_known_use(lane, rows, str(field.measure)) for lane, rows in field.lanes.values()]
    every = np.unique(np.concatenate(seen)) if seen else np.array([])
    if len(every) <= MOST_BUDGETS - 2:
        return [_exact(use) for use in every]
    most = _exact(every[-1])
    told = [DIGITS.plus(_exact(value)) for own in seen if len(own) for value in np.quantile(own, (0.25, 0.5, 0.95))]
    chosen = sorted({min(most, value) for value in told} | {most})
    while len(chosen) > MOST_BUDGETS:
        closest = min(range(1, len(chosen) - 1), key=lambda place: float(chosen[place + 1] / chosen[place - 1]))
        del chosen[closest]
    return chosen


def _turns(field: Field, pair: tuple[str, str]) -> list[Turn]:
    """Every use at which another of the two takes the lead, the first lead included; and where they end even, from where on."""
    import numpy as np

    uses, weights = [], []
    for name, sign in zip(pair, (-1.0, 1.0), strict=True):
        lane, rows = field.lanes[name]
        use = _use(lane, str(field.measure))
        counted = _chosen(lane, rows) & (_codes(lane) == PASS) & (use != MISSING)
        planned = np.repeat(np.diff(np.asarray(lane.first)), np.diff(np.asarray(lane.first)))
        uses.append(use[counted])
        weights.append(sign / planned[counted])
    every, weight = np.concatenate(uses), np.concatenate(weights)
    order = np.argsort(every, kind="stable")
    every, lead = every[order], np.cumsum(weight[order])
    last = np.flatnonzero(np.append(np.diff(every) > 0, True)) if len(every) else np.array([], dtype=int)
    found: list[Turn] = []
    for use, ahead in zip(every[last].tolist(), lead[last].tolist(), strict=True):
        name = pair[1] if ahead > _LEVEL else pair[0] if ahead < -_LEVEL else ""
        if name and (not found or found[-1].ahead != name):
            found.append(Turn(budget=_exact(use), ahead=name))
    even = np.abs(lead[last]) <= _LEVEL
    if found and even[-1]:
        began = int(np.flatnonzero(~even)[-1]) + 1
        found.append(Turn(budget=_exact(every[last][began]), ahead=""))
    return found


def _chosen(lane: Lane, rows: Sequence[int]) -> NDArray[np.bool_]:
    """The slots of the rows."""
    import numpy as np

    mask = np.zeros(len(lane.cases), dtype=bool)
    mask[list(rows)] = True
    return np.repeat(mask, np.diff(np.asarray(lane.first)))


def _known_use(lane: Lane, rows: Sequence[int], measure: str) -> NDArray[np.float64]:
    use = _use(lane, measure)
    known: NDArray[np.float64] = use[_chosen(lane, rows) & (_codes(lane) != NOT_RUN) & (use != MISSING)]
    return known


def _codes(lane: Lane) -> NDArray[np.uint8]:
    import numpy as np

    return np.frombuffer(lane.verdicts, dtype=np.uint8)


def _use(lane: Lane, measure: str) -> NDArray[np.float64]:
    """What each slot used, `MISSING` where that is not known in full."""
    import numpy as np

    column = {"usd": lane.usd_each, "tokens": lane.tokens_each, "steps": lane.steps_each}[measure]
    return np.frombuffer(column, dtype=np.float64)


def _exact(use: float) -> Decimal:
    """The amount as it was stated: 0.09, not the double beside it."""
    plain = float(use)
    return Decimal(int(plain)) if plain.is_integer() else Decimal(repr(plain))


def use_by_case(lane: Lane, rows: Sequence[int], measure: str) -> list[Decimal] | None:
    """A trial's mean use by case; None where it is not known of every run trial, or a case was not run."""
    if any(not lane.run(row) for row in rows):
        return None
    if measure == "usd":
        known, sums = lane.usd_known, [lane.usd[row] for row in rows]
    elif measure == "tokens":
        known, sums = lane.tokens_known, [Decimal(lane.input_tokens[row] + lane.output_tokens[row]) for row in rows]
    else:
        spans = [(lane.first[row], lane.first[row + 1]) for row in rows]
        sums = [Decimal(sum(int(step) for step in lane.steps_each[start:end] if step != MISSING)) for start, end in spans]
        known = [lane.run(row) for row in range(len(lane.cases))]
    if any(known[row] < lane.run(row) for row in rows):
        return None
    return [SHARE.divide(part, Decimal(lane.run(row))) for part, row in zip(sums, rows, strict=True)]
