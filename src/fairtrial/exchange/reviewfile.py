"""Labels as a file, in the form of `judge exam` with all beside it that a person needs to read: JSONL or CSV, out and in again.

One rating a line. A line without a rater or a label is an item that waits for one. Kept out: who may see what, and the store.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, NamedTuple

from fairtrial.exchange.imported import Refusal
from fairtrial.exchange.reviewcsv import read_records, write_records
from fairtrial.exchange.tablefile import Record, read_jsonl_file
from fairtrial.records.errors import InputError, nearest
from fairtrial.records.grade import SEVERITIES
from fairtrial.records.label import HIGHEST, LOWEST, RATES, SETTLES, Label
from fairtrial.records.person import HUMAN, human, name_in, why_no_name
from fairtrial.records.text import dumps, read_text
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OF_A_LABEL = ("item", "cluster", "rater", "label", "severity", "slice", "score", "note", "role", "version", "round", "saw", "at")
TO_READ = ("question", "asked", "case", "task", "facts", "history", "reference", "expected", "answer", "ending", "done")
COLUMNS = (*OF_A_LABEL, *TO_READ)
OF_ONE_THAT_WAITS = ("token", "who", "at_ns", "store", "why", "blind", "replaces")
"""What a label that could not be saved has beside that (`steps/waiting.py`)."""
FORMATS = ("jsonl", "csv")
PERSON = HUMAN


class Ratings(NamedTuple):
    """What a file holds: labels of people with their lines, lines of judges, lines that wait for a label, and what was refused."""

    labels: list[tuple[int, Label]]
    judges: int
    blank: int
    refused: list[Refusal]
    rows: int


def write_ratings(rows: Sequence[dict[str, Any]], form: str) -> str:
    """Rows with keys of COLUMNS, in that order; what is None or empty is left out of JSONL and an empty cell of CSV."""
    if form == "jsonl":
        return "".join(dumps({name: row[name] for name in COLUMNS if row.get(name) not in (None, "")}) + "\n" for row in rows)
    return write_records(COLUMNS, [{name: _text(row.get(name)) for name in COLUMNS} for row in rows])


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else dumps(value) if isinstance(value, (dict, list)) else str(value)


def read_labels(path: str, form: str) -> Ratings:
    """The labels of a file. Raises InputError where none of it can be read; a bad line is refused with its number and reason."""
    records = _records(path, form)
    labels: list[tuple[int, Label]] = []
    refused: list[Refusal] = []
    judges = blank = 0
    for record in records:
        if isinstance(record, Refusal):
            refused.append(record)
            continue
        cells = {name: cell for name, cell in record.cells.items() if cell is not None and cell != ""}
        rater = cells.get("rater")
        if strange := [name for name in cells if name not in COLUMNS + OF_ONE_THAT_WAITS]:
            near = nearest(strange[0], COLUMNS)
            refused.append(Refusal(record.line, f"unknown key {strange[0]!r}{f'; did you mean {near!r}?' if near else ''}"))
        elif "label" not in cells:
            blank += 1
        elif isinstance(rater, str) and not human(rater):
            judges += 1
        else:
            try:
                labels.append((record.line, label_of(cells)))
            except ValueError as error:
                refused.append(Refusal(record.line, str(error)))
    return Ratings(labels, judges, blank, refused, len(records))


def _records(path: str, form: str) -> list[Record | Refusal]:
    if form == "csv":
        columns, records = read_records(read_text(path), path)
        missing = [name for name in ("item", "rater", "label") if name not in columns]
        if missing:
            mend = f"did you mean {near!r}?" if (near := nearest(missing[0], columns)) else "the columns are: item,rater,label"
            raise InputError(f"the file has no column {missing[0]!r}", place=f"{path}:1", value=", ".join(columns), mend=mend)
        return records
    return list(read_jsonl_file(path).records)


def label_of(cells: dict[str, Any]) -> Label:
    """The label of a line. Raises ValueError with what is wrong with it."""
    return Label(
        item=_word(cells, "item"),
        rater=name_of(_word(cells, "rater")),
        label=_verdict(_word(cells, "label")),
        score=_score(cells.get("score")),
        severity=_one_of(cells, "severity", SEVERITIES),
        note=_word(cells, "note") if "note" in cells else "",
        role=_one_of(cells, "role", (RATES, SETTLES)) or RATES,
        round=_whole(cells, "round"),
        saw=_whole(cells, "saw"),
        at_ns=_whole(cells, "at_ns", 19) or 0,
        who=_word(cells, "who") if "who" in cells else "",
        token=_word(cells, "token") if "token" in cells else "",
    )


def name_of(rater: str) -> str:
    """`human:Ann` is Ann. Raises ValueError for nobody."""
    name = name_in(rater)
    if not name:
        raise ValueError(f"the rater {rater!r} has no name: write human:NAME")
    if why := why_no_name(name):
        raise ValueError(f"{why}: {rater!r}")
    return name


def _word(cells: dict[str, Any], name: str) -> str:
    value = cells.get(name)
    if value is None:
        raise ValueError(f"{name!r} is missing")
    if not isinstance(value, str):
        few = ", and of the words PASS, FAIL and UNKNOWN" if name == "label" else ""
        raise ValueError(f"{name!r} is text{few}, not {dumps(value)}")
    return value


def _verdict(text: str) -> Verdict:
    try:
        return Verdict(text.strip().upper())
    except ValueError:
        near = nearest(text.strip().upper(), list(Verdict))
        mend = f"; did you mean {near}?" if near else ""
        raise ValueError(f"{text!r} is not a verdict: PASS, FAIL or UNKNOWN{mend}") from None


def _one_of(cells: dict[str, Any], name: str, words: Iterable[str]) -> str | None:
    if name not in cells:
        return None
    text = _word(cells, name)
    if text not in words:
        raise ValueError(f"{name} cannot be {text!r}: {', '.join(words)}")
    return text


def _score(value: Any) -> float | None:
    if value is None:
        return None
    try:
        number = Decimal(str(value)) if not isinstance(value, bool) else Decimal("NaN")
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or not Decimal(LOWEST) <= number <= Decimal(HIGHEST):
        raise ValueError(f"the score {value!r} is not a number from 1 to 5")
    return float(number)


def _whole(cells: dict[str, Any], name: str, digits: int = 9) -> int | None:
    value = cells.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not str(value).isascii() or not str(value).isdigit() or len(str(value)) > digits:
        raise ValueError(f"{name!r} is a whole number, not {value!r}")
    return int(value)
