"""What a call costs: the suite's table, the public one for services it knows, and unknown for everything else."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.models.open import open_model
from fairtrial.models.pricing import cost, public_cost, stated_price
from fairtrial.models.usage import Usage, read_usage
from fairtrial.records.prices import Price, Prices
from tests.modelserver import ModelServer, completion

ASKED = [{"role": "user", "content": "hi"}]
PRICES = Prices(models={"m-1": Price(input=Decimal(2), cached=Decimal("0.5"), output=Decimal(8))})


@pytest.mark.parametrize(("name", "usd"), [("C01_cached_usage", "0.0012"), ("C05_reasoning_usage", "0.0043")])
def test_the_same_real_use_costs_the_same_in_both_styles(shared: Path, name: str, usd: str) -> None:
    stated = json.loads((shared / "known-faults" / "inputs" / f"{name}.json").read_text(encoding="utf-8"))
    per = {key: Decimal(str(amount)) for key, amount in stated["usd_per_million"].items()}
    price = Price(input=per["input"], output=per["output"], cached=per["cache_read"], cache_write=per.get("cache_write"))
    assert [cost(price, read_usage(call["usage"])) for call in stated["calls"]] == [Decimal(usd)] * len(stated["calls"])


def test_a_reply_has_its_price_from_the_suites_table(model_server: ModelServer) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 800}}
    model_server.script = completion(usage=usage)
    reply = open_model(model_server.name("m-1"), lambda target: target, PRICES).reply(ASKED)
    assert reply.usd == Decimal("0.0012")


def test_a_reply_without_use_has_no_price_and_a_model_that_is_not_in_the_table_has_none(model_server: ModelServer) -> None:
    model_server.script = [completion(usage=None), completion()]
    model = open_model(model_server.name("m-1"), lambda target: target, PRICES)
    assert model.reply(ASKED).usd is None
    assert open_model(model_server.name("other"), lambda target: target, PRICES).reply(ASKED).usd is None


def test_the_whole_name_of_a_model_comes_before_what_it_says_of_itself(model_server: ModelServer) -> None:
    whole = model_server.name("m-1")
    table = {name: Price(input=Decimal(number), output=Decimal(0)) for number, name in enumerate((whole, "m-2026", "m-1"), 1)}
    for gone, per in ((None, 1), (whole, 2), ("m-2026", 3)):
        table.pop(gone or "", None)
        reply = open_model(whole, lambda target: target, Prices(models=table)).reply(ASKED)
        assert reply.usd == Decimal(per * 9) / 10**6


def test_a_price_that_a_function_states_itself_stands() -> None:
    said = {"text": "a", "input_tokens": 10**6, "output_tokens": 0, "usd": "0.7"}
    table = Prices(models={"sims:one": PRICES.models["m-1"]})
    assert open_model("python:sims:one", lambda target: lambda messages: said, table).reply(ASKED).usd == Decimal("0.7")
    assert open_model("python:sims:one", lambda target: lambda messages: {**said, "usd": None}, table).reply(ASKED).usd == Decimal(2)


def test_the_public_table_is_asked_about_services_that_it_knows_and_about_no_other() -> None:
    pytest.importorskip("genai_prices", reason="the public table of prices is not installed")
    use = Usage(input_tokens=1_000_000, output_tokens=0)
    known = public_cost("gpt-4o", use, "https://api.openai.com/v1")
    assert known is not None and known > 0
    for model, service in (("gpt-4o", "http://127.0.0.1:8000/v1"), ("no-such-model", "https://api.openai.com/v1"), ("gpt-4o", "nobody")):
        assert public_cost(model, use, service) is None
    assert public_cost("gpt-4o", Usage(input_tokens=5), "https://api.openai.com/v1") is None


def test_of_several_names_the_first_that_is_listed_counts() -> None:
    assert stated_price(PRICES, ("x", "m-1")) is PRICES.models["m-1"]
    assert stated_price(PRICES, ("x",)) is None and stated_price(None, ("m-1",)) is None


MONEY = st.decimals(0, 1000, places=4)
TOKENS = st.integers(0, 10**9)


@given(st.tuples(MONEY, MONEY, MONEY), TOKENS, TOKENS, TOKENS)
def test_each_token_is_paid_once_and_exactly(per: tuple[Decimal, Decimal, Decimal], fresh: int, cached: int, made: int) -> None:
    price = Price(input=per[0], cached=per[1], output=per[2])
    found = cost(price, Usage(input_tokens=fresh + cached, cached_tokens=cached, output_tokens=made, reasoning_tokens=made))
    assert found is not None and found * 10**6 == fresh * per[0] + cached * per[1] + made * per[2]
