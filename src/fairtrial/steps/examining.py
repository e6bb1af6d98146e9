"""From a file of ratings to a judge's exam. Kept out: what the figures mean (`study/exam.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.cases.sources import read_document
from fairtrial.exchange.labels import read_ratings
from fairtrial.records.errors import InputError
from fairtrial.records.exam import Refused
from fairtrial.study.exam import read_exam

if TYPE_CHECKING:
    from fairtrial.records.exam import Exam
    from fairtrial.study.exam import ExamOptions


def examine(file: str, options: ExamOptions, bar: str | None = None) -> Exam:
    """Mark the exam that a file of ratings holds; `bar` is a file that states the least of some figures."""
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
