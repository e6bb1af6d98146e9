"""A completion is a whole reply or it is none: every ending, error and form that a service may put into its body."""

import json
from typing import Any

import pytest

from fairtrial.models.completion import error_of, read_completion
from fairtrial.models.model import MalformedReply

SAID = '{"pass": true, "score": 0.9}'


def body(content: Any = SAID, finish: Any = "stop", top: dict[str, Any] | None = None, **more: Any) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **more}, "finish_reason": finish}
    return json.dumps({"model": "m", "choices": [choice], **(top or {})}).encode()


def why(data: bytes) -> str:
    with pytest.raises(MalformedReply) as error:
        read_completion(data, "m-1")
    return str(error.value)


@pytest.mark.parametrize("finish", ["stop", "STOP", "end_turn", "eos", "eos_token", "stop_sequence", "COMPLETE", "tool_calls", "", None])
def test_a_known_good_ending_or_none_is_a_whole_reply(finish: str | None) -> None:
    assert read_completion(body(finish=finish), "m-1").text == SAID


@pytest.mark.parametrize(
    ("finish", "words"),
    [
        ("length", "limit of tokens"),
        ("LENGTH", "limit of tokens"),
        ("max_tokens", "limit of tokens"),
        ("MAX_TOKENS", "limit of tokens"),
        ("content_filter", "filter"),
        ("SAFETY", "filter"),
        ("refusal", "refused"),
        ("error", "ended with 'error'"),
        ("abort", "ended with 'abort'"),
        ("cancelled", "ended with 'cancelled'"),
        (["length"], "ended with"),
        (7, "ended with"),
    ],
)
def test_any_other_ending_is_malformed_and_says_which(finish: Any, words: str) -> None:
    assert words in why(body(finish=finish))


def test_a_call_of_a_tool_without_words_is_malformed() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "r", "arguments": SAID}}
    assert "without text" in why(body(None, "tool_calls", tool_calls=[call]))
    assert "tool_calls" in why(body("", "tool_calls", tool_calls=[call]))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (body(refusal="I cannot judge this"), "refused: I cannot judge this"),
        (body(None, refusal="no"), "refused: no"),
        (body(top={"error": {"message": "bad", "code": 500}}), "an error beside its reply: bad"),
        (body(error={"message": "broke off"}), "an error beside its reply: broke off"),
        (b'{"choices": [{"message": {"content": "x"}, "error": {"code": 500}, "finish_reason": "stop"}]}', "an error beside its reply"),
        (b'{"choices": [{"message": {"content": "x"}}, {"message": {"content": "y"}}]}', "2 replies that differ"),
        (body(role="user"), "another role"),
        (body(role="system"), "another role"),
        (body({"pass": True}), "without text"),
        (body([{"type": "image_url", "image_url": "x"}]), "without text"),
        (body([{"type": "text", "text": 5}]), "without text"),
        (body([]), "without text"),
        (b"null", "no chat completion"),
        (b'{"choices": {"0": 1}}', "no chat completion"),
        (b'{"choices": [{"message": {"content": "x", "content": "y"}}]}', "no chat completion"),
        (body() + b"junk", "no chat completion"),
    ],
)
def test_what_is_no_whole_reply_is_malformed_and_says_which(data: bytes, words: str) -> None:
    assert words in why(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + body(),
        body([{"type": "text", "text": SAID[:9]}, {"type": "text", "text": SAID[9:]}]),
        body([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": SAID}]),
        body(refusal=None, error=None, top={"error": None}),
        body(role=None),
        body().replace(b'"index": 0', b'"logprobs": [-0.123456789012345678901234, -Infinity, NaN, 1e999]'),
        body(top={"choices": json.loads(body())["choices"] * 2}),
    ],
)
def test_what_nobody_reads_and_the_form_of_the_text_change_nothing(data: bytes) -> None:
    assert read_completion(data, "m-1").text == SAID


def test_an_error_in_place_of_a_completion_is_found_however_late_it_stands() -> None:
    assert error_of(json.dumps({"id": "x" * 300, "error": {"message": "late", "code": 429}}).encode()) == (429, "late")
    assert error_of(body(top={"error": "beside"})) is None
