"""How far people agree with each other: every two of them, and all together. Kept out: the judge (exam.py)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from fairtrial.records.exam import Figure, Pair
from fairtrial.records.rating import human
from fairtrial.stats import agreement as sums
from fairtrial.stats.raters import fleiss_kappa, krippendorff_alpha
from fairtrial.study.examfigures import figure, none
from fairtrial.study.examlabels import UNKNOWN, all_numbers, bare

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from fairtrial.stats.raters import Scale
    from fairtrial.study.exampaper import Said

    Codes = NDArray[np.intp]

MOST_PAIRS = 500
"""Pairs of people that are looked at, in the order in which they appear."""


def between_people(said: Said, scale: Scale = "nominal") -> tuple[dict[str, Pair], dict[str, Figure]]:
    """(every pair of people with an item in common, the figures of all together). A person's UNKNOWN counts as no label."""
    import numpy as np

    people = [rater for rater in said.raters if human(rater)]
    whose = {rater: number for number, rater in enumerate(people)}
    places: dict[tuple[bool, str], int] = {}
    codes: dict[str, int] = {}
    rows: list[tuple[int, int, int, int]] = []
    for unit, (item, own) in enumerate(said.words.items()):
        group = places.setdefault((item in said.cluster, said.cluster.get(item, item)), len(places))
        for rater, word in own.items():
            if rater in whose and (known := bare(word)) != UNKNOWN:
                rows.append((unit, whose[rater], codes.setdefault(known, len(codes)), group))
    table = np.array(rows, dtype=np.intp).reshape(-1, 4)
    if len(people) < 2:
        told = "one person rated" if people else "no person rated"
        return {}, dict.fromkeys(("fleiss_kappa", "alpha"), none(f"{told}: agreement takes two"))
    pairs: dict[str, Pair] = {}
    for one, other in combinations(range(len(people)), 2):
        if len(pairs) < MOST_PAIRS and (found := _pair(table, one, other)) is not None:
            pairs[f"{people[one]}|{people[other]}"] = found
    return pairs, _together(table, list(codes), scale)


def _pair(table: Codes, one: int, other: int) -> Pair | None:
    """None where the two have no item in common."""
    import numpy as np

    mine, theirs = (table[table[:, 1] == rater] for rater in (one, other))
    _, here, there = np.intersect1d(mine[:, 0], theirs[:, 0], assume_unique=True, return_indices=True)
    if not len(here):
        return None
    a, b, groups = mine[here, 2], theirs[there, 2], mine[here, 3]
    found = {"agreement": figure(sums.agreement(a, b, groups)), "kappa": figure(sums.cohen_kappa(a, b, groups))}
    return Pair(n=len(here), agreement=found["agreement"].value, kappa=found["kappa"].value, intervals=found)


def _together(table: Codes, names: Sequence[str], scale: Scale) -> dict[str, Figure]:
    import numpy as np

    numbers = all_numbers(names)
    worth = None if numbers is None else np.array(numbers)
    columns = table[:, 0], table[:, 2], table[:, 3]
    if scale != "nominal" and worth is None:
        alpha = none("only labels that are numbers have an order")
    else:
        alpha = figure(krippendorff_alpha(*columns, scale=scale, numbers=worth))
    return {"fleiss_kappa": figure(fleiss_kappa(*columns)), "alpha": alpha}
