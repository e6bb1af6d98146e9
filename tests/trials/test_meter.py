"""One budget a trial: reserved before spent, never passed by parallel members, unknown stays unknown."""

import threading
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.budget import Budget
from fairtrial.records.errors import OverBudget
from fairtrial.trials.meter import Meter, count, money

DECIMALS = msgspec.json.Decoder(float_hook=Decimal)


def test_of_parallel_calls_only_those_within_the_balance_are_admitted(shared: Path) -> None:
    given_ = DECIMALS.decode((shared / "known-faults/inputs/C11_budget_race.json").read_bytes())
    meter = Meter(Budget(usd=given_["limit_usd"]))
    meter.reserve(given_["already_spent_usd"]).settle(given_["already_spent_usd"], None, None)
    calls = given_["parallel_calls"]
    admitted: list[object] = []
    gate = threading.Barrier(len(calls))

    def call(wanted: Decimal, actual: Decimal) -> None:
        gate.wait()
        try:
            held = meter.reserve(wanted)
        except OverBudget:
            return
        admitted.append(held)
        held.settle(actual, None, None)

    threads = [threading.Thread(target=call, args=(entry["reserve_usd"], entry["actual_usd"])) for entry in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(admitted) == 1
    assert meter.usd == Decimal("0.9")
    assert meter.closed_by == "usd"


def test_the_children_of_a_team_draw_on_the_team_s_one_budget(shared: Path) -> None:
    given_ = DECIMALS.decode((shared / "known-faults/inputs/C12_child_budgets.json").read_bytes())
    meter = Meter(Budget(usd=given_["limit_usd"]))
    lead = given_["tree"]["ceo"]
    meter.reserve(lead["cost"]).settle(lead["cost"], None, None)
    refused = 0
    for child in lead["children"].values():
        try:
            meter.reserve(child["cost"]).settle(child["cost"], None, None)
        except OverBudget:
            refused += 1
    assert (refused, meter.usd) == (2, Decimal("0.7"))


def test_a_retry_that_failed_is_paid_for_and_one_of_unknown_use_makes_the_cost_a_lower_bound(shared: Path) -> None:
    given_ = DECIMALS.decode((shared / "known-faults/inputs/C07_retries.json").read_bytes())
    meter = Meter(Budget())
    price = {name: Decimal(per) / 1_000_000 for name, per in given_["usd_per_million"].items()}
    for attempt in given_["attempts"]:
        use = attempt["usage"]
        usd = use and sum(price[name] * use[f"{name}_tokens"] for name in ("input", "output"))
        meter.reserve().settle(usd, use and use["input_tokens"], use and use["output_tokens"])
    spend = meter.spend()
    assert spend.usd == Decimal("0.0088")
    assert not spend.usd_complete
    assert (spend.model_calls, spend.tokens_complete) == (3, False)


def test_a_reservation_that_is_released_is_there_for_the_next_call() -> None:
    meter = Meter(Budget(usd=Decimal("1")))
    meter.reserve(Decimal("1")).release()
    meter.reserve(Decimal("1")).settle(Decimal("0.4"), None, None)
    assert meter.usd == Decimal("0.4")


def test_the_first_refusal_closes_the_meter() -> None:
    meter = Meter(Budget(tool_calls=1))
    meter.tool()
    with pytest.raises(OverBudget, match="1 tool calls are all"):
        meter.tool()
    with pytest.raises(OverBudget, match="over budget"):
        meter.reserve(Decimal(0))
    assert meter.spend().tool_calls == 1


def test_a_trial_that_stated_no_price_was_not_free() -> None:
    assert Meter(Budget()).spend().usd is None


@given(st.lists(st.decimals(min_value=0, max_value=2, places=2), max_size=30), st.decimals(min_value=0, max_value=5, places=2))
def test_what_is_spent_never_passes_the_ceiling(prices: list[Decimal], ceiling: Decimal) -> None:
    meter = Meter(Budget(usd=ceiling))
    for price in prices:
        try:
            meter.reserve(price).settle(price, None, None)
        except OverBudget:
            break
    assert (meter.usd or Decimal(0)) <= ceiling


@pytest.mark.parametrize("stated", [float("nan"), float("inf"), -1, "ten", True, [], "1e999999999999"])
def test_what_is_no_amount_of_money_is_refused(stated: object) -> None:
    with pytest.raises(ValueError, match="not an amount"):
        money(stated)


def test_a_price_given_as_a_number_is_taken_as_written() -> None:
    assert money(0.1) == Decimal("0.1")


@pytest.mark.parametrize("stated", [-1, 1.5, True, "3"])
def test_what_is_no_count_is_refused(stated: object) -> None:
    with pytest.raises(ValueError, match="tokens is not a count"):
        count(stated, "tokens")
