"""Providers of pydantic-ai behind our protocol: text, use and name; our limits and retries alone; clear words where it is missing."""

import asyncio
import importlib.util
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from multiprocessing import get_context
from typing import Any

import pytest

from fairtrial.models.model import MalformedReply, Model
from fairtrial.models.open import open_model
from fairtrial.records.errors import InputError, ProviderOutage
from fairtrial.records.prices import Price, Prices
from tests.modelserver import ModelServer, Says, completion, cut_off, hang_up, once_together, raw, refusal

needs_it = pytest.mark.skipif(importlib.util.find_spec("pydantic_ai") is None, reason="pydantic-ai is not installed: fairtrial[models]")
needs_openai = pytest.mark.skipif(
    importlib.util.find_spec("pydantic_ai") is None or importlib.util.find_spec("openai") is None,
    reason="pydantic-ai with the package openai is not installed: fairtrial[models]",
)
ASKED = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "hi"}]
SCHEMA = {"type": "object", "properties": {"mark": {"type": "integer"}}, "required": ["mark"], "additionalProperties": False}
KEY = "sk-test-0123456789"


@pytest.fixture
def chat(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """The server as OpenAI's own address, which is how pydantic-ai's `openai-chat:` finds it."""
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    yield model_server


def opened(name: str = "openai-chat:gpt-4o", prices: Prices | None = None) -> Model:
    return open_model(name, lambda target: target, prices)


@needs_openai
def test_a_provider_is_asked_by_its_own_name_with_a_schema(chat: ModelServer) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050, "prompt_tokens_details": {"cached_tokens": 800}}
    chat.script = completion('{"mark": 3}', usage=usage)
    table = Prices(models={"gpt-4o": Price(input=Decimal(2), cached=Decimal("0.5"), output=Decimal(8))})
    reply = opened(prices=table).reply(ASKED, schema=SCHEMA)
    assert (reply.text, reply.model) == ('{"mark": 3}', "m-2026")
    assert (reply.input_tokens, reply.cached_tokens, reply.output_tokens) == (1000, 800, 50)
    assert reply.usd == Decimal("0.0012") and reply.tries == 1 and reply.ms is not None
    asked = chat.calls[0].body
    assert asked["model"] == "gpt-4o" and [message["role"] for message in asked["messages"]] == ["system", "user"]
    assert asked["response_format"]["json_schema"]["schema"] == SCHEMA


@needs_openai
def test_what_was_said_before_goes_along(chat: ModelServer) -> None:
    opened().reply([*ASKED, {"role": "assistant", "content": "hello"}, {"role": "user", "content": "again"}])
    told = [(message["role"], message["content"]) for message in chat.calls[0].body["messages"]]
    assert told == [("system", "Be short."), ("user", "hi"), ("assistant", "hello"), ("user", "again")]


@needs_openai
def test_only_one_layer_asks_again(chat: ModelServer) -> None:
    chat.script = [refusal(429, retry_after="0.3"), completion()]
    reply = opened().reply(ASKED)
    assert (reply.tries, len(chat.calls)) == (2, 2) and reply.waited_ms >= 300
    for broken in (refusal(500), hang_up()):
        chat.script, before = broken, len(chat.calls)
        with pytest.raises(ProviderOutage):
            opened().reply(ASKED)
        assert len(chat.calls) - before == 3


@needs_openai
@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_the_caller_got_wrong_is_asked_once_and_tells_no_key(chat: ModelServer, status: int) -> None:
    chat.script = refusal(status, f"no: {KEY}")
    with pytest.raises(ProviderOutage, match=str(status)) as caught:
        opened().reply(ASKED)
    assert len(chat.calls) == 1 and KEY not in str(caught.value)


@needs_openai
@pytest.mark.parametrize("says", [cut_off(), completion(None), raw("<html>"), completion("x", finish="content_filter")])
def test_what_cannot_be_used_is_malformed(chat: ModelServer, says: Says) -> None:
    chat.script = says
    with pytest.raises(MalformedReply):
        opened().reply(ASKED)
    assert len(chat.calls) == 1


@needs_openai
def test_use_that_is_not_stated_is_unknown(chat: ModelServer) -> None:
    chat.script = completion(usage=None)
    reply = opened().reply(ASKED)
    assert (reply.input_tokens, reply.output_tokens, reply.usd) == (None, None, None)


@needs_openai
def test_the_deadline_holds(chat: ModelServer) -> None:
    chat.script = completion().later(5)
    model = opened()
    began = time.monotonic()
    with pytest.raises(ProviderOutage):
        model.reply(ASKED, timeout_s=0.4)
    assert time.monotonic() - began < 2


@needs_openai
def test_many_threads_ask_at_once(chat: ModelServer) -> None:
    model = opened()
    model.reply(ASKED)
    chat.script = once_together(30)
    with ThreadPoolExecutor(30) as pool:
        assert {reply.text for reply in pool.map(lambda _: model.reply(ASKED), range(30))} == {"hello"}
    assert chat.most_at_once == 30


def asks(model: Model) -> str:
    return model.reply(ASKED, timeout_s=20).text


@needs_openai
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # a fork beside threads is what is tried here
def test_a_model_that_was_opened_before_a_fork_can_be_asked_after_it(chat: ModelServer) -> None:
    model, threads = opened(), threading.active_count()
    with get_context("fork").Pool(1, initializer=keep, initargs=(model,)) as children:
        assert children.apply(ask_kept) == "hello"
    assert threading.active_count() == threads, "opening starts no thread that a fork would lose"
    assert asks(model) == "hello"


_kept: list[Model] = []


def keep(model: Model) -> None:
    _kept[:] = [model]


def ask_kept() -> str:
    return asks(_kept[0])


@needs_it
def test_its_own_models_for_tests_work_and_a_model_of_the_suites_own() -> None:
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    seen: list[Any] = []

    async def act(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append((messages, info))
        await asyncio.sleep(0)
        return ModelResponse(parts=[TextPart('{"mark": 4}')])

    made = FunctionModel(act)
    assert open_model("python:mine:model", lambda target: made).reply(ASKED, schema=SCHEMA).text == '{"mark": 4}'
    assert "mark" in str(seen[0]), "where a provider has no schema of its own, the form is told in words"
    assert opened("pydantic_ai:test").reply(ASKED).text


@needs_it
@pytest.mark.parametrize(("name", "words"), [("nope:x", "Unknown model"), ("vllm:x", "VLLM_BASE_URL")])
def test_what_it_does_not_know_or_misses_is_an_error_in_words(name: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VLLM_BASE_URL", raising=False)
    with pytest.raises(InputError, match=words):
        opened(name)


def test_where_it_is_not_installed_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "pydantic_ai"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    with pytest.raises(InputError, match=r"fairtrial\[models\]"):
        opened("anthropic:claude-x")
