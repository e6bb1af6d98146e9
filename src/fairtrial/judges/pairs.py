"""Two answers side by side before a judge, always in both orders.

A judge that names the same place whoever stands there has decided nothing: that is a tie, and flagged. A judge that names a side in
one order and a tie in the other has been moved by the order: a tie as well, flagged as unsteady, and never a win. An order without a
usable reply leaves the pair UNKNOWN, never a tie. Kept out: which answers are put side by side, and the sums.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.judges import question
from fairtrial.judges.asking import Asked, ask
from fairtrial.judges.kept import answer_key
from fairtrial.judges.objects import Unusable, the_verdict
from fairtrial.judges.reply import holds_words, plain, reason_of, shown_key
from fairtrial.records.pairs import Double, SideBySide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.judges.judge import Judge
    from fairtrial.models.model import Message, Model
    from fairtrial.records.opinion import Answer, Matter
    from fairtrial.records.rubric import Rubric

FIRST, SECOND, TIE, ERROR = "first", "second", "tie", "error"
PLACES = {FIRST: 1.0, TIE: 0.5, SECOND: 0.0}
"""What is named -> the score of the answer."""
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"nonce": {"type": "string"}, "reason": {"type": "string"}, "better": {"enum": [FIRST, SECOND, TIE]}},
    "required": ["nonce", "reason", "better"],
    "additionalProperties": False,
}
_TOLD = ("reason", "reasoning", "reasoning_notes", "explanation", "rationale", "confidence")


def settle(ab: str, ba: str) -> tuple[str, str]:
    """The outcome of one double, `base`, `new`, `tie` or `unknown`, and its flag. `ab` was said with base first, `ba` with new first."""
    if ERROR in (ab, ba):
        return "unknown", ""
    if ab == ba:
        return TIE, "" if ab == TIE else ab
    if TIE in (ab, ba):
        return TIE, "unsteady"
    return ("base" if ab == FIRST else "new"), ""


def side_by_side(judge: Judge, base: Matter, new: Matter) -> SideBySide:
    """What the judge says of two answers to one task: each of its models, each repeat, in both orders. Never raises for what a
    model does."""
    try:
        orders = [_shown(judge, base, new), _shown(judge, new, base)]
    except question.Unshowable as error:
        return SideBySide(outcome="unknown", why=str(error))
    if question.digest(orders[0]) == question.digest(orders[1]):
        return SideBySide(outcome=TIE, why="both are the same")
    doubles, answers = [], []
    for model in judge.models:
        for repeat in range(1, judge.terms.repeats + 1):
            both = [_answer(judge, model, repeat, parts) for parts in orders]
            answers += both
            doubles.append(_double(model.name, repeat, both))
    return msgspec.structs.replace(together(doubles, judge.terms.needed(len(judge.models)), answers), answers=tuple(answers))


def together(doubles: Sequence[Double], quorum: int, answers: Sequence[Answer] = ()) -> SideBySide:
    """What several doubles come to: an outcome that more than half of all have, from a quorum of models."""
    usable = {double.model for double in doubles if double.outcome != "unknown"}
    counted = {outcome: sum(double.outcome == outcome for double in doubles) for outcome in ("base", "new", TIE)}
    outcome = max(counted, key=lambda name: counted[name])
    if len(usable) >= quorum and counted[outcome] * 2 > len(doubles):
        return SideBySide(outcome=outcome, doubles=tuple(doubles))
    problem = next((answer.problem for answer in answers if answer.problem), "")
    missing = len(doubles) - sum(counted.values())
    told = f"{counted['base']} for base, {counted['new']} for new, {counted[TIE]} ties, {missing} without an answer in both orders"
    why = f"the judge has no answer: {told}" + (f"; {problem}" if problem else "")
    return SideBySide(outcome="unknown", why=why, doubles=tuple(doubles))


def _double(model: str, repeat: int, both: Sequence[Answer]) -> Double:
    ab, ba = (ERROR if answer.problem else _place(answer.score) for answer in both)
    outcome, flag = settle(ab, ba)
    return Double(model=model, repeat=repeat, ab=ab, ba=ba, outcome=outcome, flag=flag)


def _place(score: float | None) -> str:
    return next((place for place, worth in PLACES.items() if worth == score), ERROR)


def _shown(judge: Judge, first: Matter, second: Matter) -> tuple[question.Part, ...]:
    """What is shown in one order. The room of one matter is that of both."""
    one, two = (question.parts_of(judge.rubric, matter, judge.terms.room) for matter in (first, second))
    common = len(one) - len(judge.rubric.evidence)
    parts = one[:common] + tuple(
        part._replace(name=f"{place} {part.name}") for place, side in ((FIRST, one), (SECOND, two)) for part in side[common:]
    )
    question.within(parts, judge.terms.room)
    return parts


def _answer(judge: Judge, model: Model, repeat: int, parts: tuple[question.Part, ...]) -> Answer:
    key = answer_key(model, judge.rubric.hash, "pair " + question.digest(parts), repeat)
    asked = msgspec.structs.replace(judge.asked(model, repeat), schema=SCHEMA)
    return judge.kept.answer(key, partial(_asked, judge.rubric, asked, parts))


def _asked(rubric: Rubric, asked: Asked, parts: tuple[question.Part, ...]) -> Answer:
    nonce = question.fresh_nonce(parts)
    read, answer = ask(asked.signed(nonce), partial(_messages, rubric, parts, nonce), lambda text: read_pair(text, nonce, parts))
    if read is None:
        return answer
    place, reason = read
    return msgspec.structs.replace(answer, score=PLACES[place], reason=reason)


def read_pair(text: str, nonce: str, parts: Sequence[question.Part]) -> tuple[str, str]:
    """What was named, `first`, `second` or `tie`, and why. Raises Unusable."""
    verdict = the_verdict(text, nonce, ("better",), lambda: holds_words("\n".join(part.text for part in parts), [["better"]]))
    strange = next((key for key in verdict if key not in ("nonce", "better", *_TOLD)), None)
    if strange is not None:
        raise Unusable(f"it has a key that was not asked for: {shown_key(strange)}")
    better = verdict.get("better")
    if not isinstance(better, str) or better not in PLACES:
        raise Unusable("it holds no verdict" if better is None else "its 'better' is none of first, second, tie")
    return better, reason_of(verdict)


def _messages(rubric: Rubric, parts: Sequence[question.Part], nonce: str, problem: str) -> list[Message]:
    reply = f'Reply with exactly one JSON object and nothing else: {{"nonce": "{nonce}", "reason": <text, at most 80 words>, '
    asked = question.put(parts, nonce) + reply + f'"better": <"{FIRST}", "{SECOND}" or "{TIE}">}}'
    return [
        {"role": "system", "content": _instructions(rubric)},
        {"role": "user", "content": asked + (question.again(problem) if problem else "")},
    ]


def _instructions(rubric: Rubric) -> str:
    lines = [
        "You compare two pieces of work on one task, the first and the second, by the rubric below, and answer with one JSON object "
        "and nothing else.",
        "",
        "What counts, with its weight:",
        *(f'- "{name}" ({plain(one.weight)}){": " if one.asks else ""}{one.asks}' for name, one in rubric.dimensions.items()),
        "Say which is better by the weighted whole, or that they are as good as each other. The order in which they stand, their length "
        "and their form mean nothing.",
        "",
        *question.rules(rubric),
    ]
    return "\n".join(lines)
