"""A state told by what differs from another is that state, and notes on its places stay with what they are about."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.edits import GONE, PUT, ROWS, Edit, applied, between, moved_notes, notes_of
from fairtrial.store.door import Door
from fairtrial.store.redact import Redactor

NAMES = st.sampled_from(["a", "b", "api_key", "c d"])
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["x", "sk-live-0123456789abcdef", ""]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


def text(value: Any) -> bytes:
    return msgspec.json.encode(value, order="sorted")


@given(PLAIN, PLAIN)
def test_the_edits_lead_from_one_state_to_the_other(before: Any, after: Any) -> None:
    kept = text(before)
    edits = between(before, after)
    assert text(applied(before, msgspec.json.decode(msgspec.json.encode(edits), type=list[Edit]))) == text(after)
    assert text(before) == kept, "the state that trials share is never changed"
    assert (edits == []) is (between(after, before) == [])


def test_of_a_long_list_only_what_differs_is_told() -> None:
    rows = [{"id": n} for n in range(1000)]
    assert between(rows, [*rows[:5], {"id": -1}, *rows[6:]]) == [Edit([], ROWS, [{"id": -1}], 5, 1)]
    assert between({"t": rows}, {"t": rows[:500] + rows[502:]}) == [Edit(["t"], ROWS, [], 500, 2)]
    assert between({"t": rows}, {"t": [*rows, {"id": 1000}]}) == [Edit(["t"], ROWS, [{"id": 1000}], 1000, 0)]
    assert between({"t": 1, "u": 2}, {"t": True}) == [Edit(["u"], GONE), Edit(["t"], PUT, True)]


@pytest.mark.parametrize("edit", [Edit(["no", "such"], PUT, 1), Edit(["t"], ROWS, [1], 0, 1), Edit(["x"], GONE)])
def test_edits_that_do_not_fit_are_an_error_and_change_nothing(edit: Edit) -> None:
    state = {"t": 5}
    with pytest.raises((KeyError, TypeError)):
        applied(state, [edit])
    assert state == {"t": 5}


def test_a_note_moves_with_its_row_and_goes_with_it() -> None:
    notes = {"t.1.k": "one", "t.5.k": "five", "t.9": "nine", "u.0": "u", "v": "v"}
    edits = [Edit(["t"], ROWS, [], 0, 1), Edit(["t"], ROWS, [{}, {}, {}], 5, 1), Edit(["v"], PUT, 1)]
    assert moved_notes(notes, edits) == {"t.0.k": "one", "t.10": "nine", "u.0": "u"}


@given(PLAIN, PLAIN)
def test_what_is_covered_in_the_edits_is_what_would_be_covered_in_the_state(before: Any, after: Any) -> None:
    """Covering a start and the edits comes to the same state, with notes at the same places, as covering the end."""
    redactor = Redactor()
    before, after = {"top": before}, {"top": after}
    start_notes: dict[str, str] = {}
    covered = redactor.redact(before, start_notes)
    edits = between(before, after)
    notes: dict[str, str] = {}
    made = Door(redactor)._edits(msgspec.to_builtins(edits), "end", notes)
    whole_notes: dict[str, str] = {}
    whole = redactor.redact(after, whole_notes)
    end = applied(covered, msgspec.convert(made, list[Edit]))
    assert text(end) == text(whole)
    assert set(moved_notes(start_notes, edits) | notes_of(notes, "end", edits)) == set(whole_notes)
