"""Every outcome of up to eight trials listed and counted: nothing here trusts a formula, a library or a seed."""

import math
from itertools import product

import pytest

from fairtrial.stats.distributions import binomial_at_most
from fairtrial.stats.interval import clopper_pearson, clustered_rate, rate_upper_bound, wilson
from fairtrial.stats.paired import paired_rates, tango
from fairtrial.stats.permutation import mcnemar, sign_flip_rates
from fairtrial.stats.repeats import Streaks, all_trials, first_try, longest_streak, shape, stability

MOST = range(1, 9)


@pytest.mark.parametrize("n", MOST)
def test_every_row_of_attempts_is_read_as_it_stands(n: int) -> None:
    for row in product([True, False], repeat=n):
        longest = max(len(run) for run in "".join("P" if passed else "-" for passed in row).split("-"))
        assert longest_streak([row]) == Streaks(min=longest, median=float(longest), max=longest, cases=1)
        assert first_try([row]) == float(row[0])
        counted = [(sum(row), n)]
        assert all_trials(counted) == float(all(row))
        seen = shape(counted)
        assert (seen.always, seen.sometimes, seen.never) == (int(all(row)), int(any(row) and not all(row)), int(not any(row)))
        p = sum(row) / n
        assert stability(counted) == (None if n < 2 else pytest.approx(1 - 2 * abs(p - round(p))))


@pytest.mark.parametrize("n", MOST)
def test_mcnemar_counts_every_way_the_flips_could_have_gone(n: int) -> None:
    ways = [sum(signs) for signs in product([1, -1], repeat=n)]
    for fixed in range(n + 1):
        seen = abs(fixed - (n - fixed))
        assert mcnemar(fixed, n - fixed).p_value == pytest.approx(sum(abs(way) >= seen for way in ways) / len(ways))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_sign_flips_count_every_table_of_up_to_four_cases_of_two_trials(n: int) -> None:
    for moves in product([-2, -1, 0, 1, 2], repeat=n):
        base = [(max(0, -move), 2) for move in moves]
        new = [(passed + move, 2) for (passed, _), move in zip(base, moves, strict=True)]
        sums = [abs(sum(sign * move for sign, move in zip(signs, moves, strict=True))) for signs in product([1, -1], repeat=n)]
        assert sign_flip_rates(base, new).p_value == pytest.approx(sum(total >= abs(sum(moves)) for total in sums) / len(sums))


def tail(successes: int, n: int, p: float) -> float:
    """P(at most `successes`) by listing all outcomes."""
    return math.fsum(p ** sum(row) * (1 - p) ** (n - sum(row)) for row in product([0, 1], repeat=n) if sum(row) <= successes)


@pytest.mark.parametrize("n", MOST)
def test_exact_bounds_leave_exactly_their_tail(n: int) -> None:
    for seen in range(n + 1):
        two, one = clopper_pearson(seen, n), rate_upper_bound(seen, n)
        assert two.low is not None
        assert two.high is not None
        assert one.high is not None
        if seen < n:
            assert tail(seen, n, two.high) == pytest.approx(0.025, abs=1e-9)
            assert tail(seen, n, one.high) == pytest.approx(0.05, abs=1e-9)
        if seen > 0:
            assert tail(seen - 1, n, two.low) == pytest.approx(0.975, abs=1e-9)
        assert binomial_at_most(seen, n, 0.3) == pytest.approx(tail(seen, n, 0.3), abs=1e-12)


@pytest.mark.parametrize("n", MOST)
def test_wilsons_ends_lie_where_the_score_is_the_normal_quantile(n: int) -> None:
    for seen in range(n + 1):
        found = wilson(seen, n)
        for end in (found.low, found.high):
            assert end is not None
            if 0 < end < 1:
                assert abs(seen / n - end) / math.sqrt(end * (1 - end) / n) == pytest.approx(1.959964, abs=1e-5)


@pytest.mark.parametrize(("cases", "trials"), [(1, 8), (2, 4), (3, 2), (4, 2), (8, 1)])
def test_no_table_of_up_to_eight_trials_has_an_interval_without_width_or_the_rate_outside_it(cases: int, trials: int) -> None:
    for passes in product(range(trials + 1), repeat=cases):
        counts = [(passed, trials) for passed in passes]
        for found in (clustered_rate(counts), clustered_rate(counts, few="widen")):
            assert found.value == pytest.approx(sum(passes) / (cases * trials))
            assert 0.0 <= (found.low or 0.0) <= (found.value or 0.0) <= (found.high or 0.0) <= 1.0
            assert (found.high or 0.0) - (found.low or 0.0) > 0.05


@pytest.mark.parametrize("n", MOST)
def test_no_flips_of_up_to_eight_pairs_have_an_interval_without_width(n: int) -> None:
    for fixed in range(n + 1):
        for broken in range(n - fixed + 1):
            base = [(0, 1)] * fixed + [(1, 1)] * (n - fixed)
            new = [(1, 1)] * fixed + [(0, 1)] * broken + [(1, 1)] * (n - fixed - broken)
            for found in (tango(fixed, broken, n), paired_rates(base, new)):
                assert found.value == pytest.approx((fixed - broken) / n)
                assert found.low is not None
                assert found.high is not None
                assert -1.0 <= found.low <= (found.value or 0.0) <= found.high <= 1.0
                assert found.high - found.low > 0.2
