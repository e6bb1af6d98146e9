"""Unknown use is never free, and a time is never averaged with what is no answer."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import Ending, TrialHead
from fairtrial.study.costs import Costs, read_costs
from tests.study.tables import Change, one, spent


def priced(*prices: str | None) -> Change:
    """Each trial gets the price at its attempt; None is unknown, a leading > a lower bound."""

    def change(trial: TrialHead, graded: Scorecard) -> None:
        price = prices[trial.key.attempt - 1]
        trial.spend = spent(price and price.lstrip(">"), complete=not (price or "").startswith(">"))

    return change


def timed(stated: list[float | None], wall: list[float]) -> Change:
    def change(trial: TrialHead, graded: Scorecard) -> None:
        trial.stated_ms, trial.wall_ms = stated[trial.key.attempt - 1], wall[trial.key.attempt - 1]

    return change


def read(letters: str, change: Change) -> Costs:
    return read_costs(one({"a": letters}, change).lane())


def test_an_attempt_of_unknown_use_makes_the_total_a_lower_bound(shared: Path) -> None:
    numbers: dict[str, Any] = json.loads((shared / "known-faults/inputs/C07_retries.json").read_bytes(), parse_float=Decimal)
    prices, total, unknown = numbers["usd_per_million"], Decimal(0), 0
    for attempt in numbers["attempts"]:
        usage = attempt["usage"]
        unknown += usage is None
        for side in ("input", "output"):
            total += 0 if usage is None else prices[side] * usage[f"{side}_tokens"] / 1_000_000
    found = read("P", priced(f">{total}" if unknown else str(total)))
    assert found.cost_usd.total == Decimal("0.0088")
    assert not found.cost_usd.complete
    assert (found.cost_usd.mean, found.cost_usd.per_success, found.cost_usd.known) == (None, None, 0)
    assert found.reasons["cost_usd.total"] == "at least: the cost is fully known for 0 of 1 run trials"


def test_money_is_added_exactly() -> None:
    found = read("PPF", priced("0.1", "0.2", "0.3"))
    assert found.cost_usd.total == Decimal("0.6")
    assert str(found.cost_usd.mean) == "0.2"
    assert found.cost_usd.per_success == Decimal("0.3")
    assert found.cost_usd.complete


def test_a_price_of_nothing_is_known_and_no_price_is_not() -> None:
    free, unpriced = read("P", priced("0")).cost_usd, read("P", priced(None)).cost_usd
    assert (free.total, free.complete, free.per_success) == (Decimal(0), True, Decimal(0))
    assert (unpriced.total, unpriced.complete, unpriced.per_success) == (None, False, None)


def test_without_a_success_there_is_no_price_of_one() -> None:
    found = read("FU", priced("0.1", "0.2"))
    assert found.cost_usd.per_success is None
    assert found.cost_usd.mean == Decimal("0.15")
    assert found.reasons["cost_usd.per_success"] == "no trial passed"


def test_failed_and_unknown_trials_cost_money_too() -> None:
    assert read("PFE", priced("0.1", "0.2", "0.3")).cost_usd.per_success == Decimal("0.6")


@given(st.lists(st.decimals(min_value=0, max_value=9, places=4), min_size=1, max_size=6), st.data())
def test_losing_sight_of_some_use_never_makes_a_setup_look_cheaper(prices: list[Decimal], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(prices) - 1))
    texts: list[str | None] = [str(price) for price in prices]
    before = read("P" * len(prices), priced(*texts)).cost_usd
    texts[place] = data.draw(st.sampled_from([None, f">{prices[place] / 2}"]))
    after = read("P" * len(prices), priced(*texts)).cost_usd
    assert before.complete
    assert not after.complete
    assert (after.mean, after.per_success) == (None, None)


def test_times_are_of_trials_that_answered_and_the_others_stand_apart(shared: Path) -> None:
    numbers = json.loads((shared / "known-faults/inputs/M16_latency_ms.json").read_bytes())
    wall = [*map(float, numbers["ok"]), *map(float, numbers["failed_or_timed_out"])]

    def change(trial: TrialHead, graded: Scorecard) -> None:
        trial.wall_ms = wall[trial.key.attempt - 1]
        if trial.key.attempt > len(numbers["ok"]):
            trial.ending = Ending.TIMEOUT

    found = read("P" * 8 + "FF", change)
    assert (found.latency_ms.n, found.latency_ms.p50, found.latency_ms.max) == (8, 145.0, 5000.0)
    assert found.latency_ms.p95 == pytest.approx(3309.5)
    assert found.reasons["latency_ms.n"] == "known for 8 of the 8 trials that answered, of 10 run"


def test_the_stated_time_counts_only_where_every_trial_states_one() -> None:
    every = read("PP", timed([600.0, 800.0], [1.0, 2.0]))
    assert (every.latency_ms.mean, every.latency_ms.stated, every.measured_ms.mean) == (700.0, True, 1.5)
    some = read("PP", timed([600.0, None], [1.0, 2.0]))
    assert (some.latency_ms.mean, some.latency_ms.stated) == (1.5, False)


def test_an_unknown_wall_time_is_not_a_time_of_zero() -> None:
    found = read("PP", timed([None, None], [0.0, 0.0]))
    assert found.latency_ms.mean is None
    assert found.reasons["latency_ms"] == "no wall time is known, and only 0 of 2 trials that answered state a time"
    assert found.reasons["measured_ms"] == "no wall time is known"


def test_tokens_are_a_lower_bound_where_one_trial_states_none() -> None:
    def change(trial: TrialHead, graded: Scorecard) -> None:
        if trial.key.attempt == 1:
            trial.spend = spent(None, input_tokens=900, output_tokens=120, tokens_complete=True)

    found = read("PP", change)
    assert (found.tokens.input, found.tokens.output, found.tokens.complete) == (900, 120, False)
    assert found.reasons["tokens"] == "at least: the tokens are fully known for 1 of 2 run trials"


def test_no_run_trial_has_no_cost_and_no_time() -> None:
    found = read("--", priced("1", "1"))
    assert (found.cost_usd.total, found.latency_ms.mean, found.tokens.input) == (None, None, None)
    assert found.reasons["cost_usd.total"] == "no trial has been run"
