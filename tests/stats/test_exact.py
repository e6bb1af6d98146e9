"""Fisher's test against scipy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from fairtrial.stats.exact import fisher

SIDES = st.integers(1, 12).flatmap(lambda tried: st.tuples(st.integers(0, tried), st.just(tried)))


@given(SIDES, SIDES)
def test_the_p_value_is_that_of_scipy(base: tuple[int, int], new: tuple[int, int]) -> None:
    told = fisher_exact([[base[0], base[1] - base[0]], [new[0], new[1] - new[0]]]).pvalue
    assert fisher(base, new) == pytest.approx(told, rel=1e-9)


def test_more_passed_than_tried_is_refused() -> None:
    with pytest.raises(ValueError, match="from 0 to tried"):
        fisher((2, 1), (0, 1))
