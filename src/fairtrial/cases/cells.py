"""What one CSV cell says, by the type its column states. Nothing is guessed: without a type it is the text as it stands."""

from __future__ import annotations

import re
from typing import Any

from fairtrial.records.strictjson import BadValue, exact_float, loads

TYPES = ("int", "decimal", "bool", "json", "list")

_INT = re.compile(r"[-+]?[0-9]+", re.ASCII)
_DECIMAL = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?", re.ASCII)
_TERM = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^|"]*))\s*(\||$)')


def read_cell(text: str, kind: str) -> Any:
    """The value of a cell of a column of this type ("" for text). Raises BadValue or InputError where it is not of the type."""
    return _READERS[kind](text) if kind else text


def _int(text: str) -> int:
    if not _INT.fullmatch(text.strip()) or len(text) > 4000:
        raise BadValue("not a whole number", "digits only, without separators; leave the cell empty for not stated", text)
    return int(text)


def _decimal(text: str) -> int | float:
    """As JSON reads the same digits: whole without a point, else a double that keeps them exactly."""
    number = text.strip()
    if not _DECIMAL.fullmatch(number):
        raise BadValue("not a decimal number", "digits and one point, without thousands separators", text)
    return _int(number) if _INT.fullmatch(number) else exact_float(number)


def _bool(text: str) -> bool:
    word = text.strip().lower()
    if word not in ("true", "false"):
        raise BadValue("neither true nor false", "write true or false; leave the cell empty for not stated", text)
    return word == "true"


def _json(text: str) -> Any:
    return loads(text)


def _list(text: str) -> list[Any]:
    """Terms between bars, each in quotes where it holds a bar or a comma on its own; or a JSON list."""
    if text.lstrip().startswith("["):
        found = loads(text)
        return found if isinstance(found, list) else [found]
    if "," in text and "|" not in text and '"' not in text:
        raise BadValue("one term with a comma, or several?", 'separate terms with | (a|b), or put the one term in quotes: ""a, b""', text)
    terms: list[str] = []
    at = 0
    while True:
        match = _TERM.match(text, at)
        if match is None:
            raise BadValue("quotes in a list must enclose a whole term", 'write ""a""|b, doubling quotes inside a term', text)
        quoted, bare, end = match.groups()
        if quoted is None and not bare.strip():
            raise BadValue("an empty term", 'remove the extra |, or write """" for an empty text', text)
        terms.append(quoted.replace('""', '"') if quoted is not None else bare.strip())
        at = match.end()
        if not end:
            return terms


_READERS = {"int": _int, "decimal": _decimal, "bool": _bool, "json": _json, "list": _list}
