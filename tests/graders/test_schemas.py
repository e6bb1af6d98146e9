"""The part of JSON Schema that a check may use: what fits, what does not, where, and what is refused."""

from typing import Any

import pytest

from fairtrial.graders.schemas import TooDeep, compile_schema
from fairtrial.records.errors import InputError

VALUES: dict[str, Any] = {"object": {}, "array": [], "string": "", "integer": 3, "boolean": False, "null": None}


@pytest.mark.parametrize("wanted", [*VALUES, "number"])
@pytest.mark.parametrize("given", VALUES)
def test_every_type_fits_itself_and_no_other(wanted: str, given: str) -> None:
    fits = compile_schema({"type": wanted})(VALUES[given]) is None
    assert fits is (wanted == given or (wanted, given) == ("number", "integer"))


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, 3.0, 3.5),
        ({"type": ["string", "null"]}, None, 3),
        ({"enum": [1, "a"]}, 1.0, True),
        ({"const": {"a": 1}}, {"a": 1}, {"a": True}),
        ({"minimum": 3}, 3, 2.9),
        ({"maximum": 3}, 3, 3.1),
        ({"exclusiveMinimum": 3}, 3.1, 3),
        ({"exclusiveMaximum": 3}, 2.9, 3),
        ({"multipleOf": 0.1}, 0.3, 0.35),
        ({"minLength": 2}, "ab", "a"),
        ({"maxLength": 2}, "ab", "abc"),
        ({"minItems": 1}, [1], []),
        ({"maxItems": 1}, [1], [1, 2]),
        ({"minProperties": 1}, {"a": 1}, {}),
        ({"maxProperties": 1}, {"a": 1}, {"a": 1, "b": 2}),
        ({"uniqueItems": True}, [1, True, "1"], [1, 2, 1.0]),
        ({"required": ["a"]}, {"a": None}, {"b": 1}),
        ({"properties": {"a": {"type": "string"}}}, {"b": 3}, {"a": 3}),
        ({"properties": {"a": True}, "additionalProperties": False}, {"a": 1}, {"a": 1, "b": 2}),
        ({"additionalProperties": {"type": "string"}}, {"a": "x"}, {"a": 1}),
        ({"items": {"minimum": 1}}, [1, 2], [1, 0]),
        ({"pattern": "^a+$"}, "aa", "ab"),
        ({"allOf": [{"minimum": 1}, {"maximum": 3}]}, 2, 4),
        ({"anyOf": [{"type": "string"}, {"minimum": 3}]}, 3, 2),
        ({"oneOf": [{"minimum": 1}, {"minimum": 3}]}, 2, 4),
        ({"not": {"type": "string"}}, 1, "a"),
        (True, 1, None),
    ],
)
def test_each_keyword_tells_good_from_bad(schema: Any, good: Any, bad: Any) -> None:
    check = compile_schema(schema)
    assert check(good) is None
    assert (check(bad) is None) is (schema is True)


def test_nothing_fits_false() -> None:
    assert compile_schema(False)(None) is not None


def test_the_place_of_what_does_not_fit_is_told() -> None:
    schema = {"properties": {"lines": {"items": {"required": ["qty"], "properties": {"qty": {"type": "integer"}}}}}}
    check = compile_schema(schema)
    found = check({"lines": [{"qty": 1}, {"qty": "2"}]})
    assert found is not None and (found.path, found.seen) == ("lines[1].qty", "2")
    missing = check({"lines": [{}]})
    assert missing is not None and missing.path == "lines[0].qty"


def test_a_schema_may_refer_to_itself() -> None:
    tree = {"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}}}
    check = compile_schema(tree)
    assert check({"next": {"next": {}}}) is None
    found = check({"next": {"next": 3}})
    assert found is not None and found.path == "next.next"
    with pytest.raises(TooDeep):
        compile_schema({"$ref": "#"})(1)


@pytest.mark.parametrize(
    "schema",
    [
        {"tpye": "object"},
        {"type": "objct"},
        {"minimum": "3"},
        {"minLength": 1.5},
        {"$ref": "http://x"},
        {"$ref": "#/nowhere"},
        {"items": 3},
        3,
        {"properties": []},
        {"pattern": "("},
        {"enum": 3},
        {"required": "a"},
    ],
)
def test_what_cannot_be_read_is_refused(schema: Any) -> None:
    with pytest.raises(InputError):
        compile_schema(schema)([1])
