"""What is read from altered runs: a use that is there, one that is only declared, one that is hidden, and noise."""

import random
from collections.abc import Callable

import pytest

from fairtrial.records.use import LeftOut, UsePlan, UseReport
from fairtrial.study.use import Evidence, Seen, read_use

Decides = Callable[[random.Random, str], int]
"""Draws a decision, told the value that arrives: `true` or `other`."""


def uses(rng: random.Random, told: str) -> int:
    return int(told == "other")


def ignores(rng: random.Random, told: str) -> int:
    return 0


def wavers(rng: random.Random, told: str) -> int:
    return rng.randrange(3)


def sometimes(rng: random.Random, told: str) -> int:
    return int(told == "other" and rng.random() < 0.4)


def read(decides: Decides, *, cases: int = 8, runs: int = 5, declared: bool = True, seed: int = 1, facts: int = 1) -> UseReport:
    rng = random.Random(seed)
    names = [f"fact{number}" if number else "fact" for number in range(facts)]
    ids = [f"case-{number}" for number in range(cases)]
    plan = UsePlan(
        setup="team",
        to="ceo",
        recorded="r",
        control="team ? unaltered",
        replayed=("coo",),
        acted=("ceo",),
        ways=tuple((name, "change", f"team ? {name} changed") for name in names),
        values={name: {case: (1, 2) for case in ids} for name in names},
    )
    count = {name: runs if declared else 0 for name in names}
    evidence: Evidence = {
        setup: {case: Seen(decisions=tuple(decides(rng, told) for _ in range(runs)), ran=runs, declared=count) for case in ids}
        for setup, told in [(plan.control, "true"), *((setup, "other") for _, _, setup in plan.ways)]
    }
    return read_use(None, plan, evidence, "suite", None)


def test_a_role_that_uses_the_fact_is_read_so() -> None:
    found = read(uses)
    assert found.facts == {"fact": "used"}
    assert found.shifts[0].value == 1.0
    assert {proof.reading for proof in found.proofs} == {"confirmed"}


def test_a_role_that_declares_the_fact_and_ignores_it_is_caught() -> None:
    found = read(ignores)
    assert found.facts == {"fact": "not_used"}
    assert {proof.reading for proof in found.proofs} == {"declared_not_used"}
    assert "declared, but no decision moved with it" in found.says


def test_it_is_caught_in_a_single_case_though_the_whole_cannot_be_told() -> None:
    found = read(ignores, cases=1)
    assert found.facts == {"fact": "cannot_tell"}
    assert [proof.reading for proof in found.proofs] == ["declared_not_used"]


def test_a_role_that_uses_the_fact_without_a_word_is_seen() -> None:
    found = read(uses, declared=False)
    assert {proof.reading for proof in found.proofs} == {"used_undeclared"}


def test_a_role_that_uses_it_sometimes_is_found_with_enough_cases() -> None:
    found = read(sometimes, cases=12)
    assert found.facts == {"fact": "used"}
    value = found.shifts[0].value
    assert value is not None and 0.2 < value < 0.6


def test_too_few_runs_to_tell_are_no_proof_of_disuse() -> None:
    assert {case.reading for case in read(ignores, runs=3).cases} == {"cannot_tell"}
    assert read(ignores, cases=2).facts == {"fact": "cannot_tell"}


def test_noise_alone_is_seldom_read_as_use() -> None:
    """120 studies of a role that decides at random: at most 5 % + 2.6 standard errors."""
    studies = [read(wavers, cases=5, runs=4, seed=seed) for seed in range(120)]
    readings = [found.facts["fact"] for found in studies]
    assert all(case.reading != "used" for found in studies if found.facts["fact"] != "used" for case in found.cases)
    assert readings.count("used") / 120 <= 0.05 + 2.6 * (0.05 * 0.95 / 120) ** 0.5


def test_where_noise_would_hide_a_use_none_is_ruled_out() -> None:
    """Of a role that draws one of many answers, altered runs could not differ more than controls do."""
    found = read(lambda rng, told: rng.randrange(50), cases=8)
    assert found.facts == {"fact": "cannot_tell"} and found.shifts[0].noise is not None and found.shifts[0].noise > 0.9


def test_several_facts_pay_for_being_several() -> None:
    one, three = read(sometimes, cases=4, seed=3), read(sometimes, cases=4, seed=3, facts=3)
    assert one.shifts[0].p_adjusted == one.shifts[0].p_value
    assert max(row.p_adjusted or 0 for row in three.shifts) >= max(row.p_value or 0 for row in three.shifts)
    assert min(row.p_adjusted or 0 for row in three.shifts) == pytest.approx(min(1.0, 3 * min(row.p_value or 0 for row in three.shifts)))


def test_runs_that_came_to_no_decision_prove_nothing() -> None:
    plan = UsePlan(
        setup="team",
        to="ceo",
        recorded="r",
        control="c",
        ways=(("fact", "hide", "a"),),
        values={"fact": {"one": (1, None)}},
    )
    seen = Seen(decisions=(0,) * 5, ran=5, declared={"fact": 5})
    lost = Seen(decisions=(None,) * 5, ran=5)
    found = read_use(None, plan, {"c": {"one": seen}, "a": {"one": lost}}, "suite", None)
    assert found.facts == {"fact": "cannot_tell"}
    assert found.cases[0].why == "5 of 5 altered runs and 0 of 5 controls came to no decision"
    assert "5 of 5 altered runs" in found.says
    assert found.shifts[0].reasons["value"]


def test_what_never_arrived_is_told_and_is_no_disuse() -> None:
    left = LeftOut(case="one", fact="fact", kind="not_received", why="no parcel that ceo received names fact")
    plan = UsePlan(setup="lossy", to="ceo", recorded="r", control="c", left_out=(left,))
    found = read_use(None, plan, {}, "suite", None)
    assert found.facts == {"fact": "not_received"}
    assert found.says == "fact never reached ceo in 1 recorded case, so there is nothing to alter."
    assert [proof.reading for proof in found.proofs] == ["not_received"]
    assert found.cost_usd is None and found.reasons["cost_usd"]


def test_what_could_not_be_replayed_cannot_be_told() -> None:
    left = LeftOut(case="one", fact="fact", kind="not_replayable", why="the recorded trace is not whole")
    plan = UsePlan(setup="team", to="ceo", recorded="r", control="c", left_out=(left,))
    found = read_use(None, plan, {}, "suite", None)
    assert found.facts == {"fact": "cannot_tell"}
    assert found.says.endswith("the recorded trace is not whole.")


def test_a_case_whose_altered_runs_decided_only_what_controls_did_is_no_use() -> None:
    """One control in five decided so as well: p is 0.024, and the row of the case says that 0 of 5 moved."""
    plan = UsePlan(setup="team", to="ceo", recorded="r", control="c", ways=(("fact", "change", "a"),), values={"fact": {"one": (1, 2)}})
    evidence = {"c": {"one": Seen(decisions=(0, 0, 0, 0, 1), ran=5)}, "a": {"one": Seen(decisions=(1,) * 5, ran=5)}}
    found = read_use(None, plan, evidence, "suite", None)
    case = found.cases[0]
    assert case.p_value is not None and case.p_value <= 0.05
    assert (case.moved, case.reading, case.why) == (0, "cannot_tell", "its altered runs decided nothing that no control did")
    assert [proof.reading for proof in found.proofs] == ["cannot_tell"]
