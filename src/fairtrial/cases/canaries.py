"""The canaries that a suite states: known answers beside those of its cases, with the verdict that its graders must give them.

Kept out: putting them to the graders.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from fairtrial.cases.rows import shown
from fairtrial.cases.sources import read_rows
from fairtrial.cases.strict import read_form
from fairtrial.cases.suiteforms import CanaryForm
from fairtrial.records.canary import StatedCanary
from fairtrial.records.errors import FairtrialError, InputError, InputErrors, nearest

if TYPE_CHECKING:
    from collections.abc import Collection

    from fairtrial.cases.rows import Row
    from fairtrial.cases.suiteforms import SuiteForm


def read_canaries(form: SuiteForm, row: Row, folder: str, cases: Collection[str]) -> tuple[StatedCanary, ...]:
    """Those written in the suite, or one a record of the file that it names. Raises InputErrors with everything that is wrong."""
    errors: list[FairtrialError] = []
    if isinstance(form.canaries, str):
        file = os.path.join(folder, form.canaries)
        if not os.path.isfile(file):
            mend = f"paths are taken from {shown(folder)}"
            raise InputErrors([InputError("canaries: no such file", place=row.place("canaries"), value=form.canaries, mend=mend)])
        forms = [(read_form(entry, CanaryForm), entry.place("case")) for entry in read_rows(file)]
    else:
        forms = [(one, row.place("canaries", place, "case")) for place, one in enumerate(form.canaries)]
    for one, place in forms:
        if one.case not in cases:
            near = nearest(one.case, cases)
            mend = f"did you mean {near!r}?" if near else "name a case of this suite"
            errors.append(InputError("a canary of a case that is not there", place=place, value=one.case, mend=mend))
        elif not _says_something(one):
            what = "a canary without answer, state or trace, and not declined"
            errors.append(InputError(what, place=place, value=one.case, mend="state the answer that the graders are tried on"))
    if errors:
        raise InputErrors(errors)
    return tuple(_stated(one) for one, _ in forms)


def _says_something(form: CanaryForm) -> bool:
    return form.declined or any(part is not UNSET for part in (form.answer, form.state, form.trace))


def _stated(form: CanaryForm) -> StatedCanary:
    parts: dict[str, Any] = {name: part for name, part in msgspec.structs.asdict(form).items() if part is not UNSET}
    return StatedCanary(**parts)
