"""What a hostile or broken service may do to whoever asks it: nothing but an error, in bounded time, with the key kept."""

import socket
import threading
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.models.completion import read_completion
from fairtrial.models.model import MalformedReply, Model, Reply
from fairtrial.models.open import open_model
from fairtrial.models.wire import MOST_BYTES
from fairtrial.records.errors import InputError, ProviderOutage
from fairtrial.records.strictjson import encode
from tests.modelserver import ModelServer, Says, completion, cut_off, knows_no_schema, raw, refusal

ASKED = [{"role": "user", "content": "hi"}]
KEY = "sk-test-0123456789"


def opened(server: ModelServer, name: str = "m-1") -> Model:
    return open_model(server.name(name), lambda target: target)


def test_a_redirect_is_not_followed_and_the_key_goes_nowhere_else(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ModelServer() as other:
        for status in (301, 302, 307, 308):
            model_server.script = raw("", status, location=f"{other.url}/chat/completions")
            with pytest.raises(ProviderOutage, match="points elsewhere"):
                opened(model_server).reply(ASKED)
        assert not other.calls and len(model_server.calls) == 4


def test_the_key_stands_in_no_message(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for status in (401, 403, 404):
        model_server.script = refusal(status, f"Incorrect API key provided: {KEY}. Bearer {KEY}")
        with pytest.raises(ProviderOutage) as caught:
            opened(model_server).reply(ASKED)
        assert KEY not in str(caught.value) and "[key]" in str(caught.value)
    assert "OPENAI_API_KEY" in str(_refused(model_server, 401)) and "name" in str(_refused(model_server, 404))


def _refused(server: ModelServer, status: int) -> ProviderOutage:
    server.script = refusal(status, "no")
    with pytest.raises(ProviderOutage) as caught:
        opened(server).reply(ASKED)
    return caught.value


def test_a_key_that_is_no_key_is_refused_without_being_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\r\nX-Evil: 1")
    with pytest.raises(InputError) as caught:
        open_model("openai:m@http://127.0.0.1:1/v1", lambda target: target)
    assert KEY not in str(caught.value)


def test_a_models_name_is_data_and_never_a_header(model_server: ModelServer) -> None:
    name = 'm\r\nX-Evil: 1\r\n\r\n{"'
    assert opened(model_server, name).reply(ASKED).text == "hello"
    assert model_server.calls[0].body["model"] == name and "x-evil" not in model_server.calls[0].headers


@pytest.mark.parametrize(
    "url",
    [
        "http://h:1/v1 HTTP/1.1\r\nX: 1",
        "http://h\r\n:1",
        "http://h:1/v 1",
        "http://u:p@h:1/v1",
        "http://:1",
        "http://h:99999",
        "http://[::1",
        "http://h:1/é",
    ],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InputError):
        open_model(f"openai:m@{url}", lambda target: target)


def test_a_name_may_hold_an_at_and_an_address_a_query(model_server: ModelServer) -> None:
    assert open_model(f"openai:@cf/meta/llama@{model_server.url}?api-version=1", lambda target: target).reply(ASKED).text == "hello"
    assert model_server.calls[0].body["model"] == "@cf/meta/llama"
    assert model_server.calls[0].path == "/v1/chat/completions?api-version=1"


def test_proxies_of_the_environment_are_not_asked(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert opened(model_server).reply(ASKED).text == "hello"


@pytest.mark.parametrize("says", [Says(completion().body, drip_s=0.05), Says(completion().body, slow_head_s=0.05)])
def test_a_drip_ends_at_the_deadline(model_server: ModelServer, says: Says) -> None:
    model_server.script = says
    began = time.monotonic()
    with pytest.raises(ProviderOutage, match="in time"):
        opened(model_server).reply(ASKED, timeout_s=0.4)
    assert time.monotonic() - began < 1.5


def test_an_endless_body_is_given_up(model_server: ModelServer) -> None:
    model_server.script = raw(b"x" * (MOST_BYTES + 10))
    with pytest.raises(MalformedReply, match="more than"):
        opened(model_server).reply(ASKED, timeout_s=20)
    assert len(model_server.calls) == 1


def test_headers_without_end_are_an_outage(model_server: ModelServer) -> None:
    model_server.script = Says(completion().body, headers={f"X-{number}": "a" for number in range(200)})
    with pytest.raises(ProviderOutage):
        opened(model_server).reply(ASKED, timeout_s=2)


@pytest.mark.parametrize(
    ("says", "words"),
    [
        (cut_off(), "cut off"),
        (completion("x", finish="content_filter"), "filter"),
        (completion(None), "without text"),
        (completion(["a"]), "without text"),
        (raw("<html>", content_type="text/html"), "no chat completion"),
        (raw("data: {}\n\ndata: [DONE]\n", content_type="text/event-stream"), "no chat completion"),
        (raw(""), "no chat completion"),
        (raw(b"\xff"), "no chat completion"),
        (raw('{"choices": [{"message": {"content": NaN}}]}'), "without text"),
        (raw("[" * 100_000), "no chat completion"),
    ],
)
def test_what_is_no_whole_completion_is_malformed(model_server: ModelServer, says: Says, words: str) -> None:
    model_server.script = says
    with pytest.raises(MalformedReply, match=words):
        opened(model_server).reply(ASKED)
    assert len(model_server.calls) == 1


def test_an_error_in_a_good_status_is_an_error(model_server: ModelServer) -> None:
    model_server.script = [raw('{"error": {"code": 429, "message": "slow down"}}'), completion()]
    assert opened(model_server).reply(ASKED).tries == 2
    model_server.script = raw('{"error": {"code": 401, "message": "no such key"}}')
    with pytest.raises(ProviderOutage, match="no such key"):
        opened(model_server).reply(ASKED)


def test_a_service_without_schemas_is_found_out_once(model_server: ModelServer) -> None:
    model_server.script = knows_no_schema("plain")
    model = opened(model_server)
    assert [model.reply(ASKED, schema={"type": "object"}).text for _ in range(3)] == ["plain"] * 3
    assert len(model_server.calls) == 4


def test_connections_are_used_again_while_calls_are_under_way_and_none_rests(model_server: ModelServer) -> None:
    model_server.script = lambda asked: completion().later(0.6 if asked.told == "long" else 0.0)
    model = opened(model_server)
    long = threading.Thread(target=lambda: model.reply([{"role": "user", "content": "long"}]))
    long.start()
    time.sleep(0.1)
    for _ in range(5):
        model.reply(ASKED)
    assert model_server.connections == 2
    long.join()
    model.reply(ASKED)
    assert model_server.connections == 3


def test_a_service_that_closes_after_each_answer_is_asked_anew(model_server: ModelServer) -> None:
    model_server.script = Says(completion().body, headers={"Connection": "close"})
    model = opened(model_server)
    assert [model.reply(ASKED).tries for _ in range(3)] == [1, 1, 1]


def test_an_answer_in_chunks_is_read(model_server: ModelServer) -> None:
    body = completion().body
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:7], body[7:])) + b"0\r\n\r\n"
    with TalksOnce(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks) as url:
        assert open_model(f"openai:m@{url}", lambda target: target).reply(ASKED).text == "hello"


NO_HTTP = [b"\x00\x01\r\n\r\n", b"HTTP/9.9 what\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"]


@pytest.mark.parametrize("said", NO_HTTP)
def test_what_is_no_http_is_an_error_and_no_crash(said: bytes) -> None:
    with TalksOnce(said) as url, pytest.raises((ProviderOutage, MalformedReply)):
        open_model(f"openai:m@{url}", lambda target: target).reply(ASKED, timeout_s=1)


class TalksOnce:
    """A socket that says these bytes to everybody who connects."""

    def __init__(self, said: bytes) -> None:
        self._said = said
        self._socket = socket.create_server(("127.0.0.1", 0))

    def __enter__(self) -> str:
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)
        self._socket.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self._socket.accept()
                with line:
                    line.recv(65536)
                    line.sendall(self._said)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["choices", "message", "content", "usage", "model", "finish_reason"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_whatever_json_comes_it_is_a_reply_or_malformed(body: object) -> None:
    with suppress(MalformedReply):
        assert isinstance(read_completion(encode(body), "m"), Reply)


@given(st.binary(max_size=200))
def test_whatever_bytes_come_they_are_a_reply_or_malformed(body: bytes) -> None:
    with suppress(MalformedReply):
        assert isinstance(read_completion(body, "m"), Reply)
