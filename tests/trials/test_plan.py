"""The plan is a function of the suite and the seed, and holds every trial exactly once."""

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.run import Planned
from fairtrial.records.trial import TrialKey
from fairtrial.trials.plan import in_order, trial_seed

PLANS = st.lists(
    st.builds(Planned, st.sampled_from("abcdef"), st.sampled_from(["x", "y", "z"]), st.integers(0, 4)),
    unique_by=lambda plan: (plan.case, plan.setup),
)


@given(PLANS, st.integers())
def test_every_planned_trial_comes_exactly_once(planned: list[Planned], seed: int) -> None:
    keys = list(in_order(planned, seed))
    assert sorted(keys) == sorted(TrialKey(plan.case, plan.setup, n) for plan in planned for n in range(1, plan.attempts + 1))


@given(PLANS, st.integers(), st.data())
def test_what_is_done_is_left_out_and_the_rest_keeps_its_order(planned: list[Planned], seed: int, data: st.DataObject) -> None:
    keys = list(in_order(planned, seed))
    done = {key for key in keys if data.draw(st.booleans())}
    assert list(in_order(planned, seed, done)) == [key for key in keys if key not in done]


def test_setups_stand_side_by_side_and_take_turns_to_go_first() -> None:
    planned = [Planned(f"c{n}", setup, 2) for n in range(6) for setup in ("one", "two")]
    keys = list(in_order(planned, 7))
    pairs = list(zip(keys[::2], keys[1::2], strict=True))
    assert all((a.case, a.attempt) == (b.case, b.attempt) for a, b in pairs)
    assert {a.setup for a, _ in pairs} == {"one", "two"}


def test_a_seed_belongs_to_case_and_attempt_and_is_shared_by_the_setups() -> None:
    seeds = {trial_seed(1, TrialKey(case, setup, n)) for case in "ab" for setup in ("x", "y") for n in (1, 2)}
    assert len(seeds) == 4
    assert trial_seed(1, TrialKey("a", "x", 1)) != trial_seed(2, TrialKey("a", "x", 1))
