"""From a file of ratings to a judge's exam, and from labels of elsewhere to such a file.

Kept out: what the figures mean (`study/exam.py`).
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.sources import read_document
from fairtrial.exchange.labelmap import TABLES, Columns, read_tables
from fairtrial.exchange.labels import read_ratings
from fairtrial.exchange.labelshapes import SHAPES
from fairtrial.records.errors import InputError, unknown_name
from fairtrial.records.exam import Refused
from fairtrial.records.rating import LabelFile, RefusedLabel
from fairtrial.records.text import dumps, write_text
from fairtrial.study.exam import read_exam

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairtrial.records.exam import Exam
    from fairtrial.records.rating import Rating
    from fairtrial.study.exam import ExamOptions


def examine(file: str, options: ExamOptions, bar: str | None = None) -> Exam:
    """Mark the exam that a file of ratings holds; `bar` is a file that states the least of some figures."""
    if options.probe:
        raise InputError("a probe asks the judge again: whose suite is it in?", mend="--suite SUITE")
    ratings, refused = read_ratings(file)
    if not ratings:
        why = f"; line {refused[0].line}: {refused[0].why}" if refused else ""
        raise InputError(f"no line of the file is a rating{why}", place=file)
    exam = read_exam(ratings, options, read_bar_file(bar) if bar else None, bar or "bar")
    exam.refused = [Refused(one.line, one.why) for one in refused]
    return exam


def read_bar_file(path: str) -> dict[str, Any]:
    """A bar on its own, or under the key `bar`."""
    value = read_document(path).value
    if isinstance(value, dict) and isinstance(value.get("bar"), dict) and len(value) == 1:
        value = value["bar"]
    if not isinstance(value, dict) or not value:
        raise InputError("a bar names figures and the least of each", place=path, mend='kappa: "0.6"')
    return value


def label_file(form: str | None, files: Sequence[str], columns: Mapping[str, Any], output: str | None) -> LabelFile:
    """Ratings from tables by their columns, or from a published set; written to `output`, else handed back as text."""
    form = _form(files) if form is None else form
    if form not in (*TABLES, *SHAPES):
        raise unknown_name(f"no format {form!r}", form, (*TABLES, *SHAPES))
    if form in TABLES:
        ratings, refused = read_tables(form, files, _columns(columns))
    elif any(columns.values()):
        raise InputError(f"{form} has a shape of its own: it takes no columns", mend="leave --item, --rater and the like out")
    else:
        ratings, refused = SHAPES[form](files)
    text = "".join(f"{dumps(_line(rating))}\n" for rating in ratings)
    if output is not None and ratings:
        try:
            write_text(output, text)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", place=output) from None
    return LabelFile(
        file=output,
        ratings=len(ratings),
        items=len({rating.item for rating in ratings}),
        raters=dict(Counter(rating.rater for rating in ratings)),
        refused=[RefusedLabel(file=file, line=one.line, why=one.why) for file, one in refused],
        text="" if output is not None else text,
    )


def _form(files: Sequence[str]) -> str:
    """The table that the names of the files say they are."""
    ends = {os.path.splitext(file)[1].lower().removeprefix(".") for file in files}
    if len(ends) != 1 or not ends <= set(TABLES):
        raise InputError("which format?", value=files[0], allowed=", ".join((*TABLES, *SHAPES)), mend="name it: --as FORMAT")
    return ends.pop()


def _columns(given: Mapping[str, Any]) -> Columns:
    columns = Columns(**given)
    if not columns.item:
        raise InputError("which columns tell one item from another?", mend="--item COLUMN, or --item COLUMN,COLUMN")
    if bool(columns.raters) == (columns.rater is not None or columns.label is not None):
        mend = "--rater NAME=COLUMN for each rater, or --rater-column and --label-column with one rating a row"
        raise InputError("which columns hold whose labels?", mend=mend)
    if (columns.rater is None) != (columns.label is None):
        raise InputError("--rater-column and --label-column go together")
    return columns


def _line(rating: Rating) -> dict[str, Any]:
    """What an exam reads: what is not stated is left out, but for a label that was not given."""
    return {name: value for name, value in msgspec.structs.asdict(rating).items() if name == "label" or value}
