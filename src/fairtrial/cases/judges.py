"""The judges of a suite as they are written: with all that is left out filled in, and by which words a check may call them.

Kept out: rubrics (`rubric.py`), and opening a model.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.rubric import read_rubric
from fairtrial.cases.sources import read_document
from fairtrial.cases.suiteforms import JudgeForm
from fairtrial.cases.walk import checks_of, every
from fairtrial.records.bar import RECALL, read_bar
from fairtrial.records.errors import FairtrialError, InputError, InputErrors, nearest
from fairtrial.records.grade import SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairtrial.cases.rows import Row
    from fairtrial.records.rubric import Rubric
    from fairtrial.records.suite import Suite


def form_of(judges: Mapping[str, Any], name: str) -> JudgeForm:
    """How a judge of a loaded suite is written, with all that it leaves out."""
    return msgspec.convert(judges[name], JudgeForm)


def stated_judges(file: str) -> dict[str, JudgeForm]:
    """The judges of a suite's file, without its cases. Raises InputErrors where the file or one of them cannot be read."""
    judges = read_document(file).value.get("judges") or {}
    try:
        return msgspec.convert(judges, dict[str, JudgeForm])
    except msgspec.ValidationError as error:
        raise InputError(str(error), place=file) from None


def models_of(form: JudgeForm) -> list[str]:
    """The names of a judge's models."""
    return [form.model] if isinstance(form.model, str) else list(form.model)


def by_word(judges: Mapping[str, Any]) -> dict[str, str]:
    """Every word for a judge -> its name: its own, and the rubric, as it is written, that no other uses."""
    used: dict[str, list[str]] = {}
    for name in judges:
        used.setdefault(form_of(judges, name).rubric, []).append(name)
    return {rubric: names[0] for rubric, names in used.items() if len(names) == 1} | {name: name for name in judges}


def rubric_of(suite: Suite, name: str) -> Rubric:
    """The rubric that a judge of a suite marks by. Raises InputErrors."""
    return read_rubric(form_of(suite.judges, name).rubric, suite.folder)


def judge_faults(judges: Mapping[str, JudgeForm], row: Row, folder: str) -> Iterator[FairtrialError]:
    """Rubrics that are not there or cannot be read, a bar or a limit that is none, and a quorum of more models than there are."""
    for name, form in judges.items():
        try:
            read_rubric(form.rubric, folder)
        except InputErrors as several:
            yield from several.errors
        except InputError as error:
            error.what = f"judges.{name}: {error.what}"
            error.place = error.place or row.place("judges", name, "rubric")
            yield error
        yield from _terms(name, form, row)
        models = models_of(form)
        if form.quorum and form.quorum > len(models):
            what = f"judges.{name}: a quorum of {form.quorum} among {len(models)} can never be met"
            yield InputError(
                what, place=row.place("judges", name, "quorum"), value=form.quorum, mend="name as many models, or ask for fewer"
            )
        if len(set(models)) < len(models):
            what = f"judges.{name}: the same model votes twice"
            yield InputError(
                what, place=row.place("judges", name, "model"), value=models, mend="name each model once; `repeats` asks one again"
            )


def _terms(name: str, form: JudgeForm, row: Row) -> Iterator[FairtrialError]:
    """A bar on no figure, or that no figure has; a spread that is no share. What severities labels name is known at the exam only, so any
    goes here that is not like one of ours."""
    severities = [key.removeprefix(RECALL) for key in form.bar if key.startswith(RECALL)]
    try:
        read_bar(form.bar, row.place("judges", name, "bar"), [one for one in severities if nearest(one, SEVERITIES) is None])
    except InputError as error:
        yield error
    if not math.isfinite(form.timeout_s):
        what = f"judges.{name}: a time-out that never comes"
        yield InputError(what, place=row.place("judges", name, "timeout_s"), value=str(form.timeout_s), mend="write seconds: 60")
    if not form.spread.is_finite() or not 0 <= form.spread <= 1:
        what = f"judges.{name}: a spread is a share of the scale"
        yield InputError(
            what, place=row.place("judges", name, "spread"), value=str(form.spread), allowed="0 to 1", mend='write spread: "0.25"'
        )


def bar_faults(suite: Suite) -> Iterator[FairtrialError]:
    """A check's own bar that no mark of its judge can miss, or that none can reach."""
    words = by_word(suite.judges)
    for check in (*every(suite.checks), *(check for case in suite.cases for check in every(checks_of(case)))):
        name = words.get(str(check.target)) if check.subject == "judge" and "min" in check.expect else None
        if name is None:
            continue
        low, high = rubric_of(suite, name).scale
        stated = check.expect["min"]
        if not low < Decimal(str(stated)) <= high:
            what = f"a bar outside the scale of judge {name}"
            mend = f"its rubric marks from {low} to {high}; what passes must be able to fail, and to pass"
            yield InputError(what, place=check.place, value=str(stated), allowed=f"above {low}, up to {high}", mend=mend)
