"""What a success rate, or a difference of two, comes to once the errors of a model judge are taken out.

The errors are known from people's labels on trials of the very setup (the prediction-powered mean), else from an exam on other
samples (Rogan and Gladen). Each end of a corrected figure lies as far from it as the ends of its parts together: the figure as
the judge has it, and what corrects it. Kept out: where labels and exams come from, and what is decided on it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from fairtrial.records.corrected import EXAM, LABELS, Corrected, Judged, Way
from fairtrial.stats.corrected import rogan_gladen
from fairtrial.stats.estimate import Estimate
from fairtrial.stats.interval import clustered_rate
from fairtrial.stats.paired import mean_difference, widened_for_few
from fairtrial.study.calibration import Calibration, Errors, Pairs
from fairtrial.study.codes import PASS
from fairtrial.study.wording import count, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fairtrial.study.lane import Lane

CONFIDENCE = 0.95
FEWEST = 6
"""Independent cases with a label below which an exam is believed rather than the labels, and below which they alone tell nothing."""
NEITHER = "nobody has labelled enough of these trials, and no exam of the judge fits"


class Span(NamedTuple):
    """A figure with both ends, each of one level of confidence."""

    value: float
    low: float
    high: float


class Side(NamedTuple):
    """The trials of some cases of one setup, with what is known of the judge's errors on them. `passed` and `judged` are the shares
    of trials that a judge passed and that rest on one, each the mean over cases."""

    told: Judged
    shift: Span | None
    """What labels add to the rate; None where there are none."""
    unsettled: int
    """Trials that were drawn for a label and have none."""
    errors: Errors | None
    passed: float
    judged: float
    why: str

    @property
    def by(self) -> str:
        if self.shift is not None and self.told.label_cases >= FEWEST:
            return LABELS
        return EXAM if self.errors is not None else ""


def read_corrected(lane: Lane, rows: Sequence[int] | None = None) -> Corrected | None:
    """The success rate of a setup at 95 %, over all its cases or those of `rows`."""
    if not lane.judges:
        return None
    chosen = range(len(lane.cases)) if rows is None else rows
    found = clustered_rate(lane.passes(chosen), CONFIDENCE, lane.clusters(chosen), "widen")
    return corrected_rate(lane, chosen, span_of(found), CONFIDENCE)


def span_of(found: Estimate) -> Span | None:
    """A figure with both ends, where it has them."""
    ends = found.value, found.low, found.high
    return None if ends[0] is None or ends[1] is None or ends[2] is None else Span(ends[0], ends[1], ends[2])


def corrected_rate(lane: Lane, rows: Sequence[int], raw: Span | None, level: float) -> Corrected | None:
    """The success rate of some cases, `raw` being the rate as the judge has it with its interval at `level`.

    None where no trial of them rests on a judge, or none was run.
    """
    side = side_of(lane, rows, level)
    if side is None or raw is None:
        return None
    ways = {}
    if side.shift is not None:
        ways["prediction_powered"] = _powered(side, raw)
    if side.errors is not None:
        ways["rogan_gladen"] = _gladen(side, raw, level)
    chosen = {LABELS: ways.get("prediction_powered"), EXAM: ways.get("rogan_gladen")}.get(side.by)
    if chosen is None:
        return Corrected(value=None, judged={lane.setup: side.told}, ways=ways, reason=side.why)
    return Corrected(
        value=chosen.value, low=chosen.low, high=chosen.high, by=side.by, judged={lane.setup: side.told}, ways=ways, reason=chosen.reason
    )  # fmt: skip


def corrected_difference(
    lanes: tuple[Lane, Lane], rows: tuple[Sequence[int], Sequence[int]], raw: Span | None, level: float
) -> Corrected | None:
    """New minus base over shared cases. None where no trial of either side rests on a judge."""
    sides = [side_of(lane, part, level) for lane, part in zip(lanes, rows, strict=True)]
    if raw is None or not any(sides):
        return None
    told = {name: side.told for name, side in zip(("base", "new"), sides, strict=True) if side is not None}
    unknown = [side.why for side in sides if side is not None and not side.by]
    if unknown:
        return Corrected(value=None, judged=told, reason=unknown[0])
    known = [side for side in sides if side is not None]
    by = EXAM if any(side.by == EXAM for side in known) else LABELS
    useless = [side for side in known if side.by == EXAM and side.errors is not None and not _tells(side.errors, level)]
    if useless:
        return Corrected(value=None, by=by, judged=told, reason=_useless(useless[0]))
    found = _moved(raw, _scale(known, level), _parts(sides, level), (-1.0, 1.0))
    return Corrected(value=found.value, low=found.low, high=found.high, by=by, judged=told)


def side_of(lane: Lane, rows: Sequence[int], level: float) -> Side | None:
    """What is known of some cases of a setup; None where none of their trials rests on a judge."""
    if not lane.judges:
        return None
    run = [row for row in rows if lane.run(row)]
    counts = dict(zip(run, lane.judged_passes(run), strict=True))
    trials = sum(every for _, every in counts.values())
    if not trials:
        return None
    calibration = lane.calibration or Calibration()
    rows_run = dict.fromkeys(run)
    labels = {row: calibration.labels[row] for row in rows_run if row in calibration.labels}
    unsettled = {row: calibration.unsettled[row] for row in rows_run if row in calibration.unsettled}
    shift = _shift(lane, run, (labels, unsettled), level)
    groups = {lane.cases[row].cluster or row for row in labels}
    errors = calibration.errors
    told = Judged(
        trials=trials, of=sum(map(lane.run, run)), judges=sorted({name for name, _ in lane.judges}),
        labels=sum(map(len, labels.values())), label_cases=len(groups), examined=errors.examined if errors else None,
    )  # fmt: skip
    few = f"{count(len(groups), 'independent case')} with a label of people, it takes {FEWEST} at the least" if labels else ""
    return Side(
        told=told,
        shift=shift,
        unsettled=sum(map(len, unsettled.values())),
        errors=errors,
        passed=math.fsum(good / lane.run(row) for row, (good, _) in counts.items()) / len(run),
        judged=math.fsum(every / lane.run(row) for row, (_, every) in counts.items()) / len(run),
        why="; ".join(why for why in (few, calibration.why or NEITHER) if why),
    )


def _shift(lane: Lane, run: Sequence[int], known: tuple[Mapping[int, Pairs], Mapping[int, list[bool]]], level: float) -> Span | None:
    """What people's labels add to the mean over cases: of each labelled case (labels passed − judge passed) ÷ labels, times the share
    of its trials that rests on a judge; cases without such a trial add nothing, and that is known of them.

    Angelopoulos et al., arXiv 2301.09633, with the judge's verdict as the prediction. Widened as any difference of few. Trials that were
    drawn and have no label count both ways: what people quarrel about, or leave for later, is no random part of a draw.
    """
    labels, unsettled = known
    if not labels:
        return None
    share = sum(1 for _, every in lane.judged_passes(run) if every) / len(run)
    value, low, high = _mean_shift(lane, labels, level)
    if unsettled:
        fails, passes = (_mean_shift(lane, _filled(labels, unsettled, passed=way), level) for way in (False, True))
        low, high = min(low, fails.low), max(high, passes.high)
    return Span(value * share, low * share, high * share)


def _mean_shift(lane: Lane, labels: Mapping[int, Pairs], level: float) -> Span:
    rows = list(labels)
    judged = dict(zip(rows, lane.judged_passes(rows), strict=True))
    moved = [sum(people - judge for judge, people in labels[row]) / len(labels[row]) * judged[row][1] / lane.run(row) for row in rows]
    clusters = lane.clusters(rows)
    found = mean_difference(moved, level, clusters)
    low, high, _ = widened_for_few(moved, (found.low, found.high), 1.0, level, clusters)
    value = found.value or 0.0
    return Span(value, value if low is None else low, value if high is None else high)


def _filled(labels: Mapping[int, Pairs], unsettled: Mapping[int, list[bool]], *, passed: bool) -> dict[int, Pairs]:
    """The labels, as if people had passed or failed all that is not settled."""
    rows = dict.fromkeys([*labels, *unsettled])
    return {row: [*labels.get(row, []), *((judge, passed) for judge in unsettled.get(row, []))] for row in rows}


def _powered(side: Side, raw: Span) -> Way:
    """Raw plus what the labels add."""
    shift = side.shift or Span(0.0, 0.0, 0.0)
    found = _moved(raw, 1.0, [shift], (0.0, 1.0))
    method = f"prediction-powered mean, {count(side.told.labels, 'label')} on {count(side.told.label_cases, 'independent case')}"
    if side.unsettled:
        method += f", {count(side.unsettled, 'drawn trial')} without a settled label counted both ways"
    return Way(value=found.value, low=found.low, high=found.high, method=method)


def _gladen(side: Side, raw: Span, level: float) -> Way:
    """What code decided, plus the share that rests on the judge times its corrected rate (`stats/corrected.py`)."""
    errors = side.errors
    if errors is None or not _tells(errors, level):
        return Way(value=None, method="Rogan-Gladen", reason=_useless(side))
    code = raw.value - side.passed
    rate = Estimate(
        value=side.passed / side.judged, low=(raw.low - code) / side.judged, high=(raw.high - code) / side.judged,
        n=side.told.trials, method="",
    )  # fmt: skip
    found = rogan_gladen(rate, errors.sensitivity.estimate(level), errors.specificity.estimate(level))
    method = f"{found.method}; exam of {errors.examined[:10]} on {errors.sensitivity.n:,} that pass and {errors.specificity.n:,} that fail"
    if found.value is None or found.low is None or found.high is None:
        return Way(value=None, method=method, reason=f"{listed(side.told.judges)}: {found.reason}")
    value, low, high = (min(1.0, max(0.0, code + side.judged * end)) for end in (found.value, found.low, found.high))
    return Way(value=value, low=low, high=high, method=method)


def _step(side: Side, sensitivity: float, specificity: float) -> float:
    """What a judge of such errors is corrected by: right minus as it has it."""
    return (side.passed - (1.0 - specificity) * side.judged) / (sensitivity + specificity - 1.0) - side.passed


def _tells(errors: Errors, level: float) -> bool:
    """Whether the exam shows that the judge passes what is right more often than what is wrong."""
    sensitivity, specificity = errors.sensitivity, errors.specificity
    apart = sensitivity.value + specificity.value - 1.0
    reach = math.hypot(*(share.value - share.bounds(level)[0] for share in (sensitivity, specificity)))
    return apart - reach > 0.0


def _useless(side: Side) -> str:
    names = listed(side.told.judges)
    return f"its exam does not show that {names} passes what is right more often than what is wrong, so its verdicts tell nothing"


def _scale(sides: Sequence[Side], level: float) -> float:
    """By how much the spread of the figure grows where verdicts are corrected by an exam: as much as at its lower end."""
    errors = [side.errors for side in sides if side.by == EXAM and side.errors is not None]
    return max([1.0, *(1.0 / (one.sensitivity.value + one.specificity.bounds(level)[0] - 1.0) for one in errors)])


def _parts(sides: Sequence[Side | None], level: float) -> list[Span]:
    """What corrects a difference: of each side by itself, or, where one exam speaks for both, of the two together."""
    base, new = sides
    if base is not None and new is not None and base.by == new.by == EXAM and base.errors == new.errors and new.errors is not None:
        return _exam_parts(new.errors, lambda one, two: _step(new, one, two) - _step(base, one, two), level)
    found = []
    for side, sign in ((base, -1.0), (new, 1.0)):
        if side is not None and side.by == LABELS and side.shift is not None:
            found.append(_signed(side.shift, sign))
        elif side is not None and side.errors is not None:
            found += [_signed(part, sign) for part in _exam_parts(side.errors, _step_of(side), level)]
    return found


def _step_of(side: Side) -> Callable[[float, float], float]:
    return lambda sensitivity, specificity: _step(side, sensitivity, specificity)


def _signed(span: Span, sign: float) -> Span:
    return span if sign > 0 else Span(-span.value, -span.high, -span.low)


def _exam_parts(errors: Errors, step: Callable[[float, float], float], level: float) -> list[Span]:
    """The correction, and how far it moves with each of the two shares alone; the second adds nothing to the value."""
    one, two = errors.sensitivity, errors.specificity
    value = step(one.value, two.value)
    by_one = [step(end, two.value) - value for end in one.bounds(level) if end + two.value > 1.0]
    by_two = [step(one.value, end) - value for end in two.bounds(level) if one.value + end > 1.0]
    first, second = ((min(0.0, *moved), max(0.0, *moved)) for moved in (by_one, by_two))
    return [Span(value, value + first[0], value + first[1]), Span(0.0, *second)]


def _moved(raw: Span, scale: float, parts: Sequence[Span], within: tuple[float, float]) -> Span:
    """A sum of parts that were measured apart: each end lies from its value by the root of the sum of squares of how far the ends of
    its parts lie from theirs (Zou and Donner 2008). Where parts share trials their errors cancel, so that this is wide rather."""
    value = raw.value + math.fsum(part.value for part in parts)
    down = math.hypot(scale * (raw.value - raw.low), *(part.value - part.low for part in parts))
    up = math.hypot(scale * (raw.high - raw.value), *(part.high - part.value for part in parts))
    least, most = within
    return Span(*(min(most, max(least, end)) for end in (value, value - down, value + up)))


def labelled(lane: Lane, truth: Mapping[tuple[str, int], bool]) -> dict[int, Pairs]:
    """The labels of trials that rest on a judge, by row. `truth` is by case and attempt; other labels say nothing of a judge."""
    found: dict[int, Pairs] = {}
    for (case, attempt), passed in truth.items():
        row = lane.rows.get(case)
        slot = None if row is None else lane.slot(row, attempt)
        if row is not None and slot is not None and lane.judged[slot]:
            found.setdefault(row, []).append((lane.verdicts[slot] == PASS, passed))
    return found
