"""How bodies are kept: any body can be written, what was written can be read, what is damaged is said to be."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.errors import StoreError
from fairtrial.records.trace import Span
from fairtrial.records.trial import Change, TrialBody
from fairtrial.store.codec import pack, read_body, unpack, write_body, written_body
from tests.store import samples

ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary(max_size=5)
    | st.decimals(allow_nan=True),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4) | st.integers(), inner, max_size=3) | st.tuples(inner),
    max_leaves=10,
)


@given(ANY, ANY)
def test_any_body_can_be_written_and_reads_as_it_was_seen_when_written(value: Any, other: Any) -> None:
    body = TrialBody(
        output=value,
        before=other,
        changes=[Change("a", "added", None, value)],
        spans=[Span("1", None, "tool", "t", None, 1, 2, {"v": value})],
    )
    data, seen = written_body(body)
    assert write_body(seen) == data
    assert read_body(data) == read_body(write_body(read_body(data)))
    assert unpack(pack(data)) == data


def test_a_plain_body_is_seen_as_the_same_object() -> None:
    body = samples.body()
    assert written_body(body)[1] is body


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"spans": 1}', b'{"spans": [[1]]}', b"\xff", b'{"changes": [["a"]]}'])
def test_what_is_no_body_is_an_error_of_the_store(data: bytes) -> None:
    with pytest.raises(StoreError, match="not the body of a trial"):
        read_body(data)


def test_a_damaged_frame_is_an_error_of_the_store() -> None:
    blob = pack(write_body(samples.body(calls=60)))
    for broken in (blob[:-3], blob[:20], blob[:9], b"\x28\xb5\x2f\xfd"):
        with pytest.raises(StoreError, match="cannot be unpacked"):
            unpack(broken)
    huge = b"\x28\xb5\x2f\xfd\xe0" + (1 << 40).to_bytes(8, "little") + b"\x01\x00\x00"
    with pytest.raises(StoreError, match="larger than any"):
        unpack(huge)
