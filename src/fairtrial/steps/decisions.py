"""What a trial decided, and what its deciding role said of a fact: all that is compared between altered trials and controls.

A decision is the part of the answer that the case's checks look at (the whole of it where none does), whether it was declined,
and what changed in the world. Kept out: what follows from the comparison (`study/use.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.graders.compare import ABSENT, equal
from fairtrial.graders.contract import Contract
from fairtrial.graders.facts import said_by
from fairtrial.graders.ground import Ground, flat
from fairtrial.graders.paths import compile_path
from fairtrial.graders.signs import Signs
from fairtrial.graders.view import View
from fairtrial.records.trial import FATES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.setup import Seat
    from fairtrial.records.trial import Trial

_IN_RULE = re.compile(r"\boutput\.([A-Za-z_]\w*)")
_READS_OUTPUT = ("output", "question")


def decided_paths(case: Case, checks: Iterable[Check], asked: Sequence[str] = ()) -> tuple[str, ...]:
    """The paths of the answer that make up the decision; none: the whole answer."""
    if asked:
        return tuple(asked)
    key = case.key
    every = [*key.must, *key.must_not, *key.limits, *(check for part in key.subtasks for check in part.checks), *checks]
    found: dict[str, None] = {}
    for check in flat(every):
        if check.subject in _READS_OUTPUT:
            found[str(check.target)] = None
        elif check.subject == "rule":
            found |= dict.fromkeys(_IN_RULE.findall(str(check.target)))
    return () if "$" in found else tuple(found)


def decision(trial: Trial, paths: Sequence[str]) -> Any:
    """What was decided, as plain data; None where the trial came to no decision."""
    head, body = trial.head, trial.body
    if FATES[head.ending].verdict is not None:
        return None
    output = None if body.output is msgspec.UNSET else body.output
    answer = output if not paths else {path: compile_path(path).read(output) for path in paths}
    changed = [[change.path, change.kind, change.after] for change in body.changes] + msgspec.to_builtins(body.end)
    return {"declined": head.decline is not None, "answer": answer, "changed": changed}


def classes(decisions: Iterable[Any], known: list[Any]) -> list[int | None]:
    """A number for each decision, the same for equal ones; `known` holds those met so far and grows."""
    made: list[int | None] = []
    for one in decisions:
        if one is None:
            made.append(None)
            continue
        at = next((place for place, other in enumerate(known) if _same(one, other)), None)
        if at is None:
            at = len(known)
            known.append(one)
        made.append(at)
    return made


def _same(one: Any, two: Any) -> bool:
    """Deep equality, where a path that leads nowhere is equal to itself alone."""
    if isinstance(one["answer"], dict) and isinstance(two["answer"], dict):
        keys = {name for name, value in one["answer"].items() if value is ABSENT}
        if keys != {name for name, value in two["answer"].items() if value is ABSENT}:
            return False
        one, two = ({**side, "answer": {k: v for k, v in side["answer"].items() if k not in keys}} for side in (one, two))
    return equal(one, two)


class Words:
    """Whether a role declared a fact used, and whether the fact shows in what it said."""

    def __init__(self, case: Case, seat: Seat, to: str, facts: Iterable[str]) -> None:
        self._ground = Ground(case, Contract(seat=seat))
        self._to = to
        self._decides = to == self._ground.lead
        self._signs = {fact: Signs(fact, self._ground) for fact in facts}

    def declared(self, trial: Trial, fact: str) -> bool:
        return any(span.kind == "use" and span.name == fact and span.role in (self._to, None) for span in trial.body.spans)

    def found(self, trial: Trial, fact: str) -> bool:
        view = View(trial, self._ground)
        return any(map(self._signs[fact].within, said_by(view, self._to, self._decides)))
