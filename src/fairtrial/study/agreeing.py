"""How far people agree over the items of a review: by what they said while they could not see each other's labels, and nothing else.

Kept out: the sums (`stats/agreement.py`, `stats/raters.py`), and what the labels of one item come to (`settled.py`).
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from fairtrial.records.label import last_words
from fairtrial.records.review import Agreement
from fairtrial.records.verdict import Verdict
from fairtrial.stats.agreement import cohen_kappa
from fairtrial.stats.raters import krippendorff_alpha

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from fairtrial.records.label import Label

CODES = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.UNKNOWN: 2}
MOST_PAIRS = 20


class Unit(NamedTuple):
    """An item: the cluster of its case, and by person the name and the code of their blind label."""

    cluster: Hashable
    said: dict[str, tuple[str, int]]


def agreement(items: Mapping[str, tuple[Hashable, Sequence[Label]]]) -> Agreement | None:
    """Of the labels of each item's present round, with the cluster of its case. None where no item has two blind labels."""
    units = [Unit(cluster, _blind(labels)) for cluster, labels in items.values()]
    shared = [unit for unit in units if len(unit.said) > 1]
    if not shared:
        return None
    found = Agreement(items=len(shared), agree=sum(len({code for _, code in unit.said.values()}) == 1 for unit in shared))
    _alpha(found, units)
    found.pairs = dict(_pairs(shared))
    return found


def _blind(labels: Sequence[Label]) -> dict[str, tuple[str, int]]:
    """A correction that was made after the labels of others could be seen says nothing of agreement."""
    return {label.person: (label.rater, CODES[label.label]) for label in last_words([one for one in labels if one.blind])}


def _alpha(found: Agreement, units: Sequence[Unit]) -> None:
    import numpy as np

    numbers = _numbered([unit.cluster for unit in units])
    ratings = [(place, code, numbers[place]) for place, unit in enumerate(units) for _, code in unit.said.values()]
    places, codes, clusters = (np.array(column, dtype=np.intp) for column in zip(*ratings, strict=True))
    figure = krippendorff_alpha(places, codes, clusters)
    found.alpha, found.alpha_low, found.alpha_high = figure.value, figure.low, figure.high
    if figure.reason:
        found.reasons["alpha"] = figure.reason


def _pairs(units: Sequence[Unit]) -> list[tuple[str, dict[str, Any]]]:
    """Those who share most items first."""
    import numpy as np

    shared: dict[tuple[str, str], list[tuple[int, int, Hashable]]] = {}
    names: dict[str, str] = {}
    for unit in units:
        names |= {person: name for person, (name, _) in unit.said.items()}
        for one, two in combinations(sorted(unit.said), 2):
            shared.setdefault((one, two), []).append((unit.said[one][1], unit.said[two][1], unit.cluster))
    told = []
    for (one, two), rows in sorted(shared.items(), key=lambda entry: (-len(entry[1]), entry[0]))[:MOST_PAIRS]:
        mine, theirs = (np.array([row[place] for row in rows], dtype=np.intp) for place in (0, 1))
        figure = cohen_kappa(mine, theirs, np.array(_numbered([row[2] for row in rows]), dtype=np.intp))
        pair = {"n": len(rows), "agreement": float((mine == theirs).mean()), "kappa": figure.value, "low": figure.low, "high": figure.high}
        told.append((f"{names[one]} | {names[two]}", pair | ({"reason": figure.reason} if figure.reason else {})))
    return told


def _numbered(names: Sequence[Hashable]) -> list[int]:
    seen: dict[Hashable, int] = {}
    return [seen.setdefault(name, len(seen)) for name in names]
