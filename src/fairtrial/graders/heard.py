"""A judge asked about single statements, where a check says `by: NAME`: is this one borne out by what is shown with it?

Each statement is a question of its own, so that each that is not borne out can be named. Nothing is asked where code has already
found a fault, and a judge that cannot be heard leaves its statements open. Kept out: what code can look up.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from fairtrial.graders.finding import Finding
from fairtrial.graders.judge import NOT_JUDGED_YET, found_in, judge_of
from fairtrial.graders.matter import matter_of
from fairtrial.records.errors import InputError
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairtrial.graders.contract import Ask
    from fairtrial.graders.view import View
    from fairtrial.records.check import Check
    from fairtrial.records.opinion import Matter

MOST_ASKED = 40
"""Statements of one answer that a judge is asked about. With more of them the rest is open, and the check with it."""


class Heard(NamedTuple):
    """What a judge says of statements: those not borne out with its reasons, and why some are open (nothing where none is)."""

    against: list[tuple[str, str]]
    open: str = ""
    fault: bool = False
    aside: bool = False


def judge_by(check: Check, judges: Mapping[str, Ask]) -> Ask | None:
    """The judge that a check names under `by`. Raises InputError where there is none, or its rubric looks at no output."""
    if "by" not in check.expect:
        return None
    ask = judge_of(msgspec.structs.replace(check, target=check.expect["by"]), judges)
    if "output" not in ask.rubric.evidence:
        raise InputError(
            f"the rubric of {ask.name!r} does not look at the output, so that it can say nothing of a statement",
            place=check.place,
            mend="use the rubric `statement`, or add output to its evidence",
        )
    return ask


def hear(view: View, ask: Ask, statements: Sequence[str], shown: Any = None) -> Heard:
    """What the judge says of each statement. `shown`: the one piece of evidence, in place of all that the tools returned."""
    against: list[tuple[str, str]] = []
    left: Finding | None = None
    for statement in statements[:MOST_ASKED]:
        found = _of_one(view, ask, statement, shown)
        if found is None:
            waits = Finding(verdict=Verdict.UNKNOWN, why=view.closed or NOT_JUDGED_YET, fault=not view.closed, aside=bool(view.closed))
            left = left or waits
        elif found.verdict is Verdict.FAIL:
            against.append((statement, found.why))
        elif found.verdict is Verdict.UNKNOWN:
            left = left or found
    if left is None and len(statements) > MOST_ASKED:
        return Heard(against, f"{len(statements)} statements, of which {MOST_ASKED} were put before {ask.name}")
    return Heard(against) if left is None else Heard(against, left.why, left.fault, left.aside)


def _of_one(view: View, ask: Ask, statement: str, shown: Any) -> Finding | None:
    """What it says of one statement; None where it was not asked yet."""

    def matter() -> Matter:
        whole = matter_of(view, ask.rubric)
        parts = whole.parts | {"output": statement}
        if shown is not None:
            parts |= {name: shown for name in ("tools", "trace", "state") if name in parts}
        return msgspec.structs.replace(whole, parts=parts)

    about = sha256(repr((statement, shown)).encode("utf-8", "replace")).hexdigest()[:16]
    opinion = view.heard(f"{ask.name}: {about}", ask, matter)
    return None if opinion is None else found_in(opinion, ask, None)
