"""Rows of JSON: one object a line (JSONL), or one object or list a file."""

from __future__ import annotations

from fairtrial.cases.rows import Row, check_row
from fairtrial.records.errors import FairtrialError, InputError, InputErrors
from fairtrial.records.text import key_lines, loads, split_lines


def jsonl_rows(text: str, file: str) -> list[Row]:
    """One row for each line that is not blank. Raises InputErrors naming every line that cannot be taken."""
    rows: list[Row] = []
    errors: list[FairtrialError] = []
    for number, line in enumerate(split_lines(text), 1):
        if not line or line.isspace():
            continue
        try:
            row = Row(loads(line, source=file, line=number), file, number)
        except InputError as error:
            errors.append(_one_line(error, line))
            continue
        fault = check_row(row)
        if fault:
            errors.append(fault)
        else:
            rows.append(row)
    if errors:
        raise InputErrors(errors)
    return rows


def _one_line(error: InputError, line: str) -> InputError:
    if line.strip() in ("[", "{", "],", "},", "]", "}"):
        error.mend = "a .jsonl file holds one whole object a line; for objects over many lines use .json"
    return error


def json_rows(text: str, file: str) -> list[Row]:
    """The one object of the file, or each object of its list."""
    if not text.strip():
        return []
    value = loads(text, source=file)
    lines = key_lines(text)
    if not isinstance(value, list):
        return [_checked(Row(value, file, lines[()], lines))]
    rows = [Row(item, file, lines[place,], lines, (place,)) for place, item in enumerate(value)]
    errors = [fault for fault in map(check_row, rows) if fault]
    if errors:
        raise InputErrors(errors)
    return rows


def _checked(row: Row) -> Row:
    fault = check_row(row)
    if fault:
        raise fault
    return row
