"""`judge: NAME`: what a model judge says of a trial, held to the rubric's bar or to the check's own.

Graders know no model: a check says which judge it wants to hear, the trial waits until it was heard, and is then looked at again.
What cannot be used is UNKNOWN, plain and negated. A judge that has not passed its exam decides nothing where the suite states a
bar for it. Kept out: what is put before it (`matter.py`), how it is asked (`judges/`), who waits for it (`steps/grading.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.graders.finding import DECLINED, JUDGE, Finding, fails, holds, unknown
from fairtrial.graders.matter import matter_of
from fairtrial.records.errors import InputError, nearest
from fairtrial.records.verdict import Verdict
from fairtrial.records.votes import Terms, decide, exact

if TYPE_CHECKING:
    from fairtrial.graders.contract import Ask
    from fairtrial.graders.ground import Ground
    from fairtrial.graders.values import Probe
    from fairtrial.graders.view import View
    from fairtrial.records.check import Check
    from fairtrial.records.opinion import Answer, Opinion

NOT_JUDGED_YET = "not judged yet"
CODE_DECIDED = "not asked: a check failed by code"
_OF_TRACE = ("trace", "tools")


def compile_judge(check: Check, ground: Ground) -> Probe:
    """Raises InputError naming the nearest judge where there is none of that name."""
    ask = judge_of(check, ground.contract.judges)
    stated = check.expect.get("min")
    bar = None if stated is None else _bar(check, ask)
    wants_trace = not set(_OF_TRACE).isdisjoint(ask.rubric.evidence)

    def probe(view: View) -> Finding:
        told = _unasked(view, ask, wants_trace=wants_trace)
        if told is not None:
            return told
        opinion = view.heard(ask.name, ask, lambda: matter_of(view, ask.rubric))
        if opinion is None:
            return _put_off(view, ask)
        view.unheard.pop(ask.name, None)
        if not ask.standing.counts:
            view.unfit[ask.name] = ask.standing.why
        return found_in(opinion, ask, bar)

    return probe


def _bar(check: Check, ask: Ask) -> Decimal:
    """A check's own bar. Raises InputError for one that no mark can miss, or none can reach."""
    stated, (low, high) = Decimal(str(check.expect["min"])), ask.rubric.scale
    if not low < stated <= high:
        mend = f"the rubric of {ask.name} marks from {low} to {high}; what passes must be able to fail, and to pass"
        raise InputError(
            "a bar outside the scale", place=check.place, value=check.expect["min"], allowed=f"above {low}, up to {high}", mend=mend
        )
    return stated


def judge_of(check: Check, judges: Mapping[str, Ask]) -> Ask:
    """The judge that a check names, by its name or by a rubric that it alone uses."""
    name = str(check.target)
    if name not in judges:
        near = nearest(name, judges)
        raise InputError(
            f"there is no judge {name!r}",
            place=check.place,
            allowed=", ".join(judges) or "none: the suite names no judges",
            mend=f"did you mean {near!r}?" if near else "name it in suite.yaml under judges, with its model and its rubric",
        )
    return judges[name]


def judges_in(checks: Iterable[Check]) -> list[str]:
    """The names that some checks and their parts use for judges, each once."""
    found: dict[str, None] = {}
    for check in checks:
        named = check.target if check.subject == JUDGE else check.expect.get("by")
        found |= dict.fromkeys(judges_in(check.parts)) if named is None else {str(named): None}
    return list(found)


def _unasked(view: View, ask: Ask, *, wants_trace: bool) -> Finding | None:
    """Where there is nothing to put before the judge: no answer to mark, or no trace where the rubric looks at it."""
    if not view.answered and "output" in ask.rubric.evidence:
        if view.declined and view.ground.unknown_ok:
            view.unasked[ask.name] = DECLINED.why
            return Finding(verdict=Verdict.UNKNOWN, why=DECLINED.why, excused=True, source=JUDGE)
        return _left(view, ask, "not asked: there is no answer")
    if wants_trace and not view.trace_whole:
        view.unasked[ask.name] = why = "not asked: its rubric looks at the trace, which is missing or not whole"
        return unknown(why, source=JUDGE)
    return None


def _put_off(view: View, ask: Ask) -> Finding:
    if view.deaf:
        return unknown(NOT_JUDGED_YET, source=JUDGE)
    if view.closed:
        return _left(view, ask, view.closed)
    view.unheard[ask.name] = None
    return Finding(verdict=Verdict.UNKNOWN, why=NOT_JUDGED_YET, fault=True, source=JUDGE)


def _left(view: View, ask: Ask, why: str) -> Finding:
    view.unasked[ask.name] = why
    return unknown(why, aside=True, source=JUDGE)


def found_in(opinion: Opinion, ask: Ask, bar: Decimal | None) -> Finding:
    """What an opinion comes to at a bar; None: at the rubric's own."""
    own = ask.rubric.passes
    verdict, why = (opinion.verdict, said_of(opinion, own)) if bar is None else verdict_at(opinion, bar)
    bar = own if bar is None else bar
    place: dict[str, Any] = {"path": f"opinions.{ask.name}", "seen": _shown(opinion), "source": JUDGE}
    if verdict is Verdict.UNKNOWN:
        lost = any(answer.problem for answer in opinion.answers) or not opinion.answers
        return Finding(verdict=verdict, why=why, fault=lost, **place)
    standing = ask.standing
    if not standing.counts:
        mend = f"; type: {standing.mend}" if standing.mend else ""
        return Finding(verdict=Verdict.UNKNOWN, why=f"{ask.name} has not passed its exam: {standing.why}{mend}", **place)
    if verdict is Verdict.PASS:
        return holds(why=why, **place)
    return fails(why, expected={"min": float(bar)}, **place)


def verdict_at(opinion: Opinion, bar: Decimal) -> tuple[Verdict, str]:
    """PASS, FAIL or UNKNOWN by the rules that the judge's own bar is held by, with another bar in its place."""
    if not opinion.answers:
        return opinion.verdict, said_of(opinion, bar)
    low, high = map(exact, opinion.scale)
    quorum = opinion.quorum or len({answer.model for answer in opinion.answers}) // 2 + 1
    found = decide(opinion.answers, Terms((low, high), bar, opinion.limit, quorum))
    told = msgspec.structs.replace(opinion, verdict=found.verdict, why=found.why)
    return found.verdict, said_of(told, bar)


def usable(opinion: Opinion) -> list[Answer]:
    """The answers that can be used."""
    return [answer for answer in opinion.answers if not answer.problem and answer.score is not None]


def said_of(opinion: Opinion, bar: Decimal) -> str:
    """An opinion in one line: the score on its scale, over how many answers, and the reason that was given."""
    if opinion.verdict is Verdict.UNKNOWN or opinion.score is None:
        return opinion.why or "the judge came to no verdict"
    low, high = opinion.scale
    answers = len(usable(opinion))
    apart = f", {opinion.spread:g} apart" if opinion.spread and answers > 1 else ""
    many = f" over {answers} answers{apart}" if answers > 1 else ""
    reason = next((answer.reason for answer in opinion.answers if answer.reason and not answer.problem), "")
    said = f"{opinion.judge}: {_beside(exact(opinion.score), bar)} on {low:g} to {high:g}{many}, the bar is {bar.normalize():f}"
    return f"{said}: {reason}" if reason else said


def _beside(score: Decimal, bar: Decimal) -> str:
    """A score with four places, and with all of them where fewer would put it on the other side of the bar."""
    short = round(score, 4)
    return f"{(short if (short >= bar) == (score >= bar) else score).normalize():f}"


def _shown(opinion: Opinion) -> dict[str, Any]:
    told = {"score": opinion.score, "spread": opinion.spread, "n": len(usable(opinion)), "by_dimension": opinion.by_dimension}
    return {name: value for name, value in told.items() if value not in (None, {})}
