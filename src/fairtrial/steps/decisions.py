"""What a trial decided, and what its deciding role said of a fact: all that is compared between altered trials and controls.

A decision is the part of the answer that the case's checks look at (the whole of it where they look at nothing), whether it was
declined, the calls that the checks look at, and what changed in the world. Kept out: what follows from the comparison (`study/use.py`).
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
from fairtrial.graders.view import View, reached
from fairtrial.records.trial import FATES
from fairtrial.records.use import Decides

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.setup import Seat
    from fairtrial.records.trial import Trial

_IN_RULE = re.compile(r"\boutput\.([A-Za-z_]\w*)")
_WHOLE_IN_RULE = re.compile(r"\boutput\b(?!\s*[.\[])")
_ANSWER = ("output", "question", "text", "citations", "grounded")
_ANY = ("grader", "judge")
"""Checks that may look at anything."""
_ACTS = ("tool", "effect", "approval")
_WORLD = ("state", "query", "changes", "command")


def looked_at(case: Case, checks: Iterable[Check], asked: Sequence[str] = ()) -> Decides:
    """The parts of a trial that decide: those that are asked for, else those that the case's checks look at.

    Where they look at the answer nowhere, but at the world or at calls, no part of it counts; where at nothing, the whole does.
    """
    if asked:
        return Decides(answer=tuple(asked))
    key = case.key
    every = [*key.must, *key.must_not, *key.limits, *(check for part in key.subtasks for check in part.checks), *checks]
    found: dict[str, None] = {}
    acts: dict[str, list[str]] = {}
    subjects = set()
    for check in flat(every):
        subjects.add(check.subject)
        if check.subject in _ANSWER:
            found[str(check.target)] = None
        elif check.subject == "rule":
            found |= dict.fromkeys(_IN_RULE.findall(str(check.target)))
            found |= dict.fromkeys("$" for _ in _WHOLE_IN_RULE.findall(str(check.target)))
        elif check.subject in _ACTS:
            acts.setdefault(str(check.target), []).extend(check.expect.get("with") or {})
    elsewhere = bool(acts or subjects & {*_WORLD} or case.key.expect_state is not msgspec.UNSET) and not subjects & {*_ANY}
    whole = "$" in found or (not found and not elsewhere)
    return Decides(answer=("$",) if whole else tuple(found), acts={tool: tuple(dict.fromkeys(names)) for tool, names in acts.items()})


def decision(trial: Trial, decides: Decides, replayed: Container[str | None] = ()) -> Any:
    """What was decided, as plain data; None where the trial came to no decision. Calls of `replayed` roles are not its own."""
    head, body = trial.head, trial.body
    if FATES[head.ending].verdict is not None:
        return None
    output = None if body.output is msgspec.UNSET else body.output
    calls = [
        [span.name, {name: (span.attributes.get("args") or {}).get(name) for name in decides.acts[span.name]}]
        for span in body.spans
        if span.kind == "tool" and span.name in decides.acts and reached(span) and span.role not in replayed
    ]
    changed = [[change.path, change.kind, change.after] for change in body.changes] + msgspec.to_builtins(body.end)
    answer = {path: compile_path(path).read(output) for path in decides.answer}
    return {"declined": head.decline is not None, "answer": answer, "calls": calls, "changed": changed}


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
