"""The same rate for parts of the suite: by tag, difficulty, source, kind, risk, user group, library and tier.

Two suites with one mean can differ in every part. Slices are looked at, not tested, here: a comparison by slice corrects
for the number of looks (comparison.py).
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from fairtrial.study.tally import success_rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fairtrial.records.report import Rate
    from fairtrial.records.run import CaseInfo
    from fairtrial.study.lane import Lane

LABELS = ("difficulty", "source", "kind", "risk", "user_group", "library", "tier")
"""Labels with one value a case; `tag` has many."""

_SINGLE = attrgetter(*LABELS)

Slices = dict[str, dict[str, list[int]]]


def rows_by_label(cases: Iterable[CaseInfo]) -> Slices:
    """By label and value the places of the cases that have it, in order. A label that no case has is left out."""
    tags: dict[str, list[int]] = {}
    alike: dict[tuple[str | None, ...], list[int]] = {}
    for row, case in enumerate(cases):
        for tag in dict.fromkeys(case.labels.tags):
            tags.setdefault(tag, []).append(row)
        alike.setdefault(_SINGLE(case.labels), []).append(row)
    found: Slices = {"tag": tags} if tags else {}
    for values, rows in alike.items():
        for label, value in zip(LABELS, values, strict=True):
            if value is not None:
                found.setdefault(label, {}).setdefault(value, []).extend(rows)
    for parts in found.values():
        for rows in parts.values():
            rows.sort()
    return {label: found[label] for label in ("tag", *LABELS) if label in found}


def read_slices(lane: Lane, overall: Rate) -> dict[str, dict[str, Rate]]:
    """The success rate of every slice. `overall` is that of the lane, used again for a slice that holds all cases."""
    return {
        label: {value: _rate(lane, rows, overall) for value, rows in sorted(values.items())}
        for label, values in rows_by_label(lane.cases).items()
    }


def _rate(lane: Lane, rows: Sequence[int], overall: Rate) -> Rate:
    return overall if len(rows) == len(lane.cases) else success_rate(lane, rows)
