"""Long values are cut so that they stay valid, readable and marked."""

import json
from hashlib import sha256
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.text import Cut, cut_text, dumps, encode, loads, plain, shorten

ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=300)
JSON = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text(), inner, max_size=9), max_leaves=60)
MARK = 120


def test_what_fits_is_the_same_object_and_nothing_is_cut() -> None:
    value = {"a": "x" * 50}
    assert shorten(value, 1000) == (value, [])
    assert shorten(value, 1000)[0] is value


def test_a_long_text_says_how_much_is_gone_and_the_hash_of_the_whole() -> None:
    text = "a" * 5000
    value, cuts = shorten({"usage": {"input": 7}, "messages": text}, 1000)
    digest = sha256(text.encode()).hexdigest()
    kept = value["messages"].split("…")[0]
    assert value["usage"] == {"input": 7}
    assert value["messages"].endswith(f"[{5000 - len(kept)} bytes cut, sha256:{digest}]")
    assert cuts == [Cut("messages", 5000, digest)]
    assert len(encode(value)) <= 1000


@given(st.text(st.sampled_from("a€应🙂\ud800"), min_size=1, max_size=400), st.integers(0, 500))
def test_no_character_is_split(text: str, limit: int) -> None:
    kept = cut_text(text, limit)
    head = kept.split("… [")[0]
    assert text.startswith(head)
    if kept != text:
        gone = int(kept.split("… [")[1].split(" bytes")[0])
        assert len(head.encode("utf-8", "surrogatepass")) + gone == len(text.encode("utf-8", "surrogatepass"))
    assert len(kept.encode("utf-8", "surrogatepass")) <= max(limit, MARK)


def test_json_text_that_is_cut_is_still_json() -> None:
    text = json.dumps({"rows": ["x" * 100] * 30000, "n": 7})
    value, cuts = shorten({"gen_ai.input.messages": text, "tokens": 7}, 10_000)
    inner = loads(value["gen_ai.input.messages"])
    assert inner["rows"][0] == "x" * 100
    assert inner["n"] == 7
    assert "items cut" in inner["rows"][-1]
    assert value["tokens"] == 7
    assert cuts[0] == Cut("gen_ai.input.messages", len(text), sha256(text.encode()).hexdigest())
    assert len(encode(value)) < 12_000


@given(JSON, st.integers(400, 4000))
def test_any_value_stays_plain_and_near_its_limit(value: Any, limit: int) -> None:
    short, cuts = shorten(value, limit)
    assert plain(short) == short
    assert loads(dumps(short)) == short
    assert (short == value) == (not cuts)
    if not cuts:
        assert short is value
    assert len(encode(short)) <= limit + 2 * MARK
