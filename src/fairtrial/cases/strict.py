"""Rows become forms, strictly: every unknown key, missing key and wrong value of a row is named at once.

A form is a msgspec Struct that says what may be written (`forms.py`). msgspec alone stops at the first fault and knows no
lines; here it is the fast way in, and only a row it refuses is walked for everything that is wrong with it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from fairtrial.cases.rows import Path, Row, kind_of
from fairtrial.records.errors import InputError, InputErrors, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T", bound=msgspec.Struct)

MEANT = {
    "input": "task", "prompt": "task", "question": "task", "query": "task", "instruction": "task", "vars": "facts", "context": "facts",
    "expect": "must", "asserts": "must", "assert": "must", "checks": "must", "graders": "must", "criteria": "must", "forbid": "must_not",
    "expected_output": "solution", "answer": "solution", "ideal": "solution", "target": "solution", "repeats": "trials", "epochs": "trials",
    "timeout": "timeout_s", "metadata": "tags", "variants": "setups", "agents": "setups", "tests": "cases", "dataset": "cases",
}  # fmt: skip
"""What other tools call some of our keys."""

_MEANT_BOOL = {"true": ("true", "yes", "y", "on", "1"), "false": ("false", "no", "n", "off", "0")}
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
_IN_CSV = " (in CSV: type the column, name:{})"
_WORDS: dict[Any, str] = {str: "text", bool: "true or false", int: "a whole number", float: "a number", type(None): "null"}


def read_form(row: Row, kind: type[T]) -> T:
    """The row as a form. Raises InputErrors with place, value, what is allowed and the mend of everything that is wrong."""
    try:
        return msgspec.convert(row.value, kind)
    except msgspec.ValidationError as error:
        faults = list(_faults(row.value, kind, row, ()))
        raise InputErrors(faults or [InputError(str(error), place=row.place())]) from None


def _faults(value: Any, kind: Any, row: Row, path: Path) -> Iterator[InputError]:
    """What is wrong inside the value, else with the value as a whole."""
    inner = list(_inner_faults(value, _fitting(kind, value), row, path))
    yield from inner
    if not inner:
        fault = _own_fault(value, kind, row, path)
        if fault:
            yield fault


def _inner_faults(value: Any, kind: Any, row: Row, path: Path) -> Iterator[InputError]:
    origin, args = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, dict):
        yield from _struct_faults(value, kind, row, path)
    elif origin in (list, tuple) and isinstance(value, list):
        for place, item in enumerate(value):
            yield from _faults(item, args[0], row, (*path, place))
    elif origin is dict and isinstance(value, dict):
        for key, item in value.items():
            yield from _faults(item, args[1], row, (*path, key))


def _struct_faults(value: dict[str, Any], kind: type[msgspec.Struct], row: Row, path: Path) -> Iterator[InputError]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key, item in value.items():
        if key in fields:
            yield from _faults(item, fields[key].type, row, (*path, key))
        else:
            yield _unknown_key(key, fields, row, path)
    for name, field in fields.items():
        if name not in value and field.required:
            what = f"the key {dotted((*path, name))!r} is missing"
            yield InputError(what, place=row.place(*path), mend=f"add {name}: {wanted(field.type)}")


def _unknown_key(key: str, fields: dict[str, Any], row: Row, path: Path) -> InputError:
    meant = MEANT.get(key) or nearest(key, fields) or MEANT.get(nearest(key, MEANT) or "")
    near = meant if meant in fields else nearest(key, fields)
    return InputError(
        f"unknown key {dotted((*path, key))!r}",
        place=row.place(*path, key),
        value=_at(row.value, (*path, key)),
        allowed=", ".join(fields),
        mend=f"did you mean {near!r}?" if near else "remove it, or move it to where it belongs",
    )


def _own_fault(value: Any, kind: Any, row: Row, path: Path) -> InputError | None:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        name = dotted(path)
        what = f"{name!r} may not be null" if value is None else f"{name!r} is {kind_of(value)} that does not fit"
        if value is not None and _base(kind) is not type(value) and not _choices(kind):
            what = f"{name!r} is {kind_of(value)}"
        return InputError(what, place=row.place(*path), value=value, allowed=wanted(kind), mend=_mend(value, kind))
    return None


def _mend(value: Any, kind: Any) -> str | None:
    if value is None:
        return "leave the key out where there is nothing to state"
    choices = _choices(kind)
    if choices and isinstance(value, str):
        near = nearest(value.lower(), choices)
        return f"did you mean {near!r}?" if near else None
    if _base(kind) is str and isinstance(value, (bool, int, float)):
        return "put it in quotes"
    if isinstance(value, str):
        return _mend_text(value, kind)
    if isinstance(value, (int, float)) and type(value) is not bool:
        return _mend_number(value, kind)
    if get_origin(_bare(kind)) in (list, tuple):
        return "write a list: [" + ("…" if isinstance(value, (dict, list)) else f"{value!r:.40}") + "]"
    return None


def _mend_text(value: str, kind: Any) -> str | None:
    """For a text: what it was meant for, where only the quotes are wrong; else the nearest of what may be written."""
    types = {_bare(option) for option in _options(kind)}
    word = value.strip().lower()
    if bool in types:
        meant = next((meant for meant, words in _MEANT_BOOL.items() if word in words), None)
        return (f"write {meant}, without quotes" if meant else "write true or false, without quotes") + _IN_CSV.format("bool")
    if types & {int, float} and _NUMBER.fullmatch(word):
        return f"write {word} without quotes" + _IN_CSV.format("int" if int in types else "float")
    examples = [example for meta in _metas(kind) for example in meta.examples or ()]
    near = nearest(word, examples)
    if near or examples:
        return f"did you mean {near!r}?" if near else f"write {examples[0]!r} or the like"
    if types & {int, float}:
        return "write the number in digits" + _IN_CSV.format("int" if int in types else "float")
    metas = _metas(kind)
    if not value and any(meta.min_length for meta in metas):
        return "leave the key out where there is nothing to state"
    if get_origin(_bare(kind)) in (list, tuple):
        return f"write a list: [{value!r:.40}]"
    return f"write it {title}" if (title := next((meta.title for meta in metas if meta.title), None)) else None


def _mend_number(value: float, kind: Any) -> str | None:
    """For a number: on which side of which bound it belongs."""
    for meta in _metas(kind):
        if meta.ge is not None and value < meta.ge:
            return f"write {meta.ge} or more"
        if meta.gt is not None and value <= meta.gt:
            return f"write a number above {meta.gt}"
        if meta.le is not None and value > meta.le:
            return f"write {meta.le} or less"
    types = {_bare(option) for option in _options(kind)}
    return "write a whole number" if type(value) is float and int in types and float not in types else None


def _metas(kind: Any) -> list[msgspec.Meta]:
    return [meta for option in _options(kind) for meta in getattr(option, "__metadata__", ()) if isinstance(meta, msgspec.Meta)]


def dotted(path: Path) -> str:
    """faults[0].call, as a person would write the way to it."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _bare(kind: Any) -> Any:
    return _bare(get_args(kind)[0]) if get_origin(kind) is Annotated else kind


def _options(kind: Any) -> list[Any]:
    """The members of a union without UNSET, else the type alone."""
    bare = _bare(kind)
    if get_origin(bare) is Union or type(bare).__name__ == "UnionType":
        return [option for option in get_args(bare) if option is not msgspec.UnsetType]
    return [kind]


def _fitting(kind: Any, value: Any) -> Any:
    """Of a union, the member that an object or list seems meant for, without its bounds."""
    for option in _options(kind):
        bare = _bare(option)
        origin = get_origin(bare)
        if isinstance(value, dict) and (origin is dict or (isinstance(bare, type) and issubclass(bare, msgspec.Struct))):
            return bare
        if isinstance(value, list) and origin in (list, tuple):
            return bare
    return None


def _base(kind: Any) -> Any:
    options = _options(kind)
    return _bare(options[0]) if len(options) == 1 else None


def _choices(kind: Any) -> tuple[str, ...]:
    return tuple(word for option in _options(kind) if get_origin(_bare(option)) is Literal for word in get_args(_bare(option)))


def wanted(kind: Any) -> str:
    """A type in words, for the `allowed` of an error."""
    return " or ".join(_wanted(option) for option in _options(kind) if option is not type(None))


def _wanted(kind: Any) -> str:
    bare, origin, args = _bare(kind), get_origin(_bare(kind)), get_args(_bare(kind))
    bounds = [_bound(meta) for meta in _metas(kind)]
    if origin is Literal:
        words = ", ".join(map(str, args))
    elif origin in (list, tuple):
        words = f"a list of {_plural(args[0])}"
        bounds = ["with at least one entry" if bound else "" for bound in bounds]
    elif bare in _WORDS:
        words = _WORDS[bare]
    elif getattr(bare, "__name__", "") == "Decimal":
        words = 'an exact decimal in quotes ("0.05"), or a number'
    else:
        words = "any value" if bare is Any else "an object"
    return " ".join([words, *filter(None, bounds)])


def _bound(meta: msgspec.Meta) -> str:
    low = f"of at least {meta.ge}" if meta.ge is not None else f"above {meta.gt}" if meta.gt is not None else ""
    high = f"at most {meta.le}" if meta.le is not None else ""
    if low or high:
        return " and ".join(filter(None, (low, high)))
    if meta.pattern is not None:
        return meta.title or f"like {meta.pattern}"
    return "that is not empty" if meta.min_length else ""


def _plural(kind: Any) -> str:
    words = {str: "texts", int: "whole numbers", float: "numbers"}
    bare = _bare(kind)
    return words.get(bare, "values" if bare is Any else "objects")
