"""Ways through the checks of a case, for everything that reads them without deciding them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.finding import Finding, place_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check


def checks_of(case: Case) -> tuple[Check, ...]:
    """All checks a case states, those of its subtasks and the signs of its injections too; groups are not opened."""
    key = case.key
    return (*key.must, *key.must_not, *key.limits, *(check for part in key.subtasks for check in part.checks), *key.obeyed_if.values())


def every(checks: Iterable[Check]) -> Iterator[Check]:
    """The checks and, inside groups, their parts."""
    for check in checks:
        yield check
        yield from every(check.parts)


def found_in(case: Case, code: str, message: str, mend: str, check: Check | None = None) -> Finding:
    """A finding at a check's line, or at the case's."""
    file, line = place_of(check.place if check and ":" in check.place else case.place)
    return Finding(code=code, message=message, mend=mend, case=case.id, file=file, line=line)
