"""No figure gets better by leaving out, blanking or doubling what it rests on, but that the figure itself shows it.

At this floor UNKNOWN is a trial that did not pass. What verdicts make of it is tested with the comparison and the gate.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.bootstrap import Resampling
from fairtrial.stats.interval import clustered_rate, rate_upper_bound
from fairtrial.stats.paired import paired_rates
from fairtrial.stats.permutation import sign_flip_rates
from fairtrial.stats.price import cost_per_success
from fairtrial.stats.repeats import all_trials, suite_pass_at, suite_pass_hat

Side = list[tuple[int, int]]
case = st.integers(1, 5).flatmap(lambda k: st.tuples(st.integers(0, k), st.just(k)))
sides = st.lists(st.tuples(case, case), min_size=2, max_size=25)
DRAWN = Resampling(resamples=200)


def split(table: list[tuple[tuple[int, int], tuple[int, int]]]) -> tuple[Side, Side]:
    return [row[0] for row in table], [row[1] for row in table]


def blanked(side: Side, place: int) -> Side:
    """One pass of a case made UNKNOWN."""
    return [(max(0, passed - 1), tried) if at == place else (passed, tried) for at, (passed, tried) in enumerate(side)]


@given(table=sides, data=st.data())
def test_a_pass_made_unknown_raises_no_figure(table: list[tuple[tuple[int, int], tuple[int, int]]], data: st.DataObject) -> None:
    base, new = split(table)
    less = blanked(new, data.draw(st.integers(0, len(new) - 1)))
    before, after = clustered_rate(new), clustered_rate(less)
    assert (after.value or 0.0) <= (before.value or 0.0) + 1e-12
    assert after.n == before.n
    assert (paired_rates(base, less).value or 0.0) <= (paired_rates(base, new).value or 0.0) + 1e-12
    for figure in (suite_pass_at, suite_pass_hat):
        assert all(figure(less)[k] <= figure(new)[k] + 1e-12 for k in figure(new))
    assert (all_trials(less) or 0.0) <= (all_trials(new) or 0.0)


@given(table=sides, data=st.data())
def test_a_pass_made_unknown_makes_no_success_cheaper(table: list[tuple[tuple[int, int], tuple[int, int]]], data: st.DataObject) -> None:
    _, new = split(table)
    less = blanked(new, data.draw(st.integers(0, len(new) - 1)))
    costs = [0.1 * tried for _, tried in new]
    before, after = (cost_per_success(costs, side, how=DRAWN).value for side in (new, less))
    assert before is None or after is None or after >= before - 1e-12
    assert not (before is None and after is not None)


@given(table=sides, data=st.data())
def test_a_case_dropped_from_one_side_is_told(table: list[tuple[tuple[int, int], tuple[int, int]]], data: st.DataObject) -> None:
    base, new = split(table)
    place = data.draw(st.integers(0, len(new) - 1))
    dropped = [(0, 0) if at == place else row for at, row in enumerate(new)]
    assert clustered_rate(dropped).left_out == 1
    assert clustered_rate(dropped).cases == len(new) - 1
    pair = paired_rates(base, dropped)
    assert (pair.pairs, pair.left_out) == (len(new) - 1, 1)
    assert sign_flip_rates(base, dropped).n == len(new) - 1


@given(table=sides)
def test_every_case_doubled_proves_no_more_where_the_doubles_are_named(table: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    base, new = split(table)
    names = list(range(len(base))) * 2
    once, twice = sign_flip_rates(base, new), sign_flip_rates(base * 2, new * 2, names)
    assert twice.p_value == pytest.approx(once.p_value)
    assert twice.n == once.n
    alone, doubled = paired_rates(base, new), paired_rates(base * 2, new * 2, clusters=names)
    assert doubled.n == alone.n
    assert doubled.value == pytest.approx(alone.value)
    rate = clustered_rate(new * 2, clusters=names)
    assert rate.clusters == len(new)
    assert rate.value == pytest.approx(clustered_rate(new).value)


@given(events=st.integers(0, 5), n=st.integers(6, 200))
def test_a_severe_case_left_out_of_both_counts_still_leaves_a_higher_bound_for_fewer_cases(events: int, n: int) -> None:
    assert (rate_upper_bound(events, n - 1).high or 0.0) > (rate_upper_bound(events, n).high or 0.0)
    assert (rate_upper_bound(events + 1, n).high or 0.0) > (rate_upper_bound(events, n).high or 0.0)
