"""What holds a failure fast in the case that it becomes: the answer that was wrong, the act that must not come again.

Only what the evidence says beyond doubt is pinned: a value that was covered, cut or not kept is not. What the case's own check
says already is not said twice. Kept out: the rest of the draft (`cases/drafts.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.drafts import COVERED, TODO
from fairtrial.cases.walk import every
from fairtrial.graders.compare import ABSENT
from fairtrial.graders.labels import label
from fairtrial.graders.paths import compile_path
from fairtrial.records.errors import InputError
from fairtrial.records.failure import FailureKind
from fairtrial.records.text import encode
from fairtrial.records.trial import FATES
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.grade import Grade, Scorecard
    from fairtrial.records.suite import Suite
    from fairtrial.records.trial import Trial

MOST_BYTES = 4_000
"""An answer that is larger is not copied into a case."""
_ON_THE_ANSWER = ("output", "question")
Known = dict[str, tuple["Check", str]]
"""By the name of a check the check, and whether the case or the suite states it."""


class Pins(msgspec.Struct, kw_only=True):
    """`checks` go under must_not, `bad` under known_bad; `told` says in words what is held fast, `todo` that nothing is."""

    checks: list[dict[str, Any]] = []
    bad: list[Any] = []
    told: list[str] = []
    todo: list[str] = []


def pin(trial: Trial, card: Scorecard | None, case: Case | None, suite: Suite | None) -> Pins:
    """What can be pinned of a trial that failed. `case` is the one it was tried at, None where none is kept."""
    own = [] if case is None else list(every((*case.key.must, *case.key.must_not, *case.key.limits)))
    known = {label(check): (check, "suite") for check in every(suite.checks if suite else ())}
    known |= {label(check): (check, "case") for check in own}
    failed = [grade for grade in (card.grades if card else ()) if grade.verdict is Verdict.FAIL]
    pins = Pins()
    for grade in failed:
        _pin_grade(pins, grade, known, trial)
    if (fate := FATES[trial.head.ending]).verdict is Verdict.FAIL:
        pins.told.append(f"a trial that ends as {trial.head.ending.value} fails by itself")
    if fate.verdict is None and _is_plain(trial) and any(_reads_answer(known, grade) for grade in failed):
        pins.bad.append(trial.body.output)
        pins.told.append("the answer that was given stands under known_bad")
    if not pins.told and case is not None:
        pins.todo.append(f"{TODO}state the check that shows this failure; none could be derived from it")
    return pins


def _pin_grade(pins: Pins, grade: Grade, known: Known, trial: Trial) -> None:
    if grade.check in known:
        check, where = known[grade.check]
        pins.told.append(f"the check that failed stands in the {where}: {' '.join(grade.check.split())}")
        if check.subject == "output" and check.under == "must":
            pins.checks += [one for one in _wrong_value(check, trial) if one not in pins.checks and not _is_stated(known, one)]
    elif grade.kind == FailureKind.UNSAFE_ACT and (tool := _tool_of(grade, trial)) and not _wants(known, tool):
        pins.checks.append({"tool": tool, "called": True, "severity": "critical"})
        pins.told.append(f"{tool} must not be called")


def _wrong_value(check: Check, trial: Trial) -> Iterator[dict[str, Any]]:
    """The single value that was seen where another was to stand."""
    if trial.body.output is msgspec.UNSET:
        return
    try:
        seen = compile_path(str(check.target)).read(trial.body.output)
    except InputError:
        return
    told = isinstance(seen, (str, int, float)) and len(str(seen)) <= 200 and COVERED not in str(seen)
    if seen is not ABSENT and told and not any(path.startswith("output") for path in trial.body.altered):
        yield {"output": check.target, "equals": seen}


def _is_stated(known: Known, pinned: dict[str, Any]) -> bool:
    """Whether the case forbids the value already, under whatever name."""
    forbidden = [check for check, _ in known.values() if check.subject == "output" and check.under == "must_not"]
    return any(check.target == pinned["output"] and check.expect == {"equals": pinned["equals"]} for check in forbidden)


def _tool_of(grade: Grade, trial: Trial) -> str:
    span = grade.evidence.span if grade.evidence else None
    return next((one.name for one in trial.body.spans if one.id == span and one.kind == "tool"), "")


def _wants(known: Known, tool: str) -> bool:
    return any(check.subject == "tool" and check.target == tool and check.under == "must" for check, _ in known.values())


def _reads_answer(known: Known, grade: Grade) -> bool:
    """Whether the check can be decided on a bare answer, so that the same answer fails it again."""
    return grade.check in known and known[grade.check][0].subject in _ON_THE_ANSWER


def _is_plain(trial: Trial) -> bool:
    """Whether the answer was kept whole, is no empty one, and is small enough to stand in a case."""
    output = trial.body.output
    if output in (msgspec.UNSET, None, {}, [], "") or any(path.startswith("output") for path in trial.body.altered):
        return False
    written = encode(output)
    return len(written) <= MOST_BYTES and COVERED.encode() not in written


def undecided(card: Scorecard | None) -> Sequence[Grade]:
    """The checks that nobody could decide and that the case does not excuse."""
    return [grade for grade in (card.grades if card else ()) if grade.verdict is Verdict.UNKNOWN and not grade.excused]
