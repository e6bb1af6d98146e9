"""Agreement of several raters: Fleiss' kappa against statsmodels, alpha against its definition by brute force and published examples."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.stats import inter_rater

from fairtrial.stats.raters import Scale, fleiss_kappa, krippendorff_alpha

Codes = NDArray[np.intp]
Rows = list[list[int | None]]
cells = st.one_of(st.none(), st.integers(1, 4))
tables = st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=25)

# Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), the data of section C: four observers, twelve units.
PUBLISHED: Rows = [
    [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1], [None, None, 3, None],
]  # fmt: skip


def long(rows: Rows) -> tuple[Codes, Codes, Codes]:
    found = [(unit, label) for unit, row in enumerate(rows) for label in row if label is not None]
    table = np.array(found, dtype=np.intp).reshape(-1, 2)
    return table[:, 0], table[:, 1], table[:, 0]


def by_definition(rows: Rows, scale: Scale) -> float | None:
    """1 - mean difference of pairs within units ÷ of all pairs, pair by pair."""
    units = [[label for label in row if label is not None] for row in rows]
    units = [unit for unit in units if len(unit) > 1]
    values = sorted(label for unit in units for label in unit)
    counts = Counter(values)

    def apart(one: int, other: int) -> float:
        if scale == "nominal":
            return float(one != other)
        if scale == "interval":
            return float((one - other) ** 2)
        low, high = sorted((one, other))
        between = sum(count for label, count in counts.items() if low <= label <= high)
        return (between - (counts[low] + counts[high]) / 2.0) ** 2

    n = len(values)
    if n < 2:
        return None
    seen = sum(apart(a, b) / (len(unit) - 1) for unit in units for a, b in permutations(unit, 2)) / n
    expected = sum(apart(a, b) for a, b in permutations(values, 2)) / (n * (n - 1))
    return 1.0 - seen / expected if expected else None


@pytest.mark.parametrize(("scale", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_the_published_example(scale: Scale, alpha: float) -> None:
    units, labels, clusters = long(PUBLISHED)
    found = krippendorff_alpha(units, labels, clusters, scale=scale)
    assert found.value == pytest.approx(alpha, abs=6e-4)
    assert found.low is not None and found.high is not None
    assert found.low < alpha < found.high
    assert found.n == 11, "a unit with one rating says nothing"


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
@given(rows=tables)
def test_alpha_is_what_its_definition_says(scale: Scale, rows: Rows) -> None:
    found, wanted = krippendorff_alpha(*long(rows), scale=scale), by_definition(rows, scale)
    if wanted is None:
        assert found.value is None and found.reason
    else:
        assert found.value == pytest.approx(wanted, abs=1e-9)
        assert found.value is not None and found.low is not None and found.high is not None
        assert found.low <= found.value <= found.high and found.low < found.high


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=25))
def test_with_as_many_ratings_everywhere_fleiss_kappa_is_the_published_one(rows: list[list[int]]) -> None:
    found = fleiss_kappa(*long([list(row) for row in rows]))
    if len({label for row in rows for label in row}) == 1:
        assert found.value is None
    else:
        table, _ = inter_rater.aggregate_raters(np.array(rows))
        assert found.value == pytest.approx(float(inter_rater.fleiss_kappa(table)), abs=1e-9)


def test_where_nobody_rated_an_item_twice_nothing_can_be_said() -> None:
    units, labels, clusters = long([[1, None], [None, 2]])
    assert krippendorff_alpha(units, labels, clusters).reason == "no item has two ratings"
    assert fleiss_kappa(units[:0], labels[:0], clusters[:0]).value is None


def test_units_of_one_case_count_together() -> None:
    rows: Rows = [[1, 1, 2] if unit % 20 < 4 else [1 + unit % 2] * 3 for unit in range(60)]
    units, labels, clusters = long(rows)
    alone, together = krippendorff_alpha(units, labels, clusters), krippendorff_alpha(units, labels, clusters // 20)
    assert (alone.clusters, together.clusters) == (60, 3)
    assert alone.value == together.value
