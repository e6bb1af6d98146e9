"""A tool's schema and the check of its arguments follow its type hints, however they are written."""

import dataclasses
import datetime
import enum
import functools
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, NewType, NotRequired, TypedDict

import msgspec
import pytest

from fairtrial.records.errors import InputError
from fairtrial.worlds.tools import Tool, apart, make_tool, tool


class Color(enum.Enum):
    RED = "red"


class Point(msgspec.Struct):
    x: int
    y: int = 0


@dataclasses.dataclass
class Line:
    sku: str
    units: list[int] = dataclasses.field(default_factory=list)


class Note(TypedDict):
    text: str
    by: NotRequired[str]


class Pair(NamedTuple):
    a: int
    b: str = "b"


class Tree(msgspec.Struct):
    kids: list["Tree"] = []


class Odd:
    """No record knows it."""


UserId = NewType("UserId", str)


def of(hint: Any, default: Any = ...) -> Tool:
    """A tool with one parameter of this type."""

    def act(value: Any = default) -> None:
        """Do it."""

    act.__annotations__ = {"value": hint}
    if default is ...:
        act.__defaults__ = ()
    return make_tool(act)


@pytest.mark.parametrize(
    ("hint", "given", "bound"),
    [
        (int | None, None, None),
        (Literal["a", "b"], "b", "b"),
        (Color, "red", Color.RED),
        (Color, Color.RED, Color.RED),
        (Point, {"x": 1}, Point(1)),
        (Line, {"sku": "a"}, Line("a")),
        (Note, {"text": "t"}, {"text": "t"}),
        (Pair, [1], Pair(1)),
        (Tree, {"kids": [{}]}, Tree([Tree()])),
        (list[Point], [{"x": 1, "y": 2}], [Point(1, 2)]),
        (dict[str, list[int]], {"a": [1]}, {"a": [1]}),
        (tuple[int, str], [1, "a"], (1, "a")),
        (set[int], [1, 1], {1}),
        (datetime.date, "2026-01-31", datetime.date(2026, 1, 31)),
        (Decimal, "1.10", Decimal("1.10")),
        (float, 1, 1.0),
        (UserId, "u1", "u1"),
        (Annotated[str, "for people"], "x", "x"),
        (Annotated[int, msgspec.Meta(ge=1, le=5)], 5, 5),
        (Any, object, object),
        (Iterable[int], [1], [1]),
        (Mapping[str, int], {"a": 1}, {"a": 1}),
        (int | Point | Line, {"x": 1}, {"x": 1}),
        (Callable[[int], int], len, len),
    ],
)
def test_what_fits_a_hint_arrives_as_the_function_takes_it(hint: Any, given: Any, bound: Any) -> None:
    assert of(hint).bind({"value": given}) == {"value": bound}


@pytest.mark.parametrize(
    ("hint", "given"),
    [
        (int, "1"),
        (int, True),
        (int, 1.5),
        (str, 1),
        (int | None, "x"),
        (Literal["a", "b"], "c"),
        (Color, "blue"),
        (Point, {"x": "1"}),
        (Line, {"units": [1]}),
        (list[Point], [{"x": 1}, {"y": 1}]),
        (Note, {"by": "me"}),
        (datetime.date, "31.1.2026"),
        (Annotated[int, msgspec.Meta(ge=1, le=5)], 0),
        (Annotated[str, msgspec.Meta(pattern="^u[0-9]+$")], "x1"),
        (Odd, {"a": 1}),
    ],
)
def test_what_does_not_fit_is_refused_by_its_name(hint: Any, given: Any) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"\$\.value"):
        of(hint).bind({"value": given})


@pytest.mark.parametrize("args", [{}, {"value": 1, "more": 2}, {"value": 1, "world": {}}, {1: 2}, [1], None, "value"])
def test_missing_unknown_and_shapeless_arguments_are_refused(args: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        of(int).bind(args)


def test_defaults_stay_the_functions_own() -> None:
    assert of(int, 3).bind({}) == {}
    assert of(list[int], None).bind({"value": None}) == {"value": None}, "a default of None says that None may be given"
    assert of(int, 3).schema["parameters"]["required"] == [] and of(int).schema["parameters"]["required"] == ["value"]


def test_a_schema_stands_by_itself_and_one_strange_type_does_not_open_the_others() -> None:
    def act(point: Point, odd: Odd, n: int, color: Color = Color.RED) -> None: ...

    made = make_tool(act).schema["parameters"]
    assert made["properties"]["n"] == {"type": "integer"} and made["properties"]["odd"] == {}
    assert made["required"] == ["point", "odd", "n"] and made["additionalProperties"] is False
    for part in ("point", "color"):
        assert made["properties"][part]["$ref"].removeprefix("#/$defs/") in made["$defs"]
    assert of(Annotated[int, msgspec.Meta(ge=1, description="how many")]).schema["parameters"]["properties"]["value"] == {
        "type": "integer",
        "minimum": 1,
        "description": "how many",
    }


def star(*names: str) -> None: ...
def stars(**names: str) -> None: ...
def by_position(name: str, /) -> None: ...
def unreadable(name: "Nowhere") -> None: ...  # type: ignore[name-defined]  # noqa: F821
def yields() -> Iterator[int]:
    yield 1


async def yields_later() -> AsyncIterator[int]:
    yield 1


class Caller:
    def __call__(self, n: int) -> int:
        return n


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (star, "takes \\*names"),
        (stars, "takes \\*names"),
        (by_position, "by position only"),
        (unreadable, "cannot be read"),
        (yields, "no one answer"),
        (yields_later, "no one answer"),
        (Caller(), "is no function"),
        (functools.partial(by_position, "x"), "is no function"),
        (Odd, "is no function"),
    ],
)
def test_what_cannot_be_a_tool_is_refused_with_its_name_and_a_mend(act: Any, words: str) -> None:
    with pytest.raises(InputError, match=words) as raised:
        make_tool(act)
    assert raised.value.mend


def test_rights_that_a_tool_declares_are_part_of_what_it_is() -> None:
    def act(n: int) -> int:
        return n

    plain = make_tool(tool(act))
    safe = make_tool(tool(outside=True, idempotent=True)(act))
    assert (safe.flags, plain.flags) == (("outside", "idempotent"), ())
    assert len({plain.digest, safe.digest, make_tool(tool(outside=True)(act)).digest}) == 3
    with pytest.raises(TypeError):
        tool(outsied=True)(act)  # type: ignore[call-overload]


def test_arguments_become_the_tools_own() -> None:
    lines = [{"sku": "a"}]
    bound = of(Any).bind({"value": lines})["value"]
    lines[0]["sku"] = "b"
    assert bound == [{"sku": "a"}]
    point = Point(1)
    kept = of(Point).bind({"value": point})["value"]
    point.x = 9
    assert kept == Point(1)


def test_what_cannot_be_copied_is_handed_on() -> None:
    cursor = iter([1, 2])
    assert next(apart(item for item in cursor)) == 1
    nested: list[Any] = []
    for _ in range(5000):
        nested = [nested]
    assert apart(nested) is nested
