"""`grader: NAME`: a grader written in Python, called once for each grading, in a cage.

Whatever it raises makes this one check UNKNOWN, with the traceback kept; the others are not harmed. It gets copies, so that
nothing it does to them reaches another grading, and only what it returns counts: an object's own fields are never read.
"""

from __future__ import annotations

import inspect
import traceback
from copy import deepcopy
from typing import Any

from msgspec.structs import replace

from fairtrial.graders.contract import Grader
from fairtrial.graders.finding import Finding, broken
from fairtrial.graders.ground import Ground
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.case import Case
from fairtrial.records.check import Check
from fairtrial.records.errors import InputError, nearest
from fairtrial.records.failure import FailureKind
from fairtrial.records.grade import CARDS, SEVERITIES
from fairtrial.records.trace import as_object
from fairtrial.records.trial import Trial
from fairtrial.records.verdict import Verdict

RESULT_KEYS = ("verdict", "why", "card", "severity", "kind", "path", "span", "expected", "seen")
LONGEST_TRACEBACK = 4000
_KINDS = frozenset(map(str, FailureKind))


class GraderInput:
    """All that a grader may look at. Every field is this grading's own copy, made when it is first read.

    `output` (None where there is no answer), `facts`, `state` and `before` (None where they were not kept), `trace` (a list
    of span objects), `case` and `trial` whole.
    """

    __slots__ = ("_made", "_view")
    _made: dict[str, Any]
    _view: View

    def __init__(self, view: View) -> None:
        object.__setattr__(self, "_view", view)
        object.__setattr__(self, "_made", {})

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a grader's input cannot be changed")

    def _copy(self, name: str, value: Any) -> Any:
        if name not in self._made:
            self._made[name] = deepcopy(value)
        return self._made[name]

    @property
    def output(self) -> Any:
        return self._copy("output", self._view.output if self._view.answered else None)

    @property
    def facts(self) -> Any:
        return self._copy("facts", self._view.facts)

    @property
    def state(self) -> Any:
        return self._copy("state", self._view.state if self._view.state_kept else None)

    @property
    def before(self) -> Any:
        return self._copy("before", self._view.before if self._view.state_kept else None)

    @property
    def trace(self) -> list[dict[str, Any]]:
        spans: list[dict[str, Any]] = self._copy("trace", [as_object(span) for span in self._view.body.spans])
        return spans

    @property
    def case(self) -> Case:
        case: Case = self._copy("case", self._view.ground.case)
        return case

    @property
    def trial(self) -> Trial:
        """With its states written out, however they are kept."""
        view = self._view
        body = view.body
        if body.start is not None:
            body = replace(body, before=view.before, after=view.state if view.changed else None, start=None, end=[])
        trial: Trial = self._copy("trial", Trial(head=view.head, body=body))
        return trial


def compile_grader(check: Check, ground: Ground) -> Probe:
    name = str(check.target)
    grader = ground.contract.graders.get(name)
    if grader is None:
        near = nearest(name, ground.contract.graders)
        raise InputError(
            f"there is no grader {name!r}",
            place=check.place,
            allowed=", ".join(ground.contract.graders) or "none: the suite names no graders",
            mend=f"did you mean {near!r}?" if near else "name it in suite.yaml under graders",
        )
    known = grader
    return lambda view: _call(name, known, GraderInput(view))


def _call(name: str, grader: Grader, given: GraderInput) -> Finding:
    try:
        return read_result(name, grader(given))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a grader is caged: whatever it raises, SystemExit too, is its own UNKNOWN
        return broken(f"grader {name} raised {type(error).__name__}: {_said(error)}", seen=_traceback(error))


def _said(error: BaseException) -> str:
    """The error's own words; its __str__ is foreign code as well."""
    try:
        return str(error)[:300]
    except Exception:  # noqa: BLE001 - the same cage
        return "(its message cannot be read)"


def _traceback(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error, limit=-12))[-LONGEST_TRACEBACK:]
    except Exception:  # noqa: BLE001 - the same cage
        return "(its traceback cannot be read)"


def read_result(name: str, result: Any) -> Finding:
    """What a grader returned, strictly: true, false, a verdict's name, or {verdict, why, card, severity, …}.

    Anything else is not a verdict, and that is UNKNOWN.
    """
    if inspect.iscoroutine(result):
        result.close()
        return broken(f"grader {name} is asynchronous; write it as a plain function")
    if not isinstance(result, dict):
        verdict = _verdict(result)
        return broken(f"grader {name} returned {result!r:.100}, not a verdict") if verdict is None else Finding(verdict=verdict)
    verdict = _verdict(result.get("verdict"))
    odd = [key for key in result if key not in RESULT_KEYS]
    if verdict is None or odd:
        wrong = f"the unknown key {odd[0]!r}" if odd else f"{result.get('verdict')!r:.60} as its verdict"
        return broken(f"grader {name} returned {wrong}")
    card, severity = result.get("card"), result.get("severity")
    if card not in (None, *CARDS) or severity not in (None, *SEVERITIES):
        return broken(f"grader {name} returned the card {card!r} and the severity {severity!r}, which are not both known")
    kind = result.get("kind")
    if kind is not None and not (isinstance(kind, str) and kind in _KINDS):
        near = nearest(kind, _KINDS) if isinstance(kind, str) else None
        hint = f"; did you mean {near!r}?" if near else ""
        return broken(f"grader {name} returned the failure kind {kind!r:.60}, which is not known{hint}")
    return Finding(
        verdict=verdict,
        why=str(result.get("why") or ""),
        card=card,
        severity=severity,
        kind=kind,
        path=_text(result.get("path")),
        span=_text(result.get("span")),
        expected=result.get("expected"),
        seen=result.get("seen"),
    )


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _verdict(value: Any) -> Verdict | None:
    if type(value) is bool:
        return Verdict.PASS if value else Verdict.FAIL
    return Verdict(value) if isinstance(value, str) and value in Verdict.__members__ else None
