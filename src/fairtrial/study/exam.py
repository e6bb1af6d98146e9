"""The exam of a judge, decided: how far it agrees with people, where it does not, and whether that meets the bar.

Kept out: where ratings come from, and what an exam is worth once it was sat (`standing.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.bar import read_bar
from fairtrial.records.errors import InputError
from fairtrial.records.exam import NO_VERDICT, RULES, Exam
from fairtrial.records.grade import SEVERITIES
from fairtrial.records.rating import HUMAN
from fairtrial.study.exambar import held
from fairtrial.study.examfigures import Sides, part, under, under_rule
from fairtrial.study.exampaper import gathered, paper_of, the_judge, truth_raters
from fairtrial.study.examprobes import families_of, leniency
from fairtrial.study.examraters import MOST_PAIRS, between_people
from fairtrial.study.examwords import exam_says
from fairtrial.study.standing import FEW, few_says

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from fairtrial.records.exam import Figure, Part
    from fairtrial.records.rating import Rating
    from fairtrial.stats.raters import Scale
    from fairtrial.study.exampaper import Paper, Said

MOST_VALUES = 50
"""Values of one slice that are looked at, those with the most items."""
FULL = 30
"""Up to so many labels the table of truth and word has every cell; beyond, those that are not empty."""


class ExamOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How an exam is marked. `judge` None: the only rater who is no person. `version` is the identity that the ratings must be of."""

    judge: str | None = None
    truth: str = HUMAN
    positive: str | None = None
    rule: str = "wrong"
    scale: Scale = "nominal"
    version: str = ""
    probe: bool = False
    """Ask the judge again in other forms; for whoever has the judge."""
    family: str = ""
    """That of the judge's own model, as the slice `family` names those of the agents."""


def read_exam(ratings: Iterable[Rating], options: ExamOptions, bar: Mapping[str, Any] | None = None, place: str = "bar") -> Exam:
    """Raises InputError where there is nothing to mark: no such rater, no truth, no item with both, a bar that is none."""
    if options.rule not in RULES:
        raise InputError("no such rule", value=options.rule, allowed=", ".join(RULES))
    said = gathered(ratings, options.judge or "", options.version)
    judge = the_judge(said, options.judge)
    if options.truth != HUMAN:  # one rater's word is asked for, and not what settled a difference
        said = said._replace(settled={})
    paper = paper_of(said, judge, truth_raters(said, options.truth, judge))
    stated = read_bar(bar or {}, place, set(said.severity.values()))
    sides = Sides(paper.truth, paper.judge, paper.clusters, paper.labels, paper.labels.positive(options.positive))
    if options.rule == "tie" and paper.labels.tie() is None:
        raise InputError("these labels have no tie", value="tie", allowed="wrong, drop", mend="--invalid wrong or --invalid drop")
    exam = _marked(judge, options, paper, sides)
    exam.slices, left = _slices(sides, paper, said)
    exam.by_severity = _by_severity(sides, paper, said, options.rule)
    exam.raters, together = between_people(said, options.scale)
    exam.intervals |= together
    exam.fleiss_kappa, exam.alpha = together["fleiss_kappa"].value, together["alpha"].value
    exam.reasons = {name: found.reason for name, found in exam.intervals.items() if found.value is None and found.reason}
    exam.notes += left + ([f"only the first {MOST_PAIRS} pairs of people are shown"] if len(exam.raters) == MOST_PAIRS else [])
    if options.family:
        exam.leniency = leniency(sides, families_of(said.slices, paper.items), options.family)
    exam.bar = held(exam, stated)
    exam.passes = all(row.met for row in exam.bar) if exam.bar else None
    exam.notes += [few_says(exam.agreement.clusters)] if exam.passes and exam.agreement.clusters < FEW else []
    if exam.passes is None:
        exam.reasons["passes"] = "no bar was stated"
    exam.says = exam_says(exam)
    return exam


def _marked(judge: str, options: ExamOptions, paper: Paper, sides: Sides) -> Exam:
    """The figures over all items, under the rule that was asked for and under the others."""
    found = {rule: under(under_rule(sides, rule)) for rule in RULES} if sides.invalid else dict.fromkeys(RULES, under(sides))
    own, macro, by_label = found[options.rule]
    names = paper.labels.names
    return Exam(
        judge=judge,
        truth=options.truth,
        n=len(paper.items),
        invalid=sides.invalid,
        rule=options.rule,
        positive=None if sides.positive is None else names[sides.positive],
        labels=names,
        confusion=_confusion(sides),
        agreement=own.agreement,
        kappa=own.kappa,
        precision=own.precision,
        recall=own.recall,
        specificity=own.specificity,
        f1=own.f1,
        macro=own.macro,
        by_label=by_label,
        by_severity={},
        slices={},
        raters={},
        fleiss_kappa=None,
        alpha=None,
        intervals=dict[str, "Figure"](macro),
        under={rule: figures for rule, (figures, _, _) in found.items()},
        bar=[],
        passes=None,
        aside=paper.aside,
        identity=options.version,
    )


def _confusion(sides: Sides) -> dict[str, dict[str, int]]:
    """Truth → word → items, whatever the rule: what is no verdict has a column of its own, where there is such."""
    import numpy as np

    names = sides.labels.names
    width = len(names) + 1
    cells = np.bincount(sides.truth * width + sides.judge, minlength=len(names) * width).reshape(len(names), width)
    table: dict[str, dict[str, int]] = {}
    for truth, row in zip(names, cells.tolist(), strict=True):
        words = dict(zip(names, row, strict=False)) | ({NO_VERDICT: row[-1]} if sides.invalid else {})
        table[truth] = words if len(names) <= FULL else {word: count for word, count in words.items() if count}
    return table


def _by_severity(sides: Sides, paper: Paper, said: Said, rule: str) -> dict[str, Part]:
    """The most severe first; names that are not ours come after, by their letters."""
    import numpy as np

    stated = np.array([said.severity.get(item, "") for item in paper.items])
    names = [*reversed(SEVERITIES), *sorted(set(said.severity.values()) - set(SEVERITIES))]
    ruled = {name: under_rule(sides.only(stated == name), rule) for name in names if (stated == name).any()}
    return {name: part(own) for name, own in ruled.items() if own is not None}


def _slices(sides: Sides, paper: Paper, said: Said) -> tuple[dict[str, dict[str, Part]], list[str]]:
    """(by slice and value, notes on what is not shown)."""
    import numpy as np

    places: dict[str, dict[str, list[int]]] = {}
    for place, item in enumerate(paper.items):
        for name, value in said.slices.get(item, {}).items():
            places.setdefault(name, {}).setdefault(value, []).append(place)
    notes = []
    found: dict[str, dict[str, Part]] = {}
    for name, values in sorted(places.items()):
        most = sorted(values, key=lambda value: -len(values[value]))[:MOST_VALUES]
        if len(values) > MOST_VALUES:
            notes.append(f"slice {name}: the {MOST_VALUES} largest of {len(values)} values are shown")
        found[name] = {}
        for value in sorted(most):
            kept = np.zeros(len(paper.items), dtype=bool)
            kept[values[value]] = True
            found[name][value] = part(sides.only(kept))
    return found, notes
