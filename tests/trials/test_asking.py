"""An agent asks a model at its desk: a span, a charge, a latency without waiting, in every isolation that has a network."""

from decimal import Decimal
from typing import Any

import pytest

from fairtrial.records.budget import Budget
from fairtrial.records.case import Scene
from fairtrial.records.prices import Price, Prices
from fairtrial.records.setup import Setup
from fairtrial.records.strictjson import encode
from fairtrial.records.trace import Span
from fairtrial.records.trial import Ending
from tests.modelserver import ModelServer, completion, cut_off, once_together, refusal
from tests.trials.bench import Ran, run_agents
from tests.walls import SANDBOX, needs_sandbox

REACHING = ("fork", "shared", "process")
USAGE = {"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 800}}
TABLE = Prices(models={"m-1": Price(input=Decimal(2), cached=Decimal("0.5"), output=Decimal(8))})


def ran(agents: list[str], model: str, level: str = "fork", **more: Any) -> Ran:
    setups = {name: Setup(agent=f"asking_agents:{name}") for name in agents}
    return run_agents(agents, level, setups=setups, facts={"model": model}, tools=None, **more)


def asked(ran: Ran, setup: str) -> list[Span]:
    return [span for span in ran.body(setup).spans if span.kind == "model"]


@pytest.mark.parametrize("level", REACHING)
def test_a_sync_and_an_async_agent_ask_and_it_is_charged_and_written_down(model_server: ModelServer, level: str) -> None:
    model_server.script = completion(usage=USAGE)
    name = model_server.name()
    done = ran(["asks", "awaits"], name, level, prices=TABLE)
    for setup in ("asks", "awaits"):
        head = done.head(setup)
        assert head.ending is Ending.FINISHED, head.note
        assert done.body(setup).output == {"said": "hello", "usd": "0.0012"}
        assert (head.spend.usd, head.spend.input_tokens, head.spend.output_tokens) == (Decimal("0.0012"), 1000, 50)
        assert head.spend.model_calls == 1 and head.spend.steps == 1 and head.spend.usd_complete
        (span,) = asked(done, setup)
        told = span.attributes
        assert (span.name, told["model"], told["text"], told["usd"]) == (name, "m-2026", "hello", "0.0012")
        assert told["messages"] == [{"role": "user", "content": "hi"}] and told["cached_tokens"] == 800
        assert head.stated_ms is not None and head.stated_ms == pytest.approx(told["latency_ms"])


@needs_sandbox
def test_behind_the_walls_a_model_outside_is_refused_in_words() -> None:
    done = ran(["asks"], "openai:m-1@http://127.0.0.1:9", "sandbox")
    head = done.head("asks")
    assert head.ending is Ending.AGENT_ERROR and "a sandboxed trial has no network" in head.note


@pytest.mark.parametrize("level", ["fork", SANDBOX])
def test_a_function_of_the_suites_own_can_be_asked_behind_the_walls_too(level: str) -> None:
    done = ran(["awaits"], "python:asking_agents:fake", level)
    assert done.body("awaits").output == {"said": "HI", "usd": "0.5"} and done.head("awaits").spend.usd == Decimal("0.5")


def test_many_are_asked_at_once(model_server: ModelServer) -> None:
    model_server.script = once_together(20, most_s=8)
    assert ran(["asks_many"], model_server.name(), "shared").body("asks_many").output == {"said": 20}
    assert model_server.most_at_once == 20


def test_waiting_is_no_latency(model_server: ModelServer) -> None:
    model_server.script = [refusal(429, retry_after="0.5"), completion()]
    done = ran(["asks"], model_server.name())
    head, (span,) = done.head("asks"), asked(done, "asks")
    assert head.stated_ms is not None and head.stated_ms < 400 <= span.attributes["waited_ms"] and span.attributes["tries"] == 2


def test_an_outage_is_the_providers_and_ends_the_trial_unless_the_agent_makes_do(model_server: ModelServer) -> None:
    model_server.script = refusal(401, "no such key")
    done = ran(["asks", "makes_do"], model_server.name())
    head = done.head("asks")
    assert head.ending is Ending.PROVIDER_OUTAGE and "401" in head.note
    assert asked(done, "asks")[0].error == {"kind": "provider_outage", "message": head.note.removeprefix("ProviderOutage: ")}
    assert done.head("makes_do").ending is Ending.FINISHED and done.body("makes_do").output["without"] == "ProviderOutage"


def test_a_reply_that_is_cut_off_is_the_agents_to_catch_and_is_charged(model_server: ModelServer) -> None:
    model_server.script = cut_off()
    done = ran(["asks", "makes_do"], model_server.name(), prices=TABLE)
    assert done.head("asks").ending is Ending.AGENT_ERROR
    head = done.head("makes_do")
    assert head.ending is Ending.FINISHED and done.body("makes_do").output["without"] == "MalformedReply"
    assert (head.spend.input_tokens, head.spend.output_tokens, head.spend.usd) == (9, 2, Decimal("0.000034"))
    assert (asked(done, "makes_do")[0].error or {})["kind"] == "malformed"


def test_a_call_of_unknown_price_leaves_the_trials_price_incomplete(model_server: ModelServer) -> None:
    model_server.script = completion(usage=None)
    spend = ran(["asks"], model_server.name()).head("asks").spend
    assert spend.usd is None and not spend.usd_complete and not spend.tokens_complete and spend.model_calls == 1


@pytest.mark.parametrize("budget", [Budget(usd=Decimal("0.001")), Budget(tokens=1000)])
def test_a_call_that_took_more_than_was_left_is_charged_and_ends_the_trial(model_server: ModelServer, budget: Budget) -> None:
    model_server.script = completion(usage=USAGE)
    done = ran(["asks_twice"], model_server.name(), prices=TABLE, budget=budget)
    head = done.head("asks_twice")
    assert head.ending is Ending.OVER_BUDGET and head.spend.usd == Decimal("0.0012") and len(model_server.calls) == 1
    assert (asked(done, "asks_twice")[0].error or {})["kind"] == "over_budget"


def test_where_no_step_is_left_the_model_is_not_asked(model_server: ModelServer) -> None:
    done = ran(["asks_twice"], model_server.name(), budget=Budget(steps=1))
    assert done.head("asks_twice").ending is Ending.OVER_BUDGET and len(model_server.calls) == 1


def test_a_name_that_is_no_model_and_a_message_that_is_none_are_errors_in_words() -> None:
    done = ran(["asks_nonsense", "asks_shapeless"], "python:asking_agents:fake")
    assert "there is no such model" in done.head("asks_nonsense").note and "a message is" in done.head("asks_shapeless").note


@pytest.mark.parametrize("level", ["fork", "shared"])
def test_a_call_that_was_given_up_is_charged_as_unknown(model_server: ModelServer, level: str) -> None:
    model_server.script = completion().later(1.0)
    done = ran(["gives_up"], model_server.name(), level)
    head = done.head("gives_up")
    assert done.body("gives_up").output == {"gave": "up"}
    assert head.spend.model_calls == 1 and not head.spend.usd_complete
    assert (asked(done, "gives_up")[0].error or {})["kind"] == "given_up"


def test_a_model_that_outlasts_the_trial_does_not_hold_it_up(model_server: ModelServer) -> None:
    model_server.script = completion().later(6)
    for level in ("fork", "shared"):
        done = ran(["asks", "awaits"], model_server.name(), level, timeout_s=0.6)
        assert [done.head(setup).ending for setup in ("asks", "awaits")] == [Ending.TIMEOUT] * 2


@pytest.mark.parametrize("level", REACHING)
def test_a_user_that_a_service_plays_is_priced_by_the_table_and_apart_from_the_agent(model_server: ModelServer, level: str) -> None:
    says = [{"message": "A fan.", "should_end": False}, {"message": "That is all, thank you.", "should_end": True}]
    model_server.script = [refusal(429, retry_after="0.1"), *(completion(encode(said).decode(), usage=USAGE) for said in says)]
    name = model_server.name()
    user = {"persona": "a customer", "goal": "a fan", "end": "it is said", "max_turns": 5, "model": name, "may_claim": {"item": "fan"}}
    done = ran(["talks"], name, level, prices=TABLE, models=(name,), scene=Scene(state={"total": 0}, user=user))
    head = done.head("talks")
    assert head.dialogue is not None and head.dialogue.ended == "user_ended", head.dialogue
    assert done.body("talks").output == {"heard": ["A fan."]}
    assert (head.dialogue.calls, head.dialogue.input_tokens, head.dialogue.output_tokens) == (2, 2000, 100)
    assert head.user_usd == Decimal("0.0024") and head.spend.usd is None and head.spend.model_calls == 0
