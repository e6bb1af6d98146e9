"""JSON Schema for the values of a check: the part of it that says what shape an answer has.

A keyword that is not known here is refused when the check is compiled, never skipped: a schema that is half read would pass
what it forbids. `$ref` reaches into the same schema (#/$defs/…).
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from typing import Any

from fairtrial.graders.compare import Difference, contains, equal, exact, fingerprint, is_number, kind, step
from fairtrial.graders.patterns import compile_pattern
from fairtrial.records.errors import InputError, unknown_key

Test = Callable[[Any, str, int], Difference | None]
"""(value, path, depth) -> what does not fit, or None."""

DEEPEST = 100
WIDE = Context(prec=1000)
"""Wide enough for the remainder of any two numbers that are kept exactly."""
_NOTES = {"title", "description", "default", "examples", "$schema", "$id", "$comment", "$defs", "definitions", "deprecated"}
_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, (list, tuple)),
    "string": lambda value: isinstance(value, str),
    "number": is_number,
    "integer": lambda value: is_number(value) and exact(value) == int(exact(value)),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


class TooDeep(Exception):
    """The value goes deeper than a schema is followed, so it is not known whether it fits."""


def compile_schema(schema: Any, place: str | None = None) -> Callable[[Any], Difference | None]:
    """A function that gives the first thing in a value that does not fit the schema, or None; it raises TooDeep where that
    cannot be told. Raises InputError for a schema that cannot be read, or that asks nothing."""
    compiler = _Compiler(schema, place)
    if isinstance(schema, dict) and not schema.keys() & {*compiler.makers, "additionalProperties"}:
        raise InputError("the schema asks nothing: everything fits it", place=place, value=schema, mend="say at least its type")
    test = compiler.compile(schema)

    def check(value: Any) -> Difference | None:
        found = test(value, "", 0)
        return None if found is None else found._replace(path=found.path.lstrip(".") or "$")

    return check


class _Compiler:
    def __init__(self, root: Any, place: str | None) -> None:
        self.root = root
        self.place = place
        self.refs: dict[str, Test] = {}
        self.makers: dict[str, Callable[[Any], Test]] = {
            "type": self.types,
            "enum": _enum,
            "const": lambda const: _one(lambda value: equal(const, value), const, "not the one allowed value"),
            "minimum": lambda bound: _number(lambda value: value >= exact(bound), bound, "below the minimum"),
            "maximum": lambda bound: _number(lambda value: value <= exact(bound), bound, "above the maximum"),
            "exclusiveMinimum": lambda bound: _number(lambda value: value > exact(bound), bound, "not above the minimum"),
            "exclusiveMaximum": lambda bound: _number(lambda value: value < exact(bound), bound, "not below the maximum"),
            "multipleOf": _multiple,
            "minLength": lambda least: _sized(str, lambda size: size >= least, least, "too short"),
            "maxLength": lambda most: _sized(str, lambda size: size <= most, most, "too long"),
            "minItems": lambda least: _sized(list, lambda size: size >= least, least, "too few entries"),
            "maxItems": lambda most: _sized(list, lambda size: size <= most, most, "too many entries"),
            "minProperties": lambda least: _sized(dict, lambda size: size >= least, least, "too few keys"),
            "maxProperties": lambda most: _sized(dict, lambda size: size <= most, most, "too many keys"),
            "uniqueItems": lambda wanted: _one(lambda value: not wanted or _unique(value), wanted, "an entry twice"),
            "required": self.required,
            "properties": self.properties,
            "items": self.items,
            "pattern": self.pattern,
            "allOf": lambda parts: _all([self.compile(part) for part in _listed(parts)]),
            "anyOf": lambda parts: self.some(parts, lambda count: count >= 1, "fits none of the alternatives"),
            "oneOf": lambda parts: self.some(parts, lambda count: count == 1, "does not fit exactly one of the alternatives"),
            "not": lambda part: self.some([part], lambda count: count == 0, "fits what it must not"),
            "$ref": self.ref,
        }

    def compile(self, schema: Any) -> Test:
        if schema is True:
            return lambda value, path, depth: None
        if schema is False:
            return lambda value, path, depth: Difference(path, None, value, "nothing is allowed here")
        if not isinstance(schema, dict):
            raise InputError("a schema is an object", place=self.place, value=schema)
        tests = []
        for key, given in schema.items():
            if key in self.makers:
                tests.append(self.made(key, given))
            elif key == "format":
                raise InputError("`format` is not looked at here", place=self.place, value=given, mend="say it as a pattern")
            elif key != "additionalProperties" and key not in _NOTES:
                raise unknown_key(key, [*self.makers, "additionalProperties"], place=self.place or "", value=given)
        if "additionalProperties" in schema:
            tests.append(self.additional(schema))
        return _all(tests)

    def made(self, key: str, given: Any) -> Test:
        try:
            return self.makers[key](given)
        except (TypeError, ValueError, AttributeError, ArithmeticError, KeyError):
            raise InputError(f"the schema's {key!r} cannot be read", place=self.place, value=given) from None

    def types(self, names: Any) -> Test:
        listed = [names] if isinstance(names, str) else list(names)
        tests = [_TYPES[name] for name in listed]
        return lambda value, path, depth: (
            None if any(test(value) for test in tests) else Difference(path, listed, value, f"{kind(value)}, not {' or '.join(listed)}")
        )

    def required(self, names: Any) -> Test:
        keys = [str(name) for name in _listed(names)]

        def test(value: Any, path: str, depth: int) -> Difference | None:
            gone = next((key for key in keys if isinstance(value, dict) and key not in value), None)
            return None if gone is None else Difference(path + step(gone), "a value", None, "missing")

        return test

    def properties(self, given: Any) -> Test:
        tests = {key: self.compile(inner) for key, inner in given.items()}

        def test(value: Any, path: str, depth: int) -> Difference | None:
            if isinstance(value, dict):
                for key, inner in tests.items():
                    found = inner(value[key], path + step(key), depth + 1) if key in value else None
                    if found:
                        return found
            return None

        return test

    def additional(self, schema: dict[str, Any]) -> Test:
        known = set(schema.get("properties", {}))
        inner = self.compile(schema["additionalProperties"])

        def test(value: Any, path: str, depth: int) -> Difference | None:
            others = [key for key in value if key not in known] if isinstance(value, dict) else []
            found = (inner(value[key], path + step(key), depth + 1) for key in others)
            return next(filter(None, found), None)

        return test

    def items(self, given: Any) -> Test:
        inner = self.compile(given)

        def test(value: Any, path: str, depth: int) -> Difference | None:
            if not isinstance(value, (list, tuple)):
                return None
            found = (inner(entry, f"{path}[{index}]", depth + 1) for index, entry in enumerate(value))
            return next(filter(None, found), None)

        return test

    def pattern(self, text: str) -> Test:
        pattern = compile_pattern(text, self.place)
        return _one(lambda value: not isinstance(value, str) or pattern.found(value) is not None, text, "does not match the pattern")

    def some(self, parts: Any, enough: Callable[[int], bool], why: str) -> Test:
        tests = [self.compile(part) for part in _listed(parts)]

        def test(value: Any, path: str, depth: int) -> Difference | None:
            fitting = sum(1 for part in tests if part(value, path, depth + 1) is None)
            return None if enough(fitting) else Difference(path, parts, value, why)

        return test

    def ref(self, pointer: str) -> Test:
        target: Any = self.root
        if not pointer.startswith("#"):
            raise InputError("a schema refers only into itself", place=self.place, value=pointer, allowed="#/$defs/NAME")
        for part in filter(None, pointer[1:].split("/")):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        if pointer not in self.refs:
            self.refs[pointer] = lambda value, path, depth: None  # what refers to itself finds its own place
            self.refs[pointer] = self.compile(target)

        def test(value: Any, path: str, depth: int) -> Difference | None:
            if depth > DEEPEST:
                raise TooDeep(f"the value is nested more than {DEEPEST} deep, or the schema refers to itself without end")
            return self.refs[pointer](value, path, depth + 1)

        return test


def _listed(given: Any) -> list[Any]:
    if not isinstance(given, list) or not given:
        raise ValueError(given)
    return given


def _all(tests: list[Test]) -> Test:
    def test(value: Any, path: str, depth: int) -> Difference | None:
        for inner in tests:
            found = inner(value, path, depth)
            if found:
                return found
        return None

    return test


def _one(fits: Callable[[Any], bool], expected: Any, why: str) -> Test:
    return lambda value, path, depth: None if fits(value) else Difference(path, expected, value, why)


def _enum(allowed: Any) -> Test:
    listed = _listed(allowed)
    return _one(lambda value: contains(listed, value), listed, "not one of the allowed values")


def _number(fits: Callable[[Any], bool], bound: Any, why: str) -> Test:
    if not is_number(bound):
        raise ValueError(bound)
    return _one(lambda value: not is_number(value) or fits(exact(value)), bound, why)


def _multiple(of: Any) -> Test:
    if not is_number(of) or exact(of) <= 0:
        raise ValueError(of)
    step = Decimal(exact(of))
    return _one(lambda value: not is_number(value) or not WIDE.remainder(Decimal(exact(value)), step), of, "not a multiple")


def _sized(of: type[str] | type[list[Any]] | type[dict[str, Any]], fits: Callable[[int], bool], bound: int, why: str) -> Test:
    if type(bound) is not int:
        raise ValueError(bound)
    return _one(lambda value: not isinstance(value, of) or fits(len(value)), bound, why)


def _unique(value: Any) -> bool:
    return not isinstance(value, list) or len(set(map(fingerprint, value))) == len(value)
