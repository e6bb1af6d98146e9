"""Any value of an agent becomes plain data, without raising, and what was changed is noted."""

import dataclasses
import datetime
import enum
import json
import pathlib
import re
import runpy
import uuid
from collections import Counter, OrderedDict, deque, namedtuple
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.text import encode, plain

ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
PLAIN = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12)


def _hashable(value: Any) -> bool:
    return bool(value == value)  # noqa: PLR0124 - not-a-number is no useful key


ODD = st.one_of(
    ATOMS,
    st.floats(),
    st.decimals().filter(lambda value: not value.is_snan()),
    st.dates(),
    st.datetimes(timezones=st.timezones()),
    st.timedeltas(),
    st.uuids(),
    st.binary(),
    st.complex_numbers(),
    st.fractions(),
    st.text(st.characters(codec=None, exclude_categories=())),
)
ANYTHING = st.recursive(
    ODD,
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(ODD.filter(_hashable), inner)
        | st.frozensets(ODD)
        | st.lists(inner).map(deque)
    ),
    max_leaves=15,
)


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return type(value) is dict and all(type(key) is str and _is_plain(item) for key, item in value.items())
    if isinstance(value, list):
        return type(value) is list and all(map(_is_plain, value))
    return value is None or type(value) in {str, int, bool, float}


@given(PLAIN)
def test_plain_data_stays_equal_and_is_copied(value: Any) -> None:
    notes: dict[str, str] = {}
    copy = plain(value, notes)
    assert copy == value
    assert encode(copy) == encode(value)
    assert notes == {}
    if isinstance(value, (dict, list)):
        assert copy is not value


@given(ANYTHING)
def test_anything_becomes_plain_data_that_strict_json_holds(value: Any) -> None:
    found = plain(value)
    assert _is_plain(found)
    assert json.loads(json.dumps(found, allow_nan=False).encode()) == found
    assert plain(found) == found


def test_a_later_change_by_the_agent_does_not_reach_the_copy() -> None:
    value = {"rows": [1, {"a": 2}]}
    copy = plain(value)
    value["rows"].append(3)
    assert copy == {"rows": [1, {"a": 2}]}


def test_the_objects_of_the_known_fault_stay_readable(shared: Path) -> None:
    agent = runpy.run_path(str(shared / "known-faults/inputs/T08_objects_agent.py"))["agent"]
    saved: dict[str, Any] = {}
    answer = agent(None, SimpleNamespace(save=lambda **values: saved.update(values)))
    notes: dict[str, str] = {}
    assert plain(saved, notes) == {
        "bill": {"amount": "3200.00", "due": "2026-11-20"},
        "cur": "CNY",
        "ids": [1, 2],
        "raw": "/wA=",
        "key": {"('a', 1)": 2},
        "u": "00000000-0000-0000-0000-000000000001",
        "nan": "NaN",
    }
    assert notes["bill.amount"] == "decimal.Decimal"
    assert notes["ids"] == "set"
    assert notes["nan"] == "float"
    assert plain(answer) == {"loop": ["<cut: contains itself>"], "when": "2026-11-20T00:00:00+00:00"}
    assert answer["loop"][0] is answer["loop"], "the agent's own value is not touched"


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    HIGH = 3


class Word(str):
    __slots__ = ()


class Row(msgspec.Struct):
    a: int
    b: Any = msgspec.UNSET


@dataclasses.dataclass
class Bill:
    amount: Decimal


class Model:
    """As a validated model of a framework shows itself: declared fields, values in its dict."""

    model_fields: ClassVar = {"text": str}

    def __init__(self) -> None:
        self.text = "hello"


Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Decimal("3200.00"), "3200.00"),
        (datetime.date(2026, 11, 20), "2026-11-20"),
        (datetime.timedelta(days=1, microseconds=5), "PT86400.000005S"),
        (datetime.timedelta(seconds=-2), "-PT2S"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (pathlib.PurePosixPath("/a/b"), "/a/b"),
        (Fraction(1, 3), "1/3"),
        (b"\xff\x00", "/wA="),
        (memoryview(b"ab"), "YWI="),
        (Colour.RED, 1),
        (Level.HIGH, 3),
        (Word("w"), "w"),
        (Row(a=1), {"a": 1}),
        (Bill(Decimal("1.0")), {"amount": "1.0"}),
        (Model(), {"text": "hello"}),
        (Point(1, 2), {"x": 1, "y": 2}),
        (SimpleNamespace(a=1), {"a": 1}),
        (MappingProxyType({"a": (1, 2)}), {"a": [1, 2]}),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (Counter("aab"), {"a": 2, "b": 1}),
        ({10, 9, 1}, [1, 9, 10]),
        ({"b", "a", 1}, [1, "a", "b"]),
        ({}.keys(), []),
        (range(3), [0, 1, 2]),
        (np.float64(0.5), 0.5),
        (np.int64(3), 3),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (float("-inf"), "-Infinity"),
        (Decimal("NaN"), "NaN"),
        (ValueError("no"), "ValueError: no"),
        (re.compile("a+"), "a+"),
        (len, "<len>"),
        (int, "<int>"),
        ({1: "a", "1": "b", None: "c"}, {"1": "a", "1#2": "b", "null": "c"}),
        ("half \ud835", "half \ufffd"),
        ({"\ud835": 1}, {"\ufffd": 1}),
    ],
)
def test_a_value_is_written_as_people_would_read_it(value: Any, expected: Any) -> None:
    notes: dict[str, str] = {}
    assert plain({"v": value}, notes) == {"v": expected}
    assert notes, "what was changed is noted"


def test_an_iterator_is_not_eaten() -> None:
    rows = iter([1, 2])
    assert "iterator" in plain(rows)
    assert list(rows) == [1, 2]


class Hostile:
    def __repr__(self) -> str:
        raise ZeroDivisionError


class HostileMap(dict[str, Any]):
    def items(self) -> Any:
        raise KeyError("x")


def test_an_object_whose_methods_raise_costs_nothing() -> None:
    found = plain([Hostile(), HostileMap(a=1), 7])
    assert "unreadable, ZeroDivisionError" in found[0]
    assert "unreadable, KeyError" in found[1]
    assert found[2] == 7


def test_an_unknown_object_is_a_short_text_without_an_address() -> None:
    class Thing:
        pass

    notes: dict[str, str] = {}
    assert plain(Thing(), notes).endswith("Thing object>")
    assert notes["$"].endswith("Thing")
    assert len(plain(type("Long", (), {"__repr__": lambda _: "x" * 10_000})())) <= 200


def test_deep_and_endless_structures_are_cut() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    assert "<cut: nested too deep" in encode(plain(deep)).decode()
    assert plain(10**5000).startswith("0x")


def test_a_small_structure_that_unfolds_into_billions_is_cut() -> None:
    bomb: Any = ["x"] * 10
    for _ in range(12):
        bomb = [bomb] * 10
    assert "<cut:" in encode(plain(bomb)).decode()
