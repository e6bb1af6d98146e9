"""The door to language models: by name only, on loopback here, with everything a service can do wrong."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import fairtrial as ft
from fairtrial.models.function import FunctionModel
from fairtrial.models.model import MalformedReply, Model
from fairtrial.models.open import open_model
from fairtrial.models.wire import MOST_BYTES
from fairtrial.records.errors import InputError

ASKED = [{"role": "user", "content": "hi"}]
Answer = Callable[[dict[str, Any], int], tuple[int, dict[str, str], bytes]]


@contextmanager
def service(answer: Answer) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A service on loopback: what it answers is made from the body and the number of the request."""
    seen: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append({"path": self.path, "key": self.headers.get("Authorization"), **body})
            status, headers, data = answer(body, len(seen))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):  # whoever asked may have heard enough
                self.wfile.write(data)

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def completion(text: Any = "hello", **more: Any) -> bytes:
    message = {"role": "assistant", "content": text, "reasoning_content": "private"}
    whole = {
        "model": "m-2026",
        "choices": [{"message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 2},
    }
    return json.dumps(whole | more).encode()


def opened(url: str) -> Model:
    return open_model(f"openai:m-1@{url}", lambda target: target)


def test_a_reply_carries_text_tokens_and_the_models_name_and_no_price_that_nobody_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k-1")
    with service(lambda body, number: (200, {}, completion())) as (url, seen):
        reply = opened(url).reply(ASKED, schema={"type": "object"})
    assert (reply.text, reply.model, reply.input_tokens, reply.output_tokens, reply.usd) == ("hello", "m-2026", 9, 2, None)
    assert reply.ms is not None and reply.tries == 1
    assert (seen[0]["path"], seen[0]["key"], seen[0]["model"]) == ("/v1/chat/completions", "Bearer k-1", "m-1")
    assert seen[0]["response_format"]["json_schema"]["schema"] == {"type": "object"}


def test_the_address_is_the_environments_where_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with service(lambda body, number: (200, {}, completion())) as (url, seen):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        assert open_model("openai:m-1", lambda target: target).reply(ASKED).text == "hello"
    assert seen[0]["key"] is None and "response_format" not in seen[0]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_service_that_is_busy_is_asked_again_when_it_says(status: int) -> None:
    def answer(body: dict[str, Any], number: int) -> tuple[int, dict[str, str], bytes]:
        return (status, {"Retry-After": "0"}, b"busy") if number == 1 else (200, {}, completion())

    with service(answer) as (url, seen):
        assert opened(url).reply(ASKED).text == "hello"
    assert len(seen) == 2


def test_a_service_that_stays_away_is_an_outage_after_a_bounded_time() -> None:
    with service(lambda body, number: (429, {"Retry-After": "3600"}, b"busy")) as (url, seen):
        began = time.monotonic()
        with pytest.raises(ft.ProviderOutage, match="429"):
            opened(url).reply(ASKED, timeout_s=0.5)
        assert time.monotonic() - began < 3 and len(seen) == 1


def test_a_slow_service_is_an_outage_once_the_time_is_up() -> None:
    def answer(body: dict[str, Any], number: int) -> tuple[int, dict[str, str], bytes]:
        time.sleep(0.6)
        return 200, {}, completion()

    with service(answer) as (url, _), pytest.raises(ft.ProviderOutage):
        opened(url).reply(ASKED, timeout_s=0.2)


def test_a_reply_that_breaks_off_is_an_outage() -> None:
    cut = b'{"choices": ['
    with service(lambda body, number: (200, {"Content-Length": "9999"}, cut)) as (url, _), pytest.raises(ft.ProviderOutage):
        opened(url).reply(ASKED, timeout_s=2)


def test_nobody_at_the_address_is_an_outage() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ft.ProviderOutage):
        opened(f"http://127.0.0.1:{port}").reply(ASKED, timeout_s=0.5)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>hello</html>",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": ["a"]}}]}',
        b'{"choices": [{"message": {"content": "a"}, "finish_reason": "length"}]}',
        b'{"choices": [{"message": {"content": "a", "content": "b"}}]}',
        b'{"choices": 7}',
        b"[]",
        b"\xff\xfe",
        b'{"choices": [{"message": {"content": "' + b"x" * MOST_BYTES + b'"}}]}',
    ],
)
def test_an_answer_that_cannot_be_used_is_malformed(body: bytes) -> None:
    with service(lambda asked, number: (200, {}, body)) as (url, _), pytest.raises(MalformedReply):
        opened(url).reply(ASKED, timeout_s=10)


@pytest.mark.parametrize("usage", [None, "many", {"prompt_tokens": -4, "completion_tokens": True}, {"prompt_tokens": "9"}])
def test_tokens_that_are_no_counts_are_unknown(usage: Any) -> None:
    with service(lambda body, number: (200, {}, completion(usage=usage))) as (url, _):
        reply = opened(url).reply(ASKED)
    assert (reply.input_tokens, reply.output_tokens, reply.usd) == (None, None, None)


def test_a_service_that_knows_no_schema_is_asked_without_one() -> None:
    def answer(body: dict[str, Any], number: int) -> tuple[int, dict[str, str], bytes]:
        return (400, {}, b"response_format is not supported") if "response_format" in body else (200, {}, completion())

    with service(answer) as (url, seen):
        assert opened(url).reply(ASKED, schema={"type": "object"}).text == "hello"
    assert len(seen) == 2


def test_a_refused_call_is_not_tried_again() -> None:
    with service(lambda body, number: (401, {}, b"no such key")) as (url, seen), pytest.raises(ft.ProviderOutage, match="401"):
        opened(url).reply(ASKED)
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("hello", "hello"),
        ({"message": "hi", "should_end": False}, '{"message":"hi","should_end":false}'),
        ({"text": "hello", "input_tokens": 3, "usd": "0.1"}, "hello"),
    ],
)
def test_a_function_is_a_model(said: Any, text: str) -> None:
    async def later(messages: list[dict[str, str]]) -> Any:
        await asyncio.sleep(0)
        return said

    for act in (lambda messages: said, later):
        assert FunctionModel("python:sims:one", act).reply(ASKED).text == text


def test_an_async_function_can_be_asked_from_a_thread_with_a_loop() -> None:
    async def later(messages: list[dict[str, str]]) -> str:
        await asyncio.sleep(0)
        return "hello"

    async def sync_part_of_an_async_team() -> str:
        return FunctionModel("f", later).reply(ASKED).text

    assert asyncio.run(sync_part_of_an_async_team()) == "hello"


def test_what_a_function_states_of_its_use_is_kept() -> None:
    reply = FunctionModel("f", lambda messages: {"text": "a", "input_tokens": 3, "usd": "0.1"}).reply(ASKED)
    assert (reply.input_tokens, reply.output_tokens, reply.usd, reply.model) == (3, None, Decimal("0.1"), "f")


def test_a_function_may_take_the_schema() -> None:
    def act(messages: list[dict[str, str]], schema: Any = None) -> str:
        return str(schema)

    assert FunctionModel("f", act).reply(ASKED, schema={"a": 1}).text == "{'a': 1}"


@pytest.mark.parametrize("bad", [None, 7, {"text": 7}, ["a"]])
def test_a_function_that_returns_no_reply_is_malformed(bad: Any) -> None:
    with pytest.raises(MalformedReply):
        FunctionModel("f", lambda messages: bad).reply(ASKED)


def test_a_function_that_does_not_come_back_is_an_outage() -> None:
    async def waits(messages: list[dict[str, str]]) -> str:
        await asyncio.sleep(5)
        return "late"

    with pytest.raises(ft.ProviderOutage):
        FunctionModel("f", waits).reply(ASKED, timeout_s=0.05)


@pytest.mark.parametrize(
    "name",
    ["", "gpt", ":", "openai:", "openai:@http://h:1/v1", "python:sims", "openai:m@ftp://x", "other:m", "pydantic_ai:", "pydantic_ai:m"],
)
def test_what_is_no_model_is_refused_by_name(name: str) -> None:
    with pytest.raises(InputError):
        open_model(name, lambda target: lambda messages: "")
    with pytest.raises(InputError, match="not callable"):
        open_model("python:sims:one", lambda target: 7)
