"""What is a secret and what is not: by name, by shape, by known value; in data, in JSON and in running text."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.text import encode
from fairtrial.store.redact import Redactor, known_values
from fairtrial.store.secrets import secret_name
from fairtrial.store.suspicion import named_or_shaped

PLAIN = Redactor()


SECRET_NAMES = """
    authorization Authorization Proxy-Authorization api_key apiKey API_KEY X-Api-Key apikey OPENAI_API_KEY password passwd db_password
    userPassword secret client_secret access_token accessToken refresh_token id_token MY_TOKEN token cookie Set-Cookie private_key
    aws_secret_access_key AccessKey passphrase credentials secrets ssh_key
"""
OTHER_NAMES = """
    tokens input_tokens output_tokens token_count max_tokens max_token total_tokens next_page_token public_key primary_key key keys
    monkey keyboard author authority passed passenger secretary reset_password_sent cookies_eaten tokenizer has_password_reset
"""


@pytest.mark.parametrize("name", SECRET_NAMES.split())
def test_names_of_secrets_are_told_whatever_their_spelling(name: str) -> None:
    assert secret_name(name)
    data = json.dumps({"x": {name: "hunter2-and-more"}}).encode()
    assert named_or_shaped(data)
    assert b"hunter2" not in PLAIN.redact_json(data)


@pytest.mark.parametrize("name", OTHER_NAMES.split())
def test_names_that_only_sound_like_secrets_are_left_alone(name: str) -> None:
    value = {"x": {name: "what-ever-1"}}
    assert PLAIN.redact(value) is value


def test_counts_truth_values_hashes_and_nothing_are_no_secrets() -> None:
    value = {"token": 5, "secret": True, "password": None, "api_key": "", "cookie": "sha256:abc", "tokens": {"password": False}}
    assert PLAIN.redact(value) is value
    assert PLAIN.redact({"password": 1234}) == {"password": "[redacted:key]"}


@pytest.mark.parametrize(
    "text",
    [
        "sk-test-NOT-A-REAL-KEY-000000000000",
        "sk-ant-api03-0123456789abcdefghij",
        "ghp_" + "a1" * 18,
        "github_pat_" + "a1_" * 12,
        "AKIA" + "ABCDEFGH12345678",
        "xoxb-1234567890-abcdefghij",
        "sk_live_0123456789abcdef",
        "AIza" + "b2" * 18,
        "glpat-abcdefghij0123456789",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\ncut off",
    ],
)
def test_shapes_of_secrets_are_covered_wherever_they_stand(text: str) -> None:
    value = {"said": f"here: {text}, done", "list": [text], text: 1}
    shown = json.dumps(PLAIN.redact(value))
    assert text not in shown and json.dumps(text)[1:-1] not in shown
    assert "[redacted:secret]" in shown
    assert PLAIN.redact(json.loads(shown)) == json.loads(shown)
    assert json.loads(PLAIN.redact_json(json.dumps(value).encode())) == json.loads(shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Bearer abc123notreal", "Authorization: [redacted:key]"),
        ("curl -H 'x-api-key: abc123notreal'", "curl -H 'x-api-key: [redacted:key]'"),
        ('{"api_key": "zzz"}', '{"api_key": "[redacted:key]"}'),
        ('{\\"password\\": \\"zzz\\"}', '{\\"password\\": \\"[redacted:key]\\"}'),
        ("GET /v1?api_key=zzz-notreal&x=1", "GET /v1?api_key=[redacted:key]&x=1"),
        ("export PASSWORD=hunter", "export PASSWORD=[redacted:key]"),
        ("postgres://bob:pw@host/db", "postgres://bob:[redacted:secret]@host/db"),
        ("Set-Cookie: sid=a1b2c3; Path=/", "Set-Cookie: [redacted:key]"),
        ("sent with bearer abc123notreal to", "sent with bearer [redacted:secret] to"),
    ],
)
def test_secrets_in_running_text_are_covered_and_the_rest_stays(text: str, shown: str) -> None:
    assert PLAIN.redact_text(text) == shown
    assert PLAIN.redact_text(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Your password: must be changed every year",
        "password = ask(user)",
        "token = tokens.pop()",
        "input_tokens: 900, max_tokens=5, token_count=7",
        "task-management-system-number-12",
        "Bearer tokens are nice",
        "mail bob@example.com, see https://example.com/a?b=c",
        "the secret: bring apples",
        "Cookie: yes please",
        "库存 key=value",
    ],
)
def test_text_that_only_speaks_of_secrets_is_left_alone(text: str) -> None:
    assert PLAIN.redact_text(text) == text


def test_known_values_are_covered_in_every_way_they_may_be_written() -> None:
    known = 'tok-"é🙂\n1'
    redactor = Redactor([known, "short", ""])
    written = [json.dumps(known), json.dumps(json.dumps(known)), json.dumps(known, ensure_ascii=False)]
    ways = [known, *written, "tok-%22%C3%A9%F0%9F%99%82%0A1"]
    for way in ways:
        data = encode({"said": f"<{way}>"})
        assert redactor.suspects(data), way
        assert b"[redacted:known]" in redactor.redact_json(data), way
    assert redactor.redact_text("a short word") == "a short word"
    assert Redactor(["123456"]).redact({"n": 123456, "m": 1234567}) == {"n": "[redacted:known]", "m": 1234567}


def test_the_longest_known_value_is_covered_first() -> None:
    assert Redactor(["secret", "secret-long"]).redact_text("x secret-long y") == "x [redacted:known] y"


def test_headers_as_pairs_and_as_names_with_values_are_covered() -> None:
    value = {
        "pairs": [["Authorization", "abc"], ["Accept", "json"]],
        "list": [{"name": "X-Api-Key", "value": "abc"}, {"name": "a", "value": "b"}],
    }
    assert PLAIN.redact(value) == {
        "pairs": [["Authorization", "[redacted:key]"], ["Accept", "json"]],
        "list": [{"name": "X-Api-Key", "value": "[redacted:key]"}, {"name": "a", "value": "b"}],
    }


def test_a_tool_named_like_a_secret_keeps_what_is_said_of_it() -> None:
    value = {"reset_password": {"flags": ["outside"], "schema": "sha256:1"}, "get_token": "sha256:2"}
    assert PLAIN.redact(value) is value


def test_where_something_was_covered_is_noted() -> None:
    notes: dict[str, str] = {}
    PLAIN.redact({"a": [{"password": "x"}, "Bearer abc123notreal"]}, notes, "spans.3")
    assert notes == {"spans.3.a.0.password": "[redacted:key]", "spans.3.a.1": "a secret in the text was covered"}


def test_none_of_the_values_of_the_handed_config_is_left(shared: Path) -> None:
    config = json.loads((shared / "known-faults" / "inputs" / "X02_secrets_config.json").read_text(encoding="utf-8"))
    values = ["sk-test-NOT-A-REAL-KEY-000000000000", "abc123notreal", "zzz-notreal", "tok-notreal-111"]
    shown = json.dumps(PLAIN.redact(config))
    assert not [value for value in values if value in shown]
    assert config["agent"]["headers"]["Content-Type"] in shown
    echo = Redactor(known_values(["MY_TOKEN", "NOT_SET"], config["env"])).redact_text(f"my token is {config['env']['MY_TOKEN']}")
    assert echo == "my token is [redacted:known]"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_what_holds_no_secret_passes_as_the_same_object(value: Any) -> None:
    data = json.dumps(value).encode()
    if not PLAIN.suspects(data):
        assert PLAIN.redact(value) is value
        assert PLAIN.redact_json(data) is data


@given(JSON, st.sampled_from(["tok-notreal-111", "密码-密码-密码", 'a"b\\c\nd']), st.integers(0, 3))
def test_a_known_value_never_gets_through(value: Any, known: str, depth: int) -> None:
    hidden: Any = known
    for level in range(depth):
        hidden = [value, {"deep": hidden}] if level % 2 else {known: hidden}
    out = Redactor([known]).redact_json(encode({"v": value, "h": hidden}))
    assert known not in str(json.loads(out))
    assert known not in json.dumps(json.loads(out), ensure_ascii=False)


@given(st.text())
def test_covering_twice_changes_nothing_more(text: str) -> None:
    once = PLAIN.redact_text(text)
    assert PLAIN.redact_text(once) == once


HOSTILE = ("sk-", "eyJ", "password ", "password=", "://a:", "-----BEGIN PRIVATE KEY-----", "authorization:", "bearer ", "a_", "\\")


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_is_read_in_time(piece: str) -> None:
    begun = time.process_time()
    PLAIN.redact_text(piece * (200_000 // len(piece)))
    assert time.process_time() - begun < 2.0


def test_the_address_of_a_model_is_no_secret_and_a_password_in_one_is() -> None:
    redactor = Redactor()
    assert not redactor.suspects(b'{"model": "openai:m-1@http://127.0.0.1:8000/v1"}')
    for told in (b'{"at": "https://me:pw-123@host/x"}', b'{"at": "x://:pw-123@host"}', '{"at": "x://ü:ö1@h"}'.encode()):
        assert redactor.suspects(told) and b"[redacted:secret]" in redactor.redact_json(told)
