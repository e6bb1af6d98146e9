"""What each expectation of a check may hold.

One small test for each word of the contract's table, so that a check that could never fail, or never hold, is refused when
it is loaded: an empty pattern, an empty list, a bound that is no number. Kept out: which subject takes which expectation
(`check.py`), and anything that needs a trial or compiles a pattern, a rule or a schema (the graders).
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from fairtrial.records.errors import nearest

NORMALISATIONS = ("unicode", "width", "marks", "case", "space", "no_space", "punctuation")
"""The named steps of text normalisation; none is taken unless a check asks for it."""

LOCALES = ("en", "de", "fr", "ch", "in")
"""The ways of writing numbers that `locale` may name."""

LONGEST_RULE = 2000


class Wrong(ValueError):
    """A value that its expectation cannot take. `allowed` says what it could be; `mend` what to write instead."""

    def __init__(self, what: str, allowed: str = "", mend: str = "") -> None:
        super().__init__(what)
        self.allowed = allowed
        self.mend = mend


Shape = Callable[[Any], None]


def anything(value: Any) -> None:
    """Every value is a value to compare with, null and the empty ones too."""


def flag(value: Any) -> None:
    if type(value) is not bool:
        raise Wrong("must be true or false", "true, false", "write true or false, without quotes")


def yes(value: Any) -> None:
    if value is not True:
        raise Wrong("can only be true", "true", "to ask for the opposite, put the check under must_not")


def no(value: Any) -> None:
    if value is not False:
        raise Wrong("can only be false", "false", "write false, without quotes")


def words(value: Any) -> None:
    if not isinstance(value, str) or not value.strip():
        raise Wrong("must be a text that is not empty", "a text", "write a text, in quotes where it looks like a number or true")


def stated(value: Any) -> None:
    """A text or a number that may be said without more."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        words(value)


def pattern(value: Any) -> None:
    if not isinstance(value, str):
        raise Wrong("must be a pattern, given as text", "a regular expression", "put it in quotes")
    if not value:
        raise Wrong("is an empty pattern, which matches everything", "a regular expression", "say what the text must match, or remove it")


def whole(value: Any) -> None:
    if type(value) is not int or value < 0:
        raise Wrong("must be a whole number, 0 or more", "0, 1, 2, …", "write the number in digits, without quotes")


def positive(value: Any) -> None:
    number(value)
    if Decimal(str(value)) <= 0:
        raise Wrong("must be above 0", "a number above 0", "write a number above 0")


def share(value: Any) -> None:
    number(value)
    if not 0 < Decimal(str(value)) <= 1:
        raise Wrong("must be a share above 0, up to 1", "a number such as 0.8", "write 0.8 for four of five")


def opinions(value: Any) -> None:
    if value != "marked":
        if not isinstance(value, dict):
            raise Wrong(
                "must be `marked`, or an object with more words", "marked, {signs: [TEXT], marks: [TEXT]}", "write opinions: marked"
            )
        fields(signs=several(words), marks=several(words))(value)


def number(value: Any) -> None:
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return
    if isinstance(value, str):
        try:
            if Decimal(value).is_finite() and value.strip() == value:
                return
        except InvalidOperation:
            pass
    raise Wrong('must be a number, or an exact decimal in quotes ("0.05")', "a number", "write it in digits, with nothing around them")


def several(shape: Shape) -> Shape:
    """A list with at least one entry, each of which passes `shape`."""

    def test(value: Any) -> None:
        if not isinstance(value, (list, tuple)):
            raise Wrong("must be a list", "a list, such as [a, b]", f"write a list: [{value!r:.40}]")
        if not value:
            raise Wrong("is an empty list: it would check nothing", "a list with at least one entry", "fill the list, or remove the check")
        for entry in value:
            shape(entry)

    return test


def one_or_several(shape: Shape) -> Shape:
    many = several(shape)

    def test(value: Any) -> None:
        (many if isinstance(value, list) else shape)(value)

    return test


def one_of(*allowed: str) -> Shape:
    def test(value: Any) -> None:
        if value not in allowed:
            near = nearest(str(value), allowed)
            raise Wrong(
                f"cannot be {value!r:.60}", ", ".join(allowed), f"did you mean {near!r}?" if near else f"write {allowed[0]!r} or the like"
            )

    return test


def mapping(value: Any) -> None:
    if not isinstance(value, dict):
        raise Wrong("must be an object", "{key: value, …}", "write {key: value, …}")


def filled(value: Any) -> None:
    mapping(value)
    if not value:
        raise Wrong("is an empty object: it would check nothing", "{key: value, …}", "fill it, or remove it")


def fields(**shapes: Shape) -> Shape:
    """An object with at least one of these keys and no other."""

    def test(value: Any) -> None:
        filled(value)
        for key, inner in value.items():
            if key not in shapes:
                near = nearest(str(key), shapes)
                raise Wrong(f"has the unknown key {key!r}", ", ".join(shapes), f"did you mean {near!r}?" if near else "remove it")
            try:
                shapes[key](inner)
            except Wrong as error:
                raise Wrong(f"`{key}` {error}", error.allowed, error.mend) from None

    return test


def between(value: Any) -> None:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise Wrong("must be a list of two numbers", "[low, high]", "write [low, high]")
    low, high = value
    number(low)
    number(high)
    if Decimal(str(low)) > Decimal(str(high)):
        raise Wrong("has its low bound above its high one: nothing could hold", "[low, high]", "write the lower number first")


def margin(value: Any) -> None:
    number(value)
    if Decimal(str(value)) < 0:
        raise Wrong("must not be below 0", "a number from 0 up", "write 0 or more")


def approx(value: Any) -> None:
    if not isinstance(value, dict):
        number(value)
        return
    fields(value=number, abs=margin, rel=margin)(value)
    if "value" not in value:
        raise Wrong("needs `value`", "{value: 3.5, abs: 0.1} or {value: 3.5, rel: 0.01}", "add value: the number that is expected")


def content(value: Any) -> None:
    """What a text or a list is to contain: empty text is in every text."""
    if value in ("", [], {}) and not isinstance(value, bool):
        raise Wrong("is empty: everything contains it", "a text, a value, or a list of them", "say what must be in there")
    if isinstance(value, list):
        for entry in value:
            content(entry)


def length(value: Any) -> None:
    if isinstance(value, dict):
        fields(min=whole, max=whole, equals=whole)(value)
        if not set(value.items()) - {("min", 0)}:
            raise Wrong("asks for 0 or more: every length is", "{min: 1}", "say how long it must be, or remove it")
    else:
        whole(value)


def unordered(value: Any) -> None:
    if type(value) is not bool and not isinstance(value, list):
        raise Wrong("must be a list, or true beside `equals`", "a list, true", "write unordered: [a, b]")


def members(value: Any) -> None:
    if not isinstance(value, (list, dict)) or not value:
        raise Wrong("must be a list or an object that is not empty", "a list, an object", "for an empty value write `length: 0`")


def matchers(value: Any) -> None:
    """A literal value, or an object of expectations; the latter are tested one by one."""
    if is_matcher(value):
        for key, inner in value.items():
            try:
                VALUE_SHAPES[key](inner)
            except Wrong as error:
                raise Wrong(f"`{key}` {error}", error.allowed, error.mend) from None


def arguments(value: Any) -> None:
    mapping(value)
    for name, inner in value.items():
        try:
            matchers(inner)
        except Wrong as error:
            raise Wrong(f"`{name}` {error}", error.allowed, error.mend) from None


def is_matcher(value: Any) -> bool:
    """Whether a value given for an argument is an object of expectations ({min: 3}) rather than the value itself.

    A literal object whose keys all happen to be words of that table is written {equals: {…}}.
    """
    return isinstance(value, dict) and bool(value) and all(key in VALUE_SHAPES for key in value) and not OPTIONS.issuperset(value)


VALUE_SHAPES: dict[str, Shape] = {
    "equals": anything,
    "not_equals": anything,
    "in": several(anything),
    "not_in": several(anything),
    "min": number,
    "max": number,
    "between": between,
    "approx": approx,
    "matches": pattern,
    "contains": content,
    "not_contains": content,
    "exists": flag,
    "length": length,
    "unordered": unordered,
    "subset_of": members,
    "schema": filled,
    "as": one_of("number"),
    "locale": one_of(*LOCALES),
    "percent": flag,
    "normalise": several(one_of(*NORMALISATIONS)),
}
"""The expectations on a value, and (last four) how the value is read before it is compared."""

OPTIONS = frozenset({"min_covered", "by", "as", "locale", "percent", "normalise", "unknown_values", "proof", "exact", "timeout_s"})
"""Words that change how an expectation is read and are none themselves."""
