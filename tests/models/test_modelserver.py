"""The scripted service of the tests does what it is told: every other test of a model stands on it."""

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import IncompleteRead, RemoteDisconnected

import pytest

from tests.modelserver import ModelServer, Says, completion, cut_off, hang_up, knows_no_schema, raw, refusal


def ask(server: ModelServer, said: str = "hi", **more: object) -> tuple[int, bytes]:
    body = json.dumps({"model": "m-1", "messages": [{"role": "user", "content": said}], **more}).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{server.url}/chat/completions", body), timeout=10) as got:  # noqa: S310
            return got.status, got.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def text_of(got: tuple[int, bytes]) -> str:
    return str(json.loads(got[1])["choices"][0]["message"]["content"])


def test_it_says_one_thing_to_all_or_one_after_the_other_or_what_a_function_makes(model_server: ModelServer) -> None:
    assert text_of(ask(model_server)) == "hello"
    model_server.script = ["a", "b", {"mark": 3}]
    assert [text_of(ask(model_server)) for _ in range(3)] == ["b", '{"mark": 3}', '{"mark": 3}']
    model_server.script = lambda asked: asked.told.upper()
    assert text_of(ask(model_server, "loud")) == "LOUD"
    assert [asked.told for asked in model_server.calls] == ["hi"] * 4 + ["loud"]


def test_it_refuses_breaks_off_and_hangs_up(model_server: ModelServer) -> None:
    model_server.script = [refusal(429, retry_after="1"), raw(b"<html>", 500, content_type="text/html"), cut_off()]
    assert [ask(model_server)[0] for _ in range(2)] == [429, 500]
    assert json.loads(ask(model_server)[1])["choices"][0]["finish_reason"] == "length"
    model_server.script = hang_up()
    with pytest.raises(RemoteDisconnected):
        ask(model_server)
    model_server.script = Says(b"{", length=10)
    with pytest.raises(IncompleteRead):
        ask(model_server)
    model_server.script = knows_no_schema("plain")
    assert ask(model_server, response_format={})[0] == 400
    assert text_of(ask(model_server)) == "plain"


def test_it_knows_how_many_were_under_way_at_once(model_server: ModelServer) -> None:
    model_server.script = completion().later(0.2)
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda _: ask(model_server), range(20)))
    assert model_server.most_at_once == 20 and len(model_server.calls) == 20
