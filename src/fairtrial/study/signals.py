"""What in a failed trial points at a kind of failure, act by act: the rules by which `diagnose` reads the evidence.

The strongest signs are acts that are wrong in themselves: a fact left out of a hand-off, a failure of a tool that was not handled, a
call that must not be, a limit that the decision breaks. Then come acts that a process finding names, then those where a failure
only shows. What the signs of many trials come to is put together in `diagnosis.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.diagnosis import NOTICED, SHOWS, WRONG, Signal
from fairtrial.records.failure import KIND_BY_CARD, KIND_BY_ENDING, FailureKind
from fairtrial.records.grade import Evidence
from fairtrial.records.remark import NOT_HANDLED, REMARKS
from fairtrial.records.trial import Ending
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.grade import Grade, Scorecard
    from fairtrial.records.trace import Span
    from fairtrial.records.trial import Trial
    from fairtrial.study.factwalk import FactWalk

SHOWS_ONLY = frozenset({FailureKind.GOAL_DRIFT, FailureKind.WRONG_STATE, FailureKind.TOOL_SELECTION, FailureKind.PREMATURE_STOP})
"""Kinds that say what came out wrong; where something earlier is known to be wrong, that is the kind of the failure."""
ALWAYS = ("early_conclusion", "limit_ignored")
"""Process findings that can make an answer wrong."""
WHEN_SPENT = ("useless_repeat", "needless_read", "went_on")
"""Those that matter where the trial ran out of time, steps or money."""
SPENT = (Ending.TIMEOUT, Ending.OVER_BUDGET, Ending.TOO_MANY_STEPS)
CAME_OF_IT = {
    "went_on": (FailureKind.NO_RECOVERY, "went on with bad data"),
    "left": (FailureKind.NO_RECOVERY, "was not handled"),
    "claimed": (FailureKind.FALSE_SUCCESS, "was passed over, and the work was reported as done"),
}


def signals(trial: Trial, card: Scorecard | None, walks: Sequence[FactWalk] = (), lead: str | None = None) -> list[Signal]:
    """Every sign in a failed trial, the earliest act first; those that lie nowhere in the trace come last.

    `walks` are the ways of the facts that the case singles out, `lead` is who decides in a team.
    """
    spans = trial.body.spans
    steps = {span.id: step for step, span in enumerate(spans, 1)}
    found = [*_ended(trial, spans), *_lost(trial, walks, lead)]
    if card is not None:
        found += [*_failed(card, spans, steps, lead), *_unhandled(card, spans, steps), *_noticed(trial, card, spans, steps)]
    found += _misfits(spans)
    return sorted(dict.fromkeys(found), key=_order)


def _order(sign: Signal) -> tuple[bool, int, int, bool]:
    """The earliest act first; of several signs at one act the strongest, and of those the one that says more than what came out."""
    return sign.step is None, sign.step or 0, -sign.strength, sign.kind in SHOWS_ONLY


def first_wrong(signs: Sequence[Signal]) -> Signal | None:
    """The sign to begin with: of those that name an act the earliest of the strongest, else whatever there is."""
    placed = [sign for sign in signs if sign.step is not None]
    best = max((sign.strength for sign in placed), default=None)
    return next((sign for sign in placed if sign.strength == best), next(iter(signs), None))


def _at(span: Span, step: int, kind: str, what: str, strength: int = WRONG) -> Signal:
    name = f"{span.kind} {span.name}".strip()
    return Signal(kind=str(kind), what=what, step=step, span=span.id, role=span.role, name=name, strength=strength)


def _answer(kind: str, what: str, spans: Sequence[Span], lead: str | None, strength: int) -> Signal:
    return Signal(kind=str(kind), what=what, step=len(spans) + 1, role=lead, name="answer", strength=strength)


def _ended(trial: Trial, spans: Sequence[Span]) -> Iterator[Signal]:
    """How it ended, at the act that was never over, else at the last one."""
    head = trial.head
    kind = KIND_BY_ENDING.get(head.ending)
    if kind is None:
        return
    what = head.note or f"ended: {head.ending.value}"
    inner = [(step, span) for step, span in enumerate(spans, 1) if span.kind != "agent"]
    unended = next(((step, span) for step, span in reversed(inner) if span.end_ns is None), inner[-1] if inner else None)
    if unended is None:
        yield Signal(kind=str(kind), what=what)
    else:
        yield _at(unended[1], unended[0], kind, what)


def _lost(trial: Trial, walks: Sequence[FactWalk], lead: str | None) -> Iterator[Signal]:
    """Facts that did not reach whoever decides, or reached them and left no sign in what they answered."""
    spans, answered = trial.body.spans, trial.head.ending is Ending.FINISHED
    for walk in walks:
        gone = walk.first_absent
        if walk.fate == "lost":
            kind = FailureKind.HANDOFF_LOSS
            yield Signal(
                kind=kind.value,
                what=walk.says,
                step=gone.step if gone else None,
                span=gone.span if gone else None,
                role=walk.dropped_by,
                name=f"handoff {gone.name}" if gone and gone.name else "answer",
                strength=WRONG,
            )
        elif walk.fate == "not_used" and answered:
            yield _answer(FailureKind.FACT_UNUSED, walk.says, spans, lead, NOTICED)


def _failed(card: Scorecard, spans: Sequence[Span], steps: dict[str, int], lead: str | None) -> Iterator[Signal]:
    for grade in card.grades:
        if grade.verdict is Verdict.FAIL:
            yield _grade(grade, spans, steps, lead)


def _grade(grade: Grade, spans: Sequence[Span], steps: dict[str, int], lead: str | None) -> Signal:
    """A failed check at the act that its evidence names; at the answer where it looked at the answer; else nowhere."""
    evidence, what = grade.evidence or Evidence(), f"{grade.check}: {grade.why}" if grade.why else grade.check
    if grade.kind is None and grade.source == "import":
        return Signal(kind=None, what=what)
    kind = grade.kind or KIND_BY_CARD.get(grade.card, FailureKind.GOAL_DRIFT)
    step = _acted(evidence.span, spans, steps)
    if step is not None:
        failed = kind == FailureKind.TOOL_SELECTION and spans[step - 1].attributes.get("outcome") == "failed"
        return _at(spans[step - 1], step, FailureKind.NO_RECOVERY if failed else kind, what)
    if kind == FailureKind.WRONG_STATE:
        wrote = [(step, span) for step, span in enumerate(spans, 1) if span.attributes.get("wrote") is True]
        if len(wrote) == 1:
            return _at(wrote[0][1], wrote[0][0], kind, f"{what} (the only act that changed the world)")
        return Signal(kind=str(kind), what=what)
    if grade.card in ("outcome", "decision") and spans:
        return _answer(kind, what, spans, lead, WRONG if grade.card == "decision" else SHOWS)
    return Signal(kind=str(kind), what=what)


def _acted(span: str | None, spans: Sequence[Span], steps: dict[str, int]) -> int | None:
    """The step of a span; for a planned fault that of the call that it came to."""
    step = steps.get(span) if span is not None else None
    if step is not None and spans[step - 1].kind == "fault":
        return steps.get(spans[step - 1].parent or "", step)
    return step


def _unhandled(card: Scorecard, spans: Sequence[Span], steps: dict[str, int]) -> Iterator[Signal]:
    for met in card.met:
        step = steps.get(met.span)
        if met.how in NOT_HANDLED and step is not None:
            kind, told = CAME_OF_IT[met.how]
            strength = NOTICED if met.how == "left" else WRONG  # what was merely left may have been got round before it went wrong
            yield _at(spans[step - 1], step, kind, f"{met.fault} of {met.tool} {told}", strength)


def _noticed(trial: Trial, card: Scorecard, spans: Sequence[Span], steps: dict[str, int]) -> Iterator[Signal]:
    wanted = ALWAYS + WHEN_SPENT if trial.head.ending in SPENT else ALWAYS
    for remark in card.remarks:
        step = next((steps[span] for span in remark.spans if span in steps), None)
        if remark.name in wanted and step is not None:
            yield _at(spans[step - 1], step, REMARKS[remark.name].kind, f"{remark.name}: {remark.why}", NOTICED)


def _misfits(spans: Sequence[Span]) -> Iterator[Signal]:
    """Calls with arguments that do not fit, or of tools that are not there, that never went well afterwards."""
    for step, span in enumerate(spans, 1):
        refused = span.error and span.attributes.get("outcome") == "refused"
        if span.kind != "tool" or not refused or not span.error:
            continue
        mended = any(later.kind == "tool" and later.name == span.name and later.attributes.get("outcome") == "ok" for later in spans[step:])
        if not mended and span.error.get("kind") == "arguments":
            yield _at(span, step, FailureKind.TOOL_PARAMETER, span.error.get("message", "the arguments do not fit"))
