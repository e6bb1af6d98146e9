"""Many looks at one set of data: p-values raised so that one false alarm among all of them stays as rare as asked.

Eight slices at 0.05 each give a false alarm in one of three sets where nothing changed. What the looks are of is
not known here.
"""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values (1979), in the order given; compare each with the level itself.

    The j-th smallest of m becomes the greatest of (m - i + 1)·p_i for i <= j, at most 1. None is a test that could not
    be made: it stays None and does not count in m.
    """
    made = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    if any(not 0.0 <= p <= 1.0 for p, _ in made):
        raise ValueError(f"p-values lie within 0 to 1: {list(p_values)!r}")
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for place, (p, index) in enumerate(made):
        highest = max(highest, min(1.0, (len(made) - place) * p))
        adjusted[index] = highest
    return adjusted
