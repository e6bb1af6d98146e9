"""Which reader a file gets, by the end of its name."""

from __future__ import annotations

import os

from fairtrial.cases.csvrows import csv_rows
from fairtrial.cases.jsonrows import json_rows, jsonl_rows
from fairtrial.cases.rows import Keep, Row, shown
from fairtrial.cases.yamlrows import yaml_document, yaml_rows
from fairtrial.records.errors import InputError
from fairtrial.records.text import read_text

SUFFIXES = (".jsonl", ".json", ".yaml", ".yml", ".csv")


def _unread(file: str, suffix: str, allowed: str) -> InputError:
    """Why a file has no reader; one that is not there is told first."""
    if not os.path.exists(file):
        return InputError("no such file or folder", place=file, mend="check the path and the folder it is given from")
    return InputError(f"no reader for {suffix or 'a name without an ending'!r}", place=file, allowed=allowed)


def read_rows(path: str | os.PathLike[str], keep: Keep = lambda _: True) -> list[Row]:
    """Every record of a file of cases, or an InputError (InputErrors for several) and no record at all.

    `keep` decides, for CSV only, what an empty cell of an untyped column says.
    """
    file = shown(path)
    suffix = os.path.splitext(file)[1].lower()
    if suffix not in SUFFIXES:
        raise _unread(file, suffix, ", ".join(SUFFIXES))
    rows = parse_rows(read_text(path), file, keep)
    if not rows:
        raise InputError("the file holds no record", place=file, mend="add at least one, or take the file off the list")
    return rows


def parse_rows(text: str, file: str, keep: Keep = lambda _: True) -> list[Row]:
    """Every record of the text of a file of that name; the end of the name says how it is read."""
    suffix = os.path.splitext(file)[1].lower()
    if suffix == ".csv":
        return csv_rows(text, file, keep)
    if suffix == ".jsonl":
        return jsonl_rows(text, file)
    return json_rows(text, file) if suffix == ".json" else yaml_rows(text, file)


def read_document(path: str | os.PathLike[str]) -> Row:
    """The one object of a settings file (suite, policy, rubric), YAML or JSON, with the lines of its keys."""
    file = shown(path)
    suffix = os.path.splitext(file)[1].lower()
    if suffix not in (".yaml", ".yml", ".json"):
        raise _unread(file, suffix, ".yaml, .yml, .json")
    text = read_text(path)
    rows = json_rows(text, file) if suffix == ".json" else [row for row in [yaml_document(text, file)] if row]
    if len(rows) != 1 or not isinstance(rows[0].value, dict):
        raise InputError("expected one object", place=file, mend="write key: value lines")
    return rows[0]
